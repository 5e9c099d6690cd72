import CPostgreSQL

/// One connection to a server, with the statements it has prepared.
///
/// Its calls block, and it belongs to one thread at a time; its owner sees to both (it is not
/// `Sendable`).
@safe package final class PostgreSQLConnection {
  private let connection: OpaquePointer
  /// The server's names of the statements prepared, by their text.
  private var statements: [String: String] = [:]
  private static let statementLimit = 200
  /// The server said that it ends the connection, which libpq sees only when it next reads.
  private var hasEnded = false

  /// Connects by an address in libpq's form, `postgres://a,b/db?target_session_attrs=read-write`.
  ///
  /// An error names no part of the address: there may be a password in it.
  package init(url: String) throws(PostgreSQLError) {
    guard let opened = unsafe PQconnectdb(url) else {
      throw PostgreSQLError(code: .connectionFailure, message: "out of memory", sql: "")
    }
    guard unsafe PQstatus(opened) == CONNECTION_OK else {
      let cause = unsafe String(cString: PQerrorMessage(opened))
      unsafe PQfinish(opened)  // the manual asks for it after a failure too
      throw PostgreSQLError(
        code: .connectionFailure, message: "cannot connect; " + Self.cure(cause), sql: "")
    }
    unsafe connection = opened
    // Notices would be printed to standard error.
    _ = unsafe PQsetNoticeProcessor(connection, { _, _ in }, nil)
  }

  /// What to do about libpq's words, which are not repeated: they quote the address.
  private static func cure(_ cause: String) -> String {
    let untrusted = ["certificate verify failed", "root certificate", "does not match host name"]
    if untrusted.contains(where: cause.contains) {
      return "its certificate is not trusted: check sslrootcert, and that the address has the name"
        + " that the certificate is for"
    }
    if cause.contains("does not support SSL") {
      return "the address asks for TLS, which the server does not offer"
    }
    return "check the address, the password and whether the server runs"
  }

  deinit { unsafe PQfinish(connection) }

  /// Whether the connection broke; ``reconnect()`` mends it.
  package var isBroken: Bool { unsafe hasEnded || PQstatus(connection) != CONNECTION_OK }

  /// Whether a transaction is open, failed ones among them.
  package var isInTransaction: Bool { unsafe PQtransactionStatus(connection) != PQTRANS_IDLE }

  /// Connects anew by the same address; on several hosts the first that fits.
  package func reconnect() throws(PostgreSQLError) {
    statements.removeAll()
    hasEnded = false
    unsafe PQreset(connection)
    guard !isBroken else {
      throw PostgreSQLError(
        code: .connectionFailure, message: "cannot connect again; the server is out of reach",
        sql: "")
    }
  }

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
    _ sql: String, _ values: [PostgreSQLValue] = [], _ map: (PostgreSQLRow) -> T
  ) throws(PostgreSQLError) -> [T] {
    let result = try answer(sql, values)
    return (0..<result.rowCount).map { map(PostgreSQLRow(result: result, row: Int32($0))) }
  }

  /// Runs a body in a transaction: committed where it returns, rolled back where it throws.
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

  // MARK: Notices

  /// What becomes readable when the server says something by itself.
  var socket: Int32 { unsafe PQsocket(connection) }

  /// Reads what has arrived, without waiting; `false` where the connection broke.
  func readInput() -> Bool {
    hasEnded = unsafe hasEnded || PQconsumeInput(connection) == 0
    return !hasEnded
  }

  /// Takes one notice out of what was read; `false` where there is none.
  func takeNotice() -> Bool {
    guard let notice = unsafe PQnotifies(connection) else { return false }
    unsafe PQfreemem(notice)
    return true
  }

  // MARK: Statements

  private func answer(
    _ sql: String, _ values: [PostgreSQLValue]
  ) throws(PostgreSQLError) -> PostgreSQLResult {
    // libpq takes text up to a zero, and the rest would be lost without a word.
    guard !values.contains(where: \.holdsZero) else {
      throw PostgreSQLError(
        code: .characterNotInRepertoire, message: "text with the character U+0000 cannot be stored",
        sql: sql)
    }
    let name = try prepared(sql)
    let parameters = values.map(\.parameter)
    // Each parameter with a zero behind it, one after the other; text ends at the zero.
    var bytes: [CChar] = []
    var starts: [Int?] = []
    for parameter in parameters {
      starts.append(parameter.bytes == nil ? nil : bytes.count)
      bytes += (parameter.bytes ?? []).map { CChar(bitPattern: $0) } + [0]
    }
    let lengths = parameters.map { Int32(clamping: $0.bytes?.count ?? 0) }
    let formats = parameters.map { Int32($0.isBinary ? 1 : 0) }
    let result = unsafe bytes.withUnsafeBufferPointer { buffer in
      let pointers = unsafe starts.map { start in
        unsafe start.flatMap { unsafe buffer.baseAddress?.advanced(by: $0) }
      }
      return unsafe PQexecPrepared(
        connection, name, Int32(values.count), pointers, lengths, formats, 0)
    }
    return unsafe try checked(result, sql)
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
    guard let raw = unsafe raw else {
      throw PostgreSQLError(
        code: .connectionFailure, message: "the connection to the server broke", sql: sql)
    }
    let result = unsafe PostgreSQLResult(owning: raw)
    guard result.isSuccess else {
      hasEnded = hasEnded || result.endsConnection
      throw result.error(sql: sql)
    }
    return result
  }
}
