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
}
