/// A passkey with which a person signs in; a device or a password manager keeps its private key.
package struct Passkey: Hashable, Sendable {
  /// The most passkeys of an account.
  package static let limit = 20

  /// The unique id that the authenticator has chosen.
  package var id: [UInt8]
  package var account: String
  /// The public key in COSE (RFC 9052, section 7), as the authenticator gave it.
  package var publicKey: [UInt8]
  /// The authenticator's count of signatures at the last use; 0 if the authenticator does not count.
  package var signatureCount: Int64
  /// The name that its person gave it.
  package var name: String
  package var createdAt: Timestamp
  package var usedAt: Timestamp?

  package init(
    id: [UInt8], account: String, publicKey: [UInt8], signatureCount: Int64, name: String,
    createdAt: Timestamp
  ) {
    self.id = id
    self.account = account
    self.publicKey = publicKey
    self.signatureCount = signatureCount
    self.name = name
    self.createdAt = createdAt
  }
}
