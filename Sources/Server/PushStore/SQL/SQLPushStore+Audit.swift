import PushModel
import PushPayload

extension SQLPushStore {
  package func append(_ entry: AuditEntry) async throws(StoreError) {
    try await write { db in try Self.append(entry, db) }
  }

  static func append(_ entry: AuditEntry, _ db: any SQLConnection) throws {
    try db.queue(
      """
      INSERT INTO audit (app, key, account, name, action, object, address, at)
      VALUES (\(entry.app), \(entry.key), \(entry.account), \(entry.name), \(entry.action),
        \(entry.object), \(entry.address), \(entry.at))
      """)
  }

  package func audit(
    app: String?, matching query: AuditQuery, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<AuditEntry> {
    try await read { db in
      let matches = Self.condition(of: query, app: app)
      let rows = try db.rows(
        """
        SELECT number, app, key, account, name, action, object, address, at FROM audit
        WHERE \(matches) AND number < \(try Self.position(cursor, else: .max))
        ORDER BY number DESC LIMIT \(Int64(limit) + 1)
        """
      ) { row in
        (number: try row.integer("number"), element: try AuditEntry(row: &row))
      }
      let total = try db.row("SELECT count(*) AS count FROM audit WHERE \(matches)") {
        try $0.int("count")
      }
      return Self.page(rows, limit: limit, total: total ?? 0)
    }
  }

  package func audit(
    of object: String, app: String, limit: Int
  ) async throws(StoreError) -> [AuditEntry] {
    try await read { db in
      try db.rows(
        """
        SELECT app, key, account, name, action, object, address, at FROM audit
        WHERE object = \(object) AND app = \(app) ORDER BY number DESC LIMIT \(Int64(limit))
        """
      ) { row in try AuditEntry(row: &row) }
    }
  }

  private static func condition(of query: AuditQuery, app: String?) -> SQL {
    var conditions: [SQL] = ["app IS NOT DISTINCT FROM \(app)"]
    switch query.actor {
    case .key(let id): conditions.append("key = \(id)")
    case .person(let id): conditions.append("account = \(id)")
    case .unnamed: conditions.append("key IS NULL AND account IS NULL")
    case nil: break
    }
    if !query.subjects.isEmpty {
      // The character after the dot in the order of bytes is the slash.
      let actions: [SQL] = query.subjects.map {
        "action >= \($0 + ".") AND action < \($0 + "/")"
      }
      conditions.append("(\(actions.joined(separator: " OR ")))")
    }
    if let times = query.times {
      conditions.append("at BETWEEN \(times.lowerBound) AND \(times.upperBound)")
    }
    return conditions.joined(separator: " AND ")
  }
}

extension AuditEntry {
  /// Reads the columns of an entry, in the order of the table.
  fileprivate init(row: inout SQLRow) throws {
    self.init(
      app: try row.optionalText("app"), key: try row.optionalText("key"),
      account: try row.optionalText("account"), name: try row.optionalText("name"),
      action: try row.text("action"), object: try row.optionalText("object"),
      address: try row.optionalText("address"), at: try row.time("at"))
  }
}
