import Markup
import APNs
import Foundation
import NotificationPreview
import PushPayload

/// How it behaves on a phone, and when it goes out.
extension ComposeView {
  var buttons: HTML {
    let rows = form.buttonRows.enumerated().map { row, button -> HTML in
      func input(_ part: String, _ label: String, _ value: String) -> HTML {
        let name = ComposeButton.name(row, part)
        return """
          <div><label for="\(name)">\(label)</label><input id="\(name)" name="\(name)" \
          value="\(value)" placeholder=" " autocomplete="off"></div>
          """
      }
      let options = ComposeButton.options.map { option, title -> HTML in
        """
        <label class="choice"><input type="checkbox" name="\(ComposeButton.name(row, option))" \
        value="on"\(" checked", if: button.options.contains(option))> \(title)</label>
        """
      }
      return """
        <fieldset class="button-row"><legend>Button \(row + 1)</legend>
        <div class="columns">\(input("title", "Its title", button.title))\
        \(input("url", "Its link", button.url))\(input("id", "Its id", button.id))</div>
        <div class="row">\(options)</div></fieldset>
        """
    }
    return """
      <section class="card push-only"><h2>Buttons</h2>
      <p class="help">They show under the expanded notification. The app is told the id of the one \
      that is pressed; without an id it is the button's number, from 0.</p>
      \(rows)
      \(remarks(.buttons))
      \(line(.category, "or a category that the app has", list: "categories",
        help: "It has buttons of its own, which show in place of those above."))
      <datalist id="categories">\(PresetCategory.names.map { "<option value=\"\($0)\">" as HTML })\
      </datalist>
      </section>
      """
  }

  var behaviour: HTML {
    let levels =
      [("", "As usual")]
      + APS.InterruptionLevel.all.map { ($0.rawValue, $0.rawValue.capitalized) }
    return """
      <section class="card push-only"><h2>On the phone</h2>
      <div class="columns">
      <div>\(line(.sound, "Sound", help: "default, or a file of the app"))</div>
      <div>\(line(.badge, "Badge", help: "A number, or +1"))</div>
      <div>\(line(.collapseKey, "Collapse key", help: "A later push with the same replaces this one."))</div>
      <div><label for="interruption_level">Interruption level</label>
      <select \(attributes(.interruptionLevel))>
      \(levels.map { option($0.0, $0.1, form[.interruptionLevel]) })</select>
      \(remarks(.interruptionLevel))</div>
      <div>\(line(.relevance, "Relevance, 0 to 1", type: "number", more: " min=\"0\" max=\"1\" step=\"any\"",
        help: "What stands first in a summary: 1 before 0."))
      <div data-script hidden><input type="range" id="relevance-slider" min="0" max="1" step="0.05" \
      aria-label="Relevance"></div></div>
      </div>
      </section>
      """
  }

  var delivery: HTML {
    """
    <section class="card"><h2>When</h2>
    <div class="columns">
    <div>\(line(.scheduledAt, "Send at", type: "datetime-local",
      help: "Empty is now. In UTC.", offset: true))</div>
    <div class="push-only">\(line(.expiresAt, "Give up at", type: "datetime-local",
      help: "Devices that are off until then miss it. In UTC.", offset: true))</div>
    <div class="message-only">\(line(.unpublishAt, "Gone from the app at", type: "datetime-local",
      help: "Empty is three months on. In UTC.", offset: true))</div>
    <div class="push-only">\(line(.throttle, "At most a second", type: "number",
      more: " min=\"1\" max=\"1000000\"", help: "Empty is as fast as Apple takes it."))</div>
    </div>
    <div class="push-only">
    \(check(.localTime, "At that time on each device's own clock"))
    \(check(.shorten, "Shorten texts that do not fit"))
    </div>
    </section>
    """
  }
}
