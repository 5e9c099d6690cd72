import Markup
import PushStore
import _HTTPServer
import _OpenSSLCrypto

/// The routes under `/sign-in/provider`, by which people sign in with the server's OpenID provider.
enum ProviderSignIn {
  static let path = "/sign-in/provider"
  static let callbackPath = "/sign-in/provider/callback"

  static let all: [Route] = [
    Route(
      "POST", path, access: .page, body: "application/x-www-form-urlencoded", handler: start),
    Route("GET", callbackPath, access: .page, handler: finish).waitingForOthers,
  ]

  /// The reason why nobody was signed in, which the address of the next page names.
  enum Problem: String, Error, CaseIterable {
    case cancelled, expired, unknown, taken, unavailable, refused, limited

    /// The problem that the address of a page names.
    init?(_ call: Call) {
      guard let problem = call.query("provider").flatMap(Self.init(rawValue:)) else { return nil }
      self = problem
    }

    func text(_ provider: IdentityProvider) -> String {
      switch self {
      case .cancelled: "You were not signed in: \(provider.name) did not say who you are."
      case .expired:
        "Signing in took too long, was finished before, or began in another browser. Try again."
      case .unknown:
        "\(provider.name) knows you, but nobody has invited you here by that email address. Ask an admin for a link."
      case .taken:
        "This person at \(provider.name) belongs to another account here, or your account to another person there."
      case .unavailable: "\(provider.name) cannot be reached. Try again, or sign in another way."
      case .limited: "Too many attempts from your address. Try again in a minute."
      case .refused:
        "The answer of \(provider.name) was not accepted. The log of the server says why."
      }
    }
  }

  /// The form that leads to the provider; `nil` if the server has no provider.
  static func button(_ api: API, _ session: Session, fields: HTML, opensTab: Bool = false) -> HTML?
  {
    api.openID.map { client in
      """
      <form method="post" action="\(path)"\(" target=\"_blank\"", if: opensTab)>
      \(session.tokenField)
      \(fields)<button class="primary">Sign in with \(client.provider.name)</button>
      </form>
      """
    }
  }

  // MARK: To the provider

  private static func start(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let form = try Form(call.request)
    guard try await SignIn.session(of: form, call, api) != nil else {
      return .seeOther("/sign-in?provider=\(Problem.expired.rawValue)")
    }
    if let token = form["invitation"] {
      return try await begin(.invitation(token), for: call, api)
    }
    return try await begin(.signIn(next: form["next"], savedForm: form["kept"]), for: call, api)
  }

  /// Leads the browser to the provider.
  static func begin(
    _ goal: ProviderAttempt.Goal, for call: Call, _ api: API
  ) async throws -> HTTPResponse {
    guard let client = api.openID else { return .seeOther("/sign-in") }
    let attempt = ProviderAttempt(for: goal, at: api.clock.now())
    let cookie = attempt.cookie(sealedWith: api.secretKey, secure: api.site.isSecure)
    do {
      let url = try await client.authorizationURL(
        attempt.secrets, redirectURL: redirectURL(api))
      return WebPage.opening(url, client.provider.name).response(headers: [cookie])
    } catch {
      api.log(LogLine("signing in with \(client.provider.issuer) failed: \(error)"))
      return back(to: goal, with: .unavailable, headers: [cookie])
    }
  }

  /// The URL to which the provider redirects browsers, as it is registered with the provider.
  private static func redirectURL(_ api: API) throws(RequestError) -> String {
    try api.address() + callbackPath
  }

  // MARK: From the provider

  private static func finish(_ call: Call, _ api: API) async throws -> HTTPResponse {
    guard let client = api.openID else { return .seeOther("/sign-in") }
    let attempt = ProviderAttempt(
      call.request, sealedWith: api.secretKey, secure: api.site.isSecure, at: api.clock.now())
    // Some providers leave the state out of an error. An error signs nobody in.
    if let attempt, let error = call.query("error") {
      api.log(
        LogLine("\(client.provider.issuer) signed nobody in: \(OpenIDClient.loggable(error))"))
      return back(to: attempt.goal, with: .cancelled)
    }
    guard let attempt,
      OpenSSLCrypto.constantTimeEqual(
        Array((call.query("state") ?? "").utf8), Array(attempt.secrets.state.utf8))
    else { return back(to: .signIn(next: nil, savedForm: nil), with: .expired) }
    // From now on, a copy of the callback and its cookie is worth nothing.
    guard
      try await api.store.endSession(attempt.id, until: attempt.expiresAt, at: api.clock.now())
    else { return back(to: .signIn(next: nil, savedForm: nil), with: .expired) }
    do {
      return try await finish(attempt, by: client, for: call, api)
    } catch let problem as Problem {
      return back(to: attempt.goal, with: problem)
    } catch let failure as ProviderFailure {
      _ = try await api.actions.refused(.signIn, by: call.actor)
      api.log(LogLine("signing in with \(client.provider.issuer) failed: \(failure)"))
      return back(to: attempt.goal, with: .refused)
    }
  }

