import PushModel
import PushPayload

extension SQLPushStore {
  package func add(_ channel: Channel) async throws(StoreError) {
    try await write(repeatable: true) { db in
      guard let app = try Self.number(of: channel.app, db) else { throw Self.noApp(channel.app) }
      try db.queue(
        """
        INSERT INTO channels (app, id, storage, development, created_at)
        VALUES (\(app), \(channel.id), \(channel.storage.rawValue), \(channel.isDevelopment),
          \(channel.createdAt))
        ON CONFLICT (app, id) DO NOTHING
        """)
    }
  }

  package func channels(
    app: String, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Channel> {
    try await read { db in
      guard let number = try Self.number(of: app, db) else {
        return Page([], cursor: nil, total: 0)
      }
      let rows = try db.rows(
        """
        SELECT number, \(Channel.columns) FROM channels WHERE app = \(number)
        AND number < \(try Self.position(cursor, else: .max))
        ORDER BY number DESC LIMIT \(Int64(limit) + 1)
        """
      ) { try (number: $0.integer("number"), element: Channel(row: &$0, app: app)) }
      let total = try db.row(
        "SELECT count(*) AS count FROM channels WHERE app = \(number)"
      ) { try $0.int("count") }
      return Self.page(rows, limit: limit, total: total ?? 0)
    }
  }

  package func channel(_ id: String, app: String) async throws(StoreError) -> Channel? {
    try await readFewRows { db in
      guard let number = try Self.number(of: app, db) else { return nil }
      return try db.row(
        "SELECT \(Channel.columns) FROM channels WHERE app = \(number) AND id = \(id)"
      ) { try Channel(row: &$0, app: app) }
    }
  }

  package func removeChannel(_ id: String, app: String) async throws(StoreError) -> Bool {
    try await write { db in
      guard let app = try Self.number(of: app, db) else { return false }
      return try db.run("DELETE FROM channels WHERE app = \(app) AND id = \(id)") > 0
    }
  }
}

extension Channel {
  fileprivate static let columns: SQL = "id, storage, development, created_at"

  fileprivate init(row: inout SQLRow, app: String) throws {
    self.init(
      id: try row.text("id"), app: app, storage: try row.word("storage"),
      isDevelopment: try row.bool("development"), createdAt: try row.time("created_at"))
  }
}
