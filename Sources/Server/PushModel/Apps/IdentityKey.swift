/// A public key with which an app's server proves who its users are.
package struct IdentityKey: Hashable, Sendable {
  /// The most keys of one app: the one in use, and the one that replaces it.
  package static let limit = 2

  package var id: String
  package var app: String
  /// The P-256 key as SubjectPublicKeyInfo in PEM.
  package var pem: String
  package var createdAt: Timestamp
  /// The time from which the key verifies no tokens; `nil` if the key never expires.
  package var expiresAt: Timestamp?

  package init(
    id: String, app: String, pem: String, createdAt: Timestamp, expiresAt: Timestamp? = nil
  ) {
    self.id = id
    self.app = app
    self.pem = pem
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }

  /// Whether the key has expired at a time.
  package func hasExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }
}
