import Markup
import PushPayload
import PushStore

/// The page that asks for confirmation before a send.
struct ReviewView {
  var form: ComposeForm
  var request: PageRequest
  var preview: ComposePreview
  var devices: Int
  var audience: String
  var problem: String?

  var html: HTML {
    let fields = form.form.fields.filter {
      !["token", "action", "once", "confirm", "part"].contains($0.name)
    }
    return """
      <div class="card narrow">
      <h1>Send to \(devices) \(devices == 1 ? "device" : "devices")?</h1>
      \(problem.map(HTML.alert))
      <dl class="facts">
      <dt>Audience</dt><dd>\(audience)</dd>
      <dt>Message</dt><dd>\(form.kind.title): \(title)</dd>
      \(expanded)<dt>Schedule</dt><dd>\(schedule)</dd>
      <dt>Size</dt><dd>\(preview.bytes) of \(preview.limit) bytes</dd>
      </dl>
      \("<p class=\"finding warning\">No device of this audience can receive pushes.</p>",
        if: devices == 0)
      <form method="post" action="\(request.path(.compose))">
      \(request.session.tokenField)
      \(fields.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">\n" as HTML })
      <input type="hidden" name="once" value="\(request.form["once"] ?? Identifiers.makeObjectID())">
      \(confirmation)
      <div class="row">
      \(buttons)
      </div>
      </form>
      </div>
      """
  }

  /// The send button comes first, since Enter presses the first button of a form.
  private var buttons: HTML {
    let send: HTML = "<button class=\"primary\" name=\"action\" value=\"send\">\(verb)</button>"
    let back: HTML = "<button name=\"action\" value=\"preview\">Back to editing</button>"
    return "\(send)\n\(back)"
  }

  private var verb: String { form[.scheduledAt].isEmpty ? "Send now" : "Schedule" }

  private var title: String {
    [form[.title], form[.text]].first { !$0.isEmpty }.map { String($0.prefix(120)) } ?? "no text"
  }

  private var expanded: HTML? {
    guard form.kind != .message, let template = form.template else { return nil }
    let pages = form.filledPages.count
    return "<dt>Expanded</dt><dd>\(template.title)\(pages > 0 ? ", \(pages) pages" : "")</dd>\n"
  }

  private var confirmation: HTML? {
    guard form.isForEveryone else { return nil }
    return """
      <label for="confirm">This sends to all devices. Type <strong>\(request.app.name)</strong> to \
      confirm</label>
      <input id="confirm" name="confirm" autocomplete="off" autocapitalize="none" \
      spellcheck="false"\(" aria-invalid=\"true\"", if: problem != nil)>
      """
  }

  private var schedule: HTML {
    guard !form[.scheduledAt].isEmpty else { return "now" }
    let time = form[.scheduledAt].replacing("T", with: " ")
    if !form[.localTime].isEmpty, form.kind != .message {
      return "\(time), in each device's local time"
    }
    let body = try? form.request()
    guard let text = (body?["notification"] ?? body?["message"])?["scheduled_at"]?.string,
      let utc = Timestamp(iso8601: text)
    else { return "\(time)" }
    return .time(utc)
  }
}
