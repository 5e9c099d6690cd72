import PushModel

extension SQLPushStore {
  package func add(_ link: AccountLink) async throws(StoreError) -> Bool {
    try await write { db in
      guard try Self.exists(link.account, db) else { return false }
      try Self.removeLinks(of: link.account, db)
      try Self.insert(link, db)
      return true
    }
  }

  package func account(
    link hash: [UInt8], at now: Timestamp
  ) async throws(StoreError) -> Account? {
    try await readFewRows { db in
      guard let link = try Self.link(hash, at: now, db) else { return nil }
      return try Self.account(of: link, at: now, db)
    }
  }

  package func redeem(
    link hash: [UInt8], name: String, with credential: AccountCredential, at now: Timestamp
  ) async throws(StoreError) -> Account? {
    try await write { db in
      // The account is locked before it is checked, so its roles are current. If two people use the link, only one
      // deletion finds it.
      guard let link = try Self.link(hash, at: now, db), try Self.exists(link.account, db),
        try Self.account(of: link, at: now, db) != nil,
        try db.run("DELETE FROM account_links WHERE hash = \(hash)") > 0
      else { return nil }
      let account = link.account
      try db.queue("UPDATE accounts SET name = \(name) WHERE id = \(account)")
      // The other credential stays only if a link of the same maker set it, because any other maker may know it.
      let keepsOther = try Self.maker(of: account, db) == link.maker
      switch credential {
      case .password(let hash):
        try db.queue("UPDATE accounts SET password = \(hash) WHERE id = \(account)")
        if !keepsOther { try Self.removeIdentities(of: account, db) }
      case .identity(let identity):
        let others: SQL = keepsOther ? " AND issuer = \(identity.issuer)" : ""
        try db.queue("DELETE FROM account_identities WHERE account = \(account)\(others)")
        if !keepsOther {
          try db.queue("UPDATE accounts SET password = NULL WHERE id = \(account)")
        }
        guard try Self.insert(identity, of: account, db) == nil else {
          throw StoreError(.conflict, "the identity is of another account")
        }
      }
      try Self.setMaker(link.maker, of: account, db)
      try Self.removeLinks(of: account, db)
      // A person who needs a link may have lost the device, and an open session lets anyone add a passkey.
      try Self.removePasskeys(of: account, db)
      try Self.endSessions(of: account, db)
      return try Self.account(where: "id = \(account)", db)
    }
  }

  static func removeLinks(of account: String, _ db: any SQLConnection) throws {
    try db.queue("DELETE FROM account_links WHERE account = \(account)")
  }

  static func insert(_ link: AccountLink, _ db: any SQLConnection) throws {
    try db.queue(
      """
      INSERT INTO account_links (hash, account, expires_at, maker, scope)
      VALUES (\(link.hash), \(link.account), \(link.expiresAt), \(link.maker.actor.stored),
        \(link.maker.storedScope))
      """)
  }

  /// A link; `nil` if it has expired, or if a program that did not store makers made it.
  private static func link(
    _ hash: [UInt8], at now: Timestamp, _ db: any SQLConnection
  ) throws -> AccountLink? {
    try db.row(
      """
      SELECT account, expires_at, maker, scope FROM account_links
      WHERE hash = \(hash) AND expires_at > \(now) AND maker IS NOT NULL
      """
    ) { row in
      let (account, expiresAt) = try (row.text("account"), row.time("expires_at"))
      return AccountLink(
        hash: hash, account: account, by: try Authority(row: &row), expiresAt: expiresAt)
    }
  }

  /// The account of a link; `nil` if the link's maker may no longer make such a link.
  private static func account(
    of link: AccountLink, at now: Timestamp, _ db: any SQLConnection
  ) throws -> Account? {
    guard let account = try account(where: "id = \(link.account)", db),
      try mayStillLink(link.maker, to: account, at: now, db)
    else { return nil }
    return account
  }

  private static func mayStillLink(
    _ maker: Authority, to account: Account, at now: Timestamp, _ db: any SQLConnection
  ) throws -> Bool {
    try stillManages(maker, at: now, db) && maker.refusal(of: .link, to: account) == nil
  }

  /// Whether an actor still has the rights that it had.
  private static func stillManages(
    _ authority: Authority, at now: Timestamp, _ db: any SQLConnection
  ) throws -> Bool {
    guard let scope = authority.scope else { return false }
    switch authority.actor {
    case .commandLine: return true
    case .account(let id):
      return try account(where: "id = \(id)", db)?.manages(scope) ?? false
    case .key(let id):
      guard let key = try key(id: id, db), !key.limits.haveExpired(at: now) else { return false }
      return key.manages(scope)
    }
  }
}

// MARK: Credentials

extension SQLPushStore {
  /// Stores the maker of the link that set the credential of an account.
  static func setMaker(
    _ maker: Authority, of account: String, _ db: any SQLConnection
  ) throws {
    try db.queue(
      """
      UPDATE accounts SET maker = \(maker.actor.stored), scope = \(maker.storedScope)
      WHERE id = \(account)
      """)
  }

  /// The maker of the link that set the credential of an account; `nil` if no link with a known maker did.
  private static func maker(
    of account: String, _ db: any SQLConnection
  ) throws -> Authority? {
    try db.row(
      "SELECT maker, scope FROM accounts WHERE id = \(account) AND maker IS NOT NULL",
      map: Authority.init(row:))
  }

  private static func removeIdentities(of account: String, _ db: any SQLConnection) throws {
    try db.queue("DELETE FROM account_identities WHERE account = \(account)")
  }

  /// Removes the credentials of an account, unless the maker of the link that set them may still make such a link.
  ///
  /// A person who signs in only with an identity provider, and has never used a link, keeps the identity.
  ///
  /// - Returns: Whether credentials were removed.
  static func removeForeignCredentials(
    of id: String, at now: Timestamp, _ db: any SQLConnection
  ) throws -> Bool {
    guard let account = try account(where: "id = \(id)", db), !account.hasNotJoined
    else { return false }
    let maker = try maker(of: id, db)
    if let maker, try mayStillLink(maker, to: account, at: now, db) { return false }
    if maker == nil, account.password == nil { return false }
    try db.queue("UPDATE accounts SET password = NULL, maker = NULL, scope = NULL WHERE id = \(id)")
    try removeIdentities(of: id, db)
    try removePasskeys(of: id, db)
    try setSecondFactor(nil, of: id, db)
    return true
  }
}

extension Authority {
  fileprivate var storedScope: String? { if case .app(let app)? = scope { app } else { nil } }

  /// Reads a maker from the columns `maker` and `scope`.
  fileprivate init(row: inout SQLRow) throws {
    let actor = try row.parsed("maker", Actor.init(stored:))
    self.init(actor, scope: try row.optionalText("scope").map { .app($0) } ?? .allApps)
  }
}

extension Authority.Actor {
  /// The actor as it is stored.
  var stored: String {
    switch self {
    case .commandLine: "command line"
    case .account(let id): "account \(id)"
    case .key(let id): "key \(id)"
    }
  }

  /// Parses ``stored``; `nil` if the text is malformed.
  init?(stored text: String) {
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty else { return nil }
    switch (parts[0], parts[1]) {
    case ("command", "line"): self = .commandLine
    case ("account", let id): self = .account(String(id))
    case ("key", let id): self = .key(String(id))
    default: return nil
    }
  }
}
