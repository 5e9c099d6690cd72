/// A person who signs in to the dashboard.
package struct Account: Hashable, Sendable {
  /// A person's rights; each role includes the rights of those before it.
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

  /// A role in one app or in all apps.
  package struct Grant: Hashable, Sendable {
    /// The app's id; `nil` for a role in all apps, including those added later.
    package var app: String?
    package var role: Role

    package init(_ role: Role, app: String?) {
      self.role = role
      self.app = app
    }
  }

  package var id: String
  /// The e-mail address in lowercase, with which the person signs in.
  package var email: String
  package var name: String
  /// The password's hash as text; `nil` until the person has chosen one.
  package var password: String?
  /// The sealed secret of the one-time passwords; `nil` if no second factor is set up.
  package var secondFactor: [UInt8]?
  /// Whether the person can sign in with an identity provider.
  package var isConnected = false
  /// The number of the person's passkeys.
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
  /// Whether the person was invited and cannot sign in yet.
  package var hasNotJoined: Bool { password == nil && !isConnected }
}

/// A person's identity, as an identity provider reports it.
package struct AccountIdentity: Hashable, Sendable {
  package var issuer: String
  /// The person's identifier at the issuer, which never belongs to anybody else.
  package var subject: String

  package init(issuer: String, subject: String) {
    self.issuer = issuer
    self.subject = subject
  }
}

/// The credential that a person sets with a link.
package enum AccountCredential: Hashable, Sendable {
  /// The hash of the chosen password, as text.
  case password(String)
  case identity(AccountIdentity)
}

/// A link that works once, with which a person chooses a password: an invitation, or a reset of a forgotten password.
package struct AccountLink: Hashable, Sendable {
  /// The SHA-256 of the link's token, whose 256 random bits need no slow hash.
  package var hash: [UInt8]
  package var account: String
  /// The maker of the link, with the rights that it must still have when the link is used.
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
  /// Whether the account's second factor, if it has one, was verified; until then the session opens nothing.
  package var isConfirmed: Bool
  package var createdAt: Timestamp
  package var seenAt: Timestamp
  package var expiresAt: Timestamp
  /// The address of the sign-in.
  package var address: String
  /// The browser's `User-Agent` header.
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

/// A secret for one-time passwords, with its recovery codes.
package struct SecondFactor: Hashable, Sendable {
  package var sealedSecret: [UInt8]
  /// The time step of the code that confirmed the setup, which counts as used.
  package var lastStep: Int64
  /// The hashes of the recovery codes.
  package var recoveryCodes: [[UInt8]]

  package init(sealedSecret: [UInt8], lastStep: Int64, recoveryCodes: [[UInt8]]) {
    self.sealedSecret = sealedSecret
    self.lastStep = lastStep
    self.recoveryCodes = recoveryCodes
  }
}
