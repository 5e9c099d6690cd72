import Markup
import PushPayload
import PushStore
import _HTTPServer
import _OpenSSLCrypto

/// The composer's actions: sending a test, reviewing the send, and sending.
enum ComposeActions {
  /// Sends to one device or to a test audience, at once.
  static func sendTest(_ form: ComposeForm, _ request: PageRequest) async throws -> HTTPResponse {
    func refused(_ message: String) async throws -> HTTPResponse {
      try await ComposePages.page(
        form, request, status: 422,
        problem: .init(
          field: .testDevice, severity: ComposePreview.refusal, message: message))
    }
    let id = form[.testDevice]
    guard !id.isEmpty else {
      return try await refused("Enter the ID of a test device or a test audience.")
    }
    let target: JSONValue
    if let audience = try await request.api.store.audience(id, app: request.app.id) {
      guard audience.isTest else {
        return try await refused("This audience is not a test audience. Mark it as one first.")
      }
      target = .string(id)
    } else {
      let device = try await request.api.store.device(id, app: request.app.id)
      guard let device, device.erasedAt == nil else {
        return try await refused("No device has this ID.")
      }
      guard device.token != nil else {
        return try await refused("This device has no push token and cannot receive pushes.")
      }
      target = [["name": "device_id", "criteria": [.string(id)]]]
    }
    guard form.templateProblems.isEmpty else {
      return try await ComposePages.page(form, request, status: 422)
    }
    // A test is sent at once, whatever the form's schedule is.
    var test = form
    for field in [ComposeField.scheduledAt, .localTime, .expiresAt, .unpublishAt, .throttle] {
      test[field] = ""
    }
    test[.kind] = ComposeForm.Kind.push.rawValue
    do {
      let send = try await accept(try test.request(to: target), request)
      let path = request.path(.sends) + "/" + send.id
      return try await ComposePages.page(
        form, request, notice: "Test sent. <a href=\"\(path)\">View the test send</a>")
    } catch let error as APIError {
      return try await ComposePages.page(form, request, status: error.status, problem: .init(error))
    }
  }

  /// The page that shows the audience, size and time of the send, and asks for confirmation.
  static func review(
    _ form: ComposeForm, _ request: PageRequest, problem: String? = nil
  ) async throws -> HTTPResponse {
    let preview = try await ComposePreview(form, for: nil, request)
    guard preview.isSendable, let devices = preview.devices else {
      return try await ComposePages.page(form, request, status: 422)
    }
    let name =
      form.isForEveryone
      ? "all devices of \(request.app.name)"
      : "“\(try await request.api.store.audience(form[.to], app: request.app.id)?.name ?? form[.to])”"
    let view = ReviewView(
      form: form, request: request, preview: preview, devices: devices, audience: name,
      problem: problem)
    return WebPage(title: "Review", section: .compose, main: view.html).response(
      status: problem == nil ? 200 : 422, for: request)
  }

  static func send(_ form: ComposeForm, _ request: PageRequest) async throws -> HTTPResponse {
    if form.isForEveryone, request.form["confirm"] != request.app.name {
      return try await review(
        form, request, problem: "Type the app's name, \(request.app.name), to send to all devices.")
    }
    guard form.templateProblems.isEmpty else {
      return try await ComposePages.page(form, request, status: 422)
    }
    do {
      let body = try form.request()
      guard form.kind == .push else {
        let (message, send) = try await MessageRoutes.make(
          request.apiCall(
            "POST", "/v6/messages", body: body, headers: idempotencyKey(for: body, request)),
          request.api)
        return send.map { .seeOther("\(request.path(.sends))/\($0.id)?sent=1") }
          ?? publishedPage(message, request)
      }
      let send = try await accept(body, request)
      return .seeOther("\(request.path(.sends))/\(send.id)?sent=1")
    } catch let error as APIError {
      return try await ComposePages.page(form, request, status: error.status, problem: .init(error))
    }
  }

  /// The `Idempotency-Key` header, so that the content of one page is sent once.
  ///
  /// Pressing the button again or reloading the answer finds the first send. The key contains a hash
  /// of the request, so changed content makes another send.
  private static func idempotencyKey(
    for body: JSONValue, _ request: PageRequest
  ) -> [(name: String, value: String)] {
    guard let id = request.form["once"] else { return [] }
    let hash = Identifiers.hex(Array(OpenSSLCrypto.sha256(Array(body.serialized())).prefix(8)))
    return [(name: "Idempotency-Key", value: "dashboard-\(id.prefix(64))-\(hash)")]
  }

  /// Accepts a notification as `POST /v6/notifications` does.
  private static func accept(
    _ body: JSONValue, _ request: PageRequest
  ) async throws -> Send {
    let new = try NewNotification(try BodyValue(body).required("notification"), at: request.now)
    let audience = try await new.target.audience(
      app: request.app.id, at: request.now, request.api.store)
    let call = request.apiCall(
      "POST", "/v6/notifications", body: body, headers: idempotencyKey(for: body, request))
    return try await request.api.accept(
      new.send(app: request.app.id, to: audience, at: request.now), to: audience, for: call)
  }

  private static func publishedPage(_ message: Message, _ request: PageRequest) -> HTTPResponse {
    let main: HTML = """
      <h1>Published</h1>
      <p class="note" role="status">“\(message.title)” is visible to its audience until \
      \(.time(message.unpublishAt)).</p>
      <p><a class="button" href="\(request.path(.compose))">Compose another message</a></p>
      """
    return WebPage(title: "Published", section: .compose, main: main, scripts: ["watch.js"])
      .response(for: request)
  }
}
