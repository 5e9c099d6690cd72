import TestSupport
import Testing
import _PostgreSQL

@testable import PushModel
@testable import PushStore

@Suite("The sends of which retention removes something", .timeLimit(.minutes(10)))
struct OutdatedSendsTests {
  private let directory = TemporaryFolder()

  private static func queries(_ dialect: SQLDialect) -> [SQL] {
    [
      OutdatedSends.receiptsQuery(before: Sample.now, limit: 1000, dialect),
      OutdatedSends.outcomesQuery(before: Sample.now, limit: 1000, dialect),
      OutdatedSends.emptiedQuery(before: Sample.now, limit: 1000, dialect),
    ]
  }

  @Test("SQLite finds them by an index in its order, and scans no table")
  func sqlitePlan() async throws {
    let store = try SQLitePushStore(path: directory.path("plan.sqlite"))
    for query in Self.queries(.sqlite) {
      let steps = try await store.read { db in
        try db.rows("EXPLAIN QUERY PLAN \(query)") { row in
          row.skip("id")
          row.skip("parent")
          row.skip("notused")
          return try row.text("detail")
        }
      }
      #expect(steps.contains { $0.contains("sends_to_empty (completed_at<?)") }, "\(steps)")
      #expect(steps.allSatisfy { !$0.hasPrefix("SCAN") && !$0.contains("B-TREE") }, "\(steps)")
    }
  }

  @Test(
    "PostgreSQL finds them by the index among ten thousand sends that are emptied",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func postgreSQLPlan() async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url, connections: 1)
      let fixture = try await StoreFixture(store, "plan")
      try await fixture.accept("model")
      let db = try PostgreSQLConnection(url: cluster.url)
      try db.execute(
        """
        INSERT INTO sends
        SELECT (jsonb_populate_record(
          model, jsonb_build_object(
            'id', 'n' || place, 'message_id', 'n' || place, 'number', 1000 + place,
            'completed_at', place, 'emptied', true))).*
        FROM (SELECT sends AS model FROM sends LIMIT 1) AS one, generate_series(1, 10000) AS place;
        ANALYZE sends
        """)
      for query in Self.queries(.postgreSQL) {
        let plan = try await store.read { db in
          try db.rows("EXPLAIN \(query)") { try $0.text("QUERY PLAN") }
        }
        #expect(plan.contains { $0.contains("sends_to_empty") }, "\(plan)")
        #expect(!plan.contains { $0.contains("Seq Scan on sends") }, "\(plan)")
      }
    }
  }

  @Test("a send is marked once neither outcomes nor receipts of it are left")
  func marks() async throws {
    let store = try SQLitePushStore(path: directory.path("marks.sqlite"))
    let fixture = try await StoreFixture(store, "marked")
    try await fixture.register(1)
    for id in ["reported", "silent"] { try await fixture.accept(id) }
    try await fixture.drain()
    let receipt = Receipt(
      id: "r", send: "reported", device: "marked-0", event: .received, at: Sample.now)
    _ = try await store.record([receipt], app: fixture.app, at: Sample.now)
    var retention = Retention()
    retention.outcomes = .days(30)
    func marked(after time: Duration) async throws -> [String] {
      while try await store.removeOutdated(retention, at: Sample.now + time, limit: 10) {}
      return try await store.read { db in
        try db.rows("SELECT id FROM sends WHERE emptied ORDER BY id") { try $0.text("id") }
      }
    }
    #expect(try await marked(after: .days(30)) == [])
    #expect(try await marked(after: .days(30) + .seconds(1)) == ["silent"])
    #expect(try await marked(after: .days(90)) == ["silent"])
    #expect(try await marked(after: .days(90) + .seconds(1)) == ["reported", "silent"])
  }

  @Test("many sends without outcomes are marked before the others are looked at")
  func markLimit() async throws {
    let store = try SQLitePushStore(path: directory.path("limit.sqlite"))
    let fixture = try await StoreFixture(store, "many")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<OutdatedSends.markLimit {
        group.addTask { _ = try await fixture.accept("many-\(number)") }
      }
      try await group.waitForAll()
    }
    try await fixture.register(1)
    try await fixture.accept("sent")
    try await fixture.drain()
    func step() async throws -> (marked: Int, hasOutcome: Bool) {
      _ = try await store.removeOutdated(
        Retention(), at: Sample.now + .days(90) + .seconds(1), limit: 10)
      let marked = try await store.read { db in
        try db.row("SELECT count(*) AS count FROM sends WHERE emptied") { try $0.int("count") }
      }
      let outcome = try await store.outcome(of: "sent", app: fixture.app, device: 1)
      return (marked ?? 0, outcome != nil)
    }
    #expect(try await step() == (OutdatedSends.markLimit, true))
    #expect(try await step() == (OutdatedSends.markLimit, false))
    #expect(try await step() == (OutdatedSends.markLimit + 1, false))
  }

  @Test(
    "a receipt that another node takes from its cache is not kept once the send is emptied",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func otherNode() async throws {
    try await PostgreSQLCluster().use { cluster in
      let node = try await PostgreSQLPushStore(url: cluster.url, leaseClock: .caller)
      let other = try await PostgreSQLPushStore(url: cluster.url, leaseClock: .caller)
      let fixture = try await StoreFixture(node, "emptied")
      try await fixture.register(1)
      try await fixture.accept("emptied-push")
      try await fixture.drain()
      func report(_ id: String) async throws -> Int {
        let receipt = Receipt(
          id: id, send: "emptied-push", device: "emptied-0", event: .received, at: Sample.now)
        return try await other.record([receipt], app: fixture.app, at: Sample.now)
      }
      #expect(try await report("1") == 1)
      while try await node.removeOutdated(
        Retention(), at: Sample.now + .days(91), limit: 10)
      {}
      #expect(try await report("2") == 0)
      let device = try #require(try await node.device("emptied-0", app: fixture.app))
      let left = try await node.receipts(of: "emptied-push", device: device, app: fixture.app)
      #expect(left.isEmpty)
    }
  }
}
