import PushPayload
import _SQLite

/// A connection to SQLite, for the statements of ``SQLPushStore``.
struct SQLiteSession: SQLConnection {
  let connection: SQLiteConnection

  var dialect: SQLDialect { .sqlite }

  func run(_ sql: SQL) throws -> Int { try connection.run(sql.text, sql.sqlite) }

  // SQLite runs a statement without a round trip, so none waits.

  func queue(_ sql: SQL, changed: @escaping (Int) -> Void) throws { changed(try run(sql)) }

  func flush() {}
  func fetchAhead(_ query: @autoclosure () -> SQL) {}
  func planForSize() {}

  func run<T>(_ sql: SQL, returning map: (inout SQLRow) throws -> T) throws -> T? {
    try first(sql, map: map)
  }

  func forEachRow(of sql: SQL, _ read: (inout SQLRow) throws -> Void) throws {
    assert(onlyReads(sql), "a statement that changes rows is for run: \(sql.text)")
    try readAll(of: sql, read)
  }

  func changedRows<T>(_ sql: SQL, map: (inout SQLRow) throws -> T) throws -> [T] {
    var rows: [T] = []
    try readAll(of: sql) { rows.append(try map(&$0)) }
    return rows
  }

  private func readAll(of sql: SQL, _ read: (inout SQLRow) throws -> Void) throws {
    var reader = RowReader()
    try connection.forEachRow(of: sql.text, sql.sqlite) { _ = reader.read($0, read) }
    try reader.finish(sql)
  }

  func row<T>(_ sql: SQL, map: (inout SQLRow) throws -> T) throws -> T? {
    assert(onlyReads(sql), "a statement that changes rows is for run: \(sql.text)")
    return try first(sql, map: map)
  }

  private func first<T>(_ sql: SQL, map: (inout SQLRow) throws -> T) throws -> T? {
    var reader = RowReader()
    let value = try connection.row(sql.text, sql.sqlite) { reader.read($0, map) }
    try reader.finish(sql)
    return value ?? nil
  }

  /// Whether SQLite says that a statement changes nothing.
  private func onlyReads(_ sql: SQL) -> Bool { (try? connection.onlyReads(sql.text)) ?? true }

  func insert(into table: String, columns: [String], _ nextRow: () -> [SQLValue]?) throws {
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let sql = "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))"
    try connection.run(sql) { nextRow()?.map(\.sqlite) }
  }
}

extension SQLiteRow: SQLRowValues {}

extension SQL {
  fileprivate var sqlite: [SQLiteValue] { values.map(\.sqlite) }
}

extension SQLValue {
  fileprivate var sqlite: SQLiteValue {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .bool(let truth): .bool(truth)
    case .text(let text): .text(text)
    case .blob(let bytes): .blob(bytes)
    case .list(let values):
      .text(String(decoding: JSONValue.array(values.map(\.json)).bytes, as: UTF8.self))
    }
  }

  /// The value as an element of a JSON array, in which bytes become null.
  private var json: JSONValue {
    switch self {
    case .null, .blob: .null
    case .integer(let number): .integer(number)
    case .real(let number): .number(number)
    case .bool(let truth): .bool(truth)
    case .text(let text): .string(text)
    case .list(let values): .array(values.map(\.json))
    }
  }
}
