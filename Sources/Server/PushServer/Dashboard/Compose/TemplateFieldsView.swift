import Markup
import NotificationTemplates
import _HTTPServer

/// The fields of the chosen template in the composer.
///
/// Only the server renders them. `compose.js` fetches this part again when the template or the number of pages
/// changes. Without JavaScript the buttons submit the whole form.
struct TemplateFieldsView {
  /// The files that can be uploaded as media.
  static let acceptedMedia: StaticString =
    "image/jpeg,image/png,image/gif,video/mp4,audio/mpeg,audio/mp4,audio/wav,audio/aiff"

  var form: ComposeForm
  var fields: FormFields

  private var prefix: String { fields.prefix }

  var html: HTML {
    guard let template = form.template else {
      return "<div id=\"\(prefix)template-fields\" data-kind=\"\">\(kept(besides: []))</div>"
    }
    let pages = template.pageFields.isEmpty ? nil : self.pages(template)
    return """
      <div id="\(prefix)template-fields" data-kind="\(template.kind.rawValue)">
      <p class="help">\(template.purpose) It is drawn by the app's content extension. Phones without it show the fallback: the \
      message and its media, and no buttons.</p>
      \(pages)\(columns(template.ownFields))\(texts(of: template))
      \(kept(besides: names(of: template)))</div>
      """
  }

  /// The answer with only this part of the page.
  var response: HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: [("Content-Type", "text/html; charset=utf-8")] + WebPage.headers, body: html.bytes)
  }

  // MARK: Pages

  private func pages(_ template: TemplateForm) -> HTML {
    let count = form.pageCount
    let open = openPage ?? 0
    let range = template.kind.itemCount ?? 0...0
    let rows = (0..<count).map { page -> HTML in
      let fields = template.pageFields.map { field($0, inPage: page) }
      return """
        <details class="more page-row"\(" open", if: page == open || isRefused(page))><summary>Page \(page + 1) \
        <span class="set" id="\(prefix)page\(page)-set">\(form.pageWords(page))</span></summary>
        <fieldset><legend class="hidden">Page \(page + 1)</legend>
        <div class="columns">\(fields)</div>
        <div class="row">\(button("up", title: "Move up", page: page, if: page > 0))\
        \(button("down", title: "Move down", page: page, if: page < count - 1))\
        \(button("remove", title: "Remove", page: page))</div></fieldset></details>

        """
    }
    return """
      <input type="hidden" name="\(prefix)pages" value="\(form.form["pages"] ?? String(count))">
      \(rows)<p class="row"><button id="\(prefix)page-add" name="action" value="\(prefix)page-add"\
      \(" disabled", if: count == range.upperBound)\(fields.autofocus(prefix + "page-add"))>Add a page</button>
      <span class="help">\(range.lowerBound) to \(range.upperBound) pages, each with a picture.</span></p>

      """
  }

  /// The page with the element that gets the focus.
  private var openPage: Int? {
    guard let focus = fields.focus, focus.hasPrefix(prefix) else { return nil }
    return TemplateField.page(ofName: String(focus.dropFirst(prefix.count)))?.page
  }

  private func isRefused(_ page: Int) -> Bool {
    fields.remarks.contains { remark in
      remark.severity == ComposePreview.refusal
        && remark.place?.hasPrefix(prefix + TemplateField.prefix(ofPage: page)) ?? false
    }
  }

  private func button(
    _ action: String, title: String, page: Int, if isEnabled: Bool = true
  ) -> HTML {
    let id = "\(prefix)page\(page)_\(action)"
    return """
      <button class="small" id="\(id)" name="action" value="\(prefix)page-\(action)-\(page)"\
      \(" disabled", if: !isEnabled)\(fields.autofocus(id))>\(title)\
      <span class="hidden"> page \(page + 1)</span></button>
      """
  }

  // MARK: Fields

  private func columns(_ own: [TemplateField]) -> HTML? {
    own.isEmpty ? nil : "<div class=\"columns\">\(own.map { field($0, inPage: nil) })</div>"
  }

  /// The texts and the link of the expanded notification, folded away if it has more than these.
  private func texts(of template: TemplateForm) -> HTML? {
    let columns = self.columns(TemplateForm.common)
    guard !template.ownFields.isEmpty || !template.pageFields.isEmpty else { return columns }
    let isRefused = TemplateForm.common.contains { fields.isRefused($0.name()) }
    return """
      <details class="more"\(" open", if: isRefused)><summary>Texts and link\
      <span class="hidden"> of the expanded notification</span> \
      <span class="set" id="\(prefix)texts-set">\(form.templateTextWords)</span></summary>\(columns)</details>
      """
  }

  private func field(_ field: TemplateField, inPage page: Int?) -> HTML {
    let name = field.name(inPage: page)
    return """
      <div><label for="\(prefix)\(name)">\(field.label)</label>
      \(control(field, name))\(fields.help(field.help, of: name))\(fields.remarks(at: name))</div>

      """
  }

  private func control(_ field: TemplateField, _ name: String) -> HTML {
    let value = fields.value(name)
    let attributes = fields.attributes(name, hasHelp: field.help != nil)
    switch field.control {
    case .line: return "<input \(attributes) value=\"\(value)\" autocomplete=\"off\">"
    case .area, .lines: return "<textarea rows=\"2\" \(attributes)>\n\(value)</textarea>"
    case .number(let step, let range):
      return """
        <input type="number" \(attributes) value="\(value)" step="\(HTML(stringLiteral: step))" \
        min="\(Self.text(range.lowerBound))" max="\(Self.text(range.upperBound))">
        """
    case .time:
      return """
        <input type="datetime-local" \(attributes) value="\(value)">\
        <input type="hidden" name="\(prefix)\(name)_offset" value="\(fields.value(name + "_offset"))">
        """
    case .menu(let words):
      let options = words.map { word, title -> HTML in
        "<option value=\"\(word)\"\(" selected", if: word == value)>\(title)</option>"
      }
      return "<select \(attributes)>\(options)</select>"
    case .media:
      return """
        <input type="url" \(attributes) value="\(value)" placeholder="https://…" autocomplete="off">
        <input type="file" name="\(prefix)\(name)_file" aria-label="Upload: \(field.label)" \
        accept="\(HTML(stringLiteral: Self.acceptedMedia))">
        <p role="status" class="muted" hidden></p>
        """
    }
  }

  private static func text(_ number: Double) -> String {
    Int(exactly: number).map { String($0) } ?? number.description
  }

  // MARK: Fields of other kinds

  private func names(of template: TemplateForm) -> Set<String> {
    var names = template.fields.map { $0.name() }
    for page in 0..<form.pageCount { names += template.pageFields.map { $0.name(inPage: page) } }
    return Set(
      names + names.map { $0 + "_offset" } + (template.pageFields.isEmpty ? [] : ["pages"]))
  }

  /// The values entered for another kind, which are there again if that kind is chosen.
  private func kept(besides shown: Set<String>) -> [HTML] {
    form.form.fields.filter { field in
      !field.value.isEmpty && TemplateField.isPart(field.name) && !shown.contains(field.name)
    }.map { field in
      "<input type=\"hidden\" name=\"\(prefix)\(field.name)\" value=\"\(field.value)\">\n"
    }
  }
}
