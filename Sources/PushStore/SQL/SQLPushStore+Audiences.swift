import PushPayload

extension SQLPushStore {
  package func audience(_ id: String, app: String) async throws(StoreError) -> Audience? {
    try await read { db in
      try db.row(
        "SELECT \(Audience.columns) FROM audiences WHERE id = ? AND app = ?",
        [.text(id), .text(app)], Audience.init(row:))
    }
  }

  package func audiences(
    app: String, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Audience> {
    try await read { db in
      // The id of the last one seen.
      if let cursor,
        try db.row("SELECT 1 FROM audiences WHERE id = ?", [.text(cursor)], { _ in true }) == nil
      {
        throw Self.expired(cursor)
      }
      let found = try db.rows(
        """
        SELECT \(Audience.columns) FROM audiences WHERE app = ?1 AND name IS NOT NULL AND (
          CAST(?2 AS TEXT) IS NULL OR (created_at, id) < (SELECT created_at, id FROM audiences WHERE id = ?2))
        ORDER BY created_at DESC, id DESC LIMIT ?3
        """, [.text(app), .optional(cursor), .integer(Int64(limit) + 1)], Audience.init(row:))
      let total = try db.row(
        "SELECT count(*) FROM audiences WHERE app = ? AND name IS NOT NULL", [.text(app)]
      ) { Int($0.integer(0)) }
      let shown = Array(found.prefix(limit))
      return Page(shown, cursor: found.count > limit ? shown.last?.id : nil, total: total ?? 0)
    }
  }

  package func save(_ audience: Audience) async throws(StoreError) {
    try await write { db in
      let saved = try Self.insert(
        audience,
        """
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, test = excluded.test,
        filters = excluded.filters, updated_at = excluded.updated_at WHERE audiences.app = excluded.app
        """, db)
      guard saved > 0 else { throw StoreError(.conflict, "another app's audience has that id") }
    }
  }

  package func deleteAudience(_ id: String, app: String) async throws(StoreError) -> Bool {
    try await write { db in
      try db.run("DELETE FROM audiences WHERE id = ? AND app = ?", [.text(id), .text(app)]) > 0
    }
  }

  /// Returns how many rows it wrote.
  @discardableResult
  static func insert(
    _ audience: Audience, _ conflict: String, _ db: any SQLConnection
  ) throws -> Int {
    try db.run(
      "INSERT INTO audiences (\(Audience.columns)) VALUES (?, ?, ?, ?, ?, ?, ?) \(conflict)",
      [
        .text(audience.id), .text(audience.app), .optional(audience.name),
        .bool(audience.isTest), .json(.array(audience.filters.map(\.stored))),
        .time(audience.createdAt), .time(audience.updatedAt),
      ])
  }
}

extension Audience {
  fileprivate static let columns = "id, app, name, test, filters, created_at, updated_at"

  fileprivate init(row: any SQLRow) {
    self.init(
      id: row.text(0), app: row.text(1),
      filters: (row.json(4).array ?? []).compactMap(Filter.init(stored:)), createdAt: row.time(5))
    name = row.optionalText(2)
    isTest = row.bool(3)
    updatedAt = row.time(6)
  }
}
