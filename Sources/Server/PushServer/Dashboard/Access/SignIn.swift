import Markup
import PushModel
import _HTTPServer

/// The routes `/sign-in` and `/sign-out`, which add API keys to a session and end it.
enum SignIn {
  static let all: [Route] = [
    .page("GET", "/sign-in") { call, router in
      page(
        for: call, router, session: try await call.session(router), prompt: Prompt(call, router))
    },
    .page("POST", "/sign-in", body: URLEncoded.mediaType, handler: signIn),
    .page("POST", "/sign-out", body: URLEncoded.mediaType, handler: signOut),
  ]

  /// The message of the sign-in form, and the page that follows.
  struct Prompt {
    /// The path to open after signing in.
    var next: String?
    /// A form that was submitted after its session had expired, as ``Form/urlEncoded``.
    var savedForm: String?
    var problem: String?
    /// The email address that was entered.
    var email: String?
    /// Whether the user has just chosen a password.
    var isWelcome = false

    init(next: String? = nil, savedForm: String? = nil, problem: String? = nil) {
      (self.next, self.savedForm, self.problem) = (next, savedForm, problem)
    }

    /// Reads the fields of a form that go on to the next page.
    init(_ form: Form) { self.init(next: form["next"], savedForm: form["kept"]) }

    /// Reads the address of the page, and the cookie of a sign-in with a provider.
    fileprivate init(_ call: RequestContext, _ router: Router) {
      next = call.query("next")
      isWelcome = call.query("welcome") != nil
      guard let client = router.openID, let problem = ProviderProblem(call) else { return }
      self.problem = problem.text(client.provider)
      let attempt = router.cookies.providerAttempt(in: call.request)
      if case .signIn(_, let savedForm) = attempt?.goal { self.savedForm = savedForm }
    }
  }

  static func page(
    for call: RequestContext, _ router: Router, session: Session?, status: Int = 200, prompt: Prompt
  ) -> HTTPResponse {
    // A request from another site comes without the cookie, and must not replace an existing session.
    if session == nil, let reload = sameSite(call) { return reload }
    var notice: String?
    if session == nil, router.cookies.hasForeignSession(in: call.request) {
      notice =
        "Your session has ended, because the secret key of the server was replaced. Sign in again."
    }
    // The form token needs a session, even one without a key.
    let session = session ?? Session(at: router.clock.now())
    let hidden: HTML = """
      \(session.tokenField)
      <input type="hidden" name="next" value="\(prompt.next ?? "")">
      <input type="hidden" name="kept" value="\(prompt.savedForm ?? "")">
      """
    let main: HTML = """
      <div class="card narrow">
      <h1>Sign in</h1>
      \(notice.map(HTML.alert))\(prompt.problem.map(HTML.alert))
      \("<p class=\"note\" role=\"status\">Your password is set. Sign in with it.</p>", if: prompt.isWelcome)
      \("<p>Your input is saved and will be restored after you sign in.</p>",
        if: prompt.savedForm != nil)
      \(provider(in: session, prompt, router))
      \(PasskeySignIn.form(for: call, router, in: session, fields: hidden))
      <form method="post" action="\(AccountSignIn.path)">
      \(hidden)
      <label for="email">Email</label>
      <input id="email" name="email" type="email" required autocomplete="username" autofocus \
      value="\(prompt.email ?? "")" spellcheck="false" autocapitalize="none">
      <label for="password">Password</label>
      <input id="password" name="password" type="password" required autocomplete="current-password" \
      aria-describedby="password-help">
      <p class="help" id="password-help">An admin invites you, and gives you a new link if you have forgotten it.</p>
      <button class="primary">Sign in</button>
      </form>
      </div>
      <div class="card narrow">
      <h2>Or with an API key</h2>
      <form method="post" action="/sign-in">
      \(hidden)
      <label for="key">API key</label>
      <input id="key" name="key" type="password" required autocomplete="off" \
      aria-describedby="key-help" spellcheck="false" autocapitalize="none">
      <p class="help" id="key-help">A push, analytics or admin key of an app, or the server's admin key. \
      <code>martlet apps create</code> prints the first ones.</p>
      <button>Sign in with the key</button>
      </form>
      </div>
      """
    return WebPage(title: "Sign in", main: main, scripts: ["passkey.js"]).response(
      status: status, headers: [router.cookies.keeping(session)])
  }

  /// The button of the provider, above the fields for people who do not use it.
  private static func provider(in session: Session, _ prompt: Prompt, _ router: Router) -> HTML? {
    let isTooLong = (prompt.savedForm ?? "").utf8.count > ProviderAttempt.savedFormLimit
    return ProviderSignIn.button(
      router, session,
      fields: """
        <input type="hidden" name="next" value="\(prompt.next ?? "")">
        <input type="hidden" name="kept" value="\(isTooLong ? "" : prompt.savedForm ?? "")">

        """, opensTab: isTooLong
    ).map { button in
      """
      \(button)
      \("<p class=\"help\">Your input is long, so this opens a new tab. Come back here afterwards, and reload this page.</p>",
        if: isTooLong)
      <p class="or">Or with a password</p>

      """
    }
  }

