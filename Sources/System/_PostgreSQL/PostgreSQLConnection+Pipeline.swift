import CPostgreSQL

/// Statements that are sent together, so that the server is waited for once (libpq, "Pipeline Mode").
extension PostgreSQLConnection {
  /// Adds a statement that returns nothing to those that are sent together with the next one.
  ///
  /// They run in their order, before the next one. Where one fails, the later ones do not run and the
  /// next call throws its error, so this is for statements of one transaction. What they return is kept
  /// in memory, also while later ones are sent.
  ///
  /// `onAnswer` gets what the statement returns, during the next call.
  ///
  /// - Throws: A value that PostgreSQL cannot store is refused at once.
  package func queue(
    _ sql: String, _ values: [PostgreSQLValue] = [], onAnswer: ((PostgreSQLResult) -> Void)? = nil
  ) throws(PostgreSQLError) {
    var statement = try Statement(sql, values)
    statement.onAnswer = onAnswer
    queued.append(statement)
  }

  /// Whether a queued statement has not been sent.
  package var hasQueued: Bool { !queued.isEmpty }

  /// Runs the queued statements.
  package func flush() throws(PostgreSQLError) {
    guard let last = queued.popLast() else { return }
    _ = try answer(last)
  }

  /// Runs the queued statements and then one more, and returns the answer to that.
  func answer(_ last: Statement) throws(PostgreSQLError) -> PostgreSQLResult {
    let all = queued + [last]
    queued = []
    try makeRoomForStatements()
    var sent: [SentPart] = []
    guard unsafe PQenterPipelineMode(connection) == 1,
      all.allSatisfy({ send($0, &sent) }), unsafe PQpipelineSync(connection) == 1
    else {
      // The server waits for the rest, so the connection is of no more use.
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
        // Those that follow a failure are not run.
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

  /// A statement, or its preparation, that has a result of its own.
  private typealias SentPart = (statement: Statement, isPreparation: Bool)

  /// Sends a statement, after its preparation where it was not prepared before.
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

  /// Reads up to the end of the results of one part.
  private func readEnd() {
    while let more = unsafe PQgetResult(connection) { unsafe PQclear(more) }
  }
}

/// A statement with its values.
struct Statement {
  let sql: String
  private let values: [PostgreSQLValue]
  /// What gets the answer, where it is not the caller's own statement.
  var onAnswer: ((PostgreSQLResult) -> Void)?

  init(_ sql: String, _ values: [PostgreSQLValue]) throws(PostgreSQLError) {
    // libpq ends text at a zero, so the rest would be lost without an error.
    guard !values.contains(where: \.holdsZero) else { throw .holdsZero(sql) }
    (self.sql, self.values) = (sql, values)
  }

  /// Calls a body with the values as libpq takes them: where each begins, its length and its format.
  func withParameters<T>(_ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> T) -> T {
    // The parameters one after the other, each followed by a zero, which ends text.
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
