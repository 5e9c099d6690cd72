import Markup
import PushPayload
import PushStore
import _HTTPServer
import _OpenSSLCrypto

/// The way from a written notification to a sent one: to a device that tests it, or, asked once
/// more, to its audience.
enum SendOrder {
  /// Sends to one device, or to an audience that is for tests.
  static func test(_ form: ComposeForm, _ visit: Visit) async throws -> HTTPResponse {
    func refused(_ message: String) async throws -> HTTPResponse {
      try await ComposePages.page(
        form, visit, status: 422,
        problem: .init(
          field: .testDevice, severity: ComposePreview.refusal, message: message))
    }
    let id = form[.testDevice]
    guard !id.isEmpty else { return try await refused("Name the device that shall get the test.") }
    let target: JSONValue
    if let audience = try await visit.api.store.audience(id, app: visit.app.id) {
      guard audience.isTest else { return try await refused("This audience is not for tests.") }
      target = .string(id)
    } else {
      let device = try await visit.api.store.device(id, app: visit.app.id)
      guard let device, device.erasedAt == nil else {
        return try await refused("There is no device with this id.")
      }
      guard device.token != nil else {
        return try await refused("This device has no push token, so nothing reaches it.")
      }
      target = [["name": "device_id", "criteria": [.string(id)]]]
    }
    // At once, whatever the form says of the time.
    var test = form
    for field in [ComposeField.scheduledAt, .localTime, .expiresAt, .unpublishAt, .throttle] {
      test[field] = ""
    }
    test[.kind] = ComposeForm.Kind.push.rawValue
    do {
      let send = try await push(try test.request(to: target), visit)
      let path = visit.path(.sends) + "/" + send.id
      return try await ComposePages.page(
        form, visit, notice: "The test is on its way: <a href=\"\(path)\">watch it</a>.")
    } catch let error as APIError {
      return try await ComposePages.page(form, visit, status: error.status, problem: .init(error))
    }
  }

  /// Says to how many and when, and asks.
  static func review(
    _ form: ComposeForm, _ visit: Visit, problem: String? = nil
  ) async throws -> HTTPResponse {
    let preview = try await ComposePreview(form, for: nil, visit)
    guard preview.isSendable, let devices = preview.devices else {
      return try await ComposePages.page(form, visit, status: 422)
    }
    let name =
      form.isForEveryone
      ? "every device of \(visit.app.name)"
      : "“\(try await visit.api.store.audience(form[.to], app: visit.app.id)?.name ?? form[.to])”"
    let view = ReviewView(
      form: form, visit: visit, preview: preview, devices: devices, audience: name,
      problem: problem)
    return WebPage(title: "Send?", section: .compose, main: view.html).response(
      status: problem == nil ? 200 : 422, for: visit)
  }

  static func send(_ form: ComposeForm, _ visit: Visit) async throws -> HTTPResponse {
    if form.isForEveryone, visit.form["confirm"] != visit.app.name {
      return try await review(
        form, visit, problem: "Type the app's name, \(visit.app.name), to send to every device.")
    }
    do {
      let request = try form.request()
      guard form.kind == .push else {
        let (message, send) = try await MessageRoutes.make(
          visit.apiCall("POST", "/v6/messages", request, headers: once(request, visit)), visit.api)
        return send.map { .seeOther("\(visit.path(.sends))/\($0.id)?sent=1") }
          ?? published(message, visit)
      }
      let send = try await push(request, visit)
      return .seeOther("\(visit.path(.sends))/\(send.id)?sent=1")
    } catch let error as APIError {
      return try await ComposePages.page(form, visit, status: error.status, problem: .init(error))
    }
  }

  /// What was made with the page, so that what it says goes out once.
  ///
  /// However often its button is pressed, or the answer loaded again; with other words it is another
  /// send.
  private static func once(
    _ request: JSONValue, _ visit: Visit
  ) -> [(name: String, value: String)] {
    guard let id = visit.form["once"] else { return [] }
    let words = Identifiers.hex(Array(OpenSSLCrypto.sha256(Array(request.serialized())).prefix(8)))
    return [(name: "Idempotency-Key", value: "dashboard-\(id.prefix(64))-\(words)")]
  }

