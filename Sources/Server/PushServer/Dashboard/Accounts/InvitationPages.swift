import Markup
import PushModel
import _HTTPServer

/// The page of an invitation, or of a link for a new password, on which its person enters a name and a password.
///
/// Opening the page uses nothing, because mail programs open links by themselves. The form uses the link, once.
enum InvitationPages {
  static let all: [Route] = [
    .page("GET", "/invitation/:token") { call, router in
      guard let account = try await router.actions.account(link: call.parameter("token")) else {
        return over
      }
      let session = try await call.session(router)
      if session == nil, let reload = SignIn.sameSite(call) { return reload }
      return page(
        for: account, in: session, call, router,
        problem: router.openID.flatMap { ProviderProblem(call)?.text($0.provider) })
    },
    .page("POST", "/invitation/:token", body: URLEncoded.mediaType, handler: submit),
  ]

  private static func submit(_ call: RequestContext, _ router: Router) async throws -> HTTPResponse
  {
    let form = try Form(call.request)
    let token = call.parameter("token")
    guard let account = try await router.actions.account(link: token) else { return over }
    guard let session = try await SignIn.session(of: form, call, router) else {
      return page(
        for: account, in: try await call.session(router), call, router, status: 403,
        problem: "This page has expired. Enter the password again.")
    }
    let name = form["name"] ?? ""
    do {
      let isRedeemed = try await router.actions.redeem(
        link: token, name: name, password: form.newPassword, by: call.visitor)
      return isRedeemed ? .seeOther("/sign-in?welcome=1") : over
    } catch let error as RequestError where error.path != nil {
      return page(
        for: account, in: session, call, router, status: error.status, name: name,
        problem: error.message, field: error.path)
    }
  }

  private static func page(
    for account: Account, in session: Session?, _ call: RequestContext, _ router: Router,
    status: Int = 200,
    name: String? = nil, problem: String? = nil, field: String? = nil
  ) -> HTTPResponse {
    let session = session ?? Session(at: router.clock.now())
    let title = account.hasNotJoined ? "Welcome" : "Choose a new password"
    let main: HTML = """
      <div class="card narrow">
      <h1>\(title)</h1>
      \(problem.map { HTML.problem($0, at: field) })
      \(provider(in: session, call, router))
      <p>You sign in with <strong>\(account.email)</strong> and the password that you choose here.</p>
      <form method="post" action="/invitation/\(call.parameter("token"))">
      \(session.tokenField)
      <input type="hidden" name="email" value="\(account.email)" autocomplete="username">
      <label for="name">Your name</label>
      <input id="name" name="name" value="\(name ?? account.name)" required maxlength="100" \
      autocomplete="name"\(invalid("name", field))>
      \(PasswordFields.html(title: "Password", invalid: field))
      <p><button class="primary">Save</button></p>
      </form>
      </div>
      """
    return WebPage(title: title, main: main).response(
      status: status, headers: [router.cookies.keeping(session)])
  }

  private static func provider(in session: Session, _ call: RequestContext, _ router: Router)
    -> HTML?
  {
    ProviderSignIn.button(
      router, session,
      fields: """
        <input type="hidden" name="invitation" value="\(call.parameter("token"))">

        """
    ).map { "\($0)\n<p class=\"or\">Or choose a password</p>\n" }
  }

  private static func invalid(_ name: String, _ field: String?) -> HTML {
    field == name ? " aria-invalid=\"true\"" : ""
  }

  private static var over: HTTPResponse {
    WebPage(
      title: "This link is over",
      main: """
        <div class="card narrow">
        <h1>This link is over</h1>
        <p>It was used, has expired, was replaced by a newer one, or ended with a change of roles. If you have chosen a password, \
        <a href="/sign-in">sign in</a>; otherwise ask an admin for a new link.</p>
        </div>
        """
    ).response(status: 410)
  }
}

/// The two fields in which a new password is typed.
enum PasswordFields {
  static func html(title: String, invalid: String? = nil) -> HTML {
    """
    <label for="password">\(title)</label>
    <input id="password" name="password" type="password" required minlength="\(PasswordRules.minimum)" \
    autocomplete="new-password" aria-describedby="password-help"\
    \(" aria-invalid=\"true\"", if: invalid == "password")>
    <p class="help" id="password-help">At least \(PasswordRules.minimum) characters: four or five words that do not \
    belong together. Spaces count.</p>
    <label for="again">\(title), once more</label>
    <input id="again" name="again" type="password" required autocomplete="new-password"\
    \(" aria-invalid=\"true\"", if: invalid == "again")>
    """
  }
}
