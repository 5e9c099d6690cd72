import TestSupport
import Testing

@testable import _PostgreSQL

@Suite("Plans of prepared statements")
struct PlanRenewalTests {
  @Test("they are made anew after one use, two, four, eight and so on")
  func doubling() {
    var renewal = PlanRenewal()
    let now = ContinuousClock.now
    #expect((1...20).filter { _ in renewal.isDue(at: now) } == [1, 2, 4, 8, 16])
  }

  @Test("between these they are kept for five seconds, and not longer")
  func lifetime() {
    var renewal = PlanRenewal()
    let start = ContinuousClock.now
    for _ in 1...16 { _ = renewal.isDue(at: start) }
    let uses = [4999, 5000, 7000, 9999, 10_000, 60_000].map { milliseconds in
      renewal.isDue(at: start + .milliseconds(milliseconds))
    }
    #expect(uses == [false, true, false, false, true, true])
  }

  @Test(
    "a plan from when a table was small is not used for the large one",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func growth() async throws {
    try await PostgreSQLCluster().use { cluster in
      let connection = try PostgreSQLConnection(url: cluster.url)
      try connection.execute(
        "CREATE TABLE t (id bigint PRIMARY KEY); INSERT INTO t VALUES (1); ANALYZE t; BEGIN")
      /// Looks for a row, and says whether that read the whole table.
      func readsAll() throws -> Bool {
        func scans() throws -> Int64? {
          try connection.rows(
            "SELECT seq_scan FROM pg_stat_xact_user_tables WHERE relname = 't'"
          ) { $0.integer(0) }.first
        }
        let before = try scans()
        let found = try connection.rows("SELECT id FROM t WHERE id = $1", [.integer(1)]) {
          $0.integer(0)
        }
        #expect(found == [1])
        return try scans() != before
      }
      for _ in 1...10 { #expect(try readsAll()) }
      try connection.run("INSERT INTO t SELECT generate_series(2, 10000)")
      // Otherwise this test would say nothing.
      #expect(try readsAll())
      try connection.renewPlans()
      #expect(try !readsAll())
      try connection.execute("COMMIT")
    }
  }
}
