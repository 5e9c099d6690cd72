import PushModel

extension SQLPushStore {
  package func add(
    _ session: AccountSession, of account: Account
  ) async throws(StoreError) -> AccountRefusal? {
    try await write { db in
      // The lock keeps out a change of the account, which ends only the sessions that it finds.
      guard try Self.exists(session.account, db),
        let now = try Self.account(where: "id = \(session.account)", db)
      else { return .noAccount }
      guard now.signsIn(as: account) else { return .changed }
      try db.queue("DELETE FROM account_sessions WHERE expires_at <= \(session.createdAt)")
      try db.queue(
        """
        INSERT INTO account_sessions (\(AccountSession.columns))
        VALUES (\(session.hash), \(session.account), \(session.isConfirmed), \(session.createdAt),
          \(session.seenAt), \(session.expiresAt), \(session.address), \(session.agent))
        """)
      return nil
    }
  }

  package func session(
    hash: [UInt8], at now: Timestamp
  ) async throws(StoreError) -> (session: AccountSession, account: Account)? {
    try await readFewRows { db in
      let found = try db.row(
        """
        SELECT \(AccountSession.columns) FROM account_sessions WHERE hash = \(hash)
        AND expires_at > \(now)
        """, map: AccountSession.init(row:))
      guard let session = found,
        let account = try Self.account(where: "id = \(session.account)", db)
      else { return nil }
      return (session, account)
    }
  }

  package func touchSession(_ hash: [UInt8], at now: Timestamp) async throws(StoreError) {
    try await write { db in
      try db.queue("UPDATE account_sessions SET seen_at = \(now) WHERE hash = \(hash)")
    }
  }

  package func sessions(
    of account: String, at now: Timestamp
  ) async throws(StoreError) -> [AccountSession] {
    try await read { db in
      try db.rows(
        """
        SELECT \(AccountSession.columns) FROM account_sessions
        WHERE account = \(account) AND expires_at > \(now) AND confirmed = TRUE
        ORDER BY seen_at DESC, hash
        """, map: AccountSession.init(row:))
    }
  }

  package func endSession(
    _ hash: [UInt8], of account: String
  ) async throws(StoreError) -> Bool {
    try await write { db in
      try db.run("DELETE FROM account_sessions WHERE hash = \(hash) AND account = \(account)") > 0
    }
  }

  package func endSessions(
    of account: String, except hash: [UInt8]?
  ) async throws(StoreError) -> Int {
    try await write { db in try Self.endSessions(of: account, except: hash, db) }
  }

  /// Whether a session of an account is confirmed and was not ended.
  ///
  /// The caller has locked the account, so that a change of its ways to sign in comes before or after.
  static func isOpen(
    _ session: [UInt8], of account: String, _ db: any SQLConnection
  ) throws -> Bool {
    try db.row(
      """
      SELECT hash FROM account_sessions
      WHERE hash = \(session) AND account = \(account) AND confirmed = TRUE
      """
    ) { _ in true } ?? false
  }

  @discardableResult
  static func endSessions(
    of account: String, except hash: [UInt8]? = nil, _ db: any SQLConnection
  ) throws -> Int {
    // No session has an empty hash.
    try db.run("DELETE FROM account_sessions WHERE account = \(account) AND hash <> \(hash ?? [])")
  }
}

extension Account {
  /// Whether the person has the same roles and ways to sign in as in another copy of the account.
  fileprivate func signsIn(as other: Account) -> Bool {
    grants == other.grants && password == other.password && secondFactor == other.secondFactor
      && isConnected == other.isConnected && passkeyCount == other.passkeyCount
  }
}

extension AccountSession {
  fileprivate static let columns: SQL =
    "hash, account, confirmed, created_at, seen_at, expires_at, address, agent"

  fileprivate init(row: inout SQLRow) throws {
    let (hash, account, isConfirmed) = (
      try row.blob("hash"), try row.text("account"), try row.bool("confirmed")
    )
    let (createdAt, seenAt, expiresAt) = (
      try row.time("created_at"), try row.time("seen_at"), try row.time("expires_at")
    )
    self.init(
      hash: hash, account: account, isConfirmed: isConfirmed, createdAt: createdAt,
      expiresAt: expiresAt, address: try row.text("address"), agent: try row.text("agent"))
    self.seenAt = seenAt
  }
}
