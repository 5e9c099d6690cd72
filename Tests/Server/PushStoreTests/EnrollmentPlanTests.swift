import TestSupport
import Testing
import _PostgreSQL

@testable import PushModel
@testable import PushStore

@Suite("The plan of the enrollments that are due", .timeLimit(.minutes(10)))
struct EnrollmentPlanTests {
  private static let query = Enrollment.dueQuery(
    app: 1, trigger: 1, at: Sample.now, limit: 10_000)

  @Test("SQLite searches the index of those that wait")
  func sqlite() async throws {
    let directory = TemporaryFolder()
    let store = try SQLitePushStore(path: directory.path("plan.sqlite"))
    let steps = try await store.read { db in
      try db.rows("EXPLAIN QUERY PLAN \(Self.query)") { row in
        row.skip("id")
        row.skip("parent")
        row.skip("notused")
        return try row.text("detail")
      }
    }
    #expect(steps.count == 1 && steps[0].contains("enrollments_by_due"), "\(steps)")
  }

  @Test(
    "PostgreSQL searches the index among a hundred thousand",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func postgreSQL() async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url, connections: 1)
      let db = try PostgreSQLConnection(url: cluster.url)
      try db.execute(
        """
        INSERT INTO enrollments (app, trigger_number, person, round, step, due_at, entered_at)
        SELECT 1, 1, 'd' || place, 1, 1, \(Sample.now.milliseconds) + place * 1000, 0
        FROM generate_series(-50, 99950) AS place;
        ANALYZE enrollments
        """)
      let plan = try await store.read { db in
        try db.rows("EXPLAIN \(Self.query)") { try $0.text("QUERY PLAN") }
      }
      #expect(plan.contains { $0.contains("enrollments_by_due") }, "\(plan)")
    }
  }
}
