import PushModel

/// The connection that is passed to the body of a read or a write.
///
/// The call says whether a statement changes rows: ``run(_:)``, ``run(_:returning:)`` and
/// ``insert(into:columns:_:)`` change rows, while ``rows(_:map:)`` and ``row(_:map:)`` only read.
protocol SQLConnection {
  var dialect: SQLDialect { get }
  /// Runs one statement that changes rows.
  ///
  /// - Returns: The number of changed rows.
  func run(_ sql: SQL) throws -> Int
  /// Queues one statement that changes rows, to run before the next statement or with the commit.
  ///
  /// If each statement is a round trip, queued statements share one. The next call throws the failure of a queued
  /// one. `changed` receives the number of changed rows when the statement has run.
  func queue(_ sql: SQL, changed: @escaping (Int) -> Void) throws
  /// Runs the queued statements.
  func flush() throws
  /// Runs a query before the next statement, so that both share a round trip, if statements need one. The next call
  /// that reads with this query gets the result.
  ///
  /// Until then, no statement may change the query's result.
  func fetchAhead(_ query: @autoclosure () -> SQL) throws
  /// Makes the database plan the transaction's statements for the current size of their tables.
  ///
  /// It is for statements whose tables may have been small a moment ago.
  func planForSize() throws
  /// Runs one statement that changes rows and ends in `RETURNING`, and maps the first row that it
  /// returns.
  ///
  /// - Returns: `nil` if no row was changed.
  func run<T>(_ sql: SQL, returning map: (inout SQLRow) throws -> T) throws -> T?
  /// Runs one statement that changes rows and ends in `RETURNING`, and maps all rows that it returns.
  func changedRows<T>(_ sql: SQL, map: (inout SQLRow) throws -> T) throws -> [T]
  /// Adds new rows in the fastest way for many rows.
  ///
  /// `nextRow` is called for each row; `nil` ends the rows.
  func insert(into table: String, columns: [String], _ nextRow: () -> [SQLValue]?) throws
  /// Runs one query and reads its rows one after the other.
  func forEachRow(of sql: SQL, _ read: (inout SQLRow) throws -> Void) throws
  /// Runs one query and maps its first row; `nil` if the result is empty.
  func row<T>(_ sql: SQL, map: (inout SQLRow) throws -> T) throws -> T?
}

// Nothing here stands in for a requirement: a connection that wraps another one must not lose what that one can do.
extension SQLConnection {
  func queue(_ sql: SQL) throws {
    try queue(sql) { _ in }
  }

  /// Runs one query and maps its rows.
  func rows<T>(_ sql: SQL, map: (inout SQLRow) throws -> T) throws -> [T] {
    var rows: [T] = []
    try forEachRow(of: sql) { rows.append(try map(&$0)) }
    return rows
  }
}
