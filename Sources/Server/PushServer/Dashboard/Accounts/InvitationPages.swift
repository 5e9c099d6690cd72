import Markup
import PushStore
import _HTTPServer

/// The page of an invitation, or of a link for a new password, on which its person enters a name and a password.
///
/// Opening the page uses nothing, because mail programs open links by themselves. The form uses the link, once.
enum InvitationPages {
  static let all: [Route] = [
    Route("GET", "/invitation/:token", access: .page) { call, api in
      guard let account = try await account(call, api) else { return over }
      let session = api.session(of: call.request)
      if session == nil, let reload = SignIn.sameSite(call) { return reload }
      return page(
        for: account, in: session, call, api,
        problem: api.openID.flatMap { ProviderSignIn.Problem(call)?.text($0.provider) })
    },
    Route(
      "POST", "/invitation/:token", access: .page, body: "application/x-www-form-urlencoded",
      handler: submit),
  ]

  private static func account(_ call: Call, _ api: API) async throws -> Account? {
    let hash = AccountLink.hash(of: call.parameter("token"))
    return try await api.store.account(link: hash, at: api.clock.now())
  }

  private static func submit(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let form = try Form(call.request)
    guard let account = try await account(call, api) else { return over }
    guard let session = try await SignIn.session(of: form, call, api) else {
      return page(
        for: account, in: api.session(of: call.request), call, api, status: 403,
        problem: "This page has expired. Enter the password again.")
    }
    let name = form["name"] ?? ""
    let password = form.all("password").first ?? ""
    func refused(_ problem: String, at field: String) -> HTTPResponse {
      page(
        for: account, in: session, call, api, status: 422, name: name, problem: problem,
        field: field)
    }
    guard (1...Account.nameLimit).contains(name.count) else {
      return refused("Enter your name, of at most \(Account.nameLimit) characters.", at: "name")
    }
    if let problem = DisplayText.problem(name, upTo: Account.nameLimit) {
      return refused("The name \(problem).", at: "name")
    }
    if let problem = PasswordRules.problem(password, email: account.email, name: name) {
      return refused(problem, at: "password")
    }
    guard form.all("again").first == password else {
      return refused("The two passwords differ.", at: "again")
    }
    let hash = try await api.passwordHash(password)
    var person = Person(account, session: [])
    person.name = name
    let link = AccountLink.hash(of: call.parameter("token"))
    guard
      try await api.actions.store(
        forServer: call.actor(as: .person(person)), "account.password", account.id
      )
      .redeem(link: link, name: name, with: .password(hash.text), at: api.clock.now()) != nil
    else { return over }
    return .seeOther("/sign-in?welcome=1")
  }

  private static func page(
    for account: Account, in session: Session?, _ call: Call, _ api: API, status: Int = 200,
    name: String? = nil, problem: String? = nil, field: String? = nil
  ) -> HTTPResponse {
    let session = session ?? Session(at: api.clock.now())
    let title = account.hasNotJoined ? "Welcome" : "Choose a new password"
    let main: HTML = """
      <div class="card narrow">
      <h1>\(title)</h1>
      \(problem.map { HTML.problem($0, at: field) })
      \(provider(in: session, call, api))
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
      status: status, headers: [api.cookie(session)])
  }

  private static func provider(in session: Session, _ call: Call, _ api: API) -> HTML? {
    ProviderSignIn.button(
      api, session,
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
