import Foundation
import PushPayload
import Synchronization
import _SQLite

/// A store in one SQLite file: write-ahead log, every commit synced, one writer with group commit.
///
/// The file holds the apps' p8 keys, so it is made readable by its owner only (0600), and SQLite
/// makes the log beside it alike.
package final class SQLitePushStore: PushStore {
  package let path: String
  package let writer: DatabaseQueue
  let reader: DatabaseQueue

  /// Opens the file, makes it where it is absent, and brings it to this version's schema.
  ///
  /// Its directory must exist. `busyTimeout` is how long to wait for another process's lock.
  package init(path: String, busyTimeout: Duration = .seconds(5)) throws(StoreError) {
    self.path = path
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw StoreError(
        .cannotOpen, "cannot open the database \(path): \(String(cString: strerror(errno)))")
    }
    close(file)
    do {
      let writing = try Self.connect(path, busyTimeout)
      try Migrations.run(on: writing, path: path)
      writer = DatabaseQueue(writing, label: "martlet.store.writer")
      reader = DatabaseQueue(try Self.connect(path, busyTimeout), label: "martlet.store.reader")
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(error, path: path)
    }
  }

  private static func connect(
    _ path: String, _ busyTimeout: Duration
  ) throws -> sending SQLiteConnection {
    let connection = try SQLiteConnection(path: path, busyTimeout: busyTimeout)
    try connection.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
      PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY;
      """)
    return connection
  }
}

// MARK: - Apps and keys

extension SQLitePushStore {
  package func add(_ app: App, keys: [APIKey]) async throws(StoreError) {
    try await writer.write { db in
      try db.run(
        """
        INSERT INTO apps (id, name, bundle_id, team_id, key_id, private_key, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        [
          .text(app.id), .text(app.name), .text(app.bundleID), .text(app.teamID),
          .text(app.keyID), .text(app.privateKey), .time(app.createdAt),
        ])
      for key in keys { try Self.insert(key, db) }
    }
  }

  package func apps() async throws(StoreError) -> [App] {
    try await reader.read { db in
      try db.rows("SELECT \(App.columns) FROM apps ORDER BY created_at, id", [], App.init(row:))
    }
  }

  package func app(_ id: String) async throws(StoreError) -> App? {
    try await reader.read { db in
      try db.row("SELECT \(App.columns) FROM apps WHERE id = ?", [.text(id)], App.init(row:))
    }
  }

  package func add(_ key: APIKey) async throws(StoreError) {
    try await writer.write { db in try Self.insert(key, db) }
  }

  package func keys(app: String?) async throws(StoreError) -> [APIKey] {
    try await reader.read { db in
      try db.rows(
        "SELECT \(APIKey.columns) FROM keys WHERE app IS ? ORDER BY created_at, id",
        [.optional(app)], APIKey.init(row:)
      ).compactMap { $0 }
    }
  }

  package func key(hash: [UInt8]) async throws(StoreError) -> APIKey? {
    try await reader.read { db in
      try db.row(
        "SELECT \(APIKey.columns) FROM keys WHERE hash = ?", [.blob(hash)], APIKey.init(row:))
        ?? nil
    }
  }

  private static func insert(_ key: APIKey, _ db: SQLiteConnection) throws {
    try db.run(
      "INSERT INTO keys (id, app, role, hash, created_at) VALUES (?, ?, ?, ?, ?)",
      [
        .text(key.id), .optional(key.app), .text(key.role.rawValue), .blob(key.hash),
        .time(key.createdAt),
      ])
  }
}

extension App {
  fileprivate static let columns = "id, name, bundle_id, team_id, key_id, private_key, created_at"

  fileprivate init(row: SQLiteRow) {
    self.init(
      id: row.text(0), name: row.text(1), bundleID: row.text(2), teamID: row.text(3),
      keyID: row.text(4), privateKey: row.text(5), createdAt: row.time(6))
  }
}

extension APIKey {
  fileprivate static let columns = "id, app, role, hash, created_at"

  fileprivate init?(row: SQLiteRow) {
    guard let role = Role(rawValue: row.text(2)) else { return nil }
    self.init(
      id: row.text(0), app: row.optionalText(1), role: role, hash: row.blob(3),
      createdAt: row.time(4))
  }
}

extension SQLiteValue {
  static func time(_ time: Timestamp) -> SQLiteValue { .integer(time.milliseconds) }
  static func time(_ time: Timestamp?) -> SQLiteValue { .optional(time?.milliseconds) }
  static func json(_ value: JSONValue) -> SQLiteValue {
    .text(String(decoding: value.serialized(), as: UTF8.self))
  }
}

extension SQLiteRow {
  func time(_ column: Int32) -> Timestamp { Timestamp(milliseconds: integer(column)) }
  func optionalTime(_ column: Int32) -> Timestamp? {
    optionalInteger(column).map(Timestamp.init(milliseconds:))
  }
  /// What the store wrote is JSON.
  func json(_ column: Int32) -> JSONValue { (try? JSONValue(parsing: text(column))) ?? .null }
}
