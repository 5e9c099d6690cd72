import NetworkAddresses
import PushPayload

extension SQLPushStore {
  package func add(_ app: App, keys: [APIKey]) async throws(StoreError) {
    try await write { db in
      try Self.checkSeal(app.sealedKey, db)
      let number = try db.row("SELECT coalesce(max(number), 0) + 1 AS number FROM apps") {
        try $0.integer("number")
      }
      // If two transactions choose the same number, PostgreSQL refuses the second, which then runs
      // again.
      try db.queue(
        "INSERT INTO apps (\(App.columns), number) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          .text(app.id), .text(app.name), .text(app.bundleID), .text(app.teamID),
          .text(app.keyID), .blob(app.sealedKey),
          .optional(app.throttlePerSecond.map { Int64($0) }), .text(app.identity.rawValue),
          .time(app.createdAt), .optional(app.icon), .optional(number),
        ])
      for key in keys { try Self.insert(key, db) }
    }
  }

  package func apps() async throws(StoreError) -> [App] {
    try await read { db in
      try db.rows(
        "SELECT \(App.columns) FROM apps ORDER BY created_at, id", [], map: App.init(row:))
    }
  }

  package func app(_ id: String) async throws(StoreError) -> App? {
    try await readFewRows { db in
      try db.row(App.query(forApp: id), map: App.init(row:))
    }
  }

  package func deleteApp(_ id: String) async throws(StoreError) -> Bool {
    try await write { db in try OwnedTables.removeApp(id, db) }
  }

  package func update(_ app: App) async throws(StoreError) -> Bool {
    let isThere = try await write { db in
      try Self.checkSeal(app.sealedKey, db)
      return try db.run(
        """
        UPDATE apps SET name = ?, bundle_id = ?, team_id = ?, key_id = ?, sealed_key = ?, throttle = ?,
          identity = ?
        WHERE id = ?
        """,
        [
          .text(app.name), .text(app.bundleID), .text(app.teamID), .text(app.keyID),
          .blob(app.sealedKey), .optional(app.throttlePerSecond.map { Int64($0) }),
          .text(app.identity.rawValue), .text(app.id),
        ]) > 0
    }
    try await purgeOverwrittenData()
    return isThere
  }

  package func setIcon(_ icon: String?, app: String) async throws(StoreError) -> Bool {
    try await write { db in
      try db.run("UPDATE apps SET icon = ? WHERE id = ?", [.optional(icon), .text(app)]) > 0
    }
  }

  package func add(_ key: APIKey) async throws(StoreError) {
    try await write { db in try Self.insert(key, db) }
  }

  package func keys(app: String?) async throws(StoreError) -> [APIKey] {
    try await read { db in
      try db.rows(
        "SELECT \(APIKey.columns) FROM keys WHERE app IS NOT DISTINCT FROM ? ORDER BY created_at, id",
        [.optional(app)], map: APIKey.init(row:))
    }
  }

  package func key(hash: [UInt8]) async throws(StoreError) -> APIKey? {
    try await readFewRows { db in
      try db.row(APIKey.query + "= ?", [.blob(hash)], map: APIKey.init(row:))
    }
  }

  static func key(id: String, _ db: any SQLConnection) throws -> APIKey? {
    try db.row(
      "SELECT \(APIKey.columns) FROM keys WHERE id = ?", [.text(id)], map: APIKey.init(row:))
  }

  /// The keys that a query finds.
  static func keys(_ query: SQLQuery, _ db: any SQLConnection) throws -> [APIKey] {
    try db.rows(query, map: APIKey.init(row:))
  }

  /// The query for the keys with some hashes.
  static func keyQuery(_ hashes: Set<[UInt8]>, _ dialect: SQLDialect) -> SQLQuery {
    if hashes.count == 1, let hash = hashes.first {
      return SQLQuery(APIKey.query + "= ?", [.blob(hash)])
    }
    precondition(dialect.hasArrays, "SQLite looks up one key at a time")
    let sorted = hashes.sorted { $0.lexicographicallyPrecedes($1) }
    return SQLQuery(APIKey.query + dialect.among(.blob), [.list(of: sorted)])
  }

  package func revokeKey(_ id: String, app: String?) async throws(StoreError) -> Bool {
    try await write { db in
      try db.run(
        "DELETE FROM keys WHERE id = ? AND app IS NOT DISTINCT FROM ?", [.text(id), .optional(app)])
        > 0
    }
  }

  private static func insert(_ key: APIKey, _ db: any SQLConnection) throws {
    try db.queue(
      "INSERT INTO keys (\(APIKey.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        .text(key.id), .optional(key.app), .text(key.role.rawValue), .optional(key.name),
        .blob(key.hash),
        .json(.array(key.limits.allow.map { .string($0.description) })),
        .optional(key.limits.perSecond.map { Int64($0) }), .time(key.limits.expiresAt),
        .bool(key.isForDevelopment), .time(key.createdAt),
      ])
  }
}

extension App {
  fileprivate static let columns =
    "id, name, bundle_id, team_id, key_id, sealed_key, throttle, identity, created_at, icon"

  /// The query for an app and its number.
  static func query(forApp id: String) -> SQLQuery {
    SQLQuery("SELECT \(columns), number FROM apps WHERE id = ?", [.text(id)])
  }

  init(row: inout SQLRow) throws {
    self.init(
      id: try row.text("id"), name: try row.text("name"), bundleID: try row.text("bundle_id"),
      teamID: try row.text("team_id"), keyID: try row.text("key_id"),
      sealedKey: try row.blob("sealed_key"),
      throttlePerSecond: try row.optionalInt("throttle"),
      identity: try row.word("identity"),
      createdAt: try row.time("created_at"))
    icon = try row.optionalText("icon")
  }
}

extension APIKey {
  fileprivate static let columns =
    "id, app, role, name, hash, allow, per_second, expires_at, development, created_at"
  fileprivate static let query = "SELECT \(columns) FROM keys WHERE hash "

  fileprivate init(row: inout SQLRow) throws {
    let (id, app) = try (row.text("id"), row.optionalText("app"))
    let role: Role = try row.word("role")
    let name = try row.optionalText("name")
    let hash = try row.blob("hash")
    let limits = Limits(
      allow: try row.value("allow") { $0.texts?.all { AddressRange($0) } },
      perSecond: try row.optionalInt("per_second"), expiresAt: try row.optionalTime("expires_at"))
    let isForDevelopment = try row.bool("development")
    self.init(
      id: id, app: app, role: role, name: name, hash: hash, limits: limits,
      isForDevelopment: isForDevelopment, createdAt: try row.time("created_at"))
  }
}
