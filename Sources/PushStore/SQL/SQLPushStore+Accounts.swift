extension SQLPushStore {
  package func add(_ account: Account, link: AccountLink) async throws(StoreError) {
    try await write { db in
      try db.queue(
        """
        INSERT INTO accounts (id, email, name, password, second_factor, created_at, last_step)
        VALUES (?, ?, ?, ?, ?, ?, 0)
        """,
        [
          .text(account.id), .text(account.email), .text(account.name),
          .optional(account.password), account.secondFactor.map(SQLValue.blob) ?? .null,
          .time(account.createdAt),
        ])
      for grant in account.grants { try Self.insert(grant, of: account.id, db) }
      try Self.insert(link, db)
    }
  }

  package func accounts() async throws(StoreError) -> [Account] {
    try await read { db in
      var accounts = try db.rows(
        "SELECT \(Account.columns) FROM accounts ORDER BY email", [], map: Account.init(row:))
      var grants: [String: [Account.Grant]] = [:]
      let all = try db.rows(
        "SELECT account, app, role FROM account_roles ORDER BY account, app", []
      ) { row in try (account: row.text("account"), grant: Account.Grant(row: &row)) }
      for (account, grant) in all {
        grants[account, default: []].append(grant)
      }
      for index in accounts.indices { accounts[index].grants = grants[accounts[index].id] ?? [] }
      return accounts
    }
  }

  package func account(_ id: String) async throws(StoreError) -> Account? {
    try await readFewRows { db in try Self.account(where: "id = ?", [.text(id)], db) }
  }

  package func account(email: String) async throws(StoreError) -> Account? {
    try await readFewRows { db in try Self.account(where: "email = ?", [.text(email)], db) }
  }

  package func setRole(
    _ role: Account.Role?, app: String?, of account: String
  ) async throws(StoreError) -> Bool {
    try await write { db in
      guard try Self.exists(account, db) else { return false }
      if let role {
        try Self.insert(Account.Grant(role, app: app), of: account, db)
      } else {
        try db.queue(
          "DELETE FROM account_roles WHERE account = ? AND app = ?",
          [.text(account), .text(app ?? "")])
      }
      return true
    }
  }

  package func removeAccount(_ id: String) async throws(StoreError) -> Bool {
    try await write { db in try db.run("DELETE FROM accounts WHERE id = ?", [.text(id)]) > 0 }
  }

  // MARK: Passwords

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
      try Self.account(
        where: "id = (SELECT account FROM account_links WHERE hash = ? AND expires_at > ?)",
        [.blob(hash), .time(now)], db)
    }
  }

  package func redeem(
    link hash: [UInt8], name: String, with credential: AccountCredential, at now: Timestamp
  ) async throws(StoreError) -> Account? {
    try await write { db in
      // The deletion comes first: of two who have the link, one gets it.
      let found = try db.run(
        "DELETE FROM account_links WHERE hash = ? AND expires_at > ? RETURNING account",
        [.blob(hash), .time(now)]
      ) { try $0.text("account") }
      guard let account = found else { return nil }
      try db.queue(
        "UPDATE accounts SET name = ? WHERE id = ?", [.text(name), .text(account)])
      switch credential {
      case .password(let hash):
        try db.queue(
          "UPDATE accounts SET password = ? WHERE id = ?", [.text(hash), .text(account)])
      case .identity(let identity):
        try db.queue(
          "DELETE FROM account_identities WHERE account = ? AND issuer = ?",
          [.text(account), .text(identity.issuer)])
        guard try Self.insert(identity, of: account, db) else {
          throw StoreError(.conflict, "the identity is of another account")
        }
      }
      try Self.removeLinks(of: account, db)
      // Whoever needs a link may have lost the device, and anyone could have added a passkey to an open session.
      try Self.removePasskeys(of: account, db)
      try Self.endSessions(of: account, db)
      return try Self.account(where: "id = ?", [.text(account)], db)
    }
  }

  package func changePassword(
    of account: String, from old: String, to new: String, keeping session: [UInt8]
  ) async throws(StoreError) -> Bool {
    try await write { db in
      guard try Self.replacePassword(of: account, from: old, to: new, db) else { return false }
      try Self.removeLinks(of: account, db)
      try Self.endSessions(of: account, except: session, db)
      return true
    }
  }

  package func rehashPassword(
    of account: String, from old: String, to new: String
  ) async throws(StoreError) {
    try await write { db in
      _ = try Self.replacePassword(of: account, from: old, to: new, db)
    }
  }

  private static func replacePassword(
    of account: String, from old: String, to new: String, _ db: any SQLConnection
  ) throws -> Bool {
    try db.run(
      "UPDATE accounts SET password = ? WHERE id = ? AND password = ?",
      [.text(new), .text(account), .text(old)]) > 0
  }

  // MARK: Second factor

  package func setSecondFactor(
    _ factor: SecondFactor?, of account: String
  ) async throws(StoreError) {
    try await write { db in
      if let factor { try Self.checkSeal(factor.sealedSecret, db) }
      try db.queue(
        "UPDATE accounts SET second_factor = ?, last_step = ? WHERE id = ?",
        [
          factor.map { .blob($0.sealedSecret) } ?? .null, .integer(factor?.lastStep ?? 0),
          .text(account),
        ])
      try db.queue("DELETE FROM recovery_codes WHERE account = ?", [.text(account)])
      for code in factor?.recoveryCodes ?? [] {
        try db.queue(
          "INSERT INTO recovery_codes (account, hash) VALUES (?, ?)", [.text(account), .blob(code)])
      }
    }
    try await purgeOverwrittenData()
  }

  package func takeCodeAttempt(
    of account: String, at now: Timestamp
  ) async throws(StoreError) -> Duration? {
    try await write { db in
      let stored = try db.row(
        "SELECT codes_spent_until FROM accounts WHERE id = ?\(db.dialect.forUpdate)",
        [.text(account)]
      ) { CodeAttempts(spentUntil: try $0.time("codes_spent_until")) }
      // The code of a person who was removed meanwhile is never right.
      guard var attempts = stored else { return nil }
      let wait = attempts.take(at: now)
      try db.queue(
        "UPDATE accounts SET codes_spent_until = ? WHERE id = ?",
        [.time(attempts.spentUntil), .text(account)])
      return wait
    }
  }

  package func restoreCodeAttempt(of account: String) async throws(StoreError) {
    try await write { db in
      try db.queue(
        "UPDATE accounts SET codes_spent_until = codes_spent_until - ? WHERE id = ?",
        [.integer(CodeAttempts.interval.components.seconds * 1000), .text(account)])
    }
  }

  package func useStep(_ step: Int64, of account: String) async throws(StoreError) -> Bool {
    try await write { db in
      try db.run(
        """
        UPDATE accounts SET last_step = ?1
        WHERE id = ?2 AND last_step < ?1 AND second_factor IS NOT NULL
        """, [.integer(step), .text(account)]) > 0
    }
  }

  package func useRecoveryCode(
    _ hash: [UInt8], of account: String
  ) async throws(StoreError) -> Bool {
    try await write { db in
      try db.run(
        "DELETE FROM recovery_codes WHERE account = ? AND hash = ?", [.text(account), .blob(hash)])
        > 0
    }
  }

  package func recoveryCodeCount(of account: String) async throws(StoreError) -> Int {
    try await readFewRows { db in
      try db.row(
        "SELECT count(*) AS count FROM recovery_codes WHERE account = ?", [.text(account)]
      ) { try $0.int("count") } ?? 0
    }
  }

  // MARK: Rows

  static func removeLinks(of account: String, _ db: any SQLConnection) throws {
    try db.queue("DELETE FROM account_links WHERE account = ?", [.text(account)])
  }

  static func account(
    where condition: String, _ values: [SQLValue], _ db: any SQLConnection
  ) throws -> Account? {
    let found = try db.row(
      "SELECT \(Account.columns) FROM accounts WHERE \(condition)", values, map: Account.init(row:))
    guard var account = found else { return nil }
    account.grants = try db.rows(
      "SELECT app, role FROM account_roles WHERE account = ? ORDER BY app", [.text(account.id)],
      map: Account.Grant.init(row:)
    )
    return account
  }

  /// Whether there is an account, which is then not removed before the transaction ends.
  static func exists(_ account: String, _ db: any SQLConnection) throws -> Bool {
    try db.row(
      "SELECT id FROM accounts WHERE id = ?\(db.dialect.forUpdate)", [.text(account)]
    ) { _ in true } ?? false
  }

  private static func insert(
    _ grant: Account.Grant, of account: String, _ db: any SQLConnection
  ) throws {
    try db.queue(
      """
      INSERT INTO account_roles (account, app, role) VALUES (?, ?, ?)
      ON CONFLICT (account, app) DO UPDATE SET role = excluded.role
      """, [.text(account), .text(grant.app ?? ""), .text(grant.role.rawValue)])
  }

  private static func insert(_ link: AccountLink, _ db: any SQLConnection) throws {
    try db.queue(
      "INSERT INTO account_links (hash, account, expires_at) VALUES (?, ?, ?)",
      [.blob(link.hash), .text(link.account), .time(link.expiresAt)])
  }
}

extension Account {
  fileprivate static let columns = """
    id, email, name, password, second_factor, created_at,
    EXISTS (SELECT 1 FROM account_identities WHERE account = accounts.id) AS connected,
    (SELECT count(*) FROM account_passkeys WHERE account = accounts.id) AS passkeys
    """

  fileprivate init(row: inout SQLRow) throws {
    self.init(
      id: try row.text("id"), email: try row.text("email"), name: try row.text("name"),
      password: try row.optionalText("password"),
      secondFactor: try row.optionalBlob("second_factor"),
      createdAt: try row.time("created_at"))
    isConnected = try row.bool("connected")
    passkeyCount = try row.int("passkeys")
  }
}

extension Account.Grant {
  fileprivate init(row: inout SQLRow) throws {
    let app = try row.text("app")
    let role: Account.Role = try row.word("role")
    self.init(role, app: app.isEmpty ? nil : app)
  }
}
