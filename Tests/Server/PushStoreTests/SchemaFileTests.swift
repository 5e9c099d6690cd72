import Foundation
import TestSupport
import Testing
import _PostgreSQL
import _SQLite

@testable import PushModel
@testable import PushStore

@Suite("The schema that runs, as one file for each database", .timeLimit(.minutes(10)))
struct SchemaFileTests {
  /// Compares a schema with its file, or writes the file.
  private static func check(_ schema: String, _ name: String) throws {
    let file = Repository.url("docs/contributing/schema/\(name)")
    let text = """
      -- The tables and indexes that all steps of the schema make together. It is written by
      -- RECORD_DOCS=1 scripts/test SchemaFileTests

      \(schema)

      """
    if ProcessInfo.processInfo.environment["RECORD_DOCS"] == "1" {
      try Data(text.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test("sqlite.sql has what the steps make in SQLite; RECORD_DOCS=1 writes it again")
  func sqlite() throws {
    let folder = TemporaryFolder()
    let path = folder.path("martlet.sqlite")
    do { _ = try SQLitePushStore(path: path) }
    let db = try SQLiteConnection(path: path, busyTimeout: .seconds(5))
    let parts = try db.rows(
      """
      SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
      ORDER BY tbl_name, type DESC, name
      """
    ) { $0.text(0) + ";" }
    try Self.check(parts.joined(separator: "\n"), "sqlite.sql")
  }

  @Test(
    "postgresql.sql has what the steps make in PostgreSQL; RECORD_DOCS=1 writes it again",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func postgreSQL() async throws {
    try await PostgreSQLCluster().use { cluster in
      do { _ = try await PostgreSQLPushStore(url: cluster.url, connections: 1) }
      let db = try PostgreSQLConnection(url: cluster.url)
      let tables = try db.rows(Self.tables) { $0.text(0) }.sorted()
      let indexes = try db.rows(Self.indexes) { $0.text(0) }.sorted()
      let schema = (tables + indexes).map { $0 + ";" }.joined(separator: "\n")
      try Self.check(schema, "postgresql.sql")
    }
  }

  /// The statement that would make each table, with its constraints.
  private static let tables = """
    SELECT 'CREATE TABLE ' || relname || E' (\\n  ' || (
      SELECT string_agg(line, E',\\n  ' ORDER BY place, line) FROM (
        SELECT attnum AS place, attname || ' ' || format_type(atttypid, atttypmod)
          || CASE WHEN attcollation <> typcollation THEN ' COLLATE ' || attcollation::regcollation ELSE '' END
          || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
          || CASE WHEN attidentity <> '' THEN ' GENERATED AS IDENTITY' ELSE '' END
          || coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '') AS line
        FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
          LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
        UNION ALL
        SELECT 10000, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = pg_class.oid
      ) AS lines) || E'\\n)'
    FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
    """

  /// The statement of each index that no constraint makes.
  private static let indexes = """
    SELECT pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    WHERE relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)
    """
}
