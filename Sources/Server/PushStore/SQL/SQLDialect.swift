import PushPayload

/// The parts of statements that differ between SQLite and PostgreSQL.
struct SQLDialect: Sendable {
  /// The end of a query for a row that is changed afterwards, so that other transactions wait for the row.
  var forUpdate: SQL = ""
  /// The end of a query for a row that is deleted afterwards, so that no row that refers to it is added.
  var forDeletion: SQL = ""
  /// The end of a query for any due row, which skips rows that others have locked.
  var forUpdateSkippingLocked: SQL = ""
  /// A prefix of a column that keeps the planner from using the column's index, whose order is useless.
  var unindexed: SQL = ""
  /// Whether a parameter can be an array, so that one statement works on many rows.
  var hasArrays = false
  /// Whether the bytes of uploads are in rows, which all nodes share; otherwise each upload is a file.
  var holdsUploads = false

  /// SQLite has one writer at a time, so it needs no locks.
  static let sqlite = SQLDialect(unindexed: "+")
  static let postgreSQL = SQLDialect(
    forUpdate: " FOR NO KEY UPDATE", forDeletion: " FOR UPDATE",
    forUpdateSkippingLocked: " FOR NO KEY UPDATE SKIP LOCKED",
    hasArrays: true, holdsUploads: true)

  /// The query that lets only one transaction at a time change an app's devices; `nil` if all writes come one after
  /// the other.
  func deviceLock(of app: Int64) -> SQL? {
    hasArrays ? "SELECT 1 FROM apps WHERE number = \(app) FOR NO KEY UPDATE" : nil
  }

  /// The time by PostgreSQL's clock, in milliseconds.
  static let postgreSQLClock: SQL = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"

  /// The time of what is due at once: that of `column`, but not later than a clock that nodes share says.
  func atOnce(_ column: SQL) -> SQL {
    hasArrays
      ? "least(\(column), \(Self.postgreSQLClock))" : column
  }

  /// A table `given` whose column `value` has the texts of a JSON array.
  func given(_ texts: JSONValue) -> SQL {
    hasArrays
      ? "jsonb_array_elements_text(CAST(\(texts) AS JSONB)) AS given(value)"
      : "json_each(\(texts)) AS given"
  }
}
