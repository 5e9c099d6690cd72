import TestSupport
import Testing
import _PostgreSQL

@testable import PushStore

@Suite(
  "PostgreSQL databases of earlier versions", .timeLimit(.minutes(1)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLMigrationTests {
  @Test("a database of the first version is brought forward while a node of that version uses it")
  func forward() async throws {
    try await PostgreSQLCluster().use { cluster in
      let old = try PostgreSQLConnection(url: cluster.url)
      try PostgreSQLMigrations.run(on: old, steps: Array(PostgreSQLSchema.steps.prefix(1)))
      try old.execute(
        #"INSERT INTO apps VALUES (1, 'old', 'n', 'b', 't', 'k', '\x01', 0)"#)
      func register(_ number: Int) throws {
        try old.execute(
          """
          INSERT INTO devices (key, app, id, token, platform, development, push_enabled, tags,
            attributes, events, created_at, updated_at)
          VALUES (\(1 << 32 | number), 1, 'd\(number)', 'aa0\(number)', 'iOS', FALSE, TRUE, '[]',
            '{}', '{}', 0, 0)
          """)
      }
      try register(1)
      #expect(try await PostgreSQLPushStore.isCurrent(url: cluster.url) == false)
      let store = try await PostgreSQLPushStore(url: cluster.url, connections: 2)
      #expect(try await PostgreSQLPushStore.isCurrent(url: cluster.url))
      try register(2)

      let world = StoreWorld(existing: store, "old")
      let devices = try await store.devices(app: "old", above: nil, limit: 10)
      #expect(devices.map(\.id) == ["d1", "d2"])
      #expect(devices.map(\.isPushQuiet) == [false, false])
      try await world.accept("s")
      try await world.drain()
      #expect(try await store.hours(of: "s", app: "old").map(\.sent) == [2])
      #expect(try await world.update("d3").number == 3)
    }
  }

  @Test("rows of tables that were not divided by app are all there, each in its own")
  func division() async throws {
    try await PostgreSQLCluster().use { cluster in
      let db = try PostgreSQLConnection(url: cluster.url)
      try PostgreSQLMigrations.run(on: db, steps: Array(PostgreSQLSchema.steps.prefix(8)))
      for statement in RowsBeforeDivision.statements(sqlite: false) { try db.execute(statement) }
      func counts() throws -> [Int64] {
        try RowsBeforeDivision.tables.map { table in
          try db.rows("SELECT count(*) FROM \(table)") { $0.integer(0) }[0]
        }
      }
      let before = try counts()
      #expect(!before.contains(0))
      let store = try await PostgreSQLPushStore(url: cluster.url, leaseClock: .caller)
      #expect(try counts() == before)
      try await RowsBeforeDivision.expectAll(in: store)
      try await RowsBeforeDivision.expectRemoval(in: store)
    }
  }

  @Test("a step that lost a deadlock against a node that serves is tried again")
  func deadlock() async throws {
    try await PostgreSQLCluster().use { cluster in
      let db = try PostgreSQLConnection(url: cluster.url)
      // A sequence goes on where a transaction does not.
      let losing = """
        DO $$ BEGIN IF nextval('tries') < 3 THEN RAISE SQLSTATE '40P01'; END IF; END $$
        """
      try PostgreSQLMigrations.run(on: db, steps: ["CREATE SEQUENCE tries", losing])
      #expect(try PostgreSQLMigrations.version(of: db, newest: 2) == 2)
      #expect(try db.rows("SELECT last_value FROM tries") { $0.integer(0) } == [3])
    }
  }
}
