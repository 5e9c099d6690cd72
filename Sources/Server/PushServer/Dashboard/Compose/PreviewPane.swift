import Foundation
import Markup
import NotificationCards
import PushModel
import PushPayload

/// The preview beside a form: the notification as a phone shows it, and the in-app message as the app does.
///
/// On narrow screens it is a sheet that a button of the form opens.
struct PreviewPane {
  static let id = "preview-pane"
  /// The field with the device for which the preview is composed.
  static let sampleField = "preview_as"
  /// The field with the number of the variant that the pane shows.
  static let shownField = "shown"

  /// A message of the form with its pictures.
  struct Picture: Sendable {
    /// The name of the variant; `nil` if the page has one message.
    var title: String?
    var preview: ComposePreview
    /// The notification in the appearance that the form chooses; `nil` if nothing shows.
    var card: [UInt8]?
    /// The in-app message as inboxes show it.
    var inbox: HTML?
  }

  /// The message that the pane shows.
  var shown: Picture
  /// The names of the form's variants, of which a script shows the one that is edited, and buttons do without it.
  var variants: [String] = []
  var form: Form
  var choices: ComposeChoices
  /// The device for which the preview is composed.
  var sample: Device?
  /// The remarks on the whole form.
  var remarks: HTML?
  /// The fields below the pictures.
  var more: HTML?

  var html: HTML {
    """
    <section class="preview" id="\(Self.id)" popover aria-labelledby="preview-title">
    <div class="head"><h2 id="preview-title">Preview</h2>\(appearance)\
    <button type="button" class="small sheet-only" popovertarget="\(Self.id)" popovertargetaction="hide">Close</button></div>
    \(Self.samples(choices, sample, in: shown.preview.form.openLanguage))
    <p class="variant-title" id="shown-variant"\(" hidden", if: shown.title == nil)>\(shown.title ?? "")</p>
    <p class="budget" id="budget" role="status">\(shown.preview.budget)</p>
    <meter class="push-only" id="bytes" min="0" max="\(shown.preview.limit)" high="\(shown.preview.limit * 9 / 10)" \
    value="\(shown.preview.bytes ?? 0)" aria-label="Bytes of the payload"></meter>
    <div id="remarks">\(remarks)</div>
    <p class="note" id="nothing"\(" hidden", if: shown.card != nil || shown.inbox != nil)>\
    \(shown.preview.reasonForNothing)</p>
    <p class="help" id="faces"\(" hidden", if: !shown.preview.hasTemplate)>\
    \(shown.preview.choice.caption(hasTemplate: shown.preview.hasTemplate))</p>
    \(picture("light", name: "Light", Self.appearance(of: form) == .light ? shown.card : nil))
    \(picture("dark", name: "Dark", Self.appearance(of: form) == .dark ? shown.card : nil))
    <div id="inbox">\(shown.inbox)</div>
    <video id="film" class="shown" controls preload="metadata" aria-label="The film"\
    \(shown.preview.film.map { " src=\"\($0)\"" as HTML } ?? " hidden")></video>
    \(others)
    \(more)
    <div class="columns push-only">\(shown.preview.choice.menus())</div>
    </section>
    """
  }

  /// The menu of devices for which the preview is composed.
  static func samples(_ choices: ComposeChoices, _ sample: Device?, in language: String?) -> HTML {
    let chosen = [sample].compactMap { $0 }.filter { sample in
      !sample.id.isEmpty && !choices.devices.contains { $0.id == sample.id }
    }
    func option(_ title: String, _ value: String) -> HTML {
      "<option value=\"\(value)\"\(" selected", if: value == sample?.id ?? "")>\(title)</option>"
    }
    let options = (chosen + choices.devices).map { device -> HTML in
      let name = device.userID ?? device.id
      return option(
        device.locale.map { "\(name) (\(LanguageNames.name(of: $0)))" } ?? name, device.id)
    }
    let words = language.map { " in \(LanguageNames.name(of: $0))" } ?? ""
    return """
      <div id="samples"><label for="\(sampleField)">Preview as</label>
      <select id="\(sampleField)" name="\(sampleField)">\(option("a device\(words) without data", ""))\(options)</select></div>
      """
  }

  /// The appearance that a form chooses.
  static func appearance(of form: Form) -> CardStyle.Appearance {
    form["appearance"] == "dark" ? .dark : .light
  }

  private var appearance: HTML {
    let isDark = Self.appearance(of: form) == .dark
    return """
      <fieldset class="switch small"><legend class="hidden">Appearance</legend>
      <label><input type="radio" name="appearance" value="light"\(" checked", if: !isDark)> \
      <span>Light</span></label>
      <label><input type="radio" name="appearance" value="dark"\(" checked", if: isDark)> \
      <span>Dark</span></label></fieldset>
      """
  }

  /// A picture of the card as a data URL, so that it shows without a script.
  private func picture(_ id: String, name: String, _ jpeg: [UInt8]?) -> HTML {
    """
    <img id="card-\(id)" alt="\(name): \(shown.preview.spoken)" width="393"\(" hidden", if: jpeg == nil) \
    src="\(Self.data(jpeg ?? []))">
    """
  }

  static func data(_ jpeg: [UInt8]) -> String {
    "data:image/jpeg;base64," + Data(jpeg).base64EncodedString()
  }

  /// The buttons that show another variant in a browser without scripts.
  private var others: HTML? {
    guard variants.count > 1 else { return nil }
    let buttons = variants.enumerated().filter { $0.element != shown.title }.map { number, title in
      "<button class=\"small\" name=\"\(Self.shownField)\" value=\"\(number)\">\(title)</button>\n"
        as HTML
    }
    // The buttons stand before the field, since the first value of a name counts.
    return """
      <noscript><p>Show instead:</p><p class="row">\(buttons)</p>
      <input type="hidden" name="\(Self.shownField)" value="\(variants.firstIndex { $0 == shown.title } ?? 0)"></noscript>
      """
  }
}
