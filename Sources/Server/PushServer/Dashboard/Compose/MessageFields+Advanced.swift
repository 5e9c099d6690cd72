import Markup
import NotificationPreview
import PushPayload

/// The options of a message that few messages need, behind a summary that says which are set.
extension MessageFields {
  var advanced: HTML {
    let places = Self.advancedFields.map(\.rawValue)
    let isRefused = places.contains { fields.isRefused($0) }
    return """
      <details class="more"\(" open", if: isRefused)><summary>Advanced\(hiddenOwner) \
      <span class="set" id="\(fields.prefix)advanced-set">\(form.advancedWords)</span></summary>
      <div class="columns push-only">
      <div>\(line(.category, more: " list=\"categories\"", help: Self.categoryHelp))</div>
      <div>\(line(.collapseKey, help: "A later push with the same ID replaces this one."))</div>
      <div>\(line(.relevance, type: "number", more: " min=\"0\" max=\"1\" step=\"any\"",
        help: "From 0 to 1: the order in the notification summary, where 1 comes first."))\
      \(fields.check(ComposeField.shorten.rawValue, ComposeField.shorten.title))</div>
      </div>
      \(furtherButtons)
      \(customData)
      <div class="push-only">\(fields.area(ComposeField.more.rawValue, ComposeField.more.title, rows: 2,
        help: "Further keys of the payload, as a JSON object."))</div>
      </details>
      """
  }

  /// The categories that the menu of suggestions offers, once in a page.
  static let categories: HTML = """
    <datalist id="categories">\(PresetCategory.names.map { "<option value=\"\($0)\">" as HTML })</datalist>
    """

  private static let categoryHelp =
    "A category that the app registers. Its actions replace the buttons. With a template, that of the content "
    + "extension; if empty, \(ComposeForm.templateCategory)."

  fileprivate static let advancedFields: [ComposeField] = [
    .category, .collapseKey, .relevance, .shorten, .more,
  ]

  private var customData: HTML {
    let rows = (form.pairs + [("", "")]).map { pair -> HTML in
      """
      <div class="pair"><input name="\(fields.prefix)pair_key" value="\(pair.0)" aria-label="Key" \
      placeholder="Key" autocomplete="off"><input name="\(fields.prefix)pair_value" value="\(pair.1)" \
      aria-label="Value" placeholder="Value" autocomplete="off"></div>
      """
    }
    return "<fieldset class=\"pairs\"><legend>Custom data</legend>\(rows)</fieldset>"
  }
}

extension ComposeForm {
  /// The advanced options that are set, in words; empty if there are none.
  var advancedWords: String {
    var words = MessageFields.advancedFields.filter { !self[$0].isEmpty }.map(\.title)
    let rows = buttonRows.enumerated()
    words += rows.filter { $0.offset > 1 && !$0.element.isEmpty }.map { "Button \($0.offset + 1)" }
    if rows.contains(where: { !$0.element.id.isEmpty }) { words.append("Identifiers") }
    let pairs = pairs.count
    if pairs > 0 { words.append("\(pairs) custom \(pairs == 1 ? "value" : "values")") }
    return words.joined(separator: ", ")
  }

  /// What the parts of a form that are folded away have, in words, by the names of the parts.
  var setWords: [String: String] {
    var words = [
      "advanced": advancedWords, "options": optionWords, "template": template?.title ?? "",
      "texts": templateTextWords,
    ]
    for page in 0..<pageCount { words["page\(page)"] = pageWords(page) }
    return words
  }

  /// The texts and the link of the template that are set, in words; empty if there are none.
  var templateTextWords: String {
    TemplateForm.common.filter { form[$0.name()] != nil }.map(\.label).joined(separator: ", ")
  }

  /// The title of a page, and what it lacks.
  func pageWords(_ page: Int) -> String {
    func value(_ name: String) -> String { form[TemplateField.prefix(ofPage: page) + name] ?? "" }
    return [value("title"), value("media_url").isEmpty ? "no picture" : ""]
      .filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The media, buttons and delivery options that are set, in words; empty if there are none.
  var optionWords: String {
    var words: [String] = []
    if !self[.link].isEmpty { words.append("Link") }
    if !self[.media].isEmpty { words.append("Media") }
    if let template { words.append(template.title) }
    let buttons = buttonRows.filter { !$0.isEmpty }.count
    if buttons > 0 { words.append("\(buttons) \(buttons == 1 ? "button" : "buttons")") }
    words += [ComposeField.sound, .badge, .interruptionLevel].filter { !self[$0].isEmpty }.map(
      \.title)
    return words.joined(separator: ", ")
  }
}
