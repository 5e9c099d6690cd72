import PushModel

/// The sessions of the dashboard: opening them with a password and a code or with a key, and ending them.
extension Actions {
  /// The delay of the answer to a wrong key after too many wrong ones.
  static let guesserDelay = Duration.seconds(1)

  // MARK: People

  /// Opens a session for a person by the email address and the password.
  ///
  /// - Throws: ``RequestError`` `.unauthenticated` if one of them is wrong, `.tooMany` if there were too many attempts,
  ///   `.conflict` if the account was changed meanwhile.
  func openSession(
    email typed: String, password: String, in browser: Browser, by visitor: Visitor
  ) async throws -> OpenedSession {
    let email = EmailAddress(typed)?.text
    let limited = email ?? "no address"
    let known = browser.known.flatMap { $0.email == email ? $0.id : nil }
    if let wait = waitBeforeSignIn(
      .password, account: limited, browser: known, from: visitor.address)
    {
      _ = try await refused(.signIn, from: visitor.address)
      throw RequestError.tooManyAttempts(wait: wait)
    }
    var found: Account?
    if let email { found = try await store.account(email: email) }
    guard
      try await passwordMatches(password, found, isKnown: known != nil, from: visitor.address),
      var account = found
    else {
      _ = try await refused(.signIn, from: visitor.address)
      // One text for every refusal, so that nobody learns who has an account.
      throw RequestError(.unauthenticated, "The email address or the password is wrong.")
    }
    signInSucceeded(.password, account: limited, browser: known, from: visitor.address)
    try await rehash(password, of: &account)
    return try await openSession(
      of: account, isConfirmed: account.secondFactor == nil, in: browser, by: visitor)
  }

  /// Replaces a hash that was computed at another cost.
  private func rehash(_ password: String, of account: inout Account) async throws {
    guard let old = account.password, passwords.isOutdated(account) else { return }
    // A server that is busy does it the next time.
    guard let hash = try? await passwords.hash(password) else { return }
    try await store.rehashPassword(of: account.id, from: old, to: hash.text)
    account.password = hash.text
  }

  /// Opens a session for a person, in place of the session that the browser had.
  ///
  /// `isProven` says whether the person has shown a credential of this server, and not only come back from a provider.
  ///
  /// - Throws: ``RequestError`` `.conflict` if the account was changed since it was read.
  func openSession(
    of account: Account, isConfirmed: Bool, isProven: Bool = true, in browser: Browser,
    by visitor: Visitor
  ) async throws -> OpenedSession {
    let now = clock.now()
    if let old = browser.session { try await endReplaced(old) }
    let session = Session.ofPerson(at: now, isProven: isProven)
    let hash = session.accountHash ?? []
    let record = AccountSession(
      hash: hash, account: account.id, isConfirmed: isConfirmed, createdAt: now,
      expiresAt: isConfirmed ? session.expiresAt : now + AccountSession.confirmationTime,
      address: visitor.address, agent: browser.agent)
    let person = visitor.identified(as: .person(Person(account, session: hash)))
    let store = isConfirmed ? store(forServer: person, "session.open", account.id) : store
    switch try await store.add(record, of: account) {
    case nil: return OpenedSession(session: session, account: account, isConfirmed: isConfirmed)
    case .noAccount?: throw RequestError(.conflict, "your account was removed meanwhile")
    default: throw RequestError(.conflict, "your account was changed meanwhile; sign in again")
    }
  }

  /// The account of a session whose person has entered the password, but not yet the code; `nil` if there is none.
  func accountBeforeCode(of session: Session) async throws -> Account? {
    guard let hash = session.accountHash,
      let found = try await store.session(hash: hash, at: clock.now()), !found.session.isConfirmed
    else { return nil }
    return found.account
  }

  /// Opens a session for a person who enters the code of the second factor after the password.
  ///
  /// - Throws: ``RequestError`` `.unauthenticated` if the code is wrong, `.tooMany` if there were too many attempts.
  func openSession(
    of account: Account, code: String, in browser: Browser, by visitor: Visitor
  ) async throws -> OpenedSession {
    // Marks from before the second factor were had by who knew the password alone.
    let known = browser.known.flatMap { $0.account == account.id && $0.hasCode ? $0.id : nil }
    if let wait = try await waitBeforeCode(of: account, browser: known, from: visitor.address) {
      _ = try await refused(.signIn, from: visitor.address)
      throw RequestError.tooManyAttempts(wait: wait)
    }
    guard try await useCode(code, of: account, by: visitor) else {
      _ = try await refused(.signIn, from: visitor.address)
      throw RequestError(
        .unauthenticated, "The code is wrong, or was used before. Wait for the next one.")
    }
    try await codeSucceeded(of: account, browser: known, from: visitor.address)
    return try await openSession(of: account, isConfirmed: true, in: browser, by: visitor)
  }

  // MARK: Keys

  /// Adds a key to the session of a browser, which becomes a new session.
  ///
  /// - Throws: ``RequestError`` `.unauthenticated` if the key is not admitted, `.tooMany` after too many such keys,
  ///   `.forbidden` if keys of its role do not sign in.
  func openSession(
    key typed: String, after old: Session, by visitor: Visitor
  ) async throws -> (session: Session, key: APIKey) {
    let now = clock.now()
    let hash = Identifiers.hash(ofKey: typed)
    guard let key = try await store.admittedKey(hash: hash, at: now),
      key.limits.admits(visitor.address)
    else {
      guard let wait = try await refused(.signIn, from: visitor.address) else {
        throw RequestError(
          .unauthenticated,
          "This key is unknown, has expired, or is not allowed from your address.")
      }
      // Only the guesser waits: a valid key is accepted at any time.
      try await clock.sleep(Self.guesserDelay)
      throw RequestError(
        .tooMany, "Too many attempts from your address. Try again in \(wait) seconds.", wait: wait)
    }
    guard key.role != .device else {
      throw RequestError(
        .forbidden,
        "Device keys are public and cannot sign in. Use a push, analytics or admin key.")
    }
    guard key.role != .metrics else {
      throw RequestError(
        .forbidden, "This key reads /metrics only. Use a push, analytics, admin or server key.")
    }
    var user = visitor.identified(as: .key(key))
    user.app = key.app
    try await audit("session.open", object: nil, for: user)
    // The form token is new, so that a token known before signing in is worth nothing (session fixation).
    var session = Session(at: now)
    for hash in old.keys.reversed() { session.add(key: hash) }
    session.add(key: hash)
    try await endReplaced(old)
    return (session, key)
  }

  // MARK: The end

  /// Ends a session for good: from then on, a copy of its cookie is worth nothing.
  func endSession(_ session: Session) async throws {
    try await endPerson(of: session)
    try await store.endSession(session.id, until: session.expiresAt, at: clock.now())
  }

  /// Ends the session of a browser that gets another session.
  private func endReplaced(_ session: Session) async throws {
    try await endPerson(of: session)
    // The keys are in the cookie, so that a copy of it is valid until the store has its end.
    if !session.keys.isEmpty {
      try await store.endSession(session.id, until: session.expiresAt, at: clock.now())
    }
  }

  /// Ends the session of a person in the store, if there is one.
  private func endPerson(of session: Session) async throws {
    guard let hash = session.accountHash,
      let found = try await store.session(hash: hash, at: clock.now())
    else { return }
    _ = try await store.endSession(hash, of: found.account.id)
  }
}
