package import NetworkAddresses

/// An app that is pushed to: its bundle and its team's APNs key.
package struct App: Hashable, Sendable {
  /// What a device key must prove before the user of a device is taken from it.
  package enum Identity: String, CaseIterable, Sendable {
    /// Without a valid user token the user is dropped.
    case required
    /// The user is taken, and those without a valid user token are counted.
    case report
    /// The user is taken.
    case off
  }

  package var id: String
  package var name: String
  package var bundleID: String
  package var teamID: String
  package var keyID: String
  /// The text of the `.p8` file, encrypted by the server.
  package var sealedKey: [UInt8]
  /// Pushes a second of a send that sets no rate itself; `nil` is no limit.
  package var throttlePerSecond: Int?
  package var identity: Identity
  /// The name of the upload that previews show as the app's icon; `nil` for none.
  package var icon: String?
  package var createdAt: Timestamp

  package init(
    id: String, name: String, bundleID: String, teamID: String, keyID: String,
    sealedKey: [UInt8], throttlePerSecond: Int? = nil, identity: Identity = .required,
    createdAt: Timestamp
  ) {
    self.id = id
    self.name = name
    self.bundleID = bundleID
    self.teamID = teamID
    self.keyID = keyID
    self.sealedKey = sealedKey
    self.throttlePerSecond = throttlePerSecond
    self.identity = identity
    self.createdAt = createdAt
  }
}

/// A key of the HTTP API, of which the store has the hash alone.
package struct APIKey: Hashable, Sendable {
  /// What a key may do.
  package enum Role: String, CaseIterable, Sendable {
    case push, analytics, device, admin, server
    /// Reads the metrics of the server, and nothing else.
    case metrics

    /// Whether a key of this role belongs to the server and to no app.
    package var isOfServer: Bool { self == .server || self == .metrics }
  }

  /// The addresses that may use a key, how often, and until when.
  package struct Limits: Hashable, Sendable {
    /// The addresses that a request may come from; empty allows all.
    package var allow: [AddressRange]
    /// The most requests a second, which each node counts for itself; `nil` is no limit.
    package var perSecond: Int?
    /// The moment from which the key is refused; `nil` is never.
    package var expiresAt: Timestamp?

    package init(
      allow: [AddressRange] = [], perSecond: Int? = nil, expiresAt: Timestamp? = nil
    ) {
      self.allow = allow
      self.perSecond = perSecond
      self.expiresAt = expiresAt
    }

    /// Whether a request may come from an address.
    package func admits(_ address: String) -> Bool {
      allow.isEmpty || allow.contains { $0.contains(address) }
    }

    /// Whether the key is refused at a time because it has expired.
    package func haveExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }
  }

  package var id: String
  /// The app that the key belongs to; `nil` for the role `server`.
  package var app: String?
  package var role: Role
  /// What the key is for, in the words of who made it.
  package var name: String?
  /// The SHA-256 of the key, whose 256 random bits need no slow hash.
  package var hash: [UInt8]
  package var limits: Limits
  /// Whether a device key is one for debug builds, which may say that its devices' tokens are of
  /// Apple's development environment.
  package var isForDevelopment: Bool
  package var createdAt: Timestamp

  package init(
    id: String, app: String?, role: Role, name: String? = nil, hash: [UInt8],
    limits: Limits = Limits(), isForDevelopment: Bool = false, createdAt: Timestamp
  ) {
    self.id = id
    self.app = app
    self.role = role
    self.name = name
    self.hash = hash
    self.limits = limits
    self.isForDevelopment = isForDevelopment
    self.createdAt = createdAt
  }
}
