import Markup
import PushPayload
import PushStore

/// The composer: the form, and beside it what a phone would show.
///
/// What is of a push alone, or of a message alone, the style hides from the other, script or none.
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
    <input type="hidden" name="once" value="\(Identifiers.makeObjectID())">
    <button class="hidden" name="action" value="preview" tabindex="-1" aria-hidden="true">Preview</button>
    <div class="compose">
    <div>
    \(audience)\(words)\(media)\(buttons)\(behaviour)\(delivery)\(keys)
    </div>
    <section class="preview" aria-labelledby="preview-title">
    \(previewPane)
    </section>
    </div>
    <div class="actions">
    <button class="primary" name="action" value="review">Continue to send…</button>
    <button name="action" value="test" class="push-only">Send test</button>
    <button name="action" value="preview">Preview</button>
    </div>
    </form>
    """
  }

  // MARK: Whom and what

  private var audience: HTML {
    let kinds = ComposeForm.Kind.allCases.map { kind -> HTML in
      """
      <label><input type="radio" name="kind" value="\(kind.rawValue)"\
      \(" checked", if: kind == form.kind)> <span>\(kind.title)</span></label>
      """
    }
    let audiences = choices.audiences.map { audience -> HTML in
      let name = audience.name ?? "Whom the earlier send went to"
      return option(audience.id, name + (audience.isTest ? " (test)" : ""), form[.to])
    }
    return """
      <section class="card"><h2>Who gets what</h2>
      <fieldset class="switch"><legend>What it is</legend>\(kinds)</fieldset>
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
      \(line(.title, "Title"))
      <div class="push-only">\(line(.subtitle, "Subtitle"))</div>
      \(area(.text, "Text"))
      <div data-script hidden><label for="insert">Insert what is known of each device</label>
      <select id="insert"><option value="">Choose…</option>\(options)</select></div>
      <details><summary>How to write what differs from device to device</summary>
      <p class="help">Write <code>{{ custom.first_name | default: "there" }}</code> where a value \
      shall stand. Known here: \(names.map { "<code>\($0)</code> " as HTML }).</p></details>
      <div class="message-only">\(area(.messageText, "Text of the in-app message",
        help: "Where empty, the text above is used. The title is needed."))</div>
      \(line(.link, "Deep link", help: "Where a tap leads: a URL, or a link of the app's own."))
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
    <div class="push-only">\(line(.alternativeText, "Text where it cannot be shown"))</div>
    </section>
    """
  }

  // MARK: What the app gets

  private var keys: HTML {
    let rows = (form.pairs + [("", ""), ("", "")]).map { pair -> HTML in
      """
      <div class="pair"><input name="pair_key" value="\(pair.0)" aria-label="Key" \
      placeholder="key" autocomplete="off"><input name="pair_value" value="\(pair.1)" \
      aria-label="Value" placeholder="value" autocomplete="off"></div>
      """
    }
    return """
      <section class="card"><h2>For the app</h2>
      <fieldset><legend>Keys and values</legend>\(rows)</fieldset>
      <details class="push-only"\(" open", if: !form[.more].isEmpty)><summary>More, as JSON</summary>
      \(area(.more, "Members of the payload"))</details>
      </section>
      """
  }
}
