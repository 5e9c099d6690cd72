/// A column of the rows that are passed to a statement.
struct GivenColumn {
  /// The type of the column on PostgreSQL.
  enum ColumnType: String {
    case integer = "BIGINT"
    case text = "TEXT"
    case bool = "BOOL"
    case blob = "BYTEA"
    case json = "JSONB"
  }

  let name: String
  let type: ColumnType

  static func integer(_ name: String) -> GivenColumn { GivenColumn(name: name, type: .integer) }
  static func text(_ name: String) -> GivenColumn { GivenColumn(name: name, type: .text) }
  static func bool(_ name: String) -> GivenColumn { GivenColumn(name: name, type: .bool) }
  static func blob(_ name: String) -> GivenColumn { GivenColumn(name: name, type: .blob) }
}

/// Statements for many rows.
///
/// PostgreSQL gets the rows as arrays in one statement, because each statement is a round trip. SQLite has no round
/// trips, so it runs the statement once for each row.
extension SQLConnection {
  /// Runs a statement that changes rows for each of the passed `rows`.
  ///
  /// In `sql`, the word `GIVEN` stands for a table named `given` with these columns. `values` start at `?1`.
  ///
  /// - Returns: The number of changed rows.
  func run(
    _ sql: String, _ values: [SQLValue], given columns: [GivenColumn], rows: [[SQLValue]]
  ) throws -> Int {
    guard !rows.isEmpty else { return 0 }
    let sql = dialect.completed(sql, given: columns, after: values.count)
    guard !dialect.hasArrays else {
      return try run(sql, values + Self.arrays(of: columns, rows))
    }
    return try rows.reduce(0) { try $0 + run(sql, values + $1) }
  }

  /// Queues a statement that changes rows for each of the passed `rows`.
  func queue(
    _ sql: String, _ values: [SQLValue], given columns: [GivenColumn], rows: [[SQLValue]]
  ) throws {
    guard !rows.isEmpty else { return }
    let sql = dialect.completed(sql, given: columns, after: values.count)
    guard !dialect.hasArrays else {
      return try queue(sql, values + Self.arrays(of: columns, rows))
    }
    for row in rows { try queue(sql, values + row) }
  }

  /// Runs a statement that changes rows and ends in `RETURNING`, and maps the rows that it returns.
  func run<T>(
    _ sql: String, _ values: [SQLValue], given columns: [GivenColumn], rows: [[SQLValue]],
    returning map: (inout SQLRow) throws -> T
  ) throws -> [T] {
    guard !rows.isEmpty else { return [] }
    let sql = dialect.completed(sql, given: columns, after: values.count)
    guard !dialect.hasArrays else {
      return try changedRows(sql, values + Self.arrays(of: columns, rows), map: map)
    }
    return try rows.flatMap { try changedRows(sql, values + $0, map: map) }
  }

  /// Runs one query with the passed `rows`, and maps the rows that it returns.
  func rows<T>(
    _ sql: String, _ values: [SQLValue], given columns: [GivenColumn], rows: [[SQLValue]],
    map: (inout SQLRow) throws -> T
  ) throws -> [T] {
    guard !rows.isEmpty else { return [] }
    let sql = dialect.completed(sql, given: columns, after: values.count)
    guard !dialect.hasArrays else {
      return try self.rows(sql, values + Self.arrays(of: columns, rows), map: map)
    }
    return try rows.flatMap { try self.rows(sql, values + $0, map: map) }
  }

  /// Runs the query of ``rows(_:_:given:rows:map:)`` ahead, if it is one query for all rows.
  func fetchAhead(
    _ sql: String, _ values: [SQLValue], given columns: [GivenColumn], rows: [[SQLValue]]
  ) throws {
    guard dialect.hasArrays, !rows.isEmpty else { return }
    try fetchAhead(
      SQLQuery(
        dialect.completed(sql, given: columns, after: values.count),
        values + Self.arrays(of: columns, rows)))
  }

  private static func arrays(of columns: [GivenColumn], _ rows: [[SQLValue]]) -> [SQLValue] {
    columns.indices.map { place in
      .list(rows.map { $0[place] })
    }
  }
}

extension SQLDialect {
  /// The end of a condition that a column has one of the values in a list, which is one parameter.
  func among(_ type: GivenColumn.ColumnType, _ mark: String = "?") -> String {
    hasArrays
      ? "= ANY(CAST(\(mark) AS \(type.rawValue)[]))" : "IN (SELECT value FROM json_each(\(mark)))"
  }

  fileprivate func completed(
    _ sql: String, given columns: [GivenColumn], after count: Int
  ) -> String {
    let marks = columns.indices.map { "?\(count + $0 + 1)" }
    let names = columns.map(\.name).joined(separator: ", ")
    let table =
      if hasArrays {
        "unnest("
          + zip(marks, columns).map { "CAST(\($0) AS \($1.type.rawValue)[])" }
          .joined(separator: ", ") + ") AS given(\(names))"
      } else {
        "(SELECT " + zip(marks, columns).map { "\($0) AS \($1.name)" }.joined(separator: ", ")
          + ") AS given"
      }
    return sql.replacing("GIVEN", with: table, maxReplacements: 1)
  }
}

extension SQLValue {
  /// A list for ``SQLDialect/among(_:_:)``.
  static func list(of numbers: some Sequence<Int64>) -> SQLValue { .list(numbers.map(integer)) }
  static func list(of blobs: some Sequence<[UInt8]>) -> SQLValue { .list(blobs.map(blob)) }
  static func list(of texts: some Sequence<String>) -> SQLValue { .list(texts.map(text)) }
}
