import PushModel

extension SQLPushStore {
  package func add(_ account: Account, link: AccountLink) async throws(StoreError) {
    try await write { db in
      try db.queue(
        """
        INSERT INTO accounts (id, email, name, password, second_factor, created_at, last_step)
        VALUES (\(account.id), \(account.email), \(account.name), \(account.password),
          \(account.secondFactor), \(account.createdAt), 0)
        """)
      for grant in account.grants { try Self.insert(grant, of: account.id, db) }
      if account.password != nil { try Self.setMaker(link.maker, of: account.id, db) }
      try Self.insert(link, db)
    }
  }

  package func accounts() async throws(StoreError) -> [Account] {
    try await read { db in
      var accounts = try db.rows(
        "SELECT \(Account.columns) FROM accounts ORDER BY email", map: Account.init(row:))
      var grants: [String: [Account.Grant]] = [:]
      let all = try db.rows(
        "SELECT account, app, role FROM account_roles ORDER BY account, app"
      ) { row in try (account: row.text("account"), grant: Account.Grant(row: &row)) }
      for (account, grant) in all {
        grants[account, default: []].append(grant)
      }
      for index in accounts.indices { accounts[index].grants = grants[accounts[index].id] ?? [] }
      return accounts
    }
  }

  package func account(_ id: String) async throws(StoreError) -> Account? {
    try await readFewRows { db in try Self.account(where: "id = \(id)", db) }
  }

  package func account(email: String) async throws(StoreError) -> Account? {
    try await readFewRows { db in try Self.account(where: "email = \(email)", db) }
  }

  package func setRole(
    _ role: Account.Role?, app: String?, of account: String, by actor: Authority,
    at now: Timestamp
  ) async throws(StoreError) -> Account? {
    let (changed, isPurged) = try await write { db -> (Account?, Bool) in
      guard try Self.exists(account, db) else { return (nil, false) }
      guard let before = try Self.account(where: "id = \(account)", db) else {
        return (nil, false)
      }
      guard role != before.grants.first(where: { $0.app == app })?.role else {
        return (before, false)
      }
      if let role {
        try Self.insert(Account.Grant(role, app: app), of: account, db)
      } else {
        try db.queue("DELETE FROM account_roles WHERE account = \(account) AND app = \(app ?? "")")
      }
      let held = before.grants.filter { $0.app == nil || $0.app == app }.map(\.role).max()
      let isRaised = role.map { role in held.map { $0 < role } ?? true } ?? false
      let isPurged = isRaised ? try Self.removeForeignCredentials(of: account, at: now, db) : false
      let after = try Self.account(where: "id = \(account)", db)
      // Links and sessions that were made for the old roles must not give access to the new ones. An admin of one app
      // signs nobody out of other apps, though: there each request and each use of a link asks for the roles again.
      let mayEnd = [before, after ?? before].contains {
        actor.refusal(of: .endSessions, to: $0) == nil
      }
      if mayEnd || isPurged {
        try Self.removeLinks(of: account, db)
        try Self.endSessions(of: account, db)
      }
      // The person needs a new link then, which not everybody who gives a role may make.
      if isPurged, let after, actor.refusal(of: .link, to: after) != nil {
        throw StoreError(
          .refused,
          "the link for this person's password came from somebody who cannot give this role, and the person has"
            + " roles in other apps; ask an admin of all apps")
      }
      return (after, isPurged)
    }
    if isPurged { await purgeCredentials() }
    return changed
  }

  package func removeAccount(_ id: String) async throws(StoreError) -> Bool {
    try await write { db in try db.run("DELETE FROM accounts WHERE id = \(id)") > 0 }
  }

