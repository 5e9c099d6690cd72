import TestSupport
import Testing
import _PostgreSQL

@Suite(
  "Statements that are sent together to PostgreSQL", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PipelineTests {
  private static let insert = "INSERT INTO t VALUES ($1)"

  /// Runs a body with a connection to a database that has a table `t` of unique numbers.
  private func withTable(_ body: (PostgreSQLConnection, PostgreSQLCluster) async throws -> Void)
    async throws
  {
    try await PostgreSQLCluster().use { cluster in
      let connection = try PostgreSQLConnection(url: cluster.url)
      try connection.execute("CREATE TABLE t (id bigint PRIMARY KEY)")
      try await body(connection, cluster)
    }
  }

  private func numbers(_ connection: PostgreSQLConnection) throws -> [Int64] {
    try connection.rows("SELECT id FROM t ORDER BY id") { $0.integer(0) }
  }

  @Test("queued statements run in their order before the next one, whatever that is")
  func order() async throws {
    try await withTable { connection, _ in
      for number in 1...3 { try connection.queue(Self.insert, [.integer(Int64(number))]) }
      #expect(try numbers(connection) == [1, 2, 3])
      try connection.queue("DELETE FROM t")
      #expect(try connection.run(Self.insert, [.integer(4)]) == 1)
      #expect(try numbers(connection) == [4])
      try connection.queue(Self.insert, [.integer(5)])
      try connection.execute("DELETE FROM t; SELECT 1")
      #expect(try numbers(connection) == [])
      try connection.queue(Self.insert, [.integer(6)])
      var copied = [[PostgreSQLValue.integer(7)]].makeIterator()
      try connection.copy(into: "t", columns: ["id"]) { copied.next() }
      #expect(try numbers(connection) == [6, 7])
    }
  }

  @Test("a transaction of queued statements is sent with its commit, or is rolled back")
  func transactions() async throws {
    try await withTable { connection, _ in
      try connection.queue("BEGIN")
      try connection.queue(Self.insert, [.integer(1)])
      #expect(!connection.isInTransaction)
      try connection.run("COMMIT")
      #expect(!connection.isInTransaction)
      try connection.queue("BEGIN")
      try connection.queue(Self.insert, [.integer(2)])
      connection.rollBack()
      #expect(try numbers(connection) == [1])
      try connection.queue("BEGIN")
      #expect(try connection.run(Self.insert, [.integer(3)]) == 1)
      #expect(connection.isInTransaction)
      try connection.queue(Self.insert, [.integer(4)])
      connection.rollBack()
      #expect(try numbers(connection) == [1])
    }
  }

  @Test(
    "the first failure is thrown, what follows it does not run, and the connection stays usable",
    arguments: [0, 1, 2], ["INSERT INTO t VALUES (1)", "nonsense", "SELECT * FROM no"])
  func failure(place: Int, statement: String) async throws {
    try await withTable { connection, _ in
      try connection.run(Self.insert, [.integer(1)])
      for _ in 0..<2 {
        var statements = (2...3).map { "INSERT INTO t VALUES (\($0))" }
        statements.insert(statement, at: place)
        try connection.queue("BEGIN")
        for statement in statements { try connection.queue(statement) }
        let error = #expect(throws: PostgreSQLError.self) { try connection.run("COMMIT") }
        let codes: [PostgreSQLError.Code] = [.uniqueViolation, .syntaxError, .undefinedTable]
        #expect(codes.contains { $0 == error?.code })
        #expect(!connection.isBroken)
        connection.rollBack()
        #expect(!connection.isInTransaction)
        #expect(try numbers(connection) == [1])
      }
      // Statements that were not prepared because of the failure are prepared when they run.
      for number in 2...3 { try connection.queue("INSERT INTO t VALUES (\(number))") }
      #expect(try numbers(connection) == [1, 2, 3])
    }
  }

  @Test("queued queries give what they find at their place, and nothing after a failure")
  func answers() async throws {
    try await withTable { connection, _ in
      var found: [[Int64]] = []
      func queueQuery() throws {
        try connection.queue("SELECT id FROM t ORDER BY id") { answer in
          found.append(answer.rows { $0.integer(0) })
        }
      }
      try connection.queue("BEGIN")
      for number in 1...2 {
        try connection.queue(Self.insert, [.integer(Int64(number))])
        try queueQuery()
      }
      #expect(found.isEmpty)
      try connection.run("COMMIT")
      #expect(found == [[1], [1, 2]])
      try queueQuery()
      try connection.flush()
      #expect(found.count == 3)
      try queueQuery()
      try connection.queue(Self.insert, [.integer(1)])
      try queueQuery()
      #expect(throws: PostgreSQLError.self) { try connection.flush() }
      #expect(found == [[1], [1, 2], [1, 2], [1, 2]])
      #expect(try numbers(connection) == [1, 2])
    }
  }

  @Test("text that cannot be stored is refused when it is queued, and the rest is sent")
  func zero() async throws {
    try await withTable { connection, _ in
      try connection.queue(Self.insert, [.integer(1)])
      let error = #expect(throws: PostgreSQLError.self) {
        try connection.queue("SELECT CAST($1 AS TEXT)", [.text("a\0b")])
      }
      #expect(error?.code == .characterNotInRepertoire)
      #expect(try numbers(connection) == [1])
    }
  }

  @Test("more statements than are kept prepared can be queued")
  func many() async throws {
    try await withTable { connection, _ in
      for round in 0..<2 {
        for number in 1...250 {
          try connection.queue(
            "INSERT INTO t VALUES (\(number) + $1)", [.integer(1000 * Int64(round))])
        }
        #expect(try numbers(connection).count == 250 * (round + 1))
      }
    }
  }

  @Test("a large answer does not keep what is queued after it from being sent")
  func large() async throws {
    try await withTable { connection, _ in
      var found = 0
      // More than the buffers of both sockets hold.
      let size = Tier.sample(2_000_000, of: 10_000_000)
      let text = String(repeating: "a", count: size)
      for _ in 1...3 {
        try connection.queue("SELECT repeat('b', \(size)), CAST($1 AS TEXT)", [.text(text)]) {
          found += $0.rows { $0.text(0).utf8.count + $0.text(1).utf8.count }.reduce(0, +)
        }
      }
      try connection.flush()
      #expect(found == 6 * size)
    }
  }

  @Test("a connection that was ended says so, and is not used again")
  func ended() async throws {
    try await withTable { connection, cluster in
      let process = try connection.rows("SELECT pg_backend_pid()") { $0.integer(0) }[0]
      try await cluster.query("SELECT pg_terminate_backend(\(process), 10000)")
      try connection.queue("BEGIN")
      try connection.queue(Self.insert, [.integer(1)])
      let error = #expect(throws: PostgreSQLError.self) { try connection.run("COMMIT") }
      #expect(["08", "57"].contains { $0 == error?.code.family })
      #expect(connection.isBroken)
      connection.rollBack()
      let again = try PostgreSQLConnection(url: cluster.url)
      #expect(try numbers(again) == [])
    }
  }
}
