import PushModel
import PushPayload

extension SQLPushStore {
  package func audience(_ id: String, app: String) async throws(StoreError) -> Audience? {
    try await read { db in
      guard let number = try Self.number(of: app, db) else { return nil }
      return try db.row(
        "SELECT \(Audience.columns) FROM audiences WHERE app = \(number) AND id = \(id)"
      ) { try Audience(row: &$0, app: app) }
    }
  }

  package func audiences(
    app: String, matching asked: AudienceQuery, after cursor: String?, limit: Int
  ) async throws(StoreError) -> AudiencePage {
    try await read { db in
      let number = try Self.number(of: app, db) ?? 0
      var condition: SQL = "app = \(number) AND name IS NOT NULL"
      if !asked.text.isEmpty {
        let pattern = "%\(Self.escaped(Self.asciiLowercased(asked.text)))%"
        condition = "\(condition) AND lower(name) LIKE \(pattern) ESCAPE '!'"
      }
      if let isTest = asked.isTest { condition = "\(condition) AND test = \(isTest)" }
      let key = asked.order == .name ? "lower(name)" : "created_at"
      let (comparison, direction) = asked.order == .newest ? ("<", "DESC") : (">", "ASC")
      let after: SQL = """
        (CAST(\(cursor) AS TEXT) IS NULL OR (\(raw: key), id) \(raw: comparison) (
          SELECT \(raw: key), id FROM audiences WHERE app = \(number) AND id = $1))
        """
      // The cursor is the id of the last audience on the previous page.
      if let cursor,
        try db.row(
          "SELECT 1 FROM audiences WHERE app = \(number) AND id = \(cursor)",
          map: { _ in true }) == nil
      {
        throw Self.expired(cursor)
      }
      let query: SQL = """
        SELECT \(Audience.columns) FROM audiences WHERE \(condition) AND \(after)
        ORDER BY \(raw: key) \(raw: direction), id \(raw: direction) LIMIT \(Int64(limit) + 1)
        """
      let found = try db.rows(query) { row -> (id: String, audience: Audience?, problem: String) in
        do {
          let audience = try Audience(row: &row, app: app)
          return (audience.id, audience, "")
        } catch let fault as StoredValueError {
          guard let id = fault.row, fault.column != "id" else { throw fault }
          return (id, nil, fault.error(reading: query).message)
        }
      }
      let total = try db.row("SELECT count(*) AS count FROM audiences WHERE \(condition)") {
        try $0.int("count")
      }
      let shown = found.prefix(limit)
      return AudiencePage(
        elements: shown.compactMap(\.audience),
        damaged: shown.filter { $0.audience == nil }.map {
          DamagedAudience(id: $0.id, problem: $0.problem)
        },
        cursor: found.count > limit ? shown.last?.id : nil, total: total ?? 0)
    }
  }

  package func audienceNames(
    app: String, limit: Int
  ) async throws(StoreError) -> [AudienceName] {
    try await read { db in
      try Self.audienceNames(where: AudienceName.newest(limit), app: app, db)
    }
  }

  package func audienceNames(
    _ ids: [String], app: String
  ) async throws(StoreError) -> [AudienceName] {
    guard !ids.isEmpty else { return [] }
    return try await read { db in
      try Self.audienceNames(where: "id \(db.dialect.among(ids))", app: app, db)
    }
  }

  private static func audienceNames(
    where condition: SQL, app: String, _ db: any SQLConnection
  ) throws -> [AudienceName] {
    guard let number = try number(of: app, db) else { return [] }
    return try db.rows(AudienceName.query(where: condition, app: number)) {
      try AudienceName(
        id: $0.text("id"), name: $0.optionalText("name"), isTest: $0.bool("test"))
    }
  }

  package func save(_ audience: Audience) async throws(StoreError) {
    try await write { db in
      guard let app = try Self.number(of: audience.app, db) else {
        throw Self.noApp(audience.app)
      }
      try Self.insert(
        audience, app: app,
        conflict: """
          ON CONFLICT (app, id) DO UPDATE SET name = excluded.name, test = excluded.test,
          filters = excluded.filters, updated_at = excluded.updated_at
          """, db)
    }
  }

  package func deleteAudience(_ id: String, app: String) async throws(StoreError) -> Bool {
    try await write { db in
      guard let app = try Self.number(of: app, db) else { return false }
      return try db.run("DELETE FROM audiences WHERE app = \(app) AND id = \(id)") > 0
    }
  }

  /// Adds an audience; `conflict` is the statement's clause for a taken id.
  static func insert(
    _ audience: Audience, app: Int64, conflict: SQL, _ db: any SQLConnection
  ) throws {
    try db.queue(
      """
      INSERT INTO audiences (app, \(Audience.columns))
      VALUES (\(app), \(audience.id), \(audience.name), \(audience.isTest),
        \(audience.storedConditions), \(audience.createdAt), \(audience.updatedAt)) \(conflict)
      """)
  }
}

extension AudienceName {
  /// The names of audiences that meet a condition.
  static func query(where condition: SQL, app: Int64) -> SQL {
    "SELECT id, name, test FROM audiences WHERE app = \(app) AND \(condition)"
  }

  /// The condition, order and limit of the newest named audiences.
  static func newest(_ limit: Int) -> SQL {
    "name IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT \(limit)"
  }
}

extension Audience {
  fileprivate static let columns: SQL = "id, name, test, filters, created_at, updated_at"

  fileprivate init(row: inout SQLRow, app: String) throws {
    let (id, name, isTest) = try (row.text("id"), row.optionalText("name"), row.bool("test"))
    let conditions = try row.json("filters")
    self.init(id: id, app: app, filters: [], createdAt: try row.time("created_at"))
    guard apply(storedConditions: conditions) else {
      throw row.fault("filters", "has a condition that is not understood")
    }
    self.name = name
    self.isTest = isTest
    updatedAt = try row.time("updated_at")
  }
}
