import _PostgreSQL

/// A connection to PostgreSQL, for the statements of ``SQLPushStore``.
struct PostgreSQLSession: SQLConnection {
  let connection: PostgreSQLConnection
  /// The answers of one transaction, for which the session is made.
  private let ahead = FetchedAnswers()

  init(connection: PostgreSQLConnection) { self.connection = connection }

  var dialect: SQLDialect { .postgreSQL }

  func run(_ sql: SQL) throws -> Int { try connection.run(sql.text, sql.postgreSQL) }

  func queue(_ sql: SQL, changed: @escaping (Int) -> Void) throws {
    try connection.queue(sql.text, sql.postgreSQL) { changed($0.changedCount) }
  }

  func flush() throws { try connection.flush() }

  func fetchAhead(_ query: @autoclosure () -> SQL) throws {
    let query = query()
    ahead.answers.updateValue(nil, forKey: query)
    try connection.queue(query.text, query.postgreSQL) { [ahead] answer in
      ahead.answers[query] = answer
    }
  }

  func planForSize() throws { try connection.renewPlans() }

  /// Returns and forgets the answer to a query that was fetched ahead; `nil` if it was not fetched ahead.
  private func fetchedAnswer(to query: SQL) throws -> PostgreSQLResult? {
    guard let answer = ahead.answers[query] else { return nil }
    if answer == nil { try connection.flush() }
    return ahead.answers.removeValue(forKey: query) ?? nil
  }

  func run<T>(_ sql: SQL, returning map: (inout SQLRow) throws -> T) throws -> T? {
    try row(sql, map: map)
  }

  func changedRows<T>(_ sql: SQL, map: (inout SQLRow) throws -> T) throws -> [T] {
    try rows(sql, map: map)
  }

  func forEachRow(of sql: SQL, _ read: (inout SQLRow) throws -> Void) throws {
    var reader = RowReader()
    if let answer = try fetchedAnswer(to: sql) {
      _ = answer.rows { reader.read($0, read) }
    } else {
      _ = try connection.rows(sql.text, sql.postgreSQL) { reader.read($0, read) }
    }
    try reader.finish(sql)
  }

  func row<T>(_ sql: SQL, map: (inout SQLRow) throws -> T) throws -> T? {
    try rows(sql, map: map).first
  }

  func insert(into table: String, columns: [String], _ nextRow: () -> [SQLValue]?) throws {
    try connection.copy(into: table, columns: columns) { nextRow()?.map(\.postgreSQL) }
  }
}

/// The answers to queries that were sent ahead, by query; `nil` until a query is answered.
private final class FetchedAnswers {
  var answers: [SQL: PostgreSQLResult?] = [:]
}

extension PostgreSQLRow: SQLRowValues {
  package func optionalBlob(_ column: Int32) -> [UInt8]? { optionalBytes(column) }
}

extension SQL {
  fileprivate var postgreSQL: [PostgreSQLValue] { values.map(\.postgreSQL) }
}

extension SQLValue {
  fileprivate var postgreSQL: PostgreSQLValue {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .bool(let truth): .bool(truth)
    case .text(let text): .text(text)
    case .blob(let bytes): .bytes(bytes)
    case .list(let values): .array(values.map(\.postgreSQL))
    }
  }
}