  private static func finish(
    _ attempt: ProviderAttempt, by client: OpenIDClient, for call: Call, _ api: API
  ) async throws -> HTTPResponse {
    guard let code = call.query("code") else { throw Problem.cancelled }
    guard
      api.actions.waitBeforeSignIn(.provider, account: "", from: call.request.remoteAddress) == nil
    else { throw Problem.limited }
    let identity = try await client.identity(
      code: code, issuer: call.query("iss"), attempt.secrets, redirectURL: redirectURL(api))
    let account = try await account(of: identity, for: attempt.goal, by: client, call, api)
    api.actions.signInSucceeded(.provider, account: "", from: call.request.remoteAddress)
    let isOver = ProviderAttempt.expiredCookie(secure: api.site.isSecure)
    var prompt = SignIn.Prompt()
    switch attempt.goal {
    case .connection:
      return WebPage.opening(AccountPages.path, "your account").response(headers: [isOver])
    case .invitation: break
    case .signIn(let next, let savedForm): (prompt.next, prompt.savedForm) = (next, savedForm)
    }
    let isConfirmed = account.secondFactor == nil
    let session = try await AccountSignIn.open(
      account, isConfirmed: isConfirmed, isProven: false, for: call, api)
    guard isConfirmed else {
      return AccountSignIn.codePage(session, prompt, headers: [api.cookie(session), isOver])
    }
    var response = try await SignIn.welcome(
      session, after: prompt, comesFromAnotherSite: true, for: call, api)
    response.headers.append((name: isOver.0, value: isOver.1))
    return response
  }

  /// The account that an identity opens.
  ///
  /// - Throws: ``Problem`` if it opens no account.
  private static func account(
    of identity: OpenIDClient.Identity, for goal: ProviderAttempt.Goal, by client: OpenIDClient,
    _ call: Call, _ api: API
  ) async throws -> Account {
    let proven = AccountIdentity(issuer: client.provider.issuer, subject: identity.subject)
    let now = api.clock.now()
    func recording(_ account: Account) -> any PushStore {
      let actor = call.actor(as: .person(Person(account, session: [])))
      return api.actions.store(forServer: actor, "account.connect", account.id)
    }
    func connected(_ account: Account, name: String? = nil) async throws -> Account {
      guard try await recording(account).connect(proven, to: account.id, name: name) else {
        throw Problem.taken
      }
      // The session is opened for the account as it is with the identity.
      guard let connected = try await api.store.account(proven) else { throw Problem.expired }
      return connected
    }
    switch goal {
    case .connection(let session):
      guard let account = try await api.store.account(session: session, at: now) else {
        throw Problem.expired
      }
      return try await connected(account)
    case .invitation(let token):
      let link = AccountLink.hash(of: token)
      guard let account = try await api.store.account(link: link, at: now) else {
        throw Problem.expired
      }
      var name = account.name
      if name.isEmpty { name = try await client.userInfo(of: identity).name ?? "" }
      do throws(StoreError) {
        let redeemed = try await recording(account).redeem(
          link: link, name: name, with: .identity(proven), at: now)
        guard let redeemed else { throw StoreError(.notFound, "the link was used meanwhile") }
        return redeemed
      } catch {
        throw error.code == .conflict ? Problem.taken : Problem.expired
      }
    case .signIn:
      if let account = try await api.store.account(proven) { return account }
      let claims = try await client.userInfo(of: identity)
      guard let email = claims.verifiedEmail,
        let account = try await api.store.account(email: email.text)
      else { throw Problem.unknown }
      return try await connected(account, name: claims.name)
    }
  }

  /// Leads back to the page where the sign-in began, which names the problem.
  ///
  /// The cookie stays, so that the sign-in page can restore a saved form.
  private static func back(
    to goal: ProviderAttempt.Goal, with problem: Problem, headers: [(String, String)] = []
  ) -> HTTPResponse {
    let query = "?provider=\(problem.rawValue)"
    let path =
      switch goal {
      case .signIn(let next, _):
        "/sign-in" + query + (next.map { "&next=" + URLEncoded.encode($0) } ?? "")
      case .invitation(let token): "/invitation/\(URLEncoded.encode(token))" + query
      case .connection: AccountPages.path + query
      }
    return WebPage.opening(path, "the dashboard").response(headers: headers)
  }
}
