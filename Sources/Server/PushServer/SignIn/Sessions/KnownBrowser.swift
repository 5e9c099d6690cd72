import PushModel
import PushPayload

/// The mark of a browser in which a person has signed in, kept there, encrypted.
///
/// It opens nothing. It gives the browser its own attempts, so that a person can sign in while others try passwords
/// for the account.
struct KnownBrowser: Equatable, Sendable {
  /// The time after the last sign-in for which a browser stays known.
  static let lifetime = Duration.seconds(90 * 24 * 3600)
  /// The owner of the sealed value, which belongs to nobody in particular.
  private static let owner = "known browser"

  let id: String
  /// The id of the account.
  let account: String
  let email: String
  /// Whether a code of the second factor was entered too: only then the browser has attempts of its own for codes.
  let hasCode: Bool
  let expiresAt: Timestamp

  /// The mark of a browser in which a person has just signed in.
  ///
  /// A new sign-in to the same account goes on with the attempts of the mark that the browser has.
  init(of account: Account, renewing old: KnownBrowser?, at now: Timestamp) {
    id = old.flatMap { $0.account == account.id ? $0.id : nil } ?? Identifiers.makeObjectID()
    self.account = account.id
    email = account.email
    hasCode = account.secondFactor != nil
    expiresAt = now + Self.lifetime
  }

  /// Opens what a browser has kept; `nil` if it is absent, of another secret, or too old.
  init?(sealed text: String?, with secret: SecretKey, at now: Timestamp) {
    guard let value = SealedMembers(text, with: secret, for: Self.owner, at: now),
      let id = value["id"]?.string, let account = value["account"]?.string,
      let email = value["email"]?.string
    else { return nil }
    (self.id, self.account, self.email) = (id, account, email)
    hasCode = value["code"]?.bool ?? false
    expiresAt = value.expiresAt
  }

  /// The text that the browser keeps.
  func sealed(with secret: SecretKey) -> String {
    let members: [String: JSONValue] = [
      "id": .string(id), "account": .string(account), "email": .string(email),
      "code": .bool(hasCode),
    ]
    return SealedMembers(members, until: expiresAt).sealed(with: secret, for: Self.owner)
  }
}
