import PushPayload

/// A value of a statement's parameter.
enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case bool(Bool)
  case text(String)
  case blob([UInt8])
  /// An array, which is a JSON array on SQLite.
  case list([SQLValue])

  static func optional(_ value: String?) -> SQLValue { value.map(text) ?? .null }
  static func optional(_ value: Int64?) -> SQLValue { value.map(integer) ?? .null }
  static func optional(_ value: Double?) -> SQLValue { value.map(real) ?? .null }
  static func time(_ time: Timestamp) -> SQLValue { .integer(time.milliseconds) }
  static func time(_ time: Timestamp?) -> SQLValue { .optional(time?.milliseconds) }
  static func json(_ value: JSONValue) -> SQLValue {
    .text(String(decoding: value.bytes, as: UTF8.self))
  }
}

/// A query with its values.
struct SQLQuery: Hashable {
  var sql: String
  var values: [SQLValue]

  init(_ sql: String, _ values: [SQLValue]) { (self.sql, self.values) = (sql, values) }
}

/// The connection that is passed to the body of a read or a write.
///
/// Statements mark their values as in SQLite, with `?` or `?1`. The call says whether a statement changes rows:
/// ``run(_:_:)``, ``run(_:_:returning:)`` and ``insert(into:columns:_:)`` change rows, while ``rows(_:_:map:)`` and
/// ``row(_:_:map:)`` only read.
protocol SQLConnection {
  var dialect: SQLDialect { get }
  /// Runs one statement that changes rows.
  ///
  /// - Returns: The number of changed rows.
  func run(_ sql: String, _ values: [SQLValue]) throws -> Int
  /// Queues one statement that changes rows, to run before the next statement or with the commit.
  ///
  /// If each statement is a round trip, queued statements share one. The next call throws the failure of a queued
  /// one. `changed` receives the number of changed rows when the statement has run.
  func queue(
    _ sql: String, _ values: [SQLValue], changed: @escaping (Int) -> Void
  ) throws
  /// Runs the queued statements.
  func flush() throws
  /// Runs a query before the next statement, so that both share a round trip, if statements need one. The next call
  /// that reads with this query gets the result.
  ///
  /// Until then, no statement may change the query's result.
  func fetchAhead(_ query: @autoclosure () -> SQLQuery) throws
  /// Makes the database plan the transaction's statements for the current size of their tables.
  ///
  /// It is for statements whose tables may have been small a moment ago.
  func planForSize() throws
  /// Runs one statement that changes rows and ends in `RETURNING`, and maps the first row that it
  /// returns.
  ///
  /// - Returns: `nil` if no row was changed.
  func run<T>(
    _ sql: String, _ values: [SQLValue], returning map: (inout SQLRow) throws -> T
  ) throws -> T?
  /// Runs one statement that changes rows and ends in `RETURNING`, and maps all rows that it returns.
  func changedRows<T>(
    _ sql: String, _ values: [SQLValue], map: (inout SQLRow) throws -> T
  ) throws -> [T]
  /// Adds new rows in the fastest way for many rows.
  ///
  /// `nextRow` is called for each row; `nil` ends the rows.
  func insert(into table: String, columns: [String], _ nextRow: () -> [SQLValue]?) throws
  /// Runs one query and reads its rows one after the other.
  func forEachRow(
    of sql: String, _ values: [SQLValue], _ read: (inout SQLRow) throws -> Void
  ) throws
  /// Runs one query and maps its first row; `nil` if the result is empty.
  func row<T>(_ sql: String, _ values: [SQLValue], map: (inout SQLRow) throws -> T) throws -> T?
}

// Nothing here stands in for a requirement: a connection that wraps another one must not lose what that one can do.
extension SQLConnection {
  func queue(_ sql: String, _ values: [SQLValue]) throws {
    try queue(sql, values) { _ in }
  }

  /// Runs one query and maps its rows.
  func rows<T>(_ sql: String, _ values: [SQLValue], map: (inout SQLRow) throws -> T) throws -> [T] {
    var rows: [T] = []
    try forEachRow(of: sql, values) { rows.append(try map(&$0)) }
    return rows
  }

  func rows<T>(_ query: SQLQuery, map: (inout SQLRow) throws -> T) throws -> [T] {
    try rows(query.sql, query.values, map: map)
  }

  func row<T>(_ query: SQLQuery, map: (inout SQLRow) throws -> T) throws -> T? {
    try row(query.sql, query.values, map: map)
  }

