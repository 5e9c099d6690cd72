import PushModel

extension Actions {
  /// Opens a session for the person whose passkey has signed the challenge of a browser's session.
  ///
  /// `party` is this server as the browser knows it; `nil` if its address cannot have passkeys.
  ///
  /// - Throws: ``RequestError`` `.unauthenticated` if no passkey of this server has signed, `.tooMany` if there were
  ///   too many attempts, `.forbidden` if the answer was used before.
  func openSession(
    passkey answer: PasskeyAnswer, of party: RelyingParty?, replacing session: Session,
    in browser: Browser, by visitor: Visitor
  ) async throws -> OpenedSession {
    if let wait = waitBeforeSignIn(.passkey, account: "", from: visitor.address) {
      _ = try await refused(.signIn, from: visitor.address)
      throw RequestError.tooManyAttempts(wait: wait)
    }
    let account: Account
    do {
      account = try await self.account(provenBy: answer, to: party, in: session)
    } catch let failure as PasskeyFailure {
      _ = try await refused(.signIn, from: visitor.address)
      log(LogLine("a passkey was not accepted: \(failure)"))
      throw RequestError(
        .unauthenticated, "This passkey was not accepted. Try again, or sign in another way.")
    }
    // A signature opens only one session, even if its form comes twice at the same time.
    guard
      try await store.endSession(session.id, until: session.expiresAt, at: clock.now())
    else { throw RequestError(.forbidden, "This page has expired. Try again.") }
    signInSucceeded(.passkey, account: "", from: visitor.address)
    return try await openSession(of: account, isConfirmed: true, in: browser, by: visitor)
  }

  /// The account whose passkey has signed.
  ///
  /// - Throws: ``PasskeyFailure`` if no passkey of this server has signed.
  private func account(
    provenBy answer: PasskeyAnswer, to party: RelyingParty?, in session: Session
  ) async throws -> Account {
    let now = clock.now()
    guard let party,
      let challenge = PasskeyChallenge(
        sealed: answer.challenge, with: secretKey, to: .signIn, for: session, at: now)
    else { throw PasskeyFailure("its page was opened too long ago") }
    guard let passkey = try await store.passkey(answer.id),
      let account = try await store.account(passkey.account)
    else { throw PasskeyFailure("it is unknown here, or was removed") }
    guard answer.user.isEmpty || answer.user == Array(account.id.utf8) else {
      throw PasskeyFailure("it is of another person")
    }
    let count = try party.signed(
      clientData: answer.clientData, authenticatorData: answer.authenticatorData,
      signature: answer.signature, challenge: challenge.bytes, with: passkey)
    switch try await store.usePasskey(passkey.id, count: count, at: now) {
    case nil: return account
    case .notFound?: throw PasskeyFailure("it was removed meanwhile")
    default:
      throw PasskeyFailure("its count is not above the last one, so that there may be a copy")
    }
  }
}
