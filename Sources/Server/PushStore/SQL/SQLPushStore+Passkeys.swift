import PushModel

extension SQLPushStore {
  package func passkeys(of account: String) async throws(StoreError) -> [Passkey] {
    try await readFewRows { db in
      try db.rows(
        """
        SELECT \(Passkey.columns) FROM account_passkeys WHERE account = \(account)
        ORDER BY created_at, id
        """, map: Passkey.init(row:))
    }
  }

  package func passkey(_ id: [UInt8]) async throws(StoreError) -> Passkey? {
    try await readFewRows { db in
      try db.row(
        "SELECT \(Passkey.columns) FROM account_passkeys WHERE id = \(id)",
        map: Passkey.init(row:))
    }
  }

  package func add(
    _ passkey: Passkey, in session: [UInt8]
  ) async throws(StoreError) -> AccountRefusal? {
    try await write { db in
      // Locks the account, so that two concurrent passkeys cannot exceed the limit.
      guard try Self.exists(passkey.account, db) else { return .noAccount }
      // What removes all passkeys ends the sessions, and none may be added after it.
      guard try Self.isOpen(session, of: passkey.account, db) else { return .changed }
      let count = try db.row(
        "SELECT count(*) AS count FROM account_passkeys WHERE account = \(passkey.account)"
      ) { try $0.int("count") }
      guard count ?? 0 < Passkey.limit else { return .tooMany }
      let added = try db.run(
        """
        INSERT INTO account_passkeys
          (id, account, public_key, signature_count, name, created_at, used_at)
        VALUES (\(passkey.id), \(passkey.account), \(passkey.publicKey), \(passkey.signatureCount),
          \(passkey.name), \(passkey.createdAt), NULL) ON CONFLICT DO NOTHING
        """)
      return added > 0 ? nil : .taken
    }
  }

  package func usePasskey(
    _ id: [UInt8], count: Int64, at now: Timestamp
  ) async throws(StoreError) -> AccountRefusal? {
    try await write { db in
      let used = try db.run(
        """
        UPDATE account_passkeys SET signature_count = \(count), used_at = \(now)
        WHERE id = \(id) AND (signature_count < $1 OR signature_count = 0 AND $1 = 0)
        """)
      if used > 0 { return nil }
      let known = try db.row("SELECT id FROM account_passkeys WHERE id = \(id)") { _ in true }
      return known == nil ? .notFound : .repeatedCount
    }
  }

  package func removePasskeys(of account: String) async throws(StoreError) {
    try await write { db in try Self.removePasskeys(of: account, db) }
  }

  static func removePasskeys(of account: String, _ db: any SQLConnection) throws {
    try db.queue("DELETE FROM account_passkeys WHERE account = \(account)")
  }

  package func removePasskey(
    _ id: [UInt8], of account: String
  ) async throws(StoreError) -> Bool {
    try await write { db in
      try db.run("DELETE FROM account_passkeys WHERE id = \(id) AND account = \(account)")
        > 0
    }
  }
}

extension Passkey {
  fileprivate static let columns: SQL = """
    id, account, public_key, signature_count, name, created_at, used_at
    """

  fileprivate init(row: inout SQLRow) throws {
    self.init(
      id: try row.blob("id"), account: try row.text("account"),
      publicKey: try row.blob("public_key"),
      signatureCount: try row.integer("signature_count"), name: try row.text("name"),
      createdAt: try row.time("created_at"))
    usedAt = try row.optionalTime("used_at")
  }
}
