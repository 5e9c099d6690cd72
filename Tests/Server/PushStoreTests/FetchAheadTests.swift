import TestSupport
import Testing
import _PostgreSQL

@testable import PushModel
@testable import PushStore

@Suite(
  "Queries that share a round trip with the next statement", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct FetchAheadTests {
  private static let numbers: SQL = "SELECT id FROM t ORDER BY id"
  private static func number(_ id: Int) -> SQL { "SELECT id FROM t WHERE id = \(id)" }

  /// Runs a body in a transaction on a table `t` that has the numbers 1 and 2.
  private func inTransaction(_ body: (PostgreSQLSession) throws -> Void) async throws {
    try await PostgreSQLCluster().use { cluster in
      let connection = try PostgreSQLConnection(url: cluster.url)
      try connection.execute(
        "CREATE TABLE t (id bigint PRIMARY KEY); INSERT INTO t VALUES (1), (2)")
      try connection.queue("BEGIN")
      try body(PostgreSQLSession(connection: connection))
      try connection.run("COMMIT")
    }
  }

  private func found(_ query: SQL, _ session: PostgreSQLSession) throws -> [Int64] {
    try session.rows(query) { try $0.integer("id") }
  }

  @Test("a query that was sent ahead is answered once as it was then, and afterwards anew")
  func once() async throws {
    try await inTransaction { session in
      try session.fetchAhead(Self.numbers)
      try session.queue("INSERT INTO t VALUES (3)")
      #expect(try found(Self.numbers, session) == [1, 2])
      #expect(try found(Self.numbers, session) == [1, 2, 3])
    }
  }

  @Test("several are told apart by their values, in whichever order they are asked for")
  func values() async throws {
    try await inTransaction { session in
      for id in [1, 2, 9] { try session.fetchAhead(Self.number(id)) }
      #expect(try found(Self.number(9), session) == [])
      #expect(try session.row(Self.number(2)) { try $0.integer("id") } == 2)
      try session.queue("DELETE FROM t")
      #expect(try found(Self.number(1), session) == [1])
      #expect(try found(Self.number(2), session) == [])
    }
  }

  @Test("one that nobody asks for changes nothing, and another transaction does not get it")
  func unused() async throws {
    try await inTransaction { session in
      try session.fetchAhead(Self.numbers)
      #expect(try found(Self.number(1), session) == [1])
      try session.queue("DELETE FROM t")
      #expect(try found(Self.numbers, PostgreSQLSession(connection: session.connection)) == [])
    }
  }

  @Test("the error of one that fails is thrown where a row is asked for")
  func failure() async throws {
    try await inTransaction { session in
      try session.fetchAhead("SELECT id FROM no")
      let error = #expect(throws: PostgreSQLError.self) { try found(Self.numbers, session) }
      #expect(error?.code == .undefinedTable)
    }
  }
}
