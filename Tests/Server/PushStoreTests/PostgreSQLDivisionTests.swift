import Foundation
import TestSupport
import Testing
import _PostgreSQL

@testable import PushModel
@testable import PushStore

// Each test starts three or four servers, and a statement over all apps asks each shard: they take twelve minutes.
@Suite(
  "A database that Citus divides by app", .serialized, .timeLimit(.minutes(15)),
  .enabled(if: CitusCluster.isInstalled, "Citus is not installed"),
  .enabled(if: Tier.isWhole, "`make verify` runs them"))
struct PostgreSQLDivisionTests {
  /// The behaviours are tested in parts, each of which ends within the time limit on a slow machine.
  private static let parts = 3

  @Test("a store behaves the same, and its apps are on both servers", arguments: 0..<parts)
  func conformance(part: Int) async throws {
    try await CitusCluster().use { citus in
      let url = citus.coordinator.url
      let result = try await PostgreSQLDivision.run(url: url)
      #expect(result.servers == 2)
      #expect(Set(result.copied) == PostgreSQLDivision.copiedTables)
      let store = try await PostgreSQLPushStore(url: url, leaseClock: .caller)
      await checkConformance(of: store, part: part, of: Self.parts)
      for worker in citus.workers {
        // Citus hides the tables of a worker from clients.
        let rows = try await worker.query(
          """
          SET citus.override_table_visibility TO off;
          SELECT sum(pg_relation_size(oid)) > 0 FROM pg_class WHERE relname ~ '^devices_[0-9]+$'
          """)
        #expect(rows == "t")
      }
    }
  }

  @Test("tables are divided with their rows, and a second time nothing is done")
  func rows() async throws {
    try await CitusCluster().use { citus in
      let url = citus.coordinator.url
      let store = try await PostgreSQLPushStore(url: url, leaseClock: .caller)
      var apps: [StoreFixture] = []
      for number in 0..<8 {
        let fixture = try await StoreFixture(store, "app-\(number)")
        try await fixture.register(3)
        try await fixture.accept("send-\(number)")
        apps.append(fixture)
      }
      let result = try await PostgreSQLDivision.run(url: url)
      #expect(result.divided.contains("devices") && result.divided.contains("batches"))
      let again = try await PostgreSQLDivision.run(url: url)
      #expect(again.divided.isEmpty && again.copied.isEmpty)
      // The rows left the coordinator, and the store finds them through it.
      #expect(try await citus.coordinator.query("SELECT pg_relation_size('devices')") == "0")
      for fixture in apps {
        #expect(try await store.deviceCount(app: fixture.app) == 3)
        try await fixture.update("\(fixture.app)-0") { $0.userID = .set("anna") }
      }
      try await apps[0].drain()
      for (number, fixture) in apps.enumerated() {
        #expect(try await fixture.send("send-\(number)").counts.sent == 3)
      }
      // What belongs to an app goes with it on all servers.
      #expect(try await store.deleteApp(apps[0].app))
      let left = try await citus.coordinator.query("SELECT count(*) FROM devices")
      #expect(left == "21")
    }
  }

  @Test("a division lets others pass while it waits for a long transaction, and is made after it")
  func longTransaction() async throws {
    try await CitusCluster().use { citus in
      let url = citus.coordinator.url
      let store = try await PostgreSQLPushStore(url: url, connections: 2)
      let fixture = try await StoreFixture(store, "serving")
      let report = try PostgreSQLConnection(url: url + "&application_name=report")
      try report.execute("BEGIN; LOCK TABLE devices IN ACCESS SHARE MODE")
      let (waits, wait) = AsyncStream<String>.makeStream()
      var lockWait = PostgreSQLLockWait { wait.yield($0) }
      lockWait.attempts = .max
      lockWait.pause = .milliseconds(200)
      let division = Task { [lockWait] in
        try await PostgreSQLDivision.run(url: url, lockWait: lockWait)
      }
      let start = "cannot divide the database, since locks on its tables are held by report from"
      for await line in waits where line.hasPrefix(start) { break }
      for number in 0..<3 {
        try await fixture.update("device-\(number)")
        for await _ in waits { break }
      }
      try report.execute("COMMIT")
      #expect(try await division.value.divided.contains("devices"))
      #expect(try await store.deviceCount(app: fixture.app) == 3)
    }
  }

