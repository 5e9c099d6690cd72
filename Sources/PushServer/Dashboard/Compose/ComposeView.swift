import Foundation
import Markup
import PushPayload
import PushStore
import _Card

/// The composer: the form, and beside it what a phone would show.
struct ComposeView {
  var form: ComposeForm
  var preview: ComposePreview
  var visit: Visit
  var choices: ComposeChoices
  var sample: Device?
  /// Whether a draft that the browser keeps may take the form's place.
  var isFresh: Bool
  var notice: HTML?

  var html: HTML {
    """
    <div class="head"><h1>Compose</h1>
    <p id="draft" class="muted" role="status" hidden></p></div>
    \(notice.map { "<p class=\"note\" role=\"status\">\($0)</p>" as HTML })
    <form method="post" action="\(visit.path(.compose))" enctype="multipart/form-data" \
    id="compose" data-app="\(visit.app.id)"\(" data-fresh=\"\"", if: isFresh)>
    \(visit.session.tokenField)
    <button class="hidden" name="action" value="preview" tabindex="-1" aria-hidden="true">Preview</button>
    <div class="compose">
    <div>
    \(audience)\(words)\(media)\(behaviour)\(delivery)\(keys)
    </div>
    <section class="preview" aria-labelledby="preview-title">
    \(previewPane)
    </section>
    </div>
    <div class="actions">
    <button name="action" value="preview">Preview</button>
    <button name="action" value="test">Send test</button>
    <button class="primary" name="action" value="review">Continue to send…</button>
    </div>
    </form>
    """
  }

  // MARK: Parts

  private var audience: HTML {
    let kinds = ComposeForm.Kind.allCases.map { kind -> HTML in
      """
      <label class="choice"><input type="radio" name="kind" value="\(kind.rawValue)"\
      \(" checked", if: kind == form.kind)> \(kind.title)</label>
      """
    }
    let audiences = choices.audiences.map { audience -> HTML in
      option(audience.id, (audience.name ?? "") + (audience.isTest ? " (test)" : ""), form[.to])
    }
    return """
      <section class="card"><h2>Who</h2>
      <fieldset><legend>What it is</legend>\(kinds)</fieldset>
      <label for="to">Audience</label>
      <select \(attributes(.to))>
      \(option("", "Choose…", form[.to]))\(audiences)\
      \(option("*", "Every device of \(visit.app.name)", form[.to]))
      </select>
      \(remarks(.to))
      <p class="help"><a href="\(visit.path(.audiences))">Make an audience</a></p>
      </section>
      """
  }

  private var words: HTML {
    let names = ["user_id", "locale"] + choices.attributes.map { "custom.\($0)" }
    let options = names.map { name -> HTML in "<option value=\"{{ \(name) }}\">\(name)</option>" }
    return """
      <section class="card"><h2>Words</h2>
      \(line(.title, "Title"))\(line(.subtitle, "Subtitle"))\(area(.text, "Text"))
      <div data-script hidden><label for="insert">Insert what is known of each device</label>
      <select id="insert"><option value="">Choose…</option>\(options)</select></div>
      <details><summary>How to write what differs from device to device</summary>
      <p class="help">Write <code>{{ custom.first_name | default: "there" }}</code> where a value \
      shall stand. Known here: \(names.map { "<code>\($0)</code> " as HTML }).</p></details>
      \(area(.messageText, "Text of the in-app message",
        help: "Where empty, the text above is used. The title is needed."))
      </section>
      """
  }

  private var media: HTML {
    """
    <section class="card"><h2>Picture, film or sound</h2>
    \(line(.media, "URL", type: "url"))
    <label for="file">or a file</label>
    <input type="file" id="file" name="file" aria-describedby="file-help" \
    accept="image/jpeg,image/png,image/gif,video/mp4,audio/mpeg,audio/mp4,audio/wav,audio/aiff">
    <p class="help" id="file-help">JPEG, PNG or GIF up to 10 MB, MP4 up to 50 MB, sound up to 5 MB.</p>
    <p id="upload" role="status" class="muted" hidden></p>
    \(line(.alternativeText, "Text where it cannot be shown"))
    </section>
    """
  }

