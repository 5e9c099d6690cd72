import TestSupport
import Testing
import _PostgreSQL

@Suite(
  "A connection to PostgreSQL", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct ConnectionTests {
  @Test("copied rows are read as they were written, and a failed copy adds none")
  func copying() async throws {
    try await PostgreSQLCluster().use { cluster in
      let connection = try PostgreSQLConnection(url: cluster.url)
      try connection.execute(
        "CREATE TABLE t (id bigint PRIMARY KEY, name text, blob bytea, score float8, ok bool, tags text[])"
      )
      let columns = ["id", "name", "blob", "score", "ok", "tags"]
      let texts = ["it's ünï", "a\tb\nc\r\\d\\N", "\\N", "\\.", ""]
      let rows = (0..<5000).map { (number: Int) -> [PostgreSQLValue] in
        let bytes: [UInt8] = [0, UInt8(number % 256), 255]
        let truth: PostgreSQLValue = number.isMultiple(of: 2) ? .bool(true) : .null
        return [
          .integer(Int64(number)), .text(texts[number % 5]), .bytes(bytes),
          .real(Double(number) / 7), truth, .array([.text(texts[number % 5]), .null]),
        ]
      }
      func copy(_ rows: [[PostgreSQLValue]], to table: String, _ columns: [String]) throws {
        var rest = rows.makeIterator()
        try connection.copy(into: table, columns: columns) { rest.next() }
      }
      try copy(rows, to: "t", columns)
      let sql = "SELECT id, name, blob, score, ok, tags[1], tags[2] FROM t ORDER BY id"
      let read = try connection.rows(sql) { row in
        [
          .integer(row.integer(0)), .text(row.text(1)), .bytes(row.bytes(2)), .real(row.real(3)),
          row.bool(4).map(PostgreSQLValue.bool) ?? .null,
          .array([.text(row.text(5)), .optional(row.optionalText(6))]),
        ] as [PostgreSQLValue]
      }
      #expect(read == rows)
      try copy([], to: "t", columns)

      let failing: [([PostgreSQLValue], PostgreSQLError.Code)] = [
        ([.integer(0)], .uniqueViolation), ([.integer(9999)], .uniqueViolation),
      ]
      for (row, code) in failing {
        let more = [[.integer(9999)]] + (0..<20_000).map { _ in row }
        let error = #expect(throws: PostgreSQLError.self) {
          try copy(more, to: "t", ["id"])
        }
        #expect(error?.code == code)
      }
      let zero = #expect(throws: PostgreSQLError.self) {
        try copy(
          [[.integer(9999), .null], [.integer(1), .text("a\0")]], to: "t", ["id", "name"])
      }
      #expect(zero?.code == .characterNotInRepertoire)
      let unknown = #expect(throws: PostgreSQLError.self) {
        try copy([[.null]], to: "no", ["id"])
      }
      #expect(unknown?.code == .undefinedTable)
      #expect(try connection.rows("SELECT count(*) FROM t") { $0.integer(0) } == [5000])
    }
  }

  @Test("a caller looks on while statements wait for a lock, and gets their error")
  func waiting() async throws {
    try await PostgreSQLCluster().use { cluster in
      let holder = try PostgreSQLConnection(url: cluster.url)
      try holder.execute("CREATE TABLE t (id bigint)")
      try holder.execute("BEGIN; LOCK TABLE t")
      let waiting = try holder.makeSibling()
      var looks = 0
      try waiting.execute(
        "INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)", every: .milliseconds(10)
      ) {
        looks += 1
        if looks == 2 { try? holder.execute("COMMIT") }
      }
      #expect(looks >= 2)
      #expect(try waiting.rows("SELECT count(*) FROM t") { $0.integer(0) } == [2])

      let error = #expect(throws: PostgreSQLError.self) {
        try waiting.execute(
          "INSERT INTO t VALUES (3); SELECT 1 / 0; INSERT INTO t VALUES (4)", every: .seconds(60)
        ) {}
      }
      #expect(error?.code == PostgreSQLError.Code("22012"))
      #expect(try waiting.rows("SELECT count(*) FROM t") { $0.integer(0) } == [2])

      try holder.execute("BEGIN; LOCK TABLE t")
      let process = try waiting.rows("SELECT pg_backend_pid()") { $0.integer(0) }
      #expect(throws: PostgreSQLError.self) {
        try waiting.execute("INSERT INTO t VALUES (5)", every: .milliseconds(10)) {
          for process in process {
            _ = try? holder.run("SELECT pg_terminate_backend($1::INT)", [.integer(process)])
          }
        }
      }
      #expect(waiting.isBroken)
    }
  }

  @Test("values are read as they were written, and errors have a SQLSTATE")
  func statements() async throws {
    try await PostgreSQLCluster().use { cluster in
      let connection = try PostgreSQLConnection(url: cluster.url)
      try connection.execute(
        "CREATE TABLE t (id bigint PRIMARY KEY, name text, blob bytea, score float8, ok bool)")
      let bytes = (0...255).map { UInt8($0) }
      let values: [PostgreSQLValue] = [
        .integer(.min), .text("it's ünï"), .bytes(bytes), .real(0.1), .bool(true),
      ]
      let insert = "INSERT INTO t VALUES ($1, $2, $3, $4, $5)"
      #expect(try connection.run(insert, values) == 1)
      #expect(try connection.run(insert, [.integer(2), .null, .null, .null, .null]) == 1)
      let rows = try connection.rows("SELECT * FROM t ORDER BY id") { row in
        [
          .integer(row.integer(0)), .optional(row.optionalText(1)), .bytes(row.bytes(2)),
          .real(row.real(3)), row.bool(4).map(PostgreSQLValue.bool) ?? .null,
        ] as [PostgreSQLValue]
      }
      #expect(rows.first == values)
      #expect(rows.last?[1] == .null)
      let taken = #expect(throws: PostgreSQLError.self) { try connection.run(insert, values) }
      #expect(taken?.code == .uniqueViolation)
      #expect(taken?.description.contains("ünï") == false)
      let unknown = #expect(throws: PostgreSQLError.self) { try connection.run("SELECT 1 FROM no") }
      #expect(unknown?.code == .undefinedTable)

      // A transaction whose body throws is rolled back.
      #expect(throws: PostgreSQLError.self) {
        try connection.transaction {
          try connection.run("DELETE FROM t")
          try connection.execute("nonsense")
        }
      }
      #expect(!connection.isInTransaction)
      #expect(try connection.rows("SELECT count(*) FROM t") { $0.integer(0) } == [2])

      // More statements than are kept prepared.
      for number in 0...200 {
        #expect(try connection.rows("SELECT \(number)") { $0.integer(0) } == [Int64(number)])
      }
    }
  }

  @Test("arrays are read as they were written, whatever their values contain")
  func arrays() async throws {
    try await PostgreSQLCluster().use { cluster in
      let connection = try PostgreSQLConnection(url: cluster.url)
      let texts = [
        "", "NULL", "null", #"a"b"#, #"\"#, #"\\""#, "{1,2}", ",", " ", "a\tb\nc\r", "ünï 🎏", "'",
        "\\x00",
      ]
      let bytes: [[UInt8]] = [[], [0], (0...255).map { UInt8($0) }]
      let rows = texts.indices.map { place in
        [
          .integer(Int64(place) - 3), place == 4 ? .null : .text(texts[place]),
          place == 5 ? .null : .bytes(bytes[place % 3]), .real(Double(place) / 7),
          .bool(place.isMultiple(of: 2)),
        ] as [PostgreSQLValue]
      }
      let columns = rows[0].indices.map { column in PostgreSQLValue.array(rows.map { $0[column] }) }
      let sql = """
        SELECT * FROM unnest(CAST($1 AS BIGINT[]), CAST($2 AS TEXT[]), CAST($3 AS BYTEA[]),
          CAST($4 AS DOUBLE PRECISION[]), CAST($5 AS BOOL[]))
        """
      let read = try connection.rows(sql, columns) { row in
        [
          .integer(row.integer(0)), .optional(row.optionalText(1)),
          row.optionalBytes(2).map(PostgreSQLValue.bytes) ?? .null, .real(row.real(3)),
          row.bool(4).map(PostgreSQLValue.bool) ?? .null,
        ] as [PostgreSQLValue]
      }
      #expect(read == rows)
      let none = [PostgreSQLValue](repeating: .array([]), count: 5)
      #expect(try connection.rows(sql, none) { $0.integer(0) } == [])
      let zero = #expect(throws: PostgreSQLError.self) {
        try connection.run("SELECT CAST($1 AS TEXT[])", [.array([.text("a"), .text("b\0")])])
      }
      #expect(zero?.code == .characterNotInRepertoire)
    }
  }

  @Test("a connection to a server that stopped is broken, and another one reaches it once it runs")
  func restart() async throws {
    try await PostgreSQLCluster().use { cluster in
      let connection = try PostgreSQLConnection(url: cluster.url)
      #expect(try connection.rows("SELECT 1") { $0.integer(0) } == [1])
      try await cluster.stop("immediate")
      let broken = #expect(throws: PostgreSQLError.self) { try connection.run("SELECT 1") }
      #expect(connection.isBroken, "\(String(describing: broken))")
      #expect(throws: PostgreSQLError.self) { try PostgreSQLConnection(url: cluster.url) }
      try await cluster.start()
      #expect(throws: PostgreSQLError.self) { try connection.run("SELECT 1") }
      let other = try PostgreSQLConnection(url: cluster.url)
      #expect(try other.rows("SELECT 1") { $0.integer(0) } == [1])
    }
  }

  @Test("an error of connecting contains no password")
  func password() {
    let error = #expect(throws: PostgreSQLError.self) {
      try PostgreSQLConnection(url: "postgres://u:hunter2@%2Fnowhere/db?connect_timeout=2")
    }
    #expect(error?.code == .connectionFailure)
    #expect(error.map { "\($0) \($0.sql)".contains("hunter2") } == false)
  }
}
