import Foundation
import TestSupport
import Testing
import _SQLite

@testable import PushModel
@testable import PushStore

@Suite("The schemas of released versions", .timeLimit(.minutes(10)))
struct KeptSchemaTests {
  let folder = TemporaryFolder()

  @Test(
    "a SQLite file that is brought forward has the tables, columns and indexes of a new one",
    arguments: KeptVersion.all(in: .sqlite))
  func sqlite(kept: KeptVersion) async throws {
    try await kept.unpack(into: folder)
    let old = folder.path("data/martlet.sqlite")
    let new = folder.path("new.sqlite")
    for path in [old, new] { _ = try await SQLitePushStore(path: path).apps() }
    let schema = try sqliteSchema(old)
    #expect(schema.count > 100)
    #expect(try schema == sqliteSchema(new))
    let db = try SQLiteConnection(path: old, busyTimeout: .seconds(5))
    #expect(try db.row("PRAGMA integrity_check") { $0.text(0) } == "ok")
    #expect(try db.rows("PRAGMA foreign_key_check", []) { $0.text(0) } == [])
  }

  private func sqliteSchema(_ path: String) throws -> [String] {
    // Of a table its columns, for the text of an altered one differs from that of a new one.
    try SQLiteConnection(path: path, busyTimeout: .seconds(5)).rows(
      """
      SELECT m.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || c.pk AS line
      FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'
      UNION SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY line
      """, []
    ) { $0.text(0) }
  }

  @Test(
    "a PostgreSQL database that is brought forward has the tables, columns and indexes of a new one",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"),
    arguments: KeptVersion.all(in: .postgresql))
  func postgreSQL(kept: KeptVersion) async throws {
    try await kept.unpack(into: folder)
    let dump = try String(contentsOf: folder.file("dump.sql"), encoding: .utf8)
    try await PostgreSQLCluster().use { cluster in
      try await cluster.load(dump: dump)
      try await cluster.query("CREATE DATABASE new")
      var schemas: [String] = []
      for database in ["postgres", "new"] {
        _ = try await PostgreSQLPushStore(url: cluster.url(database: database)).apps()
        schemas.append(
          try await cluster.query(
            """
            SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable AS line
            FROM information_schema.columns WHERE table_schema = 'public'
            UNION SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
            UNION SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
            WHERE connamespace = 'public'::regnamespace ORDER BY line
            """, database: database))
      }
      #expect(schemas[0].count > 5000)
      #expect(schemas[0] == schemas[1])
    }
  }
}
