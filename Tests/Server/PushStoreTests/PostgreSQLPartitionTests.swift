import TestSupport
import Testing
import _PostgreSQL

@testable import PushModel
@testable import PushStore

// All behaviours on one store take minutes where other tests use the processors too.
@Suite(
  "PostgreSQL tables partitioned by app", .serialized, .timeLimit(.minutes(60)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLPartitionTests {
  @Test("every key of every table begins with the app, followed by the device in a device's tables")
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
      // The receipts of a send are next to each other.
      let receipts = unique.first { $0.isPrimary && $0.table == "receipts" }
      #expect(receipts?.columns == ["app", "send", "device", "id"])
      for table in [
        "impressions", "attributions", "event_ids", "active_devices", "devices",
        "message_devices",
      ] {
        let primary = unique.first { $0.isPrimary && $0.table == table }
        #expect(primary?.columns[1] == (table == "devices" ? "key" : "device"), "\(table)")
      }
    }
  }

  @Test("a store behaves the same with tables that are partitioned by app")
  func conformance() async throws {
    try await partitioned { url in
      let store = try await PostgreSQLPushStore(url: url, leaseClock: .caller)
      await checkConformance(of: store, part: 0, of: Tier.sample(3, of: 1))
      // The apps that the behaviours made are in all partitions.
      let db = try PostgreSQLConnection(url: url)
      let parts = try db.rows("SELECT DISTINCT tableoid FROM devices") { $0.integer(0) }
      #expect(parts.count == 4)
    }
  }

  @Test(
    "every statement names its app, except those that look at all apps",
    .enabled(if: Tier.isWhole, "`make verify` runs it"))
  func statements() async throws {
    try await partitioned { url in
      let store = try await PostgreSQLPushStore(url: url, connections: 1, leaseClock: .caller)
      let names = try PartitionedTables(PostgreSQLConnection(url: url)).names
      var unscoped: Set<String> = []
      for behaviour in storeConformance {
        // The one connection has prepared all of the statements, up to some hundreds.
        try? await behaviour.check(store)
        unscoped.formUnion(
          try await store.read { db in
            try db.rows("SELECT statement FROM pg_prepared_statements") {
              try $0.text("statement")
            }
            .filter { Self.isUnscoped($0, names) }
          })
      }
      let unexpected = unscoped.filter { statement in
        !Self.acrossApps.contains { statement.hasPrefix($0) }
      }
      #expect(unexpected.isEmpty)
      for start in Self.acrossApps {
        #expect(unscoped.contains { $0.hasPrefix(start) }, "no statement begins with \(start)")
      }
    }
  }

  /// The beginnings of the statements that `docs/server/scaling.md` lists.
  private static let acrossApps = [
    // The rows that are due.
    "SELECT min(due_at) AS due_at FROM (", "SELECT min(due_at) AS due_at FROM webhook_calls",
    "SELECT app FROM (SELECT app FROM batches WHERE waits",
    "SELECT app FROM webhooks WHERE", "SELECT app, number FROM sends WHERE ends_at",
    // The batches that a node had when it ended.
    "UPDATE batches SET due_at = 0, owner = NULL",
    // The rows that are to be removed.
    "SELECT app, number FROM sends WHERE created_at",
    "SELECT app, number FROM sends WHERE completed_at",
    "SELECT app, number FROM sends WHERE idempotency_key",
    "SELECT app, number FROM messages WHERE unpublish_at",
    "SELECT app, id, campaign FROM runs WHERE waits",
    // The triggers that are live, which a node keeps in memory.
    "SELECT app, number, campaign, state, definition, look_at, looks FROM triggers",
  ]

  private static func isUnscoped(_ statement: String, _ tables: [String]) -> Bool {
    // Only what follows these words is a table: a column may have the name of one.
    let named = statement.matches(of: /(?:FROM|JOIN|INTO|UPDATE|USING)\s+([a-z_]+)/)
      .map { String($0.1) }
    guard !Set(named).isDisjoint(with: tables), !statement.contains("pg_prepared_statements") else {
      return false
    }
    if statement.hasPrefix("INSERT") {
      let columns = statement.drop { $0 != "(" }.prefix { $0 != ")" }
      return !columns.split { !$0.isLetter && $0 != "_" }.contains("app")
    }
    return !statement.contains(/[ .(]app = \$\d/)
  }

  private func partitioned(_ body: (String) async throws -> Void) async throws {
    try await PostgreSQLCluster().use { cluster in
      let db = try PostgreSQLConnection(url: cluster.url)
      try PostgreSQLMigrations.run(on: db)
      try PartitionedTables(db).partition()
      try await body(cluster.url)
    }
  }
}
