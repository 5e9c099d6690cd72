import Markup
import PushModel
import PushPayload
import _HTTPServer

/// The dashboard: HTML pages at `/` for marketers and operators.
///
/// They are rendered here, work without a script, and call the actions that the API calls.
enum Dashboard {
  static let all: [Route] =
    [
      .page("GET", "/", handler: home),
      .open("GET", "/assets/:folder/:name") { call, _ in try WebAssets.answer(call) },
      .page("GET", "/apps/:app", handler: home),
    ] + SignIn.all + AccountSignIn.all + PasskeySignIn.all + ProviderSignIn.all
    + InvitationPages.all
    + AccountPages.all + TeamPages.all
    + HomePages.all + HelpPages.all
    + ComposePages.all + TemplatePages.all + CampaignFormPages.all + CampaignPages.all
    + MessagesPages.all + CalendarPages.all + WhyPages.all + SendsPages.all
    + ConditionPages.all + AudiencesPages.all + PersonPages.all + ImportPages.all + ReportsPages.all
    + SettingsPages.all
    + AuditPages.all
    + LimitsPages.all

  /// Redirects to the home page of an app.
  private static func home(_ call: RequestContext, _ router: Router) async throws -> HTTPResponse {
    // The cookie stays, so that the sign-in page can say why the session cannot be read.
    guard let session = router.cookies.session(in: call.request) else {
      return .seeOther("/sign-in")
    }
    guard try await !router.store.hasEnded(session: session.id) else {
      return .seeOther("/sign-in", headers: [router.cookies.withoutSession])
    }
    let access = try await SessionAccess(
      session, from: call.request.remoteAddress, at: router.clock.now(), router)
    let named = access.apps.first { $0.app.id == call.parameters["app"] }
    guard let found = named ?? access.apps.first else {
      if access.managesAllApps { return noApps(session) }
      return .seeOther(access.person == nil ? "/sign-in" : AccountPages.path)
    }
    return .seeOther(Section.home.path(app: found.app.id))
  }

  private static func noApps(_ session: Session) -> HTTPResponse {
    let main: HTML = """
      <h1>No apps yet</h1>
      <p>An app is a bundle ID with the APNs key of its team. Create the first one:</p>
      <pre tabindex="0"><code>martlet apps create --bundle-id com.example.app --team-id TEAM123456 \
      --key-id KEY1234567 --key-file AuthKey_KEY1234567.p8</code></pre>
      <p>Then <a href="/">reload this page</a>.</p>
      <form method="post" action="/sign-out">\(session.tokenField)<button>Sign out</button></form>
      """
    return WebPage(title: "No apps yet", main: main).response()
  }
}

extension Dashboard {
  /// The page for an address that does not exist.
  static func unknown(_ message: String, _ status: Int) -> HTTPResponse {
    let main: HTML = """
      <h1>There is no such page</h1>
      \(.alert(message))
      <p><a href="/">Go to the home page</a></p>
      """
    return WebPage(title: "There is no such page", main: main).response(status: status)
  }
}

extension Route {
  typealias PageHandler = @Sendable (PageRequest) async throws -> HTTPResponse

  /// A route of a section's page; `path` follows `/apps/:app/SECTION`, or `folder` in place of the section's name.
  ///
  /// `needs` is the permission that a user must have beside that of the section. It defaults to `write` for a form.
  /// A form with several buttons checks each button itself.
  static func page(
    _ method: String, _ section: Section, under folder: String? = nil, at path: String = "",
    needs: Permission? = nil, handler: @escaping PageHandler
  ) -> Route {
    let own = needs ?? (method == "POST" ? .write : nil)
    let required = Set([section.permission, own].compactMap(\.self))
    let admit: Admission = { call, router in
      try await Dashboard.admit(call, router, in: section, needing: required)
    }
    return .page(
      method, "/apps/:app/\(folder ?? section.rawValue)\(path)",
      admit: method == "POST" ? admit : nil
    ) { call, router in
      try await Dashboard.respond(to: call, router, in: section, required, handler: handler)
    }
  }
}

extension Dashboard {
  /// The longest form, in bytes, whose fields are kept when its session has expired.
  static let keptFormLimit = 64 << 10

  /// Checks the session and the key's role before a form is taken.
  ///
  /// - Returns: The refusal; `nil` if the form may be taken. A short form is also taken without a session,
  ///   because the sign-in page carries its fields.
  fileprivate static func admit(
    _ call: RequestContext, _ router: Router, in section: Section, needing required: Set<Permission>
  ) async throws -> HTTPResponse? {
    let session = try await call.session(router)
    let access = try await access(of: call, router, session: session)
    if access?.lacksSecondFactor == true { return .seeOther(AccountPages.path) }
    guard let request = pageRequest(for: call, router, in: session, access) else {
      let length =
        call.request.header("Content-Length").flatMap { Int($0) }
        ?? (call.request.body.isEmpty ? .max : call.request.body.count)
      guard length > keptFormLimit else { return nil }
      return SignIn.page(
        for: call, router, session: session, status: 401,
        prompt: SignIn.Prompt(
          next: call.request.path,
          problem: "Your session has expired, and the form is too long to be kept."))
    }
    if let refusal = refusal(of: required, in: section, request) {
      return errorPage(refusal, in: section, request)
    }
    return nil
  }

