import Markup

/// The texts of a notification, with a tab for each language.
///
/// A tab is a radio button whose panel the style sheet shows, so this needs no script. A panel with a refused field
/// is shown too, so that the links of the summary lead to a visible field.
struct LanguageFieldsView {
  var form: ComposeForm
  var fields: FormFields
  /// The fields of the fallback, which have no language.
  var fallback: HTML
  var coverage: LanguageCoverage?

  private var prefix: String { fields.prefix }

  var html: HTML {
    """
    <div id="\(prefix)languages" class="languages">
    \(form.languages.isEmpty ? "<div>\(fallback)</div>" : tabs)
    \(prefix.isEmpty ? further : folded)
    </div>
    """
  }

  /// The languages of the audience, and the menu that adds one.
  private var further: HTML {
    """
    <div class="push-only">\(LanguageCoverageView(form: form, coverage: coverage, prefix: prefix).html)</div>
    <div class="push-only half">\(addition)</div>
    """
  }

  /// The same for a variant, behind a summary as long as the variant has one text.
  private var folded: HTML {
    let unwritten = coverage?.unwritten.filter { $0.language != nil }.count ?? 0
    let isOpen =
      !form.languages.isEmpty || fields.focus == prefix + ComposeForm.addedLanguageField
    return """
      <details class="more push-only"\(" open", if: isOpen)><summary>Languages \
      <span class="set">\(unwritten > 0 ? "\(unwritten) without a text" : "")</span></summary>\(further)</details>
      """
  }

  // MARK: Tabs

  private var tabs: HTML {
    """
    <fieldset class="tabs"><legend class="hidden">Language</legend>
    \(tab(nil))<div class="panel fallback">\(fallback)</div>
    \(form.languages.map { "\(tab($0))\(panel($0))" as HTML })</fieldset>
    """
  }

  private func tab(_ language: String?) -> HTML {
    let title = language.map(LanguageNames.name) ?? "Fallback"
    return """
      <label class="push-only"><input type="radio" name="\(prefix)\(ComposeForm.tabField)" value="\(language ?? "")"\
      \(" checked", if: form.openLanguage == language)> <span>\(title)\("<span class=\"if-empty\"> (empty)</span>", if: language != nil)</span></label>
      """
  }

  private func panel(_ language: String) -> HTML {
    let name = LanguageNames.name(of: language)
    return """
      <div class="panel push-only" role="group" aria-label="\(name)">
      <input type="hidden" name="\(prefix)\(ComposeForm.languageField)" value="\(language)">
      <div class="columns">\(ComposeForm.localizedFields.dropLast().map { "<div>\(field($0, language))</div>" as HTML })</div>
      \(ComposeForm.localizedFields.suffix(1).map { field($0, language) })
      <p class="corner"><button class="small" name="action" value="\(prefix)language-remove-\(language)">Remove \(name)</button></p></div>

      """
  }

  private func field(_ field: ComposeField, _ language: String) -> HTML {
    let part = ComposeForm.name(field, in: language)
    let name = prefix + part
    let attributes: HTML = """
      id="\(name)" name="\(name)" lang="\(language)" dir="auto" placeholder=" " aria-describedby="\(name)-remarks"\
      \(" aria-invalid=\"true\"", if: fields.isRefused(part))\(fields.autofocus(name))
      """
    let value = form.form.all(part).first ?? ""
    let control: HTML =
      field == .text
      ? "<textarea rows=\"2\" \(attributes)>\n\(value)</textarea>"
      : "<input \(attributes) value=\"\(value)\" autocomplete=\"off\">"
    return """
      <label for="\(name)">\(ComposeForm.title(of: field, in: language))</label>
      \(control)\(fields.remarks(at: part))
      """
  }

  // MARK: Adding a language

  private var addition: HTML {
    let id = prefix + ComposeForm.addedLanguageField
    let known = Set(form.languages)
    let audience = (coverage?.unwritten ?? []).compactMap { part -> HTML? in
      part.language.map { code in
        "<option value=\"\(code)\">\(LanguageNames.name(of: code)): \(AudienceReach.devices(part.devices))</option>"
      }
    }
    let others = LanguageNames.offered
      .filter { !known.contains(TextLocale.normalized($0.code)) }
      .map { "<option value=\"\($0.code)\">\($0.name)</option>" as HTML }
    let all: HTML =
      audience.isEmpty
      ? "\(others)"
      : "<optgroup label=\"In the audience\">\(audience)</optgroup><optgroup label=\"All\">\(others)</optgroup>"
    let isFull = form.languages.count >= ComposeForm.languageLimit
    return """
      <label for="\(id)">Add a language</label>
      <div class="row"><select id="\(id)" name="\(id)"\(fields.autofocus(id))>\
      <option value="">Choose…</option>\(all)</select>\
      <button class="small" name="action" value="\(prefix)language-add"\(" disabled", if: isFull)>Add language</button></div>
      """
  }
}

/// The number of the audience's devices for each language, with the texts that are missing.
struct LanguageCoverageView {
  /// The largest number of languages without a text that are listed.
  private static let listedCount = 5

  var form: ComposeForm
  var coverage: LanguageCoverage?
  /// The prefix of the names of fields, for a variant of a campaign.
  var prefix = ""

  var html: HTML {
    guard let coverage, coverage.total > 0, isWorthShowing(coverage) else {
      return "<div id=\"\(prefix)coverage\"></div>"
    }
    let listed = coverage.unwritten.prefix(Self.listedCount)
    let more = coverage.unwritten.dropFirst(Self.listedCount)
    let rest: HTML? =
      more.isEmpty
      ? nil
      : "<li>\(more.count) more: \(AudienceReach.devices(more.reduce(0) { $0 + $1.devices }))</li>"
    return """
      <div id="\(prefix)coverage"><p class="help">The languages of the audience, by the devices \
      that a push reaches. Those without a text get the fallback.</p>
      <ul class="coverage">\(coverage.rows.compactMap(written))\(listed.map(unwritten))\(rest)</ul></div>
      """
  }

  /// Whether the form has several texts, or the audience a known language.
  private func isWorthShowing(_ coverage: LanguageCoverage) -> Bool {
    !form.languages.isEmpty || coverage.unwritten.contains { $0.language != nil }
  }

  private func written(_ row: LanguageCoverage.Row) -> HTML? {
    guard let language = row.language else { return nil }
    let missing = form.missing(in: language)
    let lack: String? =
      !form.hasText(in: language)
      ? "no text, they get the fallback"
      : missing.isEmpty
        ? nil
        : "no \(missing.map { $0.title.lowercased() }.joined(separator: " and no ")), "
          + "they get that of the fallback"
    return """
      <li>\(LanguageNames.name(of: language)): \(AudienceReach.devices(row.devices))\
      \(lack.map { ", <strong class=\"lack\">\($0)</strong>" as HTML })</li>
      """
  }

  private func unwritten(_ part: LanguageCoverage.Unwritten) -> HTML {
    guard let language = part.language else {
      return
        "<li>Without a known language: \(AudienceReach.devices(part.devices)) get the fallback</li>"
    }
    let name = LanguageNames.name(of: language)
    return """
      <li>\(name): \(AudienceReach.devices(part.devices)), <span class="lack">no text</span> \
      <button class="small" name="action" value="\(prefix)language-add-\(language)">Add \(name)</button></li>
      """
  }
}
