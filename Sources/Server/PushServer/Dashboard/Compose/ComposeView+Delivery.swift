import Markup
import APNs
import Foundation
import NotificationPreview
import PushPayload

/// The cards for action buttons, delivery options and the schedule.
extension ComposeView {
  var buttons: HTML {
    let rows = form.buttonRows.enumerated().map { row, button -> HTML in
      func input(_ part: String, label: String, value: String) -> HTML {
        let name = ComposeButton.fieldName(row: row, part)
        return """
          <div><label for="\(name)">\(label)</label><input id="\(name)" name="\(name)" \
          value="\(value)" placeholder=" " autocomplete="off"></div>
          """
      }
      let options = ComposeButton.options.map { option, title -> HTML in
        """
        <label class="choice"><input type="checkbox" name="\(ComposeButton.fieldName(row: row, option))" \
        value="on"\(" checked", if: button.options.contains(option))> \(title)</label>
        """
      }
      return """
        <fieldset class="button-row"><legend>Button \(row + 1)</legend>
        <div class="columns">\(input("title", label: "Title", value: button.title))\
        \(input("url", label: "Link", value: button.url))\
        \(input("id", label: "Identifier", value: button.id))</div>
        <div class="row no-template">\(options)</div></fieldset>
        """
    }
    return """
      <section class="card push-only"><h2>Buttons</h2>
      <p class="help">Actions of the expanded notification. The app receives the identifier of the \
      pressed button; without an identifier, the button's number, counted from 0. With a template they \
      are shown by the app's content extension alone.</p>
      \(rows)
      \(remarks(.buttons))
      \(line(.category, list: "categories",
        help: Self.categoryHelp))
      <datalist id="categories">\(PresetCategory.names.map { "<option value=\"\($0)\">" as HTML })\
      </datalist>
      </section>
      """
  }

  private static let categoryHelp =
    "A category that the app registers. Its actions replace the buttons above. With a template, that of the content "
    + "extension; if empty, \(ComposeForm.templateCategory)."

  var deliveryOptions: HTML {
    let levels =
      [("", "Default")]
      + APS.InterruptionLevel.all.map { ($0.rawValue, $0.rawValue.capitalized) }
    return """
      <section class="card push-only"><h2>Delivery options</h2>
      <div class="columns">
      <div>\(line(.sound, help: "default, or the name of a sound file in the app"))</div>
      <div>\(line(.badge, help: "A number, or +1 to increment it"))</div>
      <div>\(line(.collapseKey, help: "A later push with the same ID replaces this one."))</div>
      <div><label for="interruption_level">\(ComposeField.interruptionLevel.title)</label>
      <select \(attributes(.interruptionLevel))>
      \(levels.map { option($0.1, value: $0.0, selected: form[.interruptionLevel]) })</select>
      \(remarks(.interruptionLevel))</div>
      <div>\(line(.relevance, type: "number", more: " min=\"0\" max=\"1\" step=\"any\"",
        help: "From 0 to 1: the order in the notification summary, where 1 comes first."))
      <div data-script hidden><input type="range" id="relevance-slider" min="0" max="1" step="0.05" \
      aria-label="Relevance score"></div></div>
      </div>
      </section>
      """
  }

  /// The card of the team's name and labels for the send.
  var naming: HTML {
    """
    <section class="card push-only"><h2>Name and labels</h2>
    <div class="columns">
    <div>\(line(.sendName, help: "What the list of sends calls it; devices do not get it."))</div>
    <div>\(line(.labels, help: "Words by which it is found again, separated by commas."))</div>
    </div></section>
    """
  }

  var schedule: HTML {
    """
    <section class="card"><h2>Schedule</h2>
    <div class="columns">
    <div>\(line(.scheduledAt, type: "datetime-local",
      help: "If empty, now. In UTC.", offset: true))</div>
    <div class="push-only">\(line(.expiresAt, type: "datetime-local",
      help: "Devices that stay offline until then do not receive it. In UTC.", offset: true))</div>
    <div class="message-only">\(line(.unpublishAt, type: "datetime-local",
      help: "When the message leaves the app; if empty, in three months. In UTC.", offset: true))</div>
    <div class="push-only">\(line(.throttle, type: "number",
      more: " min=\"1\" max=\"1000000\"", help: "If empty, as fast as APNs accepts."))</div>
    </div>
    <div class="push-only">
    \(check(.localTime))
    \(check(.shorten))
    </div>
    </section>
    """
  }
}
