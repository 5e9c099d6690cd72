import Markup
import PushModel
import PushPayload
import _HTTPServer
import _OpenSSLCrypto

/// The composer's actions: sending a test, reviewing the send, and sending.
enum ComposeActions {
  /// Sends to one device or to a test audience at once; refuses the test if nothing would arrive.
  static func sendTest(_ form: ComposeForm, _ request: PageRequest) async throws -> HTTPResponse {
    func refused(_ message: String) async throws -> HTTPResponse {
      try await ComposePages.page(
        form, request, status: 422,
        problem: .init(
          field: .testDevice, severity: ComposePreview.refusal, message: message))
    }
    guard (form.templateProblems + form.languageProblems).isEmpty else {
      return try await ComposePages.page(form, request, status: 422)
    }
    let test: TestTarget
    do {
      test = try await request.actions.testTarget(form[.testDevice], by: request.actor)
    } catch let refusal as RequestError where refusal.path == TestTarget.field {
      return try await refused(refusal.message)
    }
    // A test is sent at once, regardless of the form's schedule.
    var own = form
    for field in [ComposeField.scheduledAt, .localTime, .expiresAt, .unpublishAt, .throttle] {
      own[field] = ""
    }
    own[.kind] = ComposeForm.Kind.push.rawValue
    do {
      let send = try await accept(try own.request(to: test.target), asTest: test, request)
      let path = request.path(.sends) + "/" + send.id
      return try await ComposePages.page(
        form, request,
        notice: """
          Test sent. It is on its way to \(AudienceReach.devices(test.reached)). \
          <a href="\(path)">View what APNs answers</a>
          """)
    } catch let error as RequestError {
      return try await ComposePages.page(form, request, status: error.status, problem: .init(error))
    }
  }

  /// The page that shows the whole send, and asks for confirmation.
  static func review(
    _ form: ComposeForm, _ request: PageRequest, problem: String? = nil
  ) async throws -> HTTPResponse {
    guard let review = try await ComposeReview(form, request) else {
      return try await ComposePages.page(form, request, status: 422)
    }
    let view = ReviewView(form: form, request: request, review: review, problem: problem)
    let isRefused = problem != nil || review.recipients == 0
    return WebPage(
      title: "Review", section: .compose, main: view.html, scripts: ["review.js"]
    ).response(status: isRefused ? 422 : 200, for: request).keptForBack
  }

  static func send(_ form: ComposeForm, _ request: PageRequest) async throws -> HTTPResponse {
    if form.isForEveryone, request.form["confirm"] != request.app.name {
      return try await review(
        form, request, problem: "Type the app's name, \(request.app.name), to send to all devices.")
    }
    guard (form.templateProblems + form.languageProblems).isEmpty,
      let target = try await form.audience(request)
    else {
      return try await ComposePages.page(form, request, status: 422)
    }
    let reach = try await request.router.audiences.reach(of: target, at: request.now)
    guard (form.kind == .push ? reach.reached : reach.targeted) > 0 else {
      return try await review(form, request)
    }
    do {
      let body = try form.request()
      let replaced = form.form[ComposeForm.replacedField]
      guard form.kind == .push else {
        guard replaced == nil else {
          throw RequestError(
            .invalid,
            "A scheduled push cannot become an in-app message. Cancel it, and compose the message anew."
          )
        }
        let (message, send) = try await request.actions.publishMessage(
          try BodyValue(body).required("message"),
          repeating: try idempotencyKey(for: body, request), by: request.actor)
        return send.map {
          .seeOther("\(request.path(.sends))/\($0.id)?sent=\(draft(request))")
        }
          ?? publishedPage(message, request)
      }
      let send = try await accept(body, replacing: replaced, request)
      return .seeOther("\(request.path(.sends))/\(send.id)?sent=\(draft(request))")
    } catch let error as RequestError {
      return try await ComposePages.page(form, request, status: error.status, problem: .init(error))
    } catch let error as StoreError where error.code == .conflict {
      return try await ComposePages.page(
        form, request, status: 409, problem: .init(RequestError(error)))
    }
  }

  /// The key of a form, so that the content of one page is sent once.
  ///
  /// Pressing the button again or reloading the answer finds the first send. The key contains a hash
  /// of the request, so changed content makes another send.
  static func idempotencyKey(
    for body: JSONValue, _ request: PageRequest
  ) throws(RequestError) -> IdempotencyKey? {
    guard let id = request.form["once"] else { return nil }
    let hash = OpenSSLCrypto.sha256(Array(body.serialized()))
    return try IdempotencyKey(
      checking: "dashboard-\(id.prefix(64))-\(Identifiers.hex(Array(hash.prefix(8))))",
      fingerprint: hash)
  }

  /// The id of the sent draft in the browser, which the page of the send removes there.
  private static func draft(_ request: PageRequest) -> String {
    let id = request.form["draft"] ?? ""
    return id.wholeMatch(of: /[0-9a-f]{1,32}/) == nil ? "1" : id
  }

  private static func accept(
    _ body: JSONValue, asTest test: TestTarget? = nil, replacing replaced: String? = nil,
    _ request: PageRequest
  ) async throws -> Send {
    try await request.actions.sendNotification(
      try BodyValue(body).required("notification"), asTest: test, replacing: replaced,
      repeating: try idempotencyKey(for: body, request), by: request.actor)
  }

  private static func publishedPage(_ message: Message, _ request: PageRequest) -> HTTPResponse {
    let main: HTML = """
      <h1>Published</h1>
      <p class="note" role="status" id="published" data-draft="\(draft(request))">“\(message.title)” is visible to its audience until \
      \(.time(message.unpublishAt)).</p>
      <p><a class="button primary" href="\(MessagesPages.path(of: message, request))">View it</a> \
      <a class="button" href="\(request.path(.compose))">Compose another message</a></p>
      """
    return WebPage(title: "Published", section: .compose, main: main, scripts: ["watch.js"])
      .response(for: request).keptForBack
  }
}