  func row<T>(_ sql: String, map: (inout SQLRow) throws -> T) throws -> T? {
    try row(sql, [], map: map)
  }
}

/// The parts of statements that differ between SQLite and PostgreSQL.
struct SQLDialect: Sendable {
  /// The end of a query for a row that is changed afterwards, so that other transactions wait for the row.
  var forUpdate = ""
  /// The end of a query for a row that is deleted afterwards, so that no row that refers to it is added.
  var forDeletion = ""
  /// The end of a query for any due row, which skips rows that others have locked.
  var forUpdateSkippingLocked = ""
  /// A prefix of a column that keeps the planner from using the column's index, whose order is useless.
  var unindexed = ""
  /// The query that lets only one transaction at a time change an app's devices.
  ///
  /// Its parameter is the app's number. It is `nil` if all writes come one after the other.
  var deviceLock: String?
  /// A table `given` whose column `value` has the texts of a JSON array, which is the only parameter.
  var givenTexts = "json_each(?) AS given"
  /// Whether a parameter can be an array, so that one statement works on many rows.
  var hasArrays = false
  /// Whether the bytes of uploads are in rows, which all nodes share; otherwise each upload is a file.
  var holdsUploads = false

  /// SQLite has one writer at a time, so it needs no locks.
  static let sqlite = SQLDialect(unindexed: "+")
  static let postgreSQL = SQLDialect(
    forUpdate: " FOR NO KEY UPDATE", forDeletion: " FOR UPDATE",
    forUpdateSkippingLocked: " FOR NO KEY UPDATE SKIP LOCKED",
    deviceLock: "SELECT 1 FROM apps WHERE number = ? FOR NO KEY UPDATE",
    givenTexts: "jsonb_array_elements_text(CAST(? AS JSONB)) AS given(value)", hasArrays: true,
    holdsUploads: true)
}

/// A store in a SQL database, whose connections a conforming type provides.
protocol SQLPushStore: PushStore {
  var dialect: SQLDialect { get }
  /// Makes a change of devices together with other changes of the app, and returns the changed devices.
  func change(_ change: DeviceChange, app: String) async throws(StoreError) -> [Device]
  /// The requests that wait to be committed together.
  var groups: WriteGroups { get }
  /// The record that is written into the transaction of each change through this store.
  var changeRecord: ChangeRecord? { get }
  /// Runs a body that writes, as ``write(repeatable:_:)`` does, but without the change's record.
  func writeUnrecorded<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T
  /// Runs a body that only reads.
  func read<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T
  /// Runs a body that reads a few rows by key.
  func readFewRows<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T
  /// Runs a body that writes in one transaction; the transaction is durable when this returns.
  ///
  /// The body is run again after a deadlock or a serialization failure.
  ///
  /// `repeatable` says whether the body may also run again after the connection broke during the commit. The
  /// transaction may then have been committed before.
  func write<T: Sendable>(
    repeatable: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T
  /// Runs a body that leases work, as ``write(repeatable:_:)`` does.
  ///
  /// Unless `mustSync` returns `true` for the body's value, the transaction may be lost if the store's machine loses
  /// power. The work is then due again. The body may run several times.
  func lease<T: Sendable>(
    syncedIf mustSync: @escaping @Sendable (T) -> Bool,
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T
  /// Tells other nodes that there may be work; a lost announcement does no harm, because they also poll.
  func announce()
  /// Removes overwritten values from files that the store itself manages.
  func purgeOverwrittenData() async throws(StoreError)
  /// The time by which the clock of leases is ahead of the caller's clock.
  ///
  /// `now` is the time by the caller's clock.
  func clockOffset(from now: Timestamp, _ db: any SQLConnection) throws -> Duration
  /// The query of ``clockOffset(from:_:)``, which can be fetched ahead; `nil` if the offset needs no query.
  var clockQuery: SQLQuery? { get }
}

extension SQLPushStore {
  var changeRecord: ChangeRecord? { nil }
  var clockQuery: SQLQuery? { nil }

  func writeUnrecorded<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await write(repeatable: false, body)
  }

  func lease<T: Sendable>(
    syncedIf mustSync: @escaping @Sendable (T) -> Bool,
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await write(repeatable: false, body)
  }

  func readFewRows<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await read(body)
  }

  func write<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await write(repeatable: false, body)
  }
}
