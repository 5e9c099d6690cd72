import PushPayload

extension SQLPushStore {
  package func append(_ entry: AuditEntry) async throws(StoreError) {
    try await write { db in try Self.append(entry, db) }
  }

  static func append(_ entry: AuditEntry, _ db: any SQLConnection) throws {
    try db.run(
      "INSERT INTO audit (app, key, action, object, address, at) VALUES (?, ?, ?, ?, ?, ?)",
      [
        .optional(entry.app), .optional(entry.key), .text(entry.action),
        .optional(entry.object), .optional(entry.address), .time(entry.at),
      ])
  }

  package func audit(
    app: String?, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<AuditEntry> {
    try await read { db in
      let rows = try db.rows(
        """
        SELECT number, app, key, action, object, address, at FROM audit
        WHERE app IS NOT DISTINCT FROM ? AND number < ? ORDER BY number DESC LIMIT ?
        """,
        [
          .optional(app), .integer(try Self.position(cursor, else: .max)),
          .integer(Int64(limit) + 1),
        ]
      ) { row in
        (
          number: row.integer(0),
          element: AuditEntry(
            app: row.optionalText(1), key: row.optionalText(2), action: row.text(3),
            object: row.optionalText(4), address: row.optionalText(5), at: row.time(6))
        )
      }
      let total = try db.row(
        "SELECT count(*) FROM audit WHERE app IS NOT DISTINCT FROM ?", [.optional(app)]
      ) {
        Int($0.integer(0))
      }
      return Self.page(rows, limit: limit, total: total ?? 0)
    }
  }
}
