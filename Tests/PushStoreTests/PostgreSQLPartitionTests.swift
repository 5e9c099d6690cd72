import TestSupport
import Testing
import _PostgreSQL

@testable import PushStore

@Suite(
  "PostgreSQL tables divided by app", .serialized, .timeLimit(.minutes(2)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLPartitionTests {
  @Test("every key of every table begins with its app, and a device's tables go on with the device")
  func keys() async throws {
    try await PostgreSQLCluster().use { cluster in
      _ = try await PostgreSQLPushStore(url: cluster.url, connections: 1)
      let db = try PostgreSQLConnection(url: cluster.url)
      let tables = try PartitionedTables(db)
      let byNumber = try db.rows(
        """
        SELECT attrelid::regclass::text FROM pg_attribute WHERE attname = 'app'
        AND atttypid = 'bigint'::regtype AND attnotnull
        """
      ) { $0.text(0) }
      #expect(Set(tables.names).subtracting(byNumber).isEmpty)
      let unique = try tables.uniqueKeys()
      #expect(Set(unique.filter(\.isPrimary).map(\.table)) == Set(tables.names))
      for key in try unique + tables.foreignKeys() {
        #expect(key.columns.first == "app", "\(key.table): \(key.columns)")
      }
      for table in ["receipts", "impressions", "attributions", "active_devices", "devices"] {
        let primary = unique.first { $0.isPrimary && $0.table == table }
        #expect(primary?.columns[1] == (table == "devices" ? "key" : "device"), "\(table)")
      }
    }
  }

  @Test("a store does all that it does where each table is divided by app")
  func conformance() async throws {
    try await divided { url in
      let store = try await PostgreSQLPushStore(url: url, leaseClock: .caller)
      for behaviour in storeConformance {
        do { try await behaviour.check(store) } catch {
          Issue.record("\(behaviour.name): \(error)")
        }
      }
      // The apps that the behaviours made are in all parts.
      let db = try PostgreSQLConnection(url: url)
      let parts = try db.rows("SELECT DISTINCT tableoid FROM devices") { $0.integer(0) }
      #expect(parts.count == 4)
    }
  }

  @Test("every statement says which app it is for, but for those that look over all of them")
  func statements() async throws {
    try await divided { url in
      let store = try await PostgreSQLPushStore(url: url, connections: 1, leaseClock: .caller)
      let names = try PartitionedTables(PostgreSQLConnection(url: url)).names
      var overAll: Set<String> = []
      for behaviour in storeConformance {
        // The only connection has them all prepared, up to some hundreds.
        try? await behaviour.check(store)
        overAll.formUnion(
          try await store.read { db in
            try db.rows("SELECT statement FROM pg_prepared_statements", []) {
              $0.text("statement")
            }
              .filter { Self.isOverAll($0, names) }
          })
      }
      let unexpected = overAll.filter { statement in
        !Self.overAllApps.contains { statement.hasPrefix($0) }
      }
      #expect(unexpected.isEmpty)
      for start in Self.overAllApps {
        #expect(overAll.contains { $0.hasPrefix(start) }, "nothing begins so any more: \(start)")
      }
    }
  }

  /// How the statements begin that `docs/scaling.md` lists.
  private static let overAllApps = [
    // What is due.
    "SELECT min(due_at) AS due_at FROM (", "SELECT min(due_at) AS due_at FROM webhook_calls",
    "SELECT app FROM batches WHERE waits", "SELECT app FROM segments WHERE waits",
    "SELECT app FROM webhook_calls", "SELECT app, number FROM sends WHERE ends_at",
    // What a node had when it ended.
    "UPDATE batches SET due_at = 0, owner = NULL",
    // What is to be removed.
    "SELECT app, number FROM sends WHERE created_at",
    "SELECT app, number FROM sends WHERE completed_at",
    "SELECT app, number FROM sends WHERE idempotency_key",
    "SELECT app, number FROM messages WHERE unpublish_at",
    "SELECT name FROM uploads", "DELETE FROM uploads",
  ]

  private static func isOverAll(_ statement: String, _ tables: [String]) -> Bool {
    let words = Set(statement.split { !$0.isLetter && $0 != "_" }.map(String.init))
    guard !words.isDisjoint(with: tables), !statement.contains("pg_prepared_statements") else {
      return false
    }
    if statement.hasPrefix("INSERT") {
      let columns = statement.drop { $0 != "(" }.prefix { $0 != ")" }
      return !columns.split { !$0.isLetter && $0 != "_" }.contains("app")
    }
    return !statement.contains(/\bapp = \$\d/)
  }

  private func divided(_ body: (String) async throws -> Void) async throws {
    try await PostgreSQLCluster().use { cluster in
      let db = try PostgreSQLConnection(url: cluster.url)
      try PostgreSQLMigrations.run(on: db)
      try PartitionedTables(db).divide()
      try await body(cluster.url)
    }
  }
}
