import Markup
import PushStore
import _HTTPServer

/// The routes under `/sign-in` for people: email address and password, then the code of the second factor.
enum AccountSignIn {
  static let path = "/sign-in/account"
  static let codePath = "/sign-in/code"

  static let all: [Route] = [
    Route(
      "POST", path, access: .page, body: "application/x-www-form-urlencoded", handler: signIn),
    Route("GET", codePath, access: .page) { call, api in
      guard let session = try await pending(call, api)?.session else {
        return .seeOther("/sign-in")
      }
      return codePage(session, SignIn.Prompt())
    },
    Route(
      "POST", codePath, access: .page, body: "application/x-www-form-urlencoded", handler: confirm),
  ]

  // MARK: Password

  /// One text for every refusal, so that nobody learns who has an account.
  private static let wrong = "The email address or the password is wrong."

  private static func signIn(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let form = try Form(call.request)
    var prompt = SignIn.Prompt(next: form["next"], savedForm: form["kept"])
    func refused(
      _ status: Int, _ problem: String, headers: [(String, String)] = []
    ) -> HTTPResponse {
      prompt.problem = problem
      prompt.email = form["email"]
      var response = SignIn.page(
        for: call, api, session: api.session(of: call.request), status: status, prompt: prompt)
      response.headers += headers.map { (name: $0.0, value: $0.1) }
      return response
    }
    guard let session = try await SignIn.session(of: form, call, api) else {
      return refused(403, "This page has expired. Enter your password again.")
    }
    let email = EmailAddress(form["email"] ?? "")?.text
    let limited = email ?? "no address"
    let known = api.knownBrowser(call).flatMap { $0.email == email ? $0 : nil }
    if let wait = api.actions.waitBeforeSignIn(
      .password, account: limited, browser: known?.id, from: call.request.remoteAddress)
    {
      _ = try await api.actions.refused(.signIn, by: call.actor)
      return refused(
        429, tooMany(wait), headers: [("Retry-After", String(wait))])
    }
    var found: Account?
    if let email { found = try await api.store.account(email: email) }
    // A password keeps its spaces.
    let password = form.all("password").first ?? ""
    guard
      try await api.passwordMatches(password, found, isKnown: known != nil, for: call),
      var account = found
    else {
      _ = try await api.actions.refused(.signIn, by: call.actor)
      return refused(401, wrong)
    }
    api.actions.signInSucceeded(
      .password, account: limited, browser: known?.id, from: call.request.remoteAddress)
    try await rehash(password, of: &account, api)
    let isConfirmed = account.secondFactor == nil
    let opened = try await open(
      account, isConfirmed: isConfirmed, replacing: session, for: call, api)
    guard isConfirmed else {
      return codePage(
        opened, SignIn.Prompt(next: prompt.next, savedForm: prompt.savedForm),
        headers: [api.cookie(opened)])
    }
    var response = try await SignIn.welcome(opened, after: prompt, for: call, api)
    response.headers.append(api.knownBrowserCookie(of: account))
    return response
  }

  private static func tooMany(_ wait: Int) -> String {
    "Too many attempts. Try again in \(wait) seconds."
  }

  /// Replaces a hash that was computed at another cost.
  private static func rehash(
    _ password: String, of account: inout Account, _ api: API
  ) async throws {
    guard let old = account.password, api.passwords.isOutdated(account) else { return }
    let hash = try await api.passwords.hash(password)
    try await api.store.rehashPassword(of: account.id, from: old, to: hash.text)
    account.password = hash.text
  }

  /// Opens a session for a person, in place of the session that the browser had.
  ///
  /// `isProven` says whether the person has shown a credential of this server, and not only come back from a provider.
  ///
  /// - Throws: ``RequestError`` `.conflict` if the account was changed since it was read.
  static func open(
    _ account: Account, isConfirmed: Bool, isProven: Bool = true, replacing old: Session? = nil,
    for call: Call, _ api: API
  ) async throws -> Session {
    let now = api.clock.now()
    if let old { try await SignIn.endPerson(of: old, api) }
    let session = Session.ofPerson(at: now, isProven: isProven)
    let hash = session.accountHash ?? []
    let agent = (call.request.header("User-Agent") ?? "").unicodeScalars.filter {
      (0x20...0x7E).contains($0.value)
    }
    let record = AccountSession(
      hash: hash, account: account.id, isConfirmed: isConfirmed, createdAt: now,
      expiresAt: isConfirmed ? session.expiresAt : now + AccountSession.confirmationTime,
      address: call.request.remoteAddress,
      agent: String(String(String.UnicodeScalarView(agent)).prefix(200)))
    let actor = call.actor(as: .person(Person(account, session: hash)))
    let store =
      isConfirmed ? api.actions.store(forServer: actor, "session.open", account.id) : api.store
    guard try await store.add(record, of: account) else {
      throw RequestError(.conflict, "your account was changed meanwhile; sign in again")
    }
    return session
  }

