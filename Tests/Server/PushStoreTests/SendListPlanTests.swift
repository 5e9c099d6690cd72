import TestSupport
import Testing
import _PostgreSQL

@testable import PushModel
@testable import PushStore

@Suite("The plans of the list of notifications", .serialized, .timeLimit(.minutes(10)))
struct SendListPlanTests {
  static let queries = [
    SendQuery(), SendQuery("coat"), SendQuery("autumn coat", label: "sale"),
    SendQuery(label: "sale"), SendQuery(state: .sending), SendQuery("coat", state: .complete),
    .withoutTriggered, folded, inOrder(.oldest), inOrder(.next),
  ]

  private static var folded: SendQuery {
    var query = SendQuery.withoutTriggered
    query.foldsRuns = true
    return query
  }

  private static func inOrder(_ order: SendQuery.Order) -> SendQuery {
    var query = folded
    query.order = order
    return query
  }

  private let directory = TemporaryFolder()

  @Test("SQLite searches indexes and scans no table", arguments: queries)
  func sqlite(query: SendQuery) async throws {
    let store = try SQLitePushStore(path: directory.path("plan.sqlite"))
    let list = SendListQuery(query, app: 1)
    let steps = try await store.read { db in
      try [list.page(after: nil, limit: 50), list.count].flatMap { query in
        try db.rows("EXPLAIN QUERY PLAN \(query)") { row in
          row.skip("id")
          row.skip("parent")
          row.skip("notused")
          return try row.text("detail")
        }
      }
    }
    #expect(!steps.isEmpty)
    #expect(steps.allSatisfy { !$0.hasPrefix("SCAN") }, "\(steps)")
    if !query.words.isEmpty || query.label != nil {
      #expect(steps.contains { $0.contains("send_terms") && $0.hasPrefix("SEARCH") }, "\(steps)")
    }
  }

  @Test("the menu of audiences reads an index in its order, and names are looked up by id")
  func audienceNames() async throws {
    let store = try SQLitePushStore(path: directory.path("names.sqlite"))
    let steps = try await store.read { db in
      try [AudienceName.newest(500), "id \(db.dialect.among(["a", "b"]))"].map { condition in
        let query = AudienceName.query(where: condition, app: 1)
        return try db.rows("EXPLAIN QUERY PLAN \(query)") { row in
          row.skip("id")
          row.skip("parent")
          row.skip("notused")
          return try row.text("detail")
        }
      }
    }
    #expect(steps[0].count == 1 && steps[0][0].contains("USING INDEX audiences_by_app"), "\(steps)")
    #expect(steps[1].contains { $0.hasPrefix("SEARCH audiences") }, "\(steps)")
    #expect(!steps.joined().contains { $0.hasPrefix("SCAN audiences") }, "\(steps)")
  }

  @Test(
    "PostgreSQL searches the index of words among ten thousand notifications",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func postgreSQL() async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url, connections: 1)
      let fixture = try await StoreFixture(store, "plan")
      for number in 0..<10 { try await fixture.accept("s\(number)") { $0.name = "Coat \(number)" } }
      let db = try PostgreSQLConnection(url: cluster.url)
      try db.execute(
        """
        INSERT INTO send_terms (app, term, send)
        SELECT apps.number, 'w:word' || place, place FROM apps, generate_series(1, 200000) AS place;
        INSERT INTO sends
        SELECT (jsonb_populate_record(
          model, jsonb_build_object('id', 'n' || place, 'message_id', 'n' || place, 'number', 1000 + place))).*
        FROM (SELECT sends AS model FROM sends LIMIT 1) AS one, generate_series(1, 10000) AS place;
        ANALYZE send_terms, sends
        """)
      let list = SendListQuery(SendQuery("coat"), app: 1)
      let plan = try await store.read { db in
        try db.rows("EXPLAIN \(list.page(after: nil, limit: 50))") { row in
          try row.text("QUERY PLAN")
        }
      }
      #expect(plan.contains { $0.contains("send_terms_pkey") }, "\(plan)")
      #expect(!plan.contains { $0.contains("Seq Scan on send_terms") }, "\(plan)")
    }
  }
}
