import NetworkAddresses
import PushModel
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
        """
        INSERT INTO apps (\(App.columns), number)
        VALUES (\(app.id), \(app.name), \(app.bundleID), \(app.teamID), \(app.keyID),
          \(app.sealedKey), \(app.throttlePerSecond), \(app.identity.rawValue), \(app.createdAt),
          \(app.icon), \(app.sendClass?.rawValue), \(number))
        """)
      for key in keys { try Self.insert(key, db) }
    }
  }

  package func apps() async throws(StoreError) -> [App] {
    try await read { db in
      try db.rows("SELECT \(App.columns) FROM apps ORDER BY created_at, id", map: App.init(row:))
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

  package func update(_ app: App, from old: App) async throws(StoreError) -> Bool {
    let isThere = try await write { db in
      try Self.checkSeal(app.sealedKey, db)
      let query: SQL = "\(App.query(forApp: app.id))\(db.dialect.forUpdate)"
      guard var stored = try db.row(query, map: App.init(row:)) else { return false }
      stored.icon = old.icon
      guard stored == old else {
        throw StoreError(
          .conflict, "the app \(app.id) was changed meanwhile; read it, and change it again")
      }
      return try db.run(
        """
        UPDATE apps SET name = \(app.name), bundle_id = \(app.bundleID), team_id = \(app.teamID),
          key_id = \(app.keyID), sealed_key = \(app.sealedKey), throttle = \(app.throttlePerSecond),
          identity = \(app.identity.rawValue), class = \(app.sendClass?.rawValue)
        WHERE id = \(app.id)
        """) > 0
    }
    try await purgeOverwrittenData()
    return isThere
  }

  package func setIcon(_ icon: String?, app: String) async throws(StoreError) -> Bool {
    try await write { db in
      try db.run("UPDATE apps SET icon = \(icon) WHERE id = \(app)") > 0
    }
  }

  package func add(_ key: APIKey) async throws(StoreError) {
    try await write { db in try Self.insert(key, db) }
  }

  package func keys(app: String?) async throws(StoreError) -> [APIKey] {
    try await read { db in
      try db.rows(
        """
        SELECT \(APIKey.columns) FROM keys WHERE app IS NOT DISTINCT FROM \(app)
        ORDER BY created_at, id
        """, map: APIKey.init(row:))
    }
  }

  package func key(hash: [UInt8]) async throws(StoreError) -> APIKey? {
    try await readFewRows { db in
      try db.row("\(APIKey.query) = \(hash)", map: APIKey.init(row:))
    }
  }

  static func key(id: String, _ db: any SQLConnection) throws -> APIKey? {
    try db.row("SELECT \(APIKey.columns) FROM keys WHERE id = \(id)", map: APIKey.init(row:))
  }

  /// The keys that a query finds.
  static func keys(_ query: SQL, _ db: any SQLConnection) throws -> [APIKey] {
    try db.rows(query, map: APIKey.init(row:))
  }

  /// The query for the keys with some hashes.
  static func keyQuery(_ hashes: Set<[UInt8]>, _ dialect: SQLDialect) -> SQL {
    if hashes.count == 1, let hash = hashes.first {
      return "\(APIKey.query) = \(hash)"
    }
    precondition(dialect.hasArrays, "SQLite looks up one key at a time")
    let sorted = hashes.sorted { $0.lexicographicallyPrecedes($1) }
    return "\(APIKey.query) \(dialect.among(sorted))"
  }

  package func record(_ use: APIKey.Use, ofKey id: String) async throws(StoreError) {
    try await write { db in
      try db.queue(
        """
        UPDATE keys SET used_at = \(use.at), used_from = \(use.address)
        WHERE id = \(id) AND (used_at IS NULL OR used_at <= \(use.at + (.zero - APIKey.Use.interval)))
        """)
    }
  }

  package func revokeKey(_ id: String, app: String?) async throws(StoreError) -> Bool {
    try await write { db in
      try db.run("DELETE FROM keys WHERE id = \(id) AND app IS NOT DISTINCT FROM \(app)")
        > 0
    }
  }

  private static func insert(_ key: APIKey, _ db: any SQLConnection) throws {
    try db.queue(
      """
      INSERT INTO keys (\(APIKey.columns))
      VALUES (\(key.id), \(key.app), \(key.role.rawValue), \(key.name), \(key.hash),
        \(JSONValue.array(key.limits.allow.map { .string($0.description) })),
        \(key.limits.perSecond), \(key.limits.expiresAt), \(key.isForDevelopment), \(key.createdAt),
        \(key.limits.sendClass?.rawValue), \(key.lastUse?.at), \(key.lastUse?.address))
      """)
  }
}

extension App {
  fileprivate static let columns: SQL =
    "id, name, bundle_id, team_id, key_id, sealed_key, throttle, identity, created_at, icon, class"

  /// The query for an app and its number.
  static func query(forApp id: String) -> SQL {
    "SELECT \(columns), number FROM apps WHERE id = \(id)"
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
    sendClass = try row.optionalWord("class")
  }
}

extension APIKey {
  fileprivate static let columns: SQL =
    """
    id, app, role, name, hash, allow, per_second, expires_at, development, created_at, class, used_at,
    used_from
    """
  fileprivate static let query: SQL = "SELECT \(columns) FROM keys WHERE hash"

  fileprivate init(row: inout SQLRow) throws {
    let (id, app) = try (row.text("id"), row.optionalText("app"))
    let role: Role = try row.word("role")
    let name = try row.optionalText("name")
    let hash = try row.blob("hash")
    var limits = Limits(
      allow: try row.value("allow") { $0.texts?.all { AddressRange($0) } },
      perSecond: try row.optionalInt("per_second"), expiresAt: try row.optionalTime("expires_at"))
    let isForDevelopment = try row.bool("development")
    let createdAt = try row.time("created_at")
    limits.sendClass = try row.optionalWord("class")
    self.init(
      id: id, app: app, role: role, name: name, hash: hash, limits: limits,
      isForDevelopment: isForDevelopment, createdAt: createdAt)
    if let at = try row.optionalTime("used_at") {
      lastUse = Use(at: at, address: try row.optionalText("used_from") ?? "")
    }
  }
}