  // MARK: Second factor

  /// The session of a person who has entered the password, but not yet the code.
  private static func pending(
    _ call: Call, _ api: API
  ) async throws -> (session: Session, account: Account)? {
    guard let session = api.session(of: call.request), let hash = session.accountHash,
      let found = try await api.store.session(hash: hash, at: api.clock.now()),
      !found.session.isConfirmed
    else { return nil }
    return (session, found.account)
  }

  private static func confirm(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let form = try Form(call.request)
    guard let (session, account) = try await pending(call, api),
      session.hasFormToken(form["token"])
    else { return .seeOther("/sign-in") }
    var prompt = SignIn.Prompt(next: form["next"], savedForm: form["kept"])
    let known = api.knownBrowser(call).flatMap { $0.account == account.id ? $0 : nil }
    if let wait = try await api.actions.waitBeforeCode(
      of: account, browser: known?.id, from: call.request.remoteAddress)
    {
      _ = try await api.actions.refused(.signIn, by: call.actor)
      prompt.problem = tooMany(wait)
      return codePage(
        session, prompt, status: 429, headers: [("Retry-After", String(wait))])
    }
    guard try await api.useCode(form["code"] ?? "", of: account, call) else {
      _ = try await api.actions.refused(.signIn, by: call.actor)
      prompt.problem = "The code is wrong, or was used before. Wait for the next one."
      return codePage(session, prompt, status: 401)
    }
    try await api.actions.codeSucceeded(
      of: account, browser: known?.id, from: call.request.remoteAddress)
    let opened = try await open(account, isConfirmed: true, replacing: session, for: call, api)
    var response = try await SignIn.welcome(opened, after: prompt, for: call, api)
    response.headers.append(api.knownBrowserCookie(of: account))
    return response
  }

  static func codePage(
    _ session: Session, _ prompt: SignIn.Prompt, status: Int = 200,
    headers: [(String, String)] = []
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

extension API {
  /// Whether a password is that of an account; without an account it does the same work, and is `false`.
  ///
  /// `isKnown` says whether the person is signed in, or has signed in with this browser before.
  ///
  /// - Throws: ``RequestError`` `.unavailable` if too many passwords wait to be checked.
  func passwordMatches(
    _ password: String, _ account: Account?, isKnown: Bool, for call: Call
  ) async throws -> Bool {
    let caller = PasswordWork.Caller(address: call.request.remoteAddress, isKnown: isKnown)
    do {
      return try await passwords.matches(password, account, for: caller)
    } catch is PasswordWork.Busy {
      throw Self.busy
    }
  }

  /// - Throws: ``RequestError`` `.unavailable` if too many passwords wait to be hashed.
  func passwordHash(_ password: String) async throws -> PasswordHash {
    do {
      return try await passwords.hash(password)
    } catch is PasswordWork.Busy {
      throw Self.busy
    }
  }

  private static let busy = RequestError(
    .unavailable, "too many people sign in at once; try again in a few seconds",
    wait: 5)

  /// Uses a one-time password or a recovery code of an account.
  ///
  /// - Returns: `false` if the code is wrong or was used before.
  func useCode(_ typed: String, of account: Account, _ call: Call) async throws -> Bool {
    guard let sealed = account.secondFactor else { return false }
    if let text = secretKey.open(sealed, as: .secondFactor, for: account.id),
      let secret = OneTimePassword(sealedText: text),
      let step = secret.step(of: typed, at: clock.now())
    {
      return try await store.useStep(step, of: account.id)
    }
    let actor = call.actor(as: .person(Person(account, session: [])))
    return try await actions.store(forServer: actor, "recovery_code.use", account.id)
      .useRecoveryCode(RecoveryCode.hash(typed), of: account.id)
  }
}
