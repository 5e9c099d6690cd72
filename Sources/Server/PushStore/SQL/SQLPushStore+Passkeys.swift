extension SQLPushStore {
  package func passkeys(of account: String) async throws(StoreError) -> [Passkey] {
    try await readFewRows { db in
      try db.rows(
        "SELECT \(Passkey.columns) FROM account_passkeys WHERE account = ? ORDER BY created_at, id",
        [.text(account)], map: Passkey.init(row:))
    }
  }

  package func passkey(_ id: [UInt8]) async throws(StoreError) -> Passkey? {
    try await readFewRows { db in
      try db.row(
        "SELECT \(Passkey.columns) FROM account_passkeys WHERE id = ?", [.blob(id)],
        map: Passkey.init(row:))
    }
  }

  package func add(_ passkey: Passkey) async throws(StoreError) -> Bool {
    try await write { db in
      // Locks the account, so that two concurrent passkeys cannot exceed the limit.
      guard try Self.exists(passkey.account, db) else { return false }
      let count = try db.row(
        "SELECT count(*) AS count FROM account_passkeys WHERE account = ?",
        [.text(passkey.account)]
      ) { try $0.int("count") }
      guard count ?? 0 < Passkey.limit else { return false }
      return try db.run(
        """
        INSERT INTO account_passkeys
          (id, account, public_key, signature_count, name, created_at, used_at)
        VALUES (?, ?, ?, ?, ?, ?, NULL) ON CONFLICT DO NOTHING
        """,
        [
          .blob(passkey.id), .text(passkey.account), .blob(passkey.publicKey),
          .integer(passkey.signatureCount), .text(passkey.name), .time(passkey.createdAt),
        ]) > 0
    }
  }

  package func usePasskey(
    _ id: [UInt8], count: Int64, at now: Timestamp
  ) async throws(StoreError) -> Bool {
    try await write { db in
      try db.run(
        """
        UPDATE account_passkeys SET signature_count = ?1, used_at = ?2
        WHERE id = ?3 AND (signature_count < ?1 OR signature_count = 0 AND ?1 = 0)
        """, [.integer(count), .time(now), .blob(id)]) > 0
    }
  }

  package func removePasskeys(of account: String) async throws(StoreError) {
    try await write { db in try Self.removePasskeys(of: account, db) }
  }

  static func removePasskeys(of account: String, _ db: any SQLConnection) throws {
    try db.queue("DELETE FROM account_passkeys WHERE account = ?", [.text(account)])
  }

  package func removePasskey(
    _ id: [UInt8], of account: String
  ) async throws(StoreError) -> Bool {
    try await write { db in
      try db.run(
        "DELETE FROM account_passkeys WHERE id = ? AND account = ?", [.blob(id), .text(account)])
        > 0
    }
  }
}

extension Passkey {
  fileprivate static let columns = """
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
