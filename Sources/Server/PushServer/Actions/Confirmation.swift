import PushModel

/// The way in which users show who they are before a change of the ways to sign in.
///
/// Somebody who finds an open session can look and send, but cannot stay.
enum Confirmation: Sendable {
  /// The user has just signed in.
  case none
  case password(Person)
  /// The key with which the user has signed in.
  case key(APIKey)
  /// The person signs in only with a provider.
  case signIn

  init(of actor: Actor, in session: Session, at now: Timestamp) {
    let isFresh = session.isFresh(at: now)
    switch actor.identity {
    case .key(let key):
      // Only the key that was added last has signed in at the session's beginning.
      self = isFresh && session.keys.first == key.hash ? .none : .key(key)
    case .person(let person) where person.account.password != nil:
      self = isFresh && session.isProven ? .none : .password(person)
    case .person: self = isFresh ? .none : .signIn
    }
  }
}

extension Actions {
  /// Checks the password or the key by which a user of a session shows who they are.
  ///
  /// - Throws: ``RequestError`` if it does not show who the user is.
  func confirm(_ actor: Actor, by typed: String, in session: Session) async throws {
    switch Confirmation(of: actor, in: session, at: clock.now()) {
    case .none: break
    case .password(let person):
      try await checkPassword(typed, of: person, from: actor.address)
    case .key(let key):
      guard Identifiers.hash(ofKey: typed) == key.hash else {
        throw RequestError(
          .invalid, "This is not the key \(key.name ?? key.id) of your session.")
      }
    case .signIn:
      throw RequestError(
        .forbidden,
        "You signed in more than ten minutes ago. Sign out and in again to change this.")
    }
  }
}
