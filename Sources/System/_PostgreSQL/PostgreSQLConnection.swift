import CPostgreSQL

/// One connection to a PostgreSQL server, with its prepared statements.
///
/// Calls block the thread. It is not `Sendable`; its owner ensures that only one thread at a time
/// uses it.
@safe package final class PostgreSQLConnection {
  let connection: OpaquePointer
  private let url: String
  /// The names of the prepared statements by their SQL.
  var statements: [String: String] = [:]
  private var statementCount = 0
  private static let statementLimit = 200
  /// The statements that are sent together with the next one.
  var queued: [Statement] = []
  /// Whether the server has announced the end of the connection, which libpq detects only at its
  /// next read.
  var hasEnded = false
  var planRenewal = PlanRenewal()

  /// Connects to a server.
  ///
  /// `url` is an address in libpq's form, `postgres://a,b/db?target_session_attrs=read-write`.
  /// Errors do not quote it, because it may contain a password.
  package init(url: String) throws(PostgreSQLError) {
    guard let opened = unsafe PQconnectdb(url) else {
      throw PostgreSQLError(code: .connectionFailure, message: "out of memory", sql: "")
    }
    guard unsafe PQstatus(opened) == CONNECTION_OK else {
      let cause = unsafe String(cString: PQerrorMessage(opened))
      unsafe PQfinish(opened)  // Required after a failure too (libpq, PQconnectdb).
      throw PostgreSQLError(
        code: .connectionFailure,
        message: "cannot connect: \(ConnectionProblem.sentence(for: cause))",
        sql: "")
    }
    unsafe connection = opened
    self.url = url
    // By default, notices are printed to standard error.
    _ = unsafe PQsetNoticeProcessor(connection, { _, _ in }, nil)
  }

  /// Makes another connection to the same address.
  package func makeSibling() throws(PostgreSQLError) -> PostgreSQLConnection {
    try PostgreSQLConnection(url: url)
  }

  deinit { unsafe PQfinish(connection) }

  /// Whether the connection broke, which is permanent.
  package var isBroken: Bool { unsafe hasEnded || PQstatus(connection) != CONNECTION_OK }

  /// Marks the connection as broken, so that another one replaces it.
  package func abandon() { hasEnded = true }

  /// Whether a transaction is open, even if it has failed.
  package var isInTransaction: Bool { unsafe PQtransactionStatus(connection) != PQTRANS_IDLE }

  /// Runs statements without values and results, separated by semicolons.
  package func execute(_ sql: String) throws(PostgreSQLError) {
    try flush()
    _ = unsafe try checked(PQexec(connection, sql), sql)
  }

  /// Runs one statement and returns the number of changed rows.
  @discardableResult
  package func run(
    _ sql: String, _ values: [PostgreSQLValue] = []
  ) throws(PostgreSQLError) -> Int {
    try answer(sql, values).changedCount
  }

  /// Runs one query and maps its rows.
  package func rows<T>(
    _ sql: String, _ values: [PostgreSQLValue] = [], map: (PostgreSQLRow) -> T
  ) throws(PostgreSQLError) -> [T] {
    try answer(sql, values).rows(map: map)
  }

  /// Runs a body in a transaction, which is rolled back if the body throws an error.
  package func transaction<T>(_ body: () throws -> T) throws -> T {
    try execute("BEGIN")
    do {
      let value = try body()
      try run("COMMIT")
      return value
    } catch {
      rollBack()
      throw error
    }
  }

  /// Ends the open transaction without its changes, if one is open.
  package func rollBack() {
    queued = []
    if !isBroken, isInTransaction { try? execute("ROLLBACK") }
  }

  // MARK: Notifications

  /// The socket, which becomes readable when a notification arrives.
  var socket: Int32 { unsafe PQsocket(connection) }

  /// Reads the received bytes without waiting; `false` if the connection broke.
  func readInput() -> Bool {
    hasEnded = unsafe hasEnded || PQconsumeInput(connection) == 0
    return !hasEnded
  }

  /// Removes one received notification; `false` if none is left.
  func removeNotification() -> Bool {
    guard let notification = unsafe PQnotifies(connection) else { return false }
    unsafe PQfreemem(notification)
    return true
  }

  // MARK: Statements

  private func answer(
    _ sql: String, _ values: [PostgreSQLValue]
  ) throws(PostgreSQLError) -> PostgreSQLResult {
    let statement = try Statement(sql, values)
    guard queued.isEmpty else { return try answer(statement) }
    let name = try prepared(sql)
    return unsafe try checked(
      statement.withParameters { pointers, lengths, formats in
        unsafe PQexecPrepared(
          connection, name, Int32(lengths.count), pointers, lengths, formats, 0)
      }, sql)
  }

  // MARK: Copying

  func beginCopying(_ sql: String) throws(PostgreSQLError) {
    try flush()
    _ = unsafe try checked(PQexec(connection, sql), sql)
  }

  /// Sends bytes that end with a row, and waits if the server is slower.
  func putCopied(_ bytes: [UInt8], _ sql: String) throws(PostgreSQLError) {
    let isSent = unsafe bytes.withUnsafeBytes { buffer in
      unsafe PQputCopyData(
        connection, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count))
    }
    guard isSent == 1 else {
      // The end of the copy returns the server's error.
      try endCopying(sql)
      throw .broken(sql)
    }
  }

  /// Ends a copy and waits for the server's answer.
  ///
  /// `reason` is a reason to discard the copy, which is then not an error.
  func endCopying(_ sql: String, because reason: String? = nil) throws(PostgreSQLError) {
    let isSent = unsafe PQputCopyEnd(connection, reason) == 1
    var failure: PostgreSQLError?
    while let raw = unsafe PQgetResult(connection) {
      do throws(PostgreSQLError) { _ = unsafe try checked(raw, sql) } catch { failure = error }
    }
    if let failure, reason == nil { throw failure }
    if !isSent { throw .broken(sql) }
  }

  private func prepared(_ sql: String) throws(PostgreSQLError) -> String {
    if let name = statements[sql] { return name }
    try makeRoomForStatements()
    let name = makeStatementName()
    _ = unsafe try checked(PQprepare(connection, name, sql, 0, nil), sql)
    statements[sql] = name
    return name
  }

  /// Removes the prepared statements if there are too many.
  func makeRoomForStatements() throws(PostgreSQLError) {
    guard statements.count >= Self.statementLimit else { return }
    _ = unsafe try checked(PQexec(connection, "DEALLOCATE ALL"), "DEALLOCATE ALL")
    statements.removeAll()
  }

  func makeStatementName() -> String {
    statementCount += 1
    return "s\(statementCount)"
  }

  func checked(
    _ raw: OpaquePointer?, _ sql: String
  ) throws(PostgreSQLError) -> PostgreSQLResult {
    guard let raw = unsafe raw else { throw .broken(sql) }
    let result = unsafe PostgreSQLResult(owning: raw)
    guard result.isSuccess else {
      hasEnded = hasEnded || result.endsConnection
      throw result.error(sql: sql)
    }
    return result
  }
}
