package import NetworkAddresses

/// An app that is pushed to: its bundle and its team's APNs key.
package struct App: Hashable, Sendable {
  /// The proof that a device key must show before the store accepts a device's user from it.
  package enum Identity: String, CaseIterable, Sendable {
    /// The user is dropped, unless a valid user token proves it.
    case required
    /// The user is accepted. Updates without a valid user token are counted.
    case report
    /// The user is accepted without proof.
    case off
  }

  package var id: String
  package var name: String
  package var bundleID: String
  package var teamID: String
  package var keyID: String
  /// The text of the `.p8` file, encrypted by the server.
  package var sealedKey: [UInt8]
  /// The pushes per second of a send without a rate of its own; `nil` if the app has no limit.
  package var throttlePerSecond: Int?
  /// The class of a send that has no class of its own or of its key; `nil` if the number of devices decides.
  package var sendClass: SendClass?
  package var identity: Identity
  /// The name of the upload that previews show as the app's icon; `nil` if the app has no icon.
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

/// A key of the HTTP API, of which the store keeps only the hash.
package struct APIKey: Hashable, Sendable {
  /// The rights of a key.
  package enum Role: String, CaseIterable, Sendable {
    case push, analytics, device, admin, server
    /// May only read the server's metrics.
    case metrics

    /// Whether keys of this role belong to the server, not to an app.
    package var isOfServer: Bool { self == .server || self == .metrics }
  }

  /// The limits of a key: client addresses, requests per second, expiry, and the class of its sends.
  package struct Limits: Hashable, Sendable {
    /// The addresses that a request may come from; an empty array allows all addresses.
    package var allow: [AddressRange]
    /// The most requests per second on each node; `nil` if the rate has no limit.
    package var perSecond: Int?
    /// The time from which the key is refused; `nil` if the key never expires.
    package var expiresAt: Timestamp?
    /// The class of a send with the key that has no class of its own; `nil` if the app decides.
    package var sendClass: SendClass?

    package init(
      allow: [AddressRange] = [], perSecond: Int? = nil, expiresAt: Timestamp? = nil,
      sendClass: SendClass? = nil
    ) {
      self.allow = allow
      self.perSecond = perSecond
      self.expiresAt = expiresAt
      self.sendClass = sendClass
    }

    /// Whether a request may come from an address.
    package func admits(_ address: String) -> Bool {
      allow.isEmpty || allow.contains { $0.contains(address) }
    }

    /// Whether the key has expired at a time.
    package func haveExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }
  }

  /// A use of a key.
  package struct Use: Hashable, Sendable {
    package var at: Timestamp
    package var address: String

    package init(at: Timestamp, address: String) {
      self.at = at
      self.address = address
    }

    /// The least time between two recorded uses of a key.
    package static let interval = Duration.seconds(3600)
  }

  package var id: String
  /// The app that the key belongs to; `nil` if the key belongs to the server.
  package var app: String?
  package var role: Role
  /// The purpose of the key, as its maker described it.
  package var name: String?
  /// The SHA-256 of the key, whose 256 random bits need no slow hash.
  package var hash: [UInt8]
  package var limits: Limits
  /// The last use that was recorded; `nil` if none was.
  package var lastUse: Use?
  /// Whether a device key is for debug builds and may register tokens of Apple's development environment.
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
