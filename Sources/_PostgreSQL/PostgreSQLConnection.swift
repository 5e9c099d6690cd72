import CPostgreSQL

/// One connection to a PostgreSQL server, with its prepared statements.
///
/// Calls block the thread. A connection is used by one thread at a time, which its owner ensures;
/// it is not `Sendable`.
@safe package final class PostgreSQLConnection {
  private let connection: OpaquePointer
  /// The names of the prepared statements by their text.
  private var statements: [String: String] = [:]
  private static let statementLimit = 200
  /// Whether the server has announced the end of the connection, which libpq notices only at its
  /// next read.
  private var hasEnded = false

  /// Connects to a server.
  ///
  /// `url` is an address in libpq's form, `postgres://a,b/db?target_session_attrs=read-write`.
  /// Errors do not quote it, for it may contain a password.
  package init(url: String) throws(PostgreSQLError) {
    guard let opened = unsafe PQconnectdb(url) else {
      throw PostgreSQLError(code: .connectionFailure, message: "out of memory", sql: "")
    }
    guard unsafe PQstatus(opened) == CONNECTION_OK else {
      let cause = unsafe String(cString: PQerrorMessage(opened))
      unsafe PQfinish(opened)  // Required after a failure too (libpq, PQconnectdb).
      throw PostgreSQLError(
        code: .connectionFailure, message: "cannot connect; " + Self.advice(for: cause), sql: "")
    }
    unsafe connection = opened
    // Notices would be printed to standard error.
    _ = unsafe PQsetNoticeProcessor(connection, { _, _ in }, nil)
  }

  /// What to do about an error of libpq, whose text is not repeated, for it quotes the address.
  private static func advice(for cause: String) -> String {
    let untrusted = ["certificate verify failed", "root certificate", "does not match host name"]
    if untrusted.contains(where: cause.contains) {
      return
        "the server's certificate is not trusted: check sslrootcert, and that the address has the"
        + " name that the certificate is for"
    }
    if cause.contains("does not support SSL") {
      return
        "the address asks for TLS, which the server does not offer: turn on its ssl, or change sslmode"
    }
    return "check the address, the password and whether the server runs"
  }

  deinit { unsafe PQfinish(connection) }

  /// Whether the connection broke; it stays broken.
  package var isBroken: Bool { unsafe hasEnded || PQstatus(connection) != CONNECTION_OK }

  /// Whether a transaction is open, be it a failed one.
  package var isInTransaction: Bool { unsafe PQtransactionStatus(connection) != PQTRANS_IDLE }

  /// Runs statements that take no values and return nothing, separated by semicolons.
  package func execute(_ sql: String) throws(PostgreSQLError) {
    _ = unsafe try checked(PQexec(connection, sql), sql)
  }

  /// Runs one statement and returns how many rows it changed.
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
    let result = try answer(sql, values)
    return (0..<result.rowCount).map { map(PostgreSQLRow(result: result, row: Int32($0))) }
  }

  /// Runs a body in a transaction, which is rolled back where the body throws.
  package func transaction<T>(_ body: () throws -> T) throws -> T {
    try execute("BEGIN")
    do {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      if !isBroken, isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }

  // MARK: Notifications

  /// The socket, which becomes readable with a notification.
  var socket: Int32 { unsafe PQsocket(connection) }

  /// Reads what has arrived without waiting; `false` where the connection broke.
  func readInput() -> Bool {
    hasEnded = unsafe hasEnded || PQconsumeInput(connection) == 0
    return !hasEnded
  }

  /// Removes one notification from what was read; `false` where there is none.
  func removeNotification() -> Bool {
    guard let notification = unsafe PQnotifies(connection) else { return false }
    unsafe PQfreemem(notification)
    return true
  }

  // MARK: Statements

  private func answer(
    _ sql: String, _ values: [PostgreSQLValue]
  ) throws(PostgreSQLError) -> PostgreSQLResult {
    // libpq ends text at a zero, so the rest would be lost without an error.
    guard !values.contains(where: \.holdsZero) else { throw .holdsZero(sql) }
    let name = try prepared(sql)
    let parameters = values.map(\.parameter)
    // The parameters one after the other, each followed by a zero, which ends text.
    var bytes: [UInt8] = []
    var starts: [Int?] = []
    for parameter in parameters {
      starts.append(parameter.bytes == nil ? nil : bytes.count)
      if let text = parameter.bytes { bytes += text }
      bytes.append(0)
    }
    let lengths = parameters.map { Int32(clamping: $0.bytes?.count ?? 0) }
    let formats = parameters.map { Int32($0.isBinary ? 1 : 0) }
    let result = unsafe bytes.withUnsafeBytes { buffer in
      let text = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      let pointers = unsafe starts.map { start in
        unsafe start.flatMap { unsafe text?.advanced(by: $0) }
      }
      return unsafe PQexecPrepared(
        connection, name, Int32(values.count), pointers, lengths, formats, 0)
    }
    return unsafe try checked(result, sql)
  }

  // MARK: Copying

  func beginCopying(_ sql: String) throws(PostgreSQLError) {
    _ = unsafe try checked(PQexec(connection, sql), sql)
  }

  /// Sends bytes that end with a row; waits where the server is slower.
  func putCopied(_ bytes: [UInt8], _ sql: String) throws(PostgreSQLError) {
    let isSent = unsafe bytes.withUnsafeBytes { buffer in
      unsafe PQputCopyData(
        connection, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count))
    }
    guard isSent == 1 else {
      // The end of the copy has the server's error.
      try endCopying(sql)
      throw .broken(sql)
    }
  }

  /// Ends a copy and waits for the server's answer.
  ///
  /// `reason` is a reason to discard the copy, which is then no error.
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
    if statements.count >= Self.statementLimit {
      try execute("DEALLOCATE ALL")
      statements.removeAll()
    }
    let name = "s\(statements.count)"
    _ = unsafe try checked(PQprepare(connection, name, sql, 0, nil), sql)
    statements[sql] = name
    return name
  }

  private func checked(
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
