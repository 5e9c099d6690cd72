/// An app that pushes: its bundle and the key Apple gave its team.
package struct App: Hashable, Sendable {
  package var id: String
  package var name: String
  package var bundleID: String
  package var teamID: String
  package var keyID: String
  /// The p8 file's text as the server sealed it; to a store these are bytes.
  package var sealedKey: [UInt8]
  /// How many pushes of a send go out a second where the send does not say; `nil` is as many as can.
  package var throttlePerSecond: Int?
  package var createdAt: Timestamp

  package init(
    id: String, name: String, bundleID: String, teamID: String, keyID: String,
    sealedKey: [UInt8], throttlePerSecond: Int? = nil, createdAt: Timestamp
  ) {
    self.id = id
    self.name = name
    self.bundleID = bundleID
    self.teamID = teamID
    self.keyID = keyID
    self.sealedKey = sealedKey
    self.throttlePerSecond = throttlePerSecond
    self.createdAt = createdAt
  }
}

/// A key of the HTTP API: it is shown once, and the store holds its hash.
package struct APIKey: Hashable, Sendable {
  /// What a key may do; `server` belongs to no app.
  package enum Role: String, CaseIterable, Sendable {
    case push, analytics, device, admin, server
  }

  /// From where and how often a key may be used.
  package struct Limits: Hashable, Sendable {
    /// The peers it is taken from; empty is all of them.
    package var allow: [AddressRange]
    /// Requests a second, which each node counts for itself; `nil` is as many as come.
    package var perSecond: Int?

    package init(allow: [AddressRange] = [], perSecond: Int? = nil) {
      self.allow = allow
      self.perSecond = perSecond
    }

    package func admits(_ address: String) -> Bool {
      allow.isEmpty || allow.contains { $0.contains(address) }
    }
  }

  package var id: String
  /// The app it belongs to; `nil` for the role `server`.
  package var app: String?
  package var role: Role
  /// SHA-256 of the key, which is 256 random bits, so that a slow hash would add nothing.
  package var hash: [UInt8]
  package var limits: Limits
  package var createdAt: Timestamp

  package init(
    id: String, app: String?, role: Role, hash: [UInt8], limits: Limits = Limits(),
    createdAt: Timestamp
  ) {
    self.id = id
    self.app = app
    self.role = role
    self.hash = hash
    self.limits = limits
    self.createdAt = createdAt
  }
}
