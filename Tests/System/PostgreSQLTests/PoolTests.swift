import TestSupport
import Testing

@testable import _PostgreSQL

@Suite(
  "A pool of connections to a server that does not answer", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PoolTests {
  private static let soon = Duration.milliseconds(300)

  @Test("a statement of a server that hangs ends at its deadline, and others that wait at theirs")
  func hanging() async throws {
    try await PostgreSQLCluster().use { cluster in
      let pool = PostgreSQLPool(url: cluster.url, size: 1, patience: .seconds(3600))
      try await pool.run { db in try db.execute("SELECT 1") }
      try await cluster.suspend()
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            let error = await #expect(throws: PostgreSQLError.self) {
              try await pool.run(pool.deadline(ContinuousClock.now + Self.soon)) { db in
                try db.execute("SELECT 1")
              }
            }
            #expect(error?.code == .connectionFailure)
          }
        }
      }
      try await cluster.resume()
      let count = try await pool.run { db in try db.rows("SELECT 1") { $0.integer(0) } }
      #expect(count == [1])
    }
  }

  @Test("a statement that is slow ends at its deadline, and the server ends it too")
  func slow() async throws {
    try await PostgreSQLCluster().use { cluster in
      let pool = PostgreSQLPool(url: cluster.url, size: 1) { db throws(PostgreSQLError) in
        try db.execute("SET client_connection_check_interval = '100ms'")
      }
      // Connecting alone may take longer than the deadline.
      try await pool.run { db in try db.execute("SELECT 1") }
      let error = await #expect(throws: PostgreSQLError.self) {
        try await pool.run(pool.deadline(ContinuousClock.now + Self.soon)) { db in
          try db.execute("SELECT pg_sleep(3600)")
        }
      }
      #expect(error?.message == "the server did not answer in time")
      let running = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'"
      while try await cluster.query(running) != "0" {}
    }
  }

  @Test("a server that is away fails calls at their deadline, and a call without patience at once")
  func away() async throws {
    try await PostgreSQLCluster().use { cluster in
      try await cluster.stop("immediate")
      let patient = PostgreSQLPool(url: cluster.url, size: 2, patience: .seconds(3600))
      let error = await #expect(throws: PostgreSQLError.self) {
        try await patient.run(patient.deadline(ContinuousClock.now + .seconds(3))) { db in
          try db.execute("SELECT 1")
        }
      }
      #expect(error?.message.hasPrefix("cannot connect: ") == true)
      let impatient = PostgreSQLPool(url: cluster.url, size: 2, patience: .zero)
      await #expect(throws: PostgreSQLError.self) {
        try await impatient.run { db in try db.execute("SELECT 1") }
      }
    }
  }

  @Test("closing ends what waits and what follows, where the server is away")
  func closing() async throws {
    try await PostgreSQLCluster().use { cluster in
      let pool = PostgreSQLPool(url: cluster.url, size: 1, patience: .seconds(3600))
      try await pool.run { db in try db.execute("SELECT 1") }
      try await cluster.suspend()
      let calls = (0..<3).map { _ in
        Task { try await pool.run { db in try db.execute("SELECT 1") } }
      }
      pool.close(within: Self.soon)
      for call in calls {
        await #expect(throws: PostgreSQLError.self) { try await call.value }
      }
      for _ in 0..<5 {
        await #expect(throws: PostgreSQLError.self) {
          try await pool.run { db in try db.execute("SELECT 1") }
        }
      }
      try await cluster.resume()
    }
  }
}
