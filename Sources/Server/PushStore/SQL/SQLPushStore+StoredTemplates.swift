package import PushModel
import PushPayload

extension SQLPushStore {
  package func template(
    _ name: String, app: String
  ) async throws(StoreError) -> StoredTemplate? {
    try await read { db in
      guard let number = try Self.number(of: app, db) else { return nil }
      return try Self.newest(name, app: app, number: number, db).flatMap {
        $0.isListed ? $0.template : nil
      }
    }
  }

  package func template(
    _ name: String, version: Int, app: String
  ) async throws(StoreError) -> StoredTemplate? {
    try await read { db in
      guard let number = try Self.number(of: app, db) else { return nil }
      return try db.row(
        """
        SELECT \(StoredTemplate.columns) FROM template_versions
        WHERE app = \(number) AND name = \(name) AND version = \(version)
        """
      ) { try StoredTemplate(row: &$0, app: app) }
    }
  }

  package func templates(
    app: String, matching text: String, order: StoredTemplate.Order, after name: String?, limit: Int
  ) async throws(StoreError) -> Page<StoredTemplate> {
    try await read { db in
      let number = try Self.number(of: app, db) ?? 0
      var condition: SQL = "app = \(number) AND listed"
      if !text.isEmpty {
        let pattern = "%\(Self.escaped(Self.asciiLowercased(text)))%"
        condition = "\(condition) AND lower(name) LIKE \(pattern) ESCAPE '!'"
      }
      let total = try db.row("SELECT count(*) AS count FROM templates WHERE \(condition)") {
        try $0.int("count")
      }
      if let name {
        condition =
          switch order {
          case .name: "\(condition) AND name > \(name)"
          case .saved:
            """
            \(condition) AND (saved_at, name) < (
              SELECT saved_at, name FROM templates WHERE app = $1 AND name = \(name))
            """
          }
      }
      let sorting = order == .name ? "name" : "saved_at DESC, name DESC"
      let found = try db.rows(
        """
        SELECT \(StoredTemplate.columns) FROM templates WHERE \(condition)
        ORDER BY \(raw: sorting) LIMIT \(Int64(limit) + 1)
        """
      ) { try StoredTemplate(row: &$0, app: app) }
      let shown = Array(found.prefix(limit))
      return Page(
        shown, cursor: found.count > limit ? shown.last?.name : nil, total: total ?? 0)
    }
  }

  package func versions(
    ofTemplate name: String, app: String, before version: Int?, limit: Int
  ) async throws(StoreError) -> [StoredTemplate] {
    try await read { db in
      guard let number = try Self.number(of: app, db) else { return [] }
      return try db.rows(
        """
        SELECT \(StoredTemplate.columns) FROM template_versions
        WHERE app = \(number) AND name = \(name) AND version < \(version ?? .max)
        ORDER BY version DESC LIMIT \(limit)
        """
      ) { try StoredTemplate(row: &$0, app: app) }
    }
  }

  package func save(
    _ template: StoredTemplate, after expected: Int?
  ) async throws(StoreError) -> StoredTemplate {
    let uploads = Upload.names(in: template.payload.bytes)
    return try await write { db in
      guard let app = try Self.lockedNumber(of: template.app, db) else {
        throw Self.noApp(template.app)
      }
      let last = try Self.newest(template.name, app: template.app, number: app, db)
      try Self.check(last, is: expected, template.name)
      if last?.isListed != true {
        let count = try db.row(
          "SELECT count(*) AS count FROM templates WHERE app = \(app) AND listed"
        ) { try $0.int("count") }
        guard (count ?? 0) < StoredTemplate.limit else {
          throw StoreError(
            .conflict, "the app has \(StoredTemplate.limit) templates; delete one first")
        }
      }
      var saved = template
      saved.version = (last?.template.version ?? 0) + 1
      try db.queue(
        """
        INSERT INTO templates (app, \(StoredTemplate.columns), listed)
        VALUES (\(app), \(saved.values), TRUE)
        ON CONFLICT (app, name) DO UPDATE
        SET version = excluded.version, payload = excluded.payload,
          saved_at = excluded.saved_at, saved_by = excluded.saved_by, listed = excluded.listed
        """)
      try db.queue(
        """
        INSERT INTO template_versions (app, \(StoredTemplate.columns))
        VALUES (\(app), \(saved.values))
        """)
      try Self.keep(uploads, app: app, db)
      return saved
    }
  }

  package func deleteTemplate(
    _ name: String, app: String, after expected: Int?
  ) async throws(StoreError) -> StoredTemplate? {
    try await write { db in
      guard let number = try Self.lockedNumber(of: app, db),
        let last = try Self.newest(name, app: app, number: number, db), last.isListed
      else { return nil }
      try Self.check(last, is: expected, name)
      try db.queue("UPDATE templates SET listed = FALSE WHERE app = \(number) AND name = \(name)")
      return last.template
    }
  }

  private static func check(
    _ last: (template: StoredTemplate, isListed: Bool)?, is expected: Int?, _ name: String
  ) throws(StoreError) {
    let version = last.flatMap { $0.isListed ? $0.template.version : nil } ?? 0
    guard let expected, expected != version else { return }
    throw StoreError(
      .conflict,
      version == 0
        ? "there is no template \(name)"
        : "the newest version of the template \(name) is \(version); read it again")
  }

  private static func newest(
    _ name: String, app: String, number: Int64, _ db: any SQLConnection
  ) throws -> (template: StoredTemplate, isListed: Bool)? {
    try db.row(
      """
      SELECT \(StoredTemplate.columns), listed FROM templates WHERE app = \(number)
      AND name = \(name)
      """
    ) { row in
      let template = try StoredTemplate(row: &row, app: app)
      return try (template, row.bool("listed"))
    }
  }
}

extension StoredTemplate {
  /// The most templates of an app.
  package static let limit = 1000

  fileprivate static let columns: SQL = "name, version, payload, saved_at, saved_by"

  /// The values of ``columns``.
  fileprivate var values: [SQLValue] {
    [
      .text(name), .integer(Int64(version)), .json(payload), .time(savedAt), .optional(savedBy),
    ]
  }

  fileprivate init(row: inout SQLRow, app: String) throws {
    let (name, version, payload) = try (row.text("name"), row.int("version"), row.json("payload"))
    let savedAt = try row.time("saved_at")
    self.init(
      app: app, name: name, version: version, payload: payload, savedAt: savedAt,
      savedBy: try row.optionalText("saved_by"))
  }
}