  private static func refusal(
    of required: Set<Permission>, in section: Section, _ request: PageRequest
  ) -> RequestError? {
    let whose = request.person == nil ? "this key's role" : "your role"
    guard request.mayOpen(section) else {
      return RequestError(.forbidden, "\(whose) has no access to \(section.title)")
    }
    return request.access.permissions.isSuperset(of: required)
      ? nil : RequestError(.forbidden, "\(whose) may read this page, and change nothing on it")
  }

  /// Checks the session, the key's role and the form token, calls the handler, and turns errors into
  /// pages.
  fileprivate static func respond(
    to call: RequestContext, _ router: Router, in section: Section, _ required: Set<Permission>,
    handler: Route.PageHandler
  ) async throws -> HTTPResponse {
    let session = try await call.session(router)
    let isForm = call.request.method == "POST"
    let access = try await access(of: call, router, session: session)
    if access?.lacksSecondFactor == true { return .seeOther(AccountPages.path) }
    guard var request = pageRequest(for: call, router, in: session, access) else {
      // The sign-in form carries the submitted fields, so that no input is lost.
      let form = isForm ? try? Form(call.request) : nil
      let query = URLEncoded.encode(call.request.query)
      return SignIn.page(
        for: call, router, session: session, status: 401,
        prompt: SignIn.Prompt(
          next: call.request.path + (isForm || query.isEmpty ? "" : "?" + query),
          savedForm: form.map { $0.savedFields },
          problem: isForm ? "Your session has expired." : nil))
    }
    do {
      if case .key(let key) = request.access.identity {
        try router.limit(key, call.request.remoteAddress)
        await router.recordUse(of: key, from: call.request.remoteAddress)
      }
      if let refusal = refusal(of: required, in: section, request) { throw refusal }
      // A handler that reads the body while it arrives finds the token in it.
      if isForm, !ImportFile.isPage(call.request.path) {
        request.form = try Form(call.request)
        guard request.session.hasFormToken(request.form["token"]) else {
          return try savedFormPage(request)
        }
      }
      return try await handler(request)
    } catch let error as RequestError {
      return errorPage(error, in: section, request)
    } catch let error as StoreError {
      if error.code == .damaged {
        router.log(LogLine("\(call.request.method) \(call.request.path): \(error.message)"))
      }
      return errorPage(RequestError(error), in: section, request)
    }
  }

  /// The answer to a form with the token of an earlier session.
  ///
  /// A form of the same origin, which was open while its user signed in again, is shown to be submitted again.
  /// A form of another site is refused.
  private static func savedFormPage(_ request: PageRequest) throws(RequestError) -> HTTPResponse {
    guard request.http.header("Sec-Fetch-Site") == "same-origin",
      request.http.header("Accept")?.hasPrefix("application/json") != true
    else { throw RequestError(.forbidden, "this form belongs to another session; reload the page") }
    return SavedForm.page(
      try Form(urlEncoded: request.form.savedFields), next: request.http.path,
      session: request.session, status: 403)
  }

  /// The access that a session gives; `nil` without a session.
  private static func access(
    of call: RequestContext, _ router: Router, session: Session?
  ) async throws -> SessionAccess? {
    guard let session else { return nil }
    return try await SessionAccess(
      session, from: call.request.remoteAddress, at: router.clock.now(), router)
  }

  private static func pageRequest(
    for call: RequestContext, _ router: Router, in session: Session?, _ access: SessionAccess?
  ) -> PageRequest? {
    guard let session, let access,
      let found = access.apps.first(where: { $0.app.id == call.parameter("app") })
    else { return nil }
    return PageRequest(
      call: call, router: router, session: session, app: found.app, access: found,
      apps: access.apps.map(\.app))
  }

  private static func errorPage(
    _ error: RequestError, in section: Section, _ request: PageRequest
  ) -> HTTPResponse {
    // A script asks for JSON and shows the message in the page that is open.
    if request.http.header("Accept")?.hasPrefix("application/json") == true {
      return error.response
    }
    let back =
      request.mayOpen(section)
      ? (path: request.path(section), title: "Back to \(section.title)")
      : (path: "/apps/\(request.app.id)", title: "Go to the home page")
    let main: HTML = """
      <h1>The request failed</h1>
      \(.alert(error.message))
      <p><a href="\(back.path)">\(back.title)</a></p>
      """
    return WebPage(title: "The request failed", section: section, main: main).response(
      status: error.status, for: request, headers: error.headers)
  }
}
