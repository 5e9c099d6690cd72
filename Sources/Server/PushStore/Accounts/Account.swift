/// A person who signs in to the dashboard.
package struct Account: Hashable, Sendable {
  /// What a person may do; each role may do what those before it may.
  package enum Role: String, CaseIterable, Comparable, Sendable {
    case viewer, author, approver, admin

    package static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .viewer: 0
      case .author: 1
      case .approver: 2
      case .admin: 3
      }
    }
  }

  /// A role in one app, or in all.
  package struct Grant: Hashable, Sendable {
    /// The app's id; `nil` for all apps, those that are added later too.
    package var app: String?
    package var role: Role

    package init(_ role: Role, app: String?) {
      self.role = role
      self.app = app
    }
  }

  package var id: String
  /// The address in lowercase, by which the person signs in.
  package var email: String
  package var name: String
  /// The password's hash as text; `nil` until the person has chosen one.
  package var password: String?
  /// The secret of the one-time passwords, sealed; `nil` without a second factor.
  package var secondFactor: [UInt8]?
  /// Whether the person signs in with a provider of identities, too.
  package var isConnected = false
  /// The number of passkeys with which the person signs in, too.
  package var passkeyCount = 0
  package var grants: [Grant]
  package var createdAt: Timestamp

  package init(
    id: String, email: String, name: String, password: String? = nil, secondFactor: [UInt8]? = nil,
    grants: [Grant] = [], createdAt: Timestamp
  ) {
    self.id = id
    self.email = email
    self.name = name
    self.password = password
    self.secondFactor = secondFactor
    self.grants = grants
    self.createdAt = createdAt
  }
}

extension Account {
  /// Whether the person has been invited, and has no way to sign in yet.
  package var hasNotJoined: Bool { password == nil && !isConnected }
}

/// Who a provider of identities says that a person is.
package struct AccountIdentity: Hashable, Sendable {
  package var issuer: String
  /// The person's name at the issuer, which is never another's.
  package var subject: String

  package init(issuer: String, subject: String) {
    self.issuer = issuer
    self.subject = subject
  }
}

/// How a person signs in who uses a link.
package enum AccountCredential: Hashable, Sendable {
  /// The hash of the password that the person has chosen, as text.
  case password(String)
  case identity(AccountIdentity)
}

/// A link with which a person chooses a password, once: an invitation, or the way back for who has forgotten it.
package struct AccountLink: Hashable, Sendable {
  /// The SHA-256 of the link's token, whose 256 random bits need no slow hash.
  package var hash: [UInt8]
  package var account: String
  /// Who made the link, with the rights that the maker must still have when it is used.
  package var maker: Authority
  package var expiresAt: Timestamp

  package init(hash: [UInt8], account: String, by maker: Authority, expiresAt: Timestamp) {
    self.hash = hash
    self.account = account
    self.maker = maker
    self.expiresAt = expiresAt
  }
}

/// A browser in which a person has signed in.
package struct AccountSession: Hashable, Sendable {
  /// The SHA-256 of the session's token.
  package var hash: [UInt8]
  package var account: String
  /// Whether the second factor, where the account has one, was shown; without it the session opens nothing.
  package var isConfirmed: Bool
  package var createdAt: Timestamp
  package var seenAt: Timestamp
  package var expiresAt: Timestamp
  /// The address of the sign-in.
  package var address: String
  /// What the browser said it is.
  package var agent: String

  package init(
    hash: [UInt8], account: String, isConfirmed: Bool, createdAt: Timestamp, expiresAt: Timestamp,
    address: String, agent: String
  ) {
    self.hash = hash
    self.account = account
    self.isConfirmed = isConfirmed
    self.createdAt = createdAt
    seenAt = createdAt
    self.expiresAt = expiresAt
    self.address = address
    self.agent = agent
  }
}

/// A secret of one-time passwords with the codes that replace it.
package struct SecondFactor: Hashable, Sendable {
  package var sealedSecret: [UInt8]
  /// The time step of the code that was shown when it was set up, which counts as used.
  package var lastStep: Int64
  /// The hashes of the recovery codes.
  package var recoveryCodes: [[UInt8]]

  package init(sealedSecret: [UInt8], lastStep: Int64, recoveryCodes: [[UInt8]]) {
    self.sealedSecret = sealedSecret
    self.lastStep = lastStep
    self.recoveryCodes = recoveryCodes
  }
}