  @Test("two divisions at once divide each table once")
  func twoAtOnce() async throws {
    try await CitusCluster().use { citus in
      let url = citus.coordinator.url
      _ = try await PostgreSQLPushStore(url: url, connections: 1)
      async let first = PostgreSQLDivision.run(url: url)
      async let second = PostgreSQLDivision.run(url: url)
      let results = try await [first, second]
      #expect(results.filter { $0.divided.contains("devices") }.count == 1)
      #expect(results.allSatisfy { $0.divided.isEmpty || $0.copied.count == 2 })
    }
  }

  @Test("a database without Citus is refused with what to do")
  func plain() async throws {
    try await PostgreSQLCluster().use { cluster in
      let url = cluster.url
      let error = await #expect(throws: StoreError.self) {
        try await PostgreSQLDivision.run(url: url)
      }
      #expect(error?.message.contains("CREATE EXTENSION citus") == true)
    }
  }

  @Test(
    "while a worker is away, apps of the others change devices, unless it is the first by name",
    arguments: [true, false])
  func outage(isFirst: Bool) async throws {
    try await CitusCluster().use { citus in
      let workers = citus.workers.sorted { $0.folder < $1.folder }
      let worker = try #require(isFirst ? workers.first : workers.last)
      let url = citus.coordinator.url
      _ = try await PostgreSQLDivision.run(url: url)
      let store = try await PostgreSQLPushStore(url: url, patience: .zero)
      var apps: [StoreFixture] = []
      for number in 0..<8 {
        let fixture = try await StoreFixture(store, "app-\(number)")
        try await fixture.update("before")
        apps.append(fixture)
      }
      try await worker.stop("immediate")
      var reached: Set<String> = []
      for fixture in apps {
        do {
          try await fixture.update("during")
          reached.insert(fixture.app)
        } catch let error as StoreError {
          #expect(error.code == .unavailable, "\(error.message)")
        }
      }
      // Citus locks the rows of a copied table on the first server.
      #expect(reached.isEmpty == isFirst && reached.count < apps.count)
      try await worker.start()
      for fixture in apps {
        try await fixture.update("after")
        let number = reached.contains(fixture.app) ? 3 : 2
        #expect(try await store.deviceCount(app: fixture.app) == number)
      }
    }
  }

  @Test("tables move to a third server while devices change")
  func rebalancing() async throws {
    try await CitusCluster().use { citus in
      let url = citus.coordinator.url
      _ = try await PostgreSQLDivision.run(url: url)
      let store = try await PostgreSQLPushStore(url: url)
      var apps: [StoreFixture] = []
      for number in 0..<6 { apps.append(try await StoreFixture(store, "app-\(number)")) }
      try await citus.addWorker().use { third in
        let writing = Task { [apps] in
          var count = 0
          while !Task.isCancelled {
            for fixture in apps { try await fixture.update("device-\(count)") }
            count += 1
          }
          return count
        }
        try await citus.coordinator.query("SELECT rebalance_table_shards('devices')")
        writing.cancel()
        let count = try await writing.value
        #expect(count > 0)
        for fixture in apps { #expect(try await store.deviceCount(app: fixture.app) == count) }
        let moved = try await citus.coordinator.query(
          """
          SELECT count(*) > 0 FROM pg_dist_shard_placement
          WHERE nodename = '\(third.folder)' AND shardid IN (
            SELECT shardid FROM pg_dist_shard WHERE logicalrelid = 'devices'::regclass)
          """)
        #expect(moved == "t")
        // The cluster of the test removes the third server before the coordinator.
      }
    }
  }
}
