import Markup
import NotificationTemplates
import Foundation
import PushModel
import PushPayload
import NotificationCards

/// The preview beside the form, and the field for a test send.
extension ComposeView {
  var previewPane: HTML {
    let tests = choices.audiences.filter(\.isTest).map { audience -> HTML in
      "<option value=\"\(audience.id)\">\(audience.name ?? "")</option>"
    }
    return """
      <div class="head"><h2 id="preview-title">Preview</h2>
      \(appearance)</div>
      \(samples)
      <div class="columns push-only">\(preview.choice.menus())</div>
      <p class="budget" id="budget" role="status">\(preview.budget)</p>
      <meter class="push-only" id="bytes" min="0" max="\(preview.limit)" high="\(preview.limit * 9 / 10)" \
      value="\(preview.bytes ?? 0)" aria-label="Bytes of the payload"></meter>
      <div id="remarks">\(remarks(nil))</div>
      <p class="note" id="nothing"\(" hidden", if: preview.card != nil)>\
      \(preview.reasonForNothing)</p>
      <p class="help" id="faces"\(" hidden", if: !preview.hasTemplate)>\
      \(preview.choice.caption(hasTemplate: preview.hasTemplate))</p>
      \(picture("light", name: "Light", light))
      \(picture("dark", name: "Dark", dark))
      <video id="film" class="shown" controls preload="metadata" aria-label="The film"\
      \(preview.film.map { " src=\"\($0)\"" as HTML } ?? " hidden")></video>
      <div class="push-only"><h3>Send a test</h3>
      <label for="test_device">Test device or audience</label>
      <input \(attributes(.testDevice)) value="\(form[.testDevice])" list="tests" autocomplete="off">
      <datalist id="tests">\(tests)\
      \(choices.devices.map { "<option value=\"\($0.id)\">\($0.userID ?? "")</option>" as HTML })\
      </datalist>
      \(remarks(.testDevice))</div>
      """
  }

  /// The menu of devices for which the preview is composed.
  var samples: HTML {
    let chosen = [sample].compactMap { $0 }.filter { sample in
      !sample.id.isEmpty && !choices.devices.contains { $0.id == sample.id }
    }
    let options = (chosen + choices.devices).map { device -> HTML in
      let name = device.userID ?? device.id
      return option(
        device.locale.map { "\(name) (\(LanguageNames.name(of: $0)))" } ?? name, value: device.id,
        selected: sample?.id ?? "")
    }
    let language = form.openLanguage.map { " in \(LanguageNames.name(of: $0))" } ?? ""
    return """
      <div id="samples"><label for="sample">Preview as</label>
      <select id="sample" name="sample">\
      \(option("a device\(language) without data", value: "", selected: sample?.id ?? ""))\(options)</select></div>
      """
  }

  private var appearance: HTML {
    let isDark = form.form["appearance"] == "dark"
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
    let data = jpeg.map { Data($0).base64EncodedString() }
    return """
      <img id="card-\(id)" alt="\(name): \(preview.spoken)" width="393"\(" hidden", if: data == nil) \
      src="data:image/jpeg;base64,\(data ?? "")">
      """
  }
}
