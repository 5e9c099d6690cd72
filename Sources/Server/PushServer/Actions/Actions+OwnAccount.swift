import PushModel

/// The changes that people make of the ways in which they themselves sign in, confirmed by the password.
extension Actions {
  /// The store for a change of the actor's own account, whose entry is the server's.
  private func store(forAccountOf owner: AccountOwner, _ action: String) -> any PushStore {
    store(forServer: owner.actor, action, owner.person.id)
  }

  /// Checks the password of a person as ``checkPassword(_:of:from:)`` does.
  func checkPassword(_ typed: String, by owner: AccountOwner) async throws {
    try await checkPassword(typed, of: owner.person, from: owner.actor.address)
  }

  // MARK: Password and sessions

  /// Changes the password, and ends the person's other sessions.
  func changePassword(
    to new: NewPassword, confirmedBy current: String, by owner: AccountOwner
  ) async throws {
    try await checkPassword(current, by: owner)
    let person = owner.person
    let account = person.account
    try new.check(email: account.email, name: account.name)
    let hash = try await passwordHash(new.text)
    guard
      try await store(forAccountOf: owner, "account.password").changePassword(
        of: account.id, from: account.password ?? "", to: hash.text, keeping: person.session)
    else {
      throw RequestError(.conflict, "The password was changed meanwhile. Sign in again.")
    }
  }

  /// Ends one session of the person.
  func endSession(_ hash: [UInt8], by owner: AccountOwner) async throws {
    _ = try await store(forAccountOf: owner, "session.end")
      .endSession(hash, of: owner.person.id)
  }

  /// Ends the sessions of the person in other browsers.
  func endOtherSessions(by owner: AccountOwner) async throws {
    let person = owner.person
    _ = try await store(forAccountOf: owner, "session.end")
      .endSessions(of: person.id, except: person.session)
  }

  /// Removes the identities with which the person signs in.
  func disconnectProvider(confirmedBy current: String, by owner: AccountOwner) async throws {
    try await checkPassword(current, by: owner)
    try await store(forAccountOf: owner, "account.disconnect").disconnect(owner.person.id)
  }

  // MARK: Second factor

  /// Makes the secret of a second factor, which counts once its first code was entered.
  func offerSecondFactor(
    confirmedBy current: String, by owner: AccountOwner
  ) async throws -> SecondFactorOffer {
    try await checkPassword(current, by: owner)
    return SecondFactorOffer()
  }

  /// Stores a second factor whose first code the person has entered, and ends the person's other sessions.
  ///
  /// - Returns: The recovery codes, which can be read only here.
  /// - Throws: ``RequestError`` `.invalid` at `code` if the code is wrong.
  func addSecondFactor(
    _ offer: SecondFactorOffer, code: String, by owner: AccountOwner
  ) async throws -> [String] {
    let person = owner.person
    guard let step = offer.password.step(of: code, at: clock.now()) else {
      throw RequestError(
        .invalid,
        "The code is wrong. Enter the one that the app shows now; the clocks must agree.",
        at: "code")
    }
    let codes = RecoveryCode.makeAll()
    let sealed = try await secretKey.inUse(in: store)
      .seal(offer.password.sealedText, as: .secondFactor, for: person.id)
    let refusal = try await store(forAccountOf: owner, "second_factor.add").setSecondFactor(
      SecondFactor(
        sealedSecret: sealed, lastStep: step, recoveryCodes: codes.map(RecoveryCode.hash)),
      of: person.id, keeping: person.session)
    switch refusal {
    case nil: return codes
    case .noAccount?: throw Self.removedAccount
    default: throw Self.endedSession
    }
  }

  private static let removedAccount = RequestError(.conflict, "Your account was removed.")
  private static let endedSession = RequestError(
    .conflict, "Your session has ended meanwhile. Sign in again.")

  /// Removes the person's second factor, unless the dashboard would not open without it.
  func removeSecondFactor(confirmedBy current: String, by owner: AccountOwner) async throws {
    try await checkPassword(current, by: owner)
    let account = owner.person.account
    guard site.mayRemoveSecondFactor(of: account) else {
      throw RequestError(
        .forbidden,
        "Admins need a second factor on this server. Set up another app in its place.")
    }
    try await store(forAccountOf: owner, "second_factor.remove").setSecondFactor(
      nil, of: account.id)
  }

  // MARK: Passkeys

  /// Makes the challenge for a new passkey of the person.
  ///
  /// `party` is this server as the browser knows it; `nil` if its address cannot have passkeys.
  ///
  /// - Returns: The challenge, and the passkeys that the person has.
  func offerPasskey(
    of party: RelyingParty?, confirmedBy current: String, by owner: AccountOwner
  ) async throws -> (party: RelyingParty, challenge: PasskeyChallenge, known: [Passkey]) {
    try await checkPassword(current, by: owner)
    guard let party else { throw Self.expiredPasskey }
    let known = try await store.passkeys(of: owner.person.id)
    guard known.count < Passkey.limit else {
      throw RequestError(
        .invalid, "You have \(known.count) passkeys, which is the most. Remove one first.",
        at: "passkeys")
    }
    return (party, PasskeyChallenge(at: clock.now()), known)
  }

  private static let expiredPasskey = RequestError(
    .invalid, "This page has expired. Add the passkey again.")

  /// Adds the passkey that an authenticator has made for the challenge of a session.
  func addPasskey(
    _ answer: PasskeyAnswer, named name: String, of party: RelyingParty?, in session: Session,
    by owner: AccountOwner
  ) async throws -> Passkey {
    let person = owner.person
    let now = clock.now()
    guard let party,
      let challenge = PasskeyChallenge(
        sealed: answer.challenge, with: secretKey, to: .addition, for: session, at: now)
    else { throw Self.expiredPasskey }
    let made: (credential: AuthenticatorData.Credential, count: Int64)
    do {
      made = try party.registered(
        clientData: answer.clientData, authenticatorData: answer.authenticatorData,
        challenge: challenge.bytes)
    } catch {
      log(LogLine("a new passkey was not accepted: \(error)"))
      throw RequestError(
        .invalid, "This passkey was not accepted. The log of the server says why.")
    }
    if !name.isEmpty, let problem = DisplayText.problem(name, upTo: Passkey.nameLimit) {
      throw RequestError(.invalid, "The passkey was not added: its name \(problem).")
    }
    let passkey = Passkey(
      id: made.credential.id, account: person.id, publicKey: made.credential.publicKey,
      signatureCount: made.count, name: name.isEmpty ? "Passkey" : name, createdAt: now)
    switch try await store(forAccountOf: owner, "passkey.add").add(
      passkey, in: person.session)
    {
    case nil: return passkey
    case .tooMany?:
      throw RequestError(
        .conflict, "You have \(Passkey.limit) passkeys, which is the most. Remove one first.")
    case .noAccount?: throw Self.removedAccount
    case .changed?: throw Self.endedSession
    default: throw RequestError(.conflict, "This passkey is in use.")
    }
  }

  /// Removes a passkey of the person.
  func removePasskey(
    _ id: [UInt8], confirmedBy current: String, by owner: AccountOwner
  ) async throws {
    try await checkPassword(current, by: owner)
    _ = try await store(forAccountOf: owner, "passkey.remove")
      .removePasskey(id, of: owner.person.id)
  }
}

extension SiteSettings {
  /// Whether the dashboard would also open to a person without the second factor.
  func mayRemoveSecondFactor(of account: Account) -> Bool {
    var without = account
    without.secondFactor = nil
    return !refuses(without)
  }
}

extension Passkey {
  /// The most characters of a name.
  static let nameLimit = 60
}
