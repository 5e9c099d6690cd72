import Foundation
import Markup
import PushModel
import PushPayload

/// The preview beside a form: the notification as a phone shows it, and the in-app message as the app does.
///
/// On narrow screens it is a sheet that a button of the form opens.
struct PreviewPane {
  static let id = "preview-pane"
  /// The field with the device for which the preview is composed.
  static let sampleField = "preview_as"

  /// A message of the form with its pictures.
  struct Picture: Sendable {
    /// The name of the variant; `nil` if the page has one message.
    var title: String?
    var preview: ComposePreview
    /// The notification in both appearances; `nil` if nothing shows.
    var light, dark: [UInt8]?
    /// The in-app message as inboxes show it.
    var inbox: HTML?
  }

  /// The messages, of which a script shows the one that is edited.
  var pictures: [Picture]
  var form: Form
  var choices: ComposeChoices
  /// The device for which the preview is composed.
  var sample: Device?
  /// The remarks on the whole form.
  var remarks: HTML?
  /// The fields below the pictures.
  var more: HTML?

  private var first: Picture { pictures[0] }

  var html: HTML {
    """
    <section class="preview" id="\(Self.id)" popover aria-labelledby="preview-title">
    <div class="head"><h2 id="preview-title">Preview</h2>\(appearance)\
    <button type="button" class="small sheet-only" popovertarget="\(Self.id)" popovertargetaction="hide">Close</button></div>
    \(Self.samples(choices, sample, in: first.preview.form.openLanguage))
    <p class="variant-title" id="shown-variant"\(" hidden", if: first.title == nil)>\(first.title ?? "")</p>
    <p class="budget" id="budget" role="status">\(first.preview.budget)</p>
    <meter class="push-only" id="bytes" min="0" max="\(first.preview.limit)" high="\(first.preview.limit * 9 / 10)" \
    value="\(first.preview.bytes ?? 0)" aria-label="Bytes of the payload"></meter>
    <div id="remarks">\(remarks)</div>
    <p class="note" id="nothing"\(" hidden", if: first.light != nil || first.inbox != nil)>\
    \(first.preview.reasonForNothing)</p>
    <p class="help" id="faces"\(" hidden", if: !first.preview.hasTemplate)>\
    \(first.preview.choice.caption(hasTemplate: first.preview.hasTemplate))</p>
    \(picture("light", name: "Light", first.light))
    \(picture("dark", name: "Dark", first.dark))
    <div id="inbox">\(first.inbox)</div>
    <video id="film" class="shown" controls preload="metadata" aria-label="The film"\
    \(first.preview.film.map { " src=\"\($0)\"" as HTML } ?? " hidden")></video>
    \(others)
    \(more)
    <div class="columns push-only">\(first.preview.choice.menus())</div>
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

  private var appearance: HTML {
    let isDark = form["appearance"] == "dark"
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
    <img id="card-\(id)" alt="\(name): \(first.preview.spoken)" width="393"\(" hidden", if: jpeg == nil) \
    src="\(Self.data(jpeg ?? []))">
    """
  }

  private static func data(_ jpeg: [UInt8]) -> String {
    "data:image/jpeg;base64," + Data(jpeg).base64EncodedString()
  }

  /// The other variants, which a script removes as soon as it draws one.
  private var others: HTML? {
    guard pictures.count > 1 else { return nil }
    let all = pictures.dropFirst().map { other -> HTML in
      let picture: HTML? =
        if let light = other.light, let dark = other.dark {
          """
          <p class="budget">\(other.preview.budget)</p>
          <picture><source media="(prefers-color-scheme: dark)" srcset="\(Self.data(dark))">\
          <img class="shown" src="\(Self.data(light))" width="393" \
          alt="\(other.title ?? "") as a phone shows it: \(other.preview.spoken)"></picture>
          """
        } else {
          nil
        }
      return "<p class=\"variant-title\">\(other.title ?? "")</p>\(picture)\(other.inbox)\n"
    }
    return "<div id=\"others\">\(all)</div>"
  }
}
