import Markup
import PushModel
import _HTTPServer

/// The routes under `/sign-in` for people: email address and password, then the code of the second factor.
enum AccountSignIn {
  static let path = "/sign-in/account"
  static let codePath = "/sign-in/code"

  static let all: [Route] = [
    .page("POST", path, body: URLEncoded.mediaType, handler: signIn),
    .page("GET", codePath) { call, router in
      guard let session = try await pending(call, router)?.session else {
        return .seeOther("/sign-in")
      }
      return codePage(session, SignIn.Prompt())
    },
    .page("POST", codePath, body: URLEncoded.mediaType, handler: confirm),
  ]

  private static func signIn(_ call: RequestContext, _ router: Router) async throws -> HTTPResponse
  {
    let form = try Form(call.request)
    var prompt = SignIn.Prompt(form)
    guard let session = try await SignIn.session(of: form, call, router) else {
      prompt.email = form["email"]
      return try await SignIn.refused(
        status: 403, "This page has expired. Enter your password again.", prompt: prompt, for: call,
        router)
    }
    do {
      let opened = try await router.actions.openSession(
        email: form["email"] ?? "", password: form.password("password"),
        in: call.browser(session, router), by: call.visitor)
      return try await welcome(opened, after: prompt, for: call, router)
    } catch let error as RequestError where SignIn.isShown(error) {
      prompt.email = form["email"]
      return try await SignIn.refused(error, prompt: prompt, for: call, router)
    }
  }

  /// Leads a person whose session was opened to the dashboard, or to the page that asks for the code.
  private static func welcome(
    _ opened: OpenedSession, after prompt: SignIn.Prompt, for call: RequestContext, _ router: Router
  ) async throws -> HTTPResponse {
    guard opened.isConfirmed else {
      return codePage(opened.session, prompt, headers: [router.cookies.keeping(opened.session)])
    }
    var response = try await SignIn.welcome(opened.session, after: prompt, for: call, router)
    let cookies = router.cookies
    let old = call.browser(opened.session, router).known
    response.headers.append(
      cookies.keeping(KnownBrowser(of: opened.account, renewing: old, at: cookies.now)))
    return response
  }

  // MARK: Second factor

  /// The session of a person who has entered the password, but not yet the code.
  private static func pending(
    _ call: RequestContext, _ router: Router
  ) async throws -> (session: Session, account: Account)? {
    guard let session = router.cookies.session(in: call.request),
      let account = try await router.actions.accountBeforeCode(of: session)
    else { return nil }
    return (session, account)
  }

  private static func confirm(_ call: RequestContext, _ router: Router) async throws -> HTTPResponse
  {
    let form = try Form(call.request)
    guard let (session, account) = try await pending(call, router),
      session.hasFormToken(form["token"])
    else { return .seeOther("/sign-in") }
    var prompt = SignIn.Prompt(form)
    do {
      let opened = try await router.actions.openSession(
        of: account, code: form["code"] ?? "", in: call.browser(session, router), by: call.visitor)
      return try await welcome(opened, after: prompt, for: call, router)
    } catch let error as RequestError where SignIn.isShown(error) {
      prompt.problem = error.message
      return codePage(
        session, prompt, status: error.status, headers: SignIn.retryAfter(error))
    }
  }

  static func codePage(
    _ session: Session, _ prompt: SignIn.Prompt, status: Int = 200,
    headers: [(name: String, value: String)] = []
  ) -> HTTPResponse {
    let main: HTML = """
      <div class="card narrow">
      <h1>Enter your code</h1>
      \(prompt.problem.map(HTML.alert))
      <form method="post" action="\(codePath)">
      \(session.tokenField)
      <input type="hidden" name="next" value="\(prompt.next ?? "")">
      <input type="hidden" name="kept" value="\(prompt.savedForm ?? "")">
      <label for="code">Code</label>
      <input id="code" name="code" required autofocus autocomplete="one-time-code" spellcheck="false" \
      autocapitalize="none" aria-describedby="code-help">
      <p class="help" id="code-help">The six digits that your authenticator app shows, or one of your recovery codes.</p>
      <button class="primary">Sign in</button>
      </form>
      <p><a href="/sign-in">Sign in as somebody else</a></p>
      </div>
      """
    return WebPage(title: "Enter your code", main: main).response(status: status, headers: headers)
  }
}
