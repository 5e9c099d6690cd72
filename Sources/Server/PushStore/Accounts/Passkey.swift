/// A passkey with which a person signs in: its public key, whose private key a device or a password manager keeps.
package struct Passkey: Hashable, Sendable {
  /// The most of an account.
  package static let limit = 20

  /// The id that the authenticator has chosen, which no other passkey has.
  package var id: [UInt8]
  package var account: String
  /// The public key in COSE (RFC 9052, section 7), as the authenticator gave it.
  package var publicKey: [UInt8]
  /// The authenticator's count of signatures at the last one; 0 for one that does not count.
  package var signatureCount: Int64
  /// What its person calls it.
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
