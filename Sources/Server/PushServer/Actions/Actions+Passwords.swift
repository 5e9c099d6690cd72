import PushModel

extension Actions {
  /// Whether a password is that of an account; without an account it does the same work, and is `false`.
  ///
  /// `isKnown` says whether the person is signed in, or has signed in with this browser before.
  ///
  /// - Throws: ``RequestError`` `.unavailable` if too many passwords wait to be checked.
  func passwordMatches(
    _ password: String, _ account: Account?, isKnown: Bool, from address: String
  ) async throws -> Bool {
    let caller = PasswordWork.Caller(address: address, isKnown: isKnown)
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

  /// Checks the password of a person who is signed in, which a change of the ways to sign in needs.
  ///
  /// - Throws: ``RequestError`` `.invalid` at `current` if it is wrong, `.tooMany` if there were too many attempts.
  func checkPassword(
    _ typed: String, of person: Person, from address: String
  ) async throws {
    // Attempts of others do not delay a person who is signed in.
    let browser = "session \(Identifiers.hex(person.session))"
    let email = person.account.email
    if let wait = waitBeforeSignIn(.password, account: email, browser: browser, from: address) {
      throw RequestError.tooManyAttempts(wait: wait)
    }
    guard try await passwordMatches(typed, person.account, isKnown: true, from: address) else {
      throw RequestError(.invalid, "The current password is wrong.", at: "current")
    }
    signInSucceeded(.password, account: email, browser: browser, from: address)
  }

  /// Uses a one-time password or a recovery code of an account.
  ///
  /// - Returns: `false` if the code is wrong or was used before.
  func useCode(_ typed: String, of account: Account, by visitor: Visitor) async throws -> Bool {
    guard let sealed = account.secondFactor else { return false }
    if let text = secretKey.open(sealed, as: .secondFactor, for: account.id),
      let secret = OneTimePassword(sealedText: text),
      let step = secret.step(of: typed, at: clock.now())
    {
      return try await store.useStep(step, of: account.id)
    }
    let actor = visitor.identified(as: .person(Person(account)))
    return try await store(forServer: actor, "recovery_code.use", account.id)
      .useRecoveryCode(RecoveryCode.hash(typed), of: account.id)
  }
}

extension RequestError {
  /// The refusal of an attempt to sign in that comes too early.
  static func tooManyAttempts(wait: Int) -> RequestError {
    RequestError(.tooMany, "Too many attempts. Try again in \(wait) seconds.", wait: wait)
  }
}