  /// A page that reloads the same address from this site; `nil` if the request comes from this site.
  ///
  /// Following a link from another site does not send a `SameSite=Strict` cookie; the reload does.
  static func sameSite(_ call: RequestContext) -> HTTPResponse? {
    guard call.request.header("Sec-Fetch-Site") == "cross-site" else { return nil }
    return WebPage.opening("", "the dashboard").response()
  }

  private static func signIn(_ call: RequestContext, _ router: Router) async throws -> HTTPResponse
  {
    let form = try Form(call.request)
    let prompt = Prompt(form)
    guard let session = try await session(of: form, call, router) else {
      return try await refused(
        status: 403, "This page has expired. Enter the key again.", prompt: prompt, for: call,
        router)
    }
    do {
      let opened = try await router.actions.openSession(
        key: form["key"] ?? "", after: session, by: call.visitor)
      return try await welcome(opened.session, to: opened.key.app, after: prompt, for: call, router)
    } catch let error as RequestError where isShown(error) {
      return try await refused(error, prompt: prompt, for: call, router)
    }
  }

  // MARK: Refusals

  /// Whether an error is about what was entered, so that the sign-in page shows it.
  static func isShown(_ error: RequestError) -> Bool {
    [.unauthenticated, .forbidden, .tooMany, .conflict].contains(error.code)
  }

  /// The sign-in page with the refusal of what was entered.
  static func refused(
    _ error: RequestError, prompt: Prompt, for call: RequestContext, _ router: Router
  ) async throws -> HTTPResponse {
    var response = try await refused(
      status: error.status, error.message, prompt: prompt, for: call, router)
    response.headers += retryAfter(error)
    return response
  }

  static func refused(
    status: Int, _ problem: String, prompt: Prompt, for call: RequestContext, _ router: Router
  ) async throws -> HTTPResponse {
    var prompt = prompt
    prompt.problem = problem
    return page(
      for: call, router, session: try await call.session(router), status: status, prompt: prompt)
  }

  /// The time to wait, without the other headers of a refusal: browsers answer a challenge by a window of their own.
  static func retryAfter(_ error: RequestError) -> [(name: String, value: String)] {
    error.wait.map { [(name: "Retry-After", value: String($0))] } ?? []
  }

  // MARK: Sessions

  /// The session of a form; `nil` if it has ended, or if the form has another token.
  static func session(of form: Form, _ call: RequestContext, _ router: Router) async throws
    -> Session?
  {
    guard let session = try await call.session(router), session.hasFormToken(form["token"])
    else { return nil }
    return session
  }

  /// Leads a user who has just signed in to the requested page, or to the home page of an app.
  static func welcome(
    _ session: Session, to app: String? = nil, after prompt: Prompt,
    comesFromAnotherSite: Bool = false, for call: RequestContext, _ router: Router
  ) async throws -> HTTPResponse {
    let cookie = router.cookies.keeping(session)
    func opening(_ path: String) -> HTTPResponse {
      comesFromAnotherSite
        ? WebPage.opening(path, "the dashboard").response(headers: [cookie])
        : .seeOther(path, headers: [cookie])
    }
    let access = try await SessionAccess(
      session, from: call.request.remoteAddress, at: router.clock.now(), router)
    if access.lacksSecondFactor { return opening(AccountPages.path) }
    if let saved = prompt.savedForm, let form = try? Form(urlEncoded: saved),
      let next = prompt.next
    {
      return SavedForm.page(form, next: next, session: session, headers: [cookie])
    }
    if let next = prompt.next, isDashboardPath(next) { return opening(next) }
    let first = access.apps.first { $0.app.id == app } ?? access.apps.first
    return opening(first.map { Section.home.path(app: $0.app.id) } ?? "/")
  }

  /// Whether a path leads to a dashboard page of this server, and not to another host.
  ///
  /// Backslashes, control characters and non-ASCII characters are refused, because browsers read some of them as
  /// the start of a host name.
  static func isDashboardPath(_ path: String) -> Bool {
    path.hasPrefix("/apps/")
      && path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") }
  }

  private static func signOut(_ call: RequestContext, _ router: Router) async throws -> HTTPResponse
  {
    guard let session = router.cookies.session(in: call.request),
      session.hasFormToken(try Form(call.request)["token"])
    else { return .seeOther("/sign-in") }
    try await router.actions.endSession(session)
    // The browser also forgets drafts and answers to forms, which it keeps for a session that has merely expired.
    return .seeOther(
      "/sign-in",
      headers: [
        router.cookies.withoutSession,
        ("Clear-Site-Data", "\"cache\", \"storage\""),
      ])
  }
}
