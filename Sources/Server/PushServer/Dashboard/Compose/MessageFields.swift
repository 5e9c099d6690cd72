import APNs
import Foundation
import Markup
import NotificationTemplates
import PushPayload

/// The fields of a message: its texts, media, buttons and options.
///
/// The composer, the editor of templates and the variants of a campaign have the same ones.
struct MessageFields {
  var form: ComposeForm
  /// The fields of the form, with the remarks on it and the prefix of a variant.
  var fields: FormFields
  /// The name of the variant; `nil` if the page has one message.
  var variant: String?
  /// The number of the audience's devices for each language; `nil` if no audience is chosen.
  var coverage: LanguageCoverage?

  private var prefix: String { fields.prefix }

  // MARK: Texts

  var texts: HTML {
    let fallback: HTML = """
      <div class="columns"><div>\(line(.title, more: " dir=\"auto\""))</div>
      <div class="push-only">\(line(.subtitle, more: " dir=\"auto\""))</div></div>
      \(fields.area(ComposeField.text.rawValue, ComposeField.text.title, rows: 2))
      """
    return LanguageFieldsView(
      form: form, fields: fields, fallback: fallback, coverage: coverage
    ).html
  }

  // MARK: Link and media

  /// The link, and the media with their upload.
  var media: HTML {
    """
    <div class="columns four">
    <div>\(line(.link, help: "What a tap opens, such as app://sale"))</div>
    <div class="media-url">\(line(.media, type: "url", more: " placeholder=\"https://…\""))</div>
    <div><label for="\(prefix)file">Upload a file\(hiddenOwner)</label>
    <input type="file" id="\(prefix)file" name="\(prefix)file" aria-describedby="\(prefix)file-help" \
    accept="\(HTML(stringLiteral: TemplateFieldsView.acceptedMedia))">
    <p class="help" id="\(prefix)file-help">Pictures 10 MB, MP4 50 MB, audio 5 MB</p>
    <p id="\(prefix)upload" role="status" class="muted" hidden></p></div>
    <div class="push-only with-media">\(line(.alternativeText, help: "Shown where the media cannot be"))</div>
    </div>
    """
  }

  /// The name of the variant, for those who do not see where a control is.
  var hiddenOwner: HTML? { variant.map { "<span class=\"hidden\"> of \($0)</span>" } }

  // MARK: Buttons

  /// The number of buttons beside the texts; the others are among the advanced options.
  private static let plainButtonCount = 2

  var buttons: HTML {
    """
    <div class="push-only">\(rows(0..<Self.plainButtonCount))\(fields.remarks(at: ComposeField.buttons.rawValue))</div>
    """
  }

  private func rows(_ rows: Range<Int>) -> [HTML] {
    let buttons = form.buttonRows
    return rows.map { row in
      let options = ComposeButton.options.map { option, title -> HTML in
        """
        <label class="choice"><input type="checkbox" name="\(prefix)\(ComposeButton.fieldName(row: row, option))" \
        value="on"\(" checked", if: buttons[row].options.contains(option))> \(title)</label>
        """
      }
      return """
        <fieldset class="button-row"><legend class="hidden">Button \(row + 1)\(hiddenOwner)</legend>
        <div class="columns"><div>\(part("title", "Button \(row + 1): title", of: row))</div>
        <div>\(part("url", "Link", of: row))</div>
        <div class="choices no-template">\(options)</div></div></fieldset>
        """
    }
  }

  /// One value of a button.
  private func part(_ part: String, _ label: String, of row: Int) -> HTML {
    let name = ComposeButton.fieldName(row: row, part)
    return """
      <label for="\(prefix)\(name)">\(label)</label><input id="\(prefix)\(name)" name="\(prefix)\(name)" \
      value="\(fields.value(name))" placeholder=" " autocomplete="off">
      """
  }

  /// The identifiers of all buttons, and the further buttons.
  var furtherButtons: HTML {
    let all = form.buttonRows.indices
    return """
      <div class="push-only">\(rows(Self.plainButtonCount..<all.upperBound))
      <div class="columns">\(all.map { "<div>\(part("id", "Identifier of button \($0 + 1)", of: $0))</div>" as HTML })</div>
      <p class="help">The app receives the identifier of the pressed button; without one, the button's number, counted \
      from 0. With a template, buttons are shown by the app's content extension alone.</p></div>
      """
  }

  // MARK: Delivery and expanded notification

  private var deliveryFields: HTML {
    let levels =
      [("", "Default")]
      + APS.InterruptionLevel.all.map { ($0.rawValue, $0.rawValue.capitalized) }
    return """
      <div>\(line(.sound, more: " placeholder=\"default\""))</div>
      <div>\(line(.badge, more: " placeholder=\"5 or +1\""))</div>
      <div>\(menu(.interruptionLevel, levels))</div>
      """
  }

  var delivery: HTML { "<div class=\"columns four push-only\">\(deliveryFields)</div>" }

  private var kinds: HTML {
    let choices =
      [("", "None")]
      + TemplateKind.allCases.map(TemplateForm.of)
      .map { ($0.kind.rawValue, $0.title) }
    let action = variant == nil ? "preview" : "\(prefix)\(CampaignForm.showTemplate)"
    let button: HTML = """
      <button class="small" name="action" value="\(action)">Show its fields</button>
      """
    return """
      <div id="\(prefix)expanded">\(menu(.template, choices, title: variant == nil ? "Kind" : "Expanded notification"))\
      \(variant == nil ? "<noscript>\(button)</noscript>" : button)</div>
      """
  }

  /// The kind of expanded notification, and the fields of the kind.
  var expanded: HTML {
    """
    <div class="columns four">\(kinds)</div>
    \(TemplateFieldsView(form: form, fields: fields).html)
    """
  }

  /// The media, buttons and delivery options of a variant, behind a summary that says which are set.
  var options: HTML {
    """
    <details class="more"\(" open", if: hasRefusedOption || form.template != nil)><summary><span class="push-only">Link, media, buttons</span>\
    <span class="message-only">Link and media</span>\(hiddenOwner) <span class="set" id="\(prefix)options-set">\(form.optionWords)</span></summary>
    \(media)\(buttons)<div class="push-only"><div class="columns four">\(kinds)\(deliveryFields)</div>
    \(TemplateFieldsView(form: form, fields: fields).html)</div>
    </details>
    """
  }

  private var hasRefusedOption: Bool {
    let own: [ComposeField] = [
      .link, .media, .alternativeText, .template, .buttons, .sound, .badge, .interruptionLevel,
    ]
    return own.contains { fields.isRefused($0.rawValue) }
      || fields.remarks.contains { remark in
        guard let place = remark.place, place.hasPrefix(prefix) else { return false }
        return remark.severity == ComposePreview.refusal
          && TemplateField.isPart(String(place.dropFirst(prefix.count)))
      }
  }

  // MARK: Fields

  func line(
    _ field: ComposeField, type: StaticString = "text", more: HTML = "", help: String? = nil
  ) -> HTML {
    fields.line(field.rawValue, field.title, type: type, more: more, help: help)
  }

  private func menu(
    _ field: ComposeField, _ choices: [(value: String, title: String)], title: String? = nil
  ) -> HTML {
    fields.menu(field.rawValue, title ?? field.title, choices: choices)
  }
}
