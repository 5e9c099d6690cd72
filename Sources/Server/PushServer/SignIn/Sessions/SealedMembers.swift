import PushCrypto
import PushModel
import PushPayload

/// The members of an object that a browser keeps for the server, encrypted, until a time.
struct SealedMembers: Sendable {
  /// The member with the time, whose name no other member may have.
  private static let expiry = "until"

  private let value: JSONValue
  let expiresAt: Timestamp

  init(_ members: [String: JSONValue], until expiresAt: Timestamp) {
    var members = members
    members[Self.expiry] = .integer(expiresAt.milliseconds)
    (value, self.expiresAt) = (.object(members), expiresAt)
  }

  /// Opens the text that a browser has sent; `nil` if it is absent, of another owner or secret, or too old.
  init?(_ text: String?, with secret: SecretKey, for owner: String, at now: Timestamp) {
    guard let sealed = text.flatMap({ Base64URL.decode($0) }),
      let opened = secret.open(sealed, as: .session, for: owner),
      let value = try? JSONValue(parsing: opened),
      let expiry = value[Self.expiry]?.integer, now < Timestamp(milliseconds: expiry)
    else { return nil }
    self.value = value
    expiresAt = Timestamp(milliseconds: expiry)
  }

  subscript(name: String) -> JSONValue? { value[name] }

  /// The text that a browser keeps, which ``init(_:with:for:at:)`` opens for the same owner.
  func sealed(with secret: SecretKey, for owner: String) -> String {
    let text = String(decoding: value.serialized(), as: UTF8.self)
    return Base64URL.encode(secret.seal(text, as: .session, for: owner))
  }
}
