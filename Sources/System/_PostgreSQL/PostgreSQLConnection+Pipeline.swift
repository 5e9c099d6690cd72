import CPostgreSQL

/// Statements that are sent together, so that the server's answer is awaited only once (libpq, "Pipeline Mode").
extension PostgreSQLConnection {
  /// Adds a statement without results that is sent together with the next one.
  ///
  /// The statements run in order before the next one. If one fails, the later ones do not run and the
  /// next call throws its error, so they must belong to one transaction. Their answers stay in memory
  /// while later statements are sent.
  ///
  /// `onAnswer` is called with the statement's answer during the next call.
  ///
  /// - Throws: An error if PostgreSQL cannot store a value.
  package func queue(
    _ sql: String, _ values: [PostgreSQLValue] = [], onAnswer: ((PostgreSQLResult) -> Void)? = nil
  ) throws(PostgreSQLError) {
    var statement = try Statement(sql, values)
    statement.onAnswer = onAnswer
    queued.append(statement)
  }

  /// Whether a queued statement was not sent yet.
  package var hasQueued: Bool { !queued.isEmpty }

  /// Runs the queued statements.
  package func flush() throws(PostgreSQLError) {
    guard let last = queued.popLast() else { return }
    _ = try answer(last)
  }

  /// Runs the queued statements and one more, and returns the answer to the last one.
  func answer(_ last: Statement) throws(PostgreSQLError) -> PostgreSQLResult {
    let all = queued + [last]
    queued = []
    try makeRoomForStatements()
    var sent: [SentPart] = []
    guard unsafe PQenterPipelineMode(connection) == 1,
      all.allSatisfy({ send($0, &sent) }), unsafe PQpipelineSync(connection) == 1
    else {
      // The server waits for the rest, so the connection cannot be used any more.
      hasEnded = true
      throw .broken(last.sql)
    }
    var outcome = Result<PostgreSQLResult, PostgreSQLError>.failure(.broken(last.sql))
    for (place, part) in sent.enumerated() {
      let raw = unsafe PQgetResult(connection)
      do throws(PostgreSQLError) {
        let result = try unsafe checked(raw, part.statement.sql)
        readEnd()
        if !part.isPreparation { part.statement.onAnswer?(result) }
        outcome = .success(result)
      } catch {
        // The statements after a failed one did not run.
        for part in sent[place...] where part.isPreparation { statements[part.statement.sql] = nil }
        for _ in sent[place...] where !isBroken { readEnd() }
        outcome = .failure(error)
        break
      }
    }
    if !isBroken { unsafe PQclear(PQgetResult(connection)) }
    hasEnded = unsafe hasEnded || PQexitPipelineMode(connection) != 1
    return try outcome.get()
  }

  /// A statement or its preparation, which has its own result.
  private typealias SentPart = (statement: Statement, isPreparation: Bool)

  /// Sends a statement, preceded by its preparation if it was not prepared before.
  private func send(_ statement: Statement, _ sent: inout [SentPart]) -> Bool {
    var name = statements[statement.sql]
    if name == nil {
      let new = makeStatementName()
      guard unsafe PQsendPrepare(connection, new, statement.sql, 0, nil) == 1 else { return false }
      statements[statement.sql] = new
      sent.append((statement, true))
      name = new
    }
    sent.append((statement, false))
    return unsafe statement.withParameters { pointers, lengths, formats in
      unsafe PQsendQueryPrepared(
        connection, name, Int32(lengths.count), pointers, lengths, formats, 0)
    } == 1
  }

  /// Reads the remaining results of one part.
  private func readEnd() {
    while let more = unsafe PQgetResult(connection) { unsafe PQclear(more) }
  }
}

/// A statement with its values.
struct Statement {
  let sql: String
  private let values: [PostgreSQLValue]
  /// The closure for the answer; `nil` if the caller gets the answer.
  var onAnswer: ((PostgreSQLResult) -> Void)?

  init(_ sql: String, _ values: [PostgreSQLValue]) throws(PostgreSQLError) {
    // In libpq text ends at a zero, so the rest would be lost without an error.
    guard !values.contains(where: \.holdsZero) else { throw .holdsZero(sql) }
    (self.sql, self.values) = (sql, values)
  }

  /// Calls a body with the values in libpq's form: the start, the length and the format of each.
  func withParameters<T>(_ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> T) -> T {
    // The values are stored one after the other, and each is followed by a zero, which ends text.
    var bytes: [UInt8] = []
    var starts: [Int?] = []
    var lengths: [Int32] = []
    for value in values {
      let start = bytes.count
      value.append(toParameter: &bytes)
      starts.append(value.isNull ? nil : start)
      lengths.append(Int32(clamping: bytes.count - start))
      bytes.append(0)
    }
    let formats = values.map { Int32($0.isBinary ? 1 : 0) }
    return unsafe bytes.withUnsafeBytes { buffer in
      let text = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      let pointers = unsafe starts.map { start in
        unsafe start.flatMap { unsafe text?.advanced(by: $0) }
      }
      return unsafe body(pointers, lengths, formats)
    }
  }
}
