import PushPayload

/// A value that a statement takes.
enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case bool(Bool)
  case text(String)
  case blob([UInt8])

  static func optional(_ value: String?) -> SQLValue { value.map(text) ?? .null }
  static func optional(_ value: Int64?) -> SQLValue { value.map(integer) ?? .null }
  static func optional(_ value: Double?) -> SQLValue { value.map(real) ?? .null }
  static func time(_ time: Timestamp) -> SQLValue { .integer(time.milliseconds) }
  static func time(_ time: Timestamp?) -> SQLValue { .optional(time?.milliseconds) }
  static func json(_ value: JSONValue) -> SQLValue {
    .text(String(decoding: value.bytes, as: UTF8.self))
  }
}

/// The connection of a read or a write, as its body sees it.
///
/// Statements mark their values as SQLite does, `?` or `?1`. Whether a statement changes rows is said
/// by the call that runs it: ``run(_:_:)``, ``run(_:_:returning:)`` and ``insert(into:columns:_:)``
/// change rows, ``rows(_:_:_:)`` and ``row(_:_:_:)`` only read.
protocol SQLConnection {
  var dialect: SQLDialect { get }
  /// Runs one statement that changes rows.
  ///
  /// - Returns: How many rows it changed.
  @discardableResult
  func run(_ sql: String, _ values: [SQLValue]) throws -> Int
  /// Runs one statement that changes rows and ends in `RETURNING`, and maps the first row that it
  /// returns.
  ///
  /// - Returns: `nil` where no row was changed.
  func run<T>(
    _ sql: String, _ values: [SQLValue], returning map: (inout SQLRow) -> T
  ) throws -> T?
  /// Adds new rows in the way that is fastest for many.
  ///
  /// - Parameter nextRow: Called for each row; `nil` ends the rows.
  func insert(into table: String, columns: [String], _ nextRow: () -> [SQLValue]?) throws
  /// Runs one query and maps its rows.
  func rows<T>(_ sql: String, _ values: [SQLValue], _ map: (inout SQLRow) -> T) throws -> [T]
  /// Runs one query and maps its first row; `nil` where there is none.
  func row<T>(_ sql: String, _ values: [SQLValue], _ map: (inout SQLRow) -> T) throws -> T?
}

extension SQLConnection {
  func row<T>(_ sql: String, _ map: (inout SQLRow) -> T) throws -> T? { try row(sql, [], map) }
}

/// What one database says otherwise than the other, or need not say.
struct SQLDialect: Sendable {
  /// Behind a query for a row that is then changed: others wait for it.
  var forUpdate = ""
  /// Behind a query for any one row that is due: what another has is passed over.
  var forUpdateSkippingLocked = ""
  /// Before a column, keeps the planner from its index, which has an order of no use.
  var unindexed = ""
  /// Makes an app's device changes come one transaction after the other; takes its number.
  var deviceLock: String?
  /// A JSON array's texts as a table `given` with a column `value`.
  var givenTexts = "json_each(?) AS given"
  /// Whether uploads are rows, for machines to share; otherwise each is a file of the one there is.
  var holdsUploads = false

  /// One writer at a time, who has it all.
  static let sqlite = SQLDialect(unindexed: "+")
  static let postgreSQL = SQLDialect(
    forUpdate: " FOR NO KEY UPDATE", forUpdateSkippingLocked: " FOR NO KEY UPDATE SKIP LOCKED",
    deviceLock: "SELECT 1 FROM apps WHERE number = ? FOR NO KEY UPDATE",
    givenTexts: "jsonb_array_elements_text(CAST(? AS JSONB)) AS given(value)", holdsUploads: true)
}

/// A store in a database that speaks SQL: all of it but how a connection is had.
protocol SQLPushStore: PushStore {
  var dialect: SQLDialect { get }
  /// Runs a body that only reads.
  func read<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T
  /// Runs a body that reads a few rows by their keys.
  func readFewRows<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T
  /// Runs a body that writes, in one transaction; when this returns it is durable. Where the
  /// database asks for it the body is run again: one that is `repeatable` also where nobody knows
  /// whether it was committed.
  func write<T: Sendable>(
    repeatable: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T
  /// Tells other nodes that there may be something to do; they find it without that too, later.
  func announce()
  /// Leaves nothing behind of what was overwritten, as far as that is the store's to do.
  func purgeOverwrittenData() async throws(StoreError)
  /// How far the clock that leases are kept by is ahead of the caller's.
  func clockOffset(from now: Timestamp, _ db: any SQLConnection) throws -> Duration
}

extension SQLPushStore {
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
