/// The reason why a store did not change how a person signs in.
package struct AccountRefusal: Hashable, Sendable, CustomStringConvertible {
  private enum Raw {
    case noAccount, changed, taken, otherIdentity, tooMany, notFound, repeatedCount, lastWay
  }
  private let raw: Raw

  /// The account does not exist, or was removed.
  package static let noAccount = AccountRefusal(raw: .noAccount)
  /// The account's roles or the ways to sign in to it have changed since the account was read, or the session in which
  /// its person acts has ended.
  package static let changed = AccountRefusal(raw: .changed)
  /// Another account has the identity, or a passkey has the id.
  package static let taken = AccountRefusal(raw: .taken)
  /// The account has a different identity of the issuer.
  package static let otherIdentity = AccountRefusal(raw: .otherIdentity)
  /// The account has ``Passkey/limit`` passkeys.
  package static let tooMany = AccountRefusal(raw: .tooMany)
  /// The passkey was removed, or the account has no identity.
  package static let notFound = AccountRefusal(raw: .notFound)
  /// A passkey's count of signatures did not rise, because a copy of its key may exist.
  package static let repeatedCount = AccountRefusal(raw: .repeatedCount)
  /// Nobody could sign in to the account afterwards.
  package static let lastWay = AccountRefusal(raw: .lastWay)

  package var description: String { "\(raw)" }
}
