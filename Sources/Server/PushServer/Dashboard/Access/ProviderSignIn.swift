import Markup
import _HTTPServer

/// The routes under `/sign-in/provider`, by which people sign in with the server's OpenID provider.
enum ProviderSignIn {
  static let path = "/sign-in/provider"

  static let all: [Route] = [
    .page("POST", path, body: URLEncoded.mediaType, handler: start),
    Route.page("GET", ProviderAttempt.callbackPath, handler: finish).waitingForOthers,
  ]

  /// The form that leads to the provider; `nil` if the server has no provider.
  static func button(_ router: Router, _ session: Session, fields: HTML, opensTab: Bool = false)
    -> HTML?
  {
    router.openID.map { client in
      """
      <form method="post" action="\(path)"\(" target=\"_blank\"", if: opensTab)>
      \(session.tokenField)
      \(fields)<button class="primary">Sign in with \(client.provider.name)</button>
      </form>
      """
    }
  }

  // MARK: To the provider

  private static func start(_ call: RequestContext, _ router: Router) async throws -> HTTPResponse {
    let form = try Form(call.request)
    guard try await SignIn.session(of: form, call, router) != nil else {
      return .seeOther("/sign-in?provider=\(ProviderProblem.expired.rawValue)")
    }
    if let token = form["invitation"] {
      return try await begin(.invitation(token), for: call, router)
    }
    return try await begin(.signIn(next: form["next"], savedForm: form["kept"]), for: call, router)
  }

  /// Leads the browser to the provider.
  static func begin(
    _ goal: ProviderAttempt.Goal, for call: RequestContext, _ router: Router
  ) async throws -> HTTPResponse {
    guard let client = router.openID else { return .seeOther("/sign-in") }
    let attempt = ProviderAttempt(for: goal, at: router.clock.now())
    let cookie = router.cookies.keeping(attempt)
    do throws(ProviderProblem) {
      let url = try await router.actions.providerURL(for: attempt, at: client)
      return WebPage.opening(url, client.provider.name).response(headers: [cookie])
    } catch {
      return back(to: goal, with: error, headers: [cookie])
    }
  }

  // MARK: From the provider

  private static func finish(_ call: RequestContext, _ router: Router) async throws -> HTTPResponse
  {
    guard let client = router.openID else { return .seeOther("/sign-in") }
    let attempt = router.cookies.providerAttempt(in: call.request)
    // Some providers leave the state out of an error. An error signs nobody in.
    if let attempt, let error = call.query("error") {
      router.log(
        LogLine("\(client.provider.issuer) signed nobody in: \(OpenIDClient.loggable(error))"))
      return back(to: attempt.goal, with: .cancelled)
    }
    guard let attempt, attempt.hasState(call.query("state") ?? ""),
      try await router.actions.use(attempt)
    else { return back(to: .signIn(next: nil, savedForm: nil), with: .expired) }
    do {
      guard let code = call.query("code") else { throw ProviderProblem.cancelled }
      let opened = try await router.actions.finish(
        attempt, code: code, issuer: call.query("iss"), at: client, in: call.browser(nil, router),
        by: call.visitor)
      return try await welcome(opened, after: attempt.goal, for: call, router)
    } catch let problem as ProviderProblem {
      return back(to: attempt.goal, with: problem)
    }
  }

  /// Leads a person who comes from the provider to the dashboard, to the page of the code, or to the account.
  private static func welcome(
    _ opened: OpenedSession?, after goal: ProviderAttempt.Goal, for call: RequestContext,
    _ router: Router
  ) async throws -> HTTPResponse {
    let isOver = router.cookies.withoutProviderAttempt
    guard let opened else {
      return WebPage.opening(AccountPages.path, "your account").response(headers: [isOver])
    }
    var prompt = SignIn.Prompt()
    if case .signIn(let next, let savedForm) = goal {
      (prompt.next, prompt.savedForm) = (next, savedForm)
    }
    guard opened.isConfirmed else {
      return AccountSignIn.codePage(
        opened.session, prompt, headers: [router.cookies.keeping(opened.session), isOver])
    }
    var response = try await SignIn.welcome(
      opened.session, after: prompt, comesFromAnotherSite: true, for: call, router)
    response.headers.append(isOver)
    return response
  }

  /// Leads back to the page where the sign-in began, which names the problem.
  ///
  /// The cookie stays, so that the sign-in page can restore a saved form.
  private static func back(
    to goal: ProviderAttempt.Goal, with problem: ProviderProblem, headers: [(String, String)] = []
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

extension ProviderProblem {
  /// The problem that the address of a page names.
  init?(_ call: RequestContext) {
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
