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
/// A statement is a function of a table named `given`, which has the rows. PostgreSQL gets all rows as arrays in one
/// statement, because each statement is a round trip. SQLite has no round trips, so it runs the statement once for
/// each row.
extension SQLConnection {
  /// Runs a statement that changes rows for each of the passed `rows`.
  ///
  /// - Returns: The number of changed rows.
  func run(
    given columns: [GivenColumn], rows: [[SQLValue]], _ statement: (SQL) -> SQL
  ) throws -> Int {
    try dialect.tables(given: columns, rows).reduce(0) { try $0 + run(statement($1)) }
  }

  /// Queues a statement that changes rows for each of the passed `rows`.
  func queue(given columns: [GivenColumn], rows: [[SQLValue]], _ statement: (SQL) -> SQL) throws {
    for given in dialect.tables(given: columns, rows) { try queue(statement(given)) }
  }

  /// Runs a statement that changes rows and ends in `RETURNING`, and maps the rows that it returns.
  func run<T>(
    given columns: [GivenColumn], rows: [[SQLValue]], _ statement: (SQL) -> SQL,
    returning map: (inout SQLRow) throws -> T
  ) throws -> [T] {
    try dialect.tables(given: columns, rows).flatMap {
      try changedRows(statement($0), map: map)
    }
  }

  /// Runs one query with the passed `rows`, and maps the rows that it returns.
  func rows<T>(
    given columns: [GivenColumn], rows: [[SQLValue]], _ query: (SQL) -> SQL,
    map: (inout SQLRow) throws -> T
  ) throws -> [T] {
    try dialect.tables(given: columns, rows).flatMap { try self.rows(query($0), map: map) }
  }

  /// Runs the query of ``rows(given:rows:_:map:)`` ahead, if it is one query for all rows.
  func fetchAhead(
    given columns: [GivenColumn], rows: [[SQLValue]], _ query: (SQL) -> SQL
  ) throws {
    guard dialect.hasArrays else { return }
    for given in dialect.tables(given: columns, rows) { try fetchAhead(query(given)) }
  }
}

extension SQLDialect {
  /// The end of a condition that a column has one of the texts.
  func among(_ texts: some Sequence<String>) -> SQL { among(texts, .text) }
  func among(_ numbers: some Sequence<Int64>) -> SQL { among(numbers, .integer) }
  func among(_ blobs: some Sequence<[UInt8]>) -> SQL { among(blobs, .blob) }

  private func among(
    _ values: some Sequence<some SQLValueConvertible>, _ type: GivenColumn.ColumnType
  ) -> SQL {
    let list = SQLValue.list(values.map(\.sqlValue))
    return hasArrays
      ? "= ANY(CAST(\(list) AS \(raw: type.rawValue)[]))"
      : "IN (SELECT value FROM json_each(\(list)))"
  }

  /// A table with all rows or, without arrays, a table for each row.
  fileprivate func tables(given columns: [GivenColumn], _ rows: [[SQLValue]]) -> [SQL] {
    guard !rows.isEmpty else { return [] }
    guard hasArrays else {
      return rows.map { row in
        let values = zip(row, columns).map { "\($0) AS \(raw: $1.name)" as SQL }
        return "(SELECT \(values.joined(separator: ", "))) AS given"
      }
    }
    let lists = columns.enumerated().map { place, column in
      "CAST(\(.list(rows.map { $0[place] })) AS \(raw: column.type.rawValue)[])" as SQL
    }
    let names = columns.map(\.name).joined(separator: ", ")
    return ["unnest(\(lists.joined(separator: ", "))) AS given(\(raw: names))"]
  }
}