  /// As `POST /v6/notifications` does it.
  private static func push(
    _ request: JSONValue, _ visit: Visit
  ) async throws -> Send {
    let new = try NewNotification(try BodyValue(request).required("notification"), at: visit.now)
    let audience = try await new.target.audience(
      app: visit.app.id, at: visit.now, visit.api.store)
    let call = visit.apiCall(
      "POST", "/v6/notifications", request, headers: once(request, visit))
    return try await visit.api.accept(
      new.send(app: visit.app.id, to: audience, at: visit.now), to: audience, for: call)
  }

  private static func published(_ message: Message, _ visit: Visit) -> HTTPResponse {
    let main: HTML = """
      <h1>Published</h1>
      <p class="note" role="status">“\(message.title)” is in the stream of its audience until \
      \(.time(message.unpublishAt)).</p>
      <p><a class="button" href="\(visit.path(.compose))">Write another</a></p>
      """
    return WebPage(title: "Published", section: .compose, main: main, scripts: ["watch.js"])
      .response(for: visit)
  }
}

/// The last question before a send.
struct ReviewView {
  var form: ComposeForm
  var visit: Visit
  var preview: ComposePreview
  var devices: Int
  var audience: String
  var problem: String?

  var html: HTML {
    let fields = form.form.fields.filter {
      !["token", "action", "once", "confirm"].contains($0.name)
    }
    return """
      <div class="card narrow">
      <h1>Send to \(devices) \(devices == 1 ? "device" : "devices")?</h1>
      \(problem.map(HTML.alert))
      <dl class="facts">
      <dt>To</dt><dd>\(audience)</dd>
      <dt>What</dt><dd>\(form.kind.title): \(title)</dd>
      <dt>When</dt><dd>\(when)</dd>
      <dt>Size</dt><dd>\(preview.bytes) of \(preview.limit) bytes</dd>
      </dl>
      \("<p class=\"finding warning\">Nobody would get it: no device of this audience can be reached.</p>",
        if: devices == 0)
      <form method="post" action="\(visit.path(.compose))">
      \(visit.session.tokenField)
      \(fields.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">\n" as HTML })
      <input type="hidden" name="once" value="\(visit.form["once"] ?? Identifiers.makeObjectID())">
      \(confirmation)
      <div class="row">
      \(buttons)
      </div>
      </form>
      </div>
      """
  }

  /// The first button is what Enter presses.
  private var buttons: HTML {
    let send: HTML = "<button class=\"primary\" name=\"action\" value=\"send\">\(verb)</button>"
    let back: HTML = "<button name=\"action\" value=\"preview\">Back to writing</button>"
    return "\(send)\n\(back)"
  }

  private var verb: String { form[.scheduledAt].isEmpty ? "Send now" : "Schedule" }

  private var title: String {
    [form[.title], form[.text]].first { !$0.isEmpty }.map { String($0.prefix(120)) } ?? "no text"
  }

  private var confirmation: HTML? {
    guard form.isForEveryone else { return nil }
    return """
      <label for="confirm">This goes to every device. Type <strong>\(visit.app.name)</strong> to \
      confirm</label>
      <input id="confirm" name="confirm" autocomplete="off" autocapitalize="none" \
      spellcheck="false"\(" aria-invalid=\"true\"", if: problem != nil)>
      """
  }

  private var when: HTML {
    guard !form[.scheduledAt].isEmpty else { return "now" }
    let wall = form[.scheduledAt].replacing("T", with: " ")
    if !form[.localTime].isEmpty, form.kind != .message {
      return "\(wall), on each device's own clock"
    }
    let request = try? form.request()
    guard let text = (request?["notification"] ?? request?["message"])?["scheduled_at"]?.string,
      let time = Timestamp(iso8601: text)
    else { return "\(wall)" }
    return .time(time)
  }
}
