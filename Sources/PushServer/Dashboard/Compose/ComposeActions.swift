import Markup
import PushPayload
import PushStore
import _HTTPServer
import _OpenSSLCrypto

/// The composer's actions: sending a test, reviewing the send, and sending.
enum ComposeActions {
  /// Sends to one device or to a test audience, at once, and refuses where nothing would arrive.
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
    let (target, audience): (JSONValue, Audience)
    if let known = try await request.api.store.audience(id, app: request.app.id) {
      guard known.isTest else {
        return try await refused("This audience is not a test audience. Mark it as one first.")
      }
      (target, audience) = (.string(id), known)
    } else {
      let device = try await request.api.store.device(id, app: request.app.id)
      guard let device, device.erasedAt == nil else {
        return try await refused("No test audience and no device has the ID “\(id)”.")
      }
      if let reason = device.reasonAgainstPush { return try await refused(reason) }
      // An audience of its own, by which the send is known as a test.
      var own = Audience(
        id: Identifiers.makeObjectID(), app: request.app.id,
        filters: [Filter(field: .builtIn(.deviceID), criteria: [.equals(.string(id))])],
        createdAt: request.now)
      own.isTest = true
      (target, audience) = ([["name": "device_id", "criteria": [.string(id)]]], own)
    }
    let reached = try await request.api.audiences.devices(of: audience, at: request.now).count
    guard reached > 0 else {
      return try await refused("No device of this audience can receive pushes.")
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
      let send = try await accept(try test.request(to: target), to: audience, request)
      let path = request.path(.sends) + "/" + send.id
      return try await ComposePages.page(
        form, request,
        notice: """
          Test sent. It is on its way to \(reached) \(reached == 1 ? "device" : "devices"). \
          <a href="\(path)">View what APNs answers</a>
          """)
    } catch let error as APIError {
      return try await ComposePages.page(form, request, status: error.status, problem: .init(error))
    }
  }

  /// The page that shows all that is sent, and asks for confirmation.
  static func review(
    _ form: ComposeForm, _ request: PageRequest, problem: String? = nil
  ) async throws -> HTTPResponse {
    guard let review = try await ComposeReview(form, request) else {
      return try await ComposePages.page(form, request, status: 422)
    }
    let view = ReviewView(form: form, request: request, review: review, problem: problem)
    let isRefused = problem != nil || review.recipients == 0
    return WebPage(title: "Review", section: .compose, main: view.html).response(
      status: isRefused ? 422 : 200, for: request
    ).keptForBack
  }

  static func send(_ form: ComposeForm, _ request: PageRequest) async throws -> HTTPResponse {
    if form.isForEveryone, request.form["confirm"] != request.app.name {
      return try await review(
        form, request, problem: "Type the app's name, \(request.app.name), to send to all devices.")
    }
    guard form.templateProblems.isEmpty, let target = try await form.audience(request) else {
      return try await ComposePages.page(form, request, status: 422)
    }
    let reach = try await request.api.audiences.reach(of: target, at: request.now)
    guard (form.kind == .push ? reach.reached : reach.targeted) > 0 else {
      return try await review(form, request)
    }
    do {
      let body = try form.request()
      try await cancelReplaced(form, by: body, request)
      guard form.kind == .push else {
        let (message, send) = try await MessageRoutes.make(
          request.apiCall(
            "POST", "/v6/messages", body: body, headers: idempotencyKey(for: body, request)),
          request.api)
        return send.map {
          .seeOther("\(request.path(.sends))/\($0.id)?sent=\(draft(request))")
        }
          ?? publishedPage(message, request)
      }
      let send = try await accept(body, to: nil, request)
      return .seeOther("\(request.path(.sends))/\(send.id)?sent=\(draft(request))")
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

  /// The draft in the browser that was sent, which the page of the send removes.
  private static func draft(_ request: PageRequest) -> String {
    let id = request.form["draft"] ?? ""
    return id.wholeMatch(of: /[0-9a-f]{1,32}/) == nil ? "1" : id
  }

  /// Cancels the scheduled send that the form replaces, after the request was checked.
  ///
  /// - Throws: ``APIError`` 409 where that send has started.
  private static func cancelReplaced(
    _ form: ComposeForm, by body: JSONValue, _ request: PageRequest
  ) async throws {
    guard let id = form.form[ComposeForm.replacedField] else { return }
    let call = request.apiCall(
      "POST", "/v6/notifications", body: body, headers: idempotencyKey(for: body, request))
    // A repeat of the request that has replaced it.
    guard try await request.api.firstTime(of: call) == nil else { return }
    guard let old = try await form.replacedSend(request) else {
      throw APIError(409, "The scheduled send \(id) has started meanwhile and cannot be edited.")
    }
    _ = try NewNotification(try BodyValue(body).required("notification"), at: request.now)
    let canceled = try await NotificationRoutes.perform(
      .cancel, auditedAs: "notification.cancel", sendID: old.id,
      call: request.apiCall("DELETE", "/v6/notifications/\(old.id)"), api: request.api)
    guard canceled.startedAt == nil else {
      throw APIError(
        409, "The scheduled send \(id) started meanwhile and was canceled after its first devices.")
    }
  }

  /// Accepts a notification as `POST /v6/notifications` does.
  ///
  /// `audience` takes the place of the request's target.
  private static func accept(
    _ body: JSONValue, to audience: Audience?, _ request: PageRequest
  ) async throws -> Send {
    let call = request.apiCall(
      "POST", "/v6/notifications", body: body, headers: idempotencyKey(for: body, request))
    // Times of a repeat may be over that were not when the button was pressed first.
    let first = try await request.api.firstTime(of: call)
    let new = try NewNotification(
      try BodyValue(body).required("notification"), at: first ?? request.now)
    var audience = audience
    if audience == nil {
      audience = try await new.target.audience(
        app: request.app.id, at: request.now, request.api.store)
    }
    guard let audience else { throw APIError.notFound("audience with this id") }
    return try await request.api.accept(
      new.send(app: request.app.id, to: audience, at: request.now), to: audience, for: call)
  }

  private static func publishedPage(_ message: Message, _ request: PageRequest) -> HTTPResponse {
    let main: HTML = """
      <h1>Published</h1>
      <p class="note" role="status" id="published" data-draft="\(draft(request))">“\(message.title)” is visible to its audience until \
      \(.time(message.unpublishAt)).</p>
      <p><a class="button" href="\(request.path(.compose))">Compose another message</a></p>
      """
    return WebPage(title: "Published", section: .compose, main: main, scripts: ["watch.js"])
      .response(for: request).keptForBack
  }
}

extension Device {
  /// Why no push can be sent to the device; `nil` where one can.
  fileprivate var reasonAgainstPush: String? {
    if uninstalledAt != nil { return "The app was removed from this device." }
    if !isPushEnabled { return "Notifications are turned off on this device." }
    if token == nil { return "This device has no push token and cannot receive pushes." }
    return platform == "iOS" ? nil : "This device runs \(platform), to which no push is sent."
  }
}