  private var behaviour: HTML {
    let levels =
      [("", "As usual")]
      + APS.InterruptionLevel.all.map { ($0.rawValue, $0.rawValue.capitalized) }
    return """
      <section class="card"><h2>On the phone</h2>
      <div class="columns">
      <div>\(line(.category, "Category of buttons", list: "categories"))
      <datalist id="categories">\(PresetCategory.names.map { "<option value=\"\($0)\">" as HTML })\
      </datalist></div>
      <div>\(line(.sound, "Sound", help: "default, or a file of the app"))</div>
      <div>\(line(.badge, "Badge", help: "A number, or +1"))</div>
      <div>\(line(.link, "Deep link"))</div>
      <div><label for="interruption_level">Interruption level</label>
      <select \(attributes(.interruptionLevel))>
      \(levels.map { option($0.0, $0.1, form[.interruptionLevel]) })</select>
      \(remarks(.interruptionLevel))</div>
      <div>\(line(.relevance, "Relevance, 0 to 1", type: "number", more: " min=\"0\" max=\"1\" step=\"any\""))
      <div data-script hidden><input type="range" id="relevance-slider" min="0" max="1" step="0.05" \
      aria-label="Relevance"></div></div>
      <div>\(line(.collapseKey, "Collapse key", help: "A later push with the same replaces this one."))</div>
      </div>
      </section>
      """
  }

  private var delivery: HTML {
    """
    <section class="card"><h2>When</h2>
    <div class="columns">
    <div>\(line(.scheduledAt, "Send at", type: "datetime-local",
      help: "Empty is now. In UTC.", offset: true))</div>
    <div>\(line(.expiresAt, "Give up at", type: "datetime-local",
      help: "Devices that are off until then miss it. In UTC.", offset: true))</div>
    <div>\(line(.throttle, "At most a second", type: "number", more: " min=\"1\" max=\"1000000\""))</div>
    </div>
    \(check(.localTime, "At that time on each device's own clock"))
    \(check(.shorten, "Shorten texts that do not fit"))
    </section>
    """
  }

  private var keys: HTML {
    let rows = (form.pairs + [("", ""), ("", "")]).map { pair -> HTML in
      """
      <div class="pair"><input name="pair_key" value="\(pair.0)" aria-label="Key" \
      autocomplete="off"><input name="pair_value" value="\(pair.1)" aria-label="Value" \
      autocomplete="off"></div>
      """
    }
    return """
      <section class="card"><h2>For the app</h2>
      <fieldset><legend>Keys and values</legend>\(rows)</fieldset>
      <details\(" open", if: !form[.more].isEmpty)><summary>More, as JSON</summary>
      \(area(.more, "Members of the payload"))</details>
      </section>
      """
  }

  private var previewPane: HTML {
    let samples = choices.devices.map { device -> HTML in
      option(device.id, device.userID ?? device.id, sample?.id ?? "")
    }
    let tests = choices.audiences.filter(\.isTest).map { audience -> HTML in
      "<option value=\"\(audience.id)\">\(audience.name ?? "")</option>"
    }
    return """
      <h2 id="preview-title">Preview</h2>
      <label for="sample">As seen by</label>
      <select id="sample" name="sample">\
      \(option("", "a device of which nothing is known", sample?.id ?? ""))\(samples)</select>
      <p class="budget" id="budget" role="status">\(budget)</p>
      <div id="remarks">\(remarks(nil))</div>
      \(picture("light", "Light", preview.picture(.light)))
      \(picture("dark", "Dark", preview.picture(.dark)))
      <h3>Test</h3>
      <label for="test_device">Device id or test audience</label>
      <input \(attributes(.testDevice)) value="\(form[.testDevice])" list="tests" autocomplete="off">
      <datalist id="tests">\(tests)\
      \(choices.devices.map { "<option value=\"\($0.id)\">\($0.userID ?? "")</option>" as HTML })\
      </datalist>
      \(remarks(.testDevice))
      """
  }

  private var budget: String {
    let size = "\(preview.bytes) of \(preview.limit) bytes"
    guard let devices = preview.devices else { return size }
    return size + " · \(devices) \(devices == 1 ? "device" : "devices")"
  }

  /// Inside the page, so that it shows without a script.
  private func picture(_ id: String, _ name: String, _ png: [UInt8]?) -> HTML {
    let data = png.map { Data($0).base64EncodedString() }
    return """
      <img id="card-\(id)" alt="\(name): \(spoken)" width="393"\(" hidden", if: data == nil) \
      src="data:image/png;base64,\(data ?? "")">
      """
  }

  private var spoken: String {
    guard let card = preview.card else { return "nothing shows" }
    return [card.title, card.subtitle, card.body].filter { !$0.isEmpty }.joined(separator: ". ")
  }
}