  // MARK: Passwords

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
      "UPDATE accounts SET password = \(new) WHERE id = \(account) AND password = \(old)") > 0
  }

  // MARK: Second factor

  package func setSecondFactor(
    _ factor: SecondFactor?, of account: String, keeping session: [UInt8]?
  ) async throws(StoreError) -> AccountRefusal? {
    let refusal = try await write { db -> AccountRefusal? in
      if let factor { try Self.checkSeal(factor.sealedSecret, db) }
      if let session {
        guard try Self.exists(account, db) else { return .noAccount }
        guard try Self.isOpen(session, of: account, db) else { return .changed }
        try Self.endSessions(of: account, except: session, db)
      }
      try Self.setSecondFactor(factor, of: account, db)
      return nil
    }
    if refusal == nil { await purgeCredentials() }
    return refusal
  }

  /// Removes overwritten credentials from the store's own files, unless a reader such as a backup holds them.
  private func purgeCredentials() async {
    // The change is stored, and its caller must learn of it: recovery codes and links are shown once. What stays in the
    // log is sealed, hashed or public, and is overwritten as the log is used again.
    try? await purgeOverwrittenData()
  }

  static func setSecondFactor(
    _ factor: SecondFactor?, of account: String, _ db: any SQLConnection
  ) throws {
    try db.queue(
      """
      UPDATE accounts SET second_factor = \(factor?.sealedSecret),
        last_step = \(factor?.lastStep ?? 0) WHERE id = \(account)
      """)
    try db.queue("DELETE FROM recovery_codes WHERE account = \(account)")
    for code in factor?.recoveryCodes ?? [] {
      try db.queue("INSERT INTO recovery_codes (account, hash) VALUES (\(account), \(code))")
    }
  }

  package func takeCodeAttempt(
    of account: String, at now: Timestamp
  ) async throws(StoreError) -> Duration? {
    try await write { db in
      let stored = try db.row(
        "SELECT codes_spent_until FROM accounts WHERE id = \(account)\(db.dialect.forUpdate)"
      ) { CodeAttempts(spentUntil: try $0.time("codes_spent_until")) }
      // A person who was removed meanwhile has no attempts to wait for: the code will be wrong.
      guard var attempts = stored else { return nil }
      let wait = attempts.take(at: now)
      try db.queue(
        "UPDATE accounts SET codes_spent_until = \(attempts.spentUntil) WHERE id = \(account)")
      return wait
    }
  }

  package func restoreCodeAttempt(of account: String) async throws(StoreError) {
    try await write { db in
      try db.queue(
        """
        UPDATE accounts SET codes_spent_until = codes_spent_until -
          \(CodeAttempts.interval.components.seconds * 1000) WHERE id = \(account)
        """)
    }
  }

  package func useStep(_ step: Int64, of account: String) async throws(StoreError) -> Bool {
    try await write { db in
      try db.run(
        """
        UPDATE accounts SET last_step = \(step)
        WHERE id = \(account) AND last_step < $1 AND second_factor IS NOT NULL
        """) > 0
    }
  }

  package func useRecoveryCode(
    _ hash: [UInt8], of account: String
  ) async throws(StoreError) -> Bool {
    try await write { db in
      try db.run("DELETE FROM recovery_codes WHERE account = \(account) AND hash = \(hash)")
        > 0
    }
  }

  package func recoveryCodeCount(of account: String) async throws(StoreError) -> Int {
    try await readFewRows { db in
      try db.row(
        "SELECT count(*) AS count FROM recovery_codes WHERE account = \(account)"
      ) { try $0.int("count") } ?? 0
    }
  }

  // MARK: Rows

  static func account(
    where condition: SQL, _ db: any SQLConnection
  ) throws -> Account? {
    let found = try db.row(
      "SELECT \(Account.columns) FROM accounts WHERE \(condition)", map: Account.init(row:))
    guard var account = found else { return nil }
    account.grants = try db.rows(
      "SELECT app, role FROM account_roles WHERE account = \(account.id) ORDER BY app",
      map: Account.Grant.init(row:)
    )
    return account
  }

  /// Whether an account exists; it then cannot be removed before the transaction ends.
  static func exists(_ account: String, _ db: any SQLConnection) throws -> Bool {
    try db.row(
      "SELECT id FROM accounts WHERE id = \(account)\(db.dialect.forUpdate)"
    ) { _ in true } ?? false
  }

  private static func insert(
    _ grant: Account.Grant, of account: String, _ db: any SQLConnection
  ) throws {
    try db.queue(
      """
      INSERT INTO account_roles (account, app, role)
      VALUES (\(account), \(grant.app ?? ""), \(grant.role.rawValue))
      ON CONFLICT (account, app) DO UPDATE SET role = excluded.role
      """)
  }
}

extension Account {
  fileprivate static let columns: SQL = """
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
