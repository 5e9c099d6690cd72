import Foundation
import PushModel
import PushStore
import TestSupport
import Testing

@testable import MartletCommands

@Suite(
  "What a backup of PostgreSQL has", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLBackupScopeTests {
  let directory = TemporaryFolder()
  var file: String { directory.path("copy.dump") }

  private func run(_ command: String, _ url: String) async -> ServeConsole {
    let console = ServeConsole()
    _ = await console.run([command, file, "--data", directory.path("data"), "--database", url])
    return console
  }

  private static let relations = """
    SELECT string_agg(relname || ' ' || relkind::TEXT, ', ' ORDER BY relname) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace
    """

  @Test("a role without rights restores the store's tables, and nothing else that the database has")
  func foreign() async throws {
    try await PostgreSQLCluster().use { cluster in
      _ = try await PostgreSQLPushStore(url: cluster.url)
      let own = try await cluster.query(Self.relations)
      try await cluster.query("INSERT INTO ended_sessions VALUES ('a', 1)")
      try await cluster.query("SELECT setval('audit_number_seq', 77)")
      for statement in [
        "CREATE SCHEMA other", "CREATE TABLE other.orders (number BIGINT)",
        "CREATE TABLE orders (number BIGINT)", "CREATE VIEW app_ids AS SELECT id FROM apps",
        "CREATE FUNCTION one() RETURNS INT LANGUAGE plpgsql AS 'BEGIN RETURN 1; END'",
        "INSERT INTO orders VALUES (1)",
      ] { try await cluster.query(statement) }
      // Extensions of postgresql-contrib, of which a role without rights may make none.
      let extensions = try await cluster.query(
        """
        SELECT name FROM pg_available_extensions
        WHERE name IN ('file_fdw', 'pageinspect', 'citext')
        """)
      for name in extensions.split(separator: "\n") {
        try await cluster.query("CREATE EXTENSION \(name)")
      }
      if extensions.contains("citext") {
        try await cluster.query("CREATE TABLE names (name CITEXT)")
      }
      let made = await run("backup", cluster.url)
      #expect(made.errors == [])

      try await cluster.query("CREATE ROLE martlet LOGIN")
      try await cluster.query("CREATE DATABASE restored OWNER martlet")
      let restored = cluster.url(database: "restored").replacing("postgres@", with: "martlet@")
      #expect(await run("restore", restored).errors == [])
      #expect(try await cluster.query(Self.relations, database: "restored") == own)
      let rows = "SELECT until FROM ended_sessions, nextval('audit_number_seq') AS n WHERE n = 78"
      #expect(try await cluster.query(rows, database: "restored") == "1")
      _ = try await PostgreSQLPushStore(url: restored)
    }
  }

  @Test("the tables of a store are those that its steps make, with their partitions")
  func tables() async throws {
    try await PostgreSQLCluster().use { cluster in
      _ = try await PostgreSQLPushStore(url: cluster.url)
      try await cluster.query(
        "CREATE SCHEMA parts; CREATE TABLE parts.\"Probes 1\" () INHERITS (probes)")
      let all = try await cluster.query(
        """
        SELECT schemaname || '.' || tablename FROM pg_tables
        WHERE schemaname IN ('public', 'parts')
        """)
      let found = try await PostgreSQLPushStore.tables(url: cluster.url)
      let expected = Set(all.split(separator: "\n").map(String.init))
      #expect(Set(found.map { $0.replacing("\"", with: "") }) == expected)
      #expect(found.contains("\"parts\".\"Probes 1\""))
    }
  }

  @Test("a store of a newer version is refused, whose tables this program does not know")
  func newer() async throws {
    try await PostgreSQLCluster().use { cluster in
      _ = try await PostgreSQLPushStore(url: cluster.url)
      try await cluster.query("UPDATE martlet_schema SET version = 999")
      let errors = await run("backup", cluster.url).errors
      #expect(errors.first?.contains("back up with the newer martlet") == true, "\(errors)")
      #expect(directory.contents == ["data"] || directory.contents == [])
    }
  }

  /// The catalogs are those that Citus reads and writes, in a database without it.
  @Test("a database that Citus divides is refused, and one that only has Citus is not")
  func divided() async throws {
    try await PostgreSQLCluster().use { cluster in
      _ = try await PostgreSQLPushStore(url: cluster.url)
      try await cluster.query(
        """
        SET allow_system_table_mods = on;
        INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
        VALUES (99999, 'citus', 10, 'pg_catalog'::regnamespace, false, '13.0-1');
        CREATE TABLE pg_dist_node (isactive BOOL, shouldhaveshards BOOL);
        CREATE TABLE pg_dist_partition (logicalrelid REGCLASS, partmethod CHAR)
        """)
      #expect(await run("backup", cluster.url).errors == [])
      try FileManager.default.removeItem(atPath: file)
      try await cluster.query("INSERT INTO pg_dist_partition VALUES ('devices', 'h')")
      let errors = await run("backup", cluster.url).errors
      #expect(errors.first?.contains("divided by Citus") == true, "\(errors)")
      #expect(errors.first?.contains("pg_basebackup") == true, "\(errors)")
      #expect(!directory.contents.contains { $0.hasPrefix("copy") })
    }
  }
}
