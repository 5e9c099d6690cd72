import Synchronization
import _PostgreSQL

/// A connection to PostgreSQL, for the statements of ``SQLPushStore``.
struct PostgreSQLSession: SQLConnection {
  let connection: PostgreSQLConnection
  /// The answers of one transaction, for which the session is made.
  private let ahead = FetchedAnswers()

  init(connection: PostgreSQLConnection) { self.connection = connection }

  var dialect: SQLDialect { .postgreSQL }

  func run(_ sql: String, _ values: [SQLValue]) throws -> Int {
    try connection.run(Self.numbered(sql), values.map(\.postgreSQL))
  }

  func queue(_ sql: String, _ values: [SQLValue], changed: @escaping (Int) -> Void) throws {
    try connection.queue(Self.numbered(sql), values.map(\.postgreSQL)) {
      changed($0.changedCount)
    }
  }

  func flush() throws { try connection.flush() }

  func fetchAhead(_ query: @autoclosure () -> SQLQuery) throws {
    let query = query()
    ahead.answers.updateValue(nil, forKey: query)
    let values = query.values.map(\.postgreSQL)
    try connection.queue(Self.numbered(query.sql), values) { [ahead] answer in
      ahead.answers[query] = answer
    }
  }

  func planForSize() throws { try connection.renewPlans() }

  /// Returns and forgets the answer to a query that was fetched ahead; `nil` if it was not fetched ahead.
  private func fetchedAnswer(to query: SQLQuery) throws -> PostgreSQLResult? {
    guard let answer = ahead.answers[query] else { return nil }
    if answer == nil { try connection.flush() }
    return ahead.answers.removeValue(forKey: query) ?? nil
  }

  func run<T>(
    _ sql: String, _ values: [SQLValue], returning map: (inout SQLRow) throws -> T
  ) throws -> T? {
    try row(sql, values, map: map)
  }

  func changedRows<T>(
    _ sql: String, _ values: [SQLValue], map: (inout SQLRow) throws -> T
  ) throws -> [T] {
    try rows(sql, values, map: map)
  }

  func forEachRow(
    of sql: String, _ values: [SQLValue], _ read: (inout SQLRow) throws -> Void
  ) throws {
    var reader = RowReader()
    if let answer = try fetchedAnswer(to: SQLQuery(sql, values)) {
      _ = answer.rows { reader.read($0, read) }
    } else {
      _ = try connection.rows(Self.numbered(sql), values.map(\.postgreSQL)) {
        reader.read($0, read)
      }
    }
    try reader.finish(sql)
  }

  func row<T>(_ sql: String, _ values: [SQLValue], map: (inout SQLRow) throws -> T) throws -> T? {
    try rows(sql, values, map: map).first
  }

  func insert(into table: String, columns: [String], _ nextRow: () -> [SQLValue]?) throws {
    try connection.copy(into: table, columns: columns) { nextRow()?.map(\.postgreSQL) }
  }

  private static let known = Mutex<[String: String]>([:])

  /// Replaces `?1` by `$1`, and `?` by `$` and the next number after the highest one before it.
  static func numbered(_ sql: String) -> String {
    if let text = known.withLock({ $0[sql] }) { return text }
    var text = ""
    var highest = 0
    var rest = sql[...]
    while let mark = rest.firstIndex(of: "?") {
      text += rest[..<mark]
      rest = rest[rest.index(after: mark)...]
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest[digits.endIndex...]
      let number = Int(digits) ?? highest + 1
      highest = max(highest, number)
      text += "$\(number)"
    }
    text += rest
    known.withLock { [text] known in
      if known.count >= 500 { known.removeAll() }
      known[sql] = text
    }
    return text
  }
}

/// The answers to queries that were sent ahead, by query; `nil` until a query is answered.
private final class FetchedAnswers {
  var answers: [SQLQuery: PostgreSQLResult?] = [:]
}

extension PostgreSQLRow: SQLRowValues {
  package func optionalBlob(_ column: Int32) -> [UInt8]? { optionalBytes(column) }
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
