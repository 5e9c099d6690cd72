/// An app that pushes: its bundle and the key Apple gave its team.
package struct App: Hashable, Sendable {
  package var id: String
  package var name: String
  package var bundleID: String
  package var teamID: String
  package var keyID: String
  /// The PEM text of the p8 file; a store keeps it in a file that only its owner may read.
  package var privateKey: String
  package var createdAt: Timestamp

  package init(
    id: String, name: String, bundleID: String, teamID: String, keyID: String,
    privateKey: String, createdAt: Timestamp
  ) {
    self.id = id
    self.name = name
    self.bundleID = bundleID
    self.teamID = teamID
    self.keyID = keyID
    self.privateKey = privateKey
    self.createdAt = createdAt
  }
}

/// A key of the HTTP API: it is shown once, and the store holds its hash.
package struct APIKey: Hashable, Sendable {
  /// What a key may do; `server` belongs to no app.
  package enum Role: String, CaseIterable, Sendable {
    case push, analytics, device, admin, server
  }

  package var id: String
  /// The app it belongs to; `nil` for the role `server`.
  package var app: String?
  package var role: Role
  /// SHA-256 of the key, which is 256 random bits, so that a slow hash would add nothing.
  package var hash: [UInt8]
  package var createdAt: Timestamp

  package init(id: String, app: String?, role: Role, hash: [UInt8], createdAt: Timestamp) {
    self.id = id
    self.app = app
    self.role = role
    self.hash = hash
    self.createdAt = createdAt
  }
}
