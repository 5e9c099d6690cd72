import CSQLite

/// One connection to a database file, with its prepared statements.
///
/// It is not `Sendable`; its owner ensures that only one thread at a time uses it.
@safe package final class SQLiteConnection {
  private let database: OpaquePointer
  private var statements: [StatementText: SQLiteStatement] = [:]
  // Counting memory would lock a mutex of the whole process at each allocation, and the count is not used. SQLite
  // must be configured before its first connection.
  private static let memoryIsUncounted = martlet_sqlite3_leave_memory_uncounted() == SQLITE_OK
  /// Whether commits are synced to disk, as set by ``syncCommits(_:)``; `nil` if that is not known.
  private var areCommitsSynced: Bool?

  /// Opens a file, which is created if it does not exist.
  ///
  /// `busyTimeout` is how long a statement waits for another process's lock. `disk` is the name of a file system that is
  /// registered with SQLite, in place of the system's.
  package init(path: String, busyTimeout: Duration, disk: String? = nil) throws(SQLiteError) {
    _ = Self.memoryIsUncounted
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = unsafe sqlite3_open_v2(path, &opened, flags, disk)
    guard let handle = unsafe opened else {
      throw SQLiteError(code: .cannotOpen, message: "out of memory", sql: "")
    }
    guard code == SQLITE_OK else {
      let error = unsafe Self.error(of: handle, sql: "")
      _ = unsafe sqlite3_close(handle)
      throw error
    }
    unsafe database = handle
    let (seconds, attoseconds) = busyTimeout.components
    let milliseconds = Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    _ = unsafe sqlite3_busy_timeout(database, milliseconds)
  }

  deinit {
    statements.removeAll()
    _ = unsafe sqlite3_close_v2(database)
  }

  /// Runs statements without values and results, separated by semicolons.
  package func execute(_ sql: String) throws(SQLiteError) {
    guard unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw error(sql) }
  }

  /// Sets whether the next commits to a file with a write-ahead log are on disk when they return.
  ///
  /// If the machine loses power or its kernel crashes, unsynced commits may be lost until a later synced one. The
  /// file stays consistent. It must not be called in a transaction.
  /// (https://www.sqlite.org/pragma.html#pragma_synchronous)
  package func syncCommits(_ isSynced: Bool) throws(SQLiteError) {
    guard isSynced != areCommitsSynced else { return }
    areCommitsSynced = nil
    try execute("PRAGMA synchronous = \(isSynced ? "FULL" : "NORMAL")")
    areCommitsSynced = isSynced
  }

  /// Runs one statement and returns the number of changed rows.
  @discardableResult
  package func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> Int {
    let statement = try prepared(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() {}
    return Int(unsafe sqlite3_changes64(database))
  }

  /// Runs one statement without results for each row of values.
  ///
  /// `nextRow` is called for each row, and returns `nil` after the last one.
  package func run(_ sql: String, _ nextRow: () -> [SQLiteValue]?) throws(SQLiteError) {
    let statement = try prepared(sql)
    while let row = nextRow() {
      defer { statement.reset() }
      try statement.bind(row)
      while try statement.step() {}
    }
  }

  /// Runs one query and reads its rows one by one.
  ///
  /// For many rows it is faster than ``rows(_:_:map:)``, which is generic and is not specialized in other modules.
  package func forEachRow(
    of sql: String, _ values: [SQLiteValue] = [], _ read: (SQLiteRow) -> Void
  ) throws(SQLiteError) {
    let statement = try prepared(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() { read(SQLiteRow(statement: statement)) }
  }

  /// Runs one query and maps its rows.
  package func rows<T>(
    _ sql: String, _ values: [SQLiteValue] = [], map: (SQLiteRow) -> T
  ) throws(SQLiteError) -> [T] {
    var result: [T] = []
    try forEachRow(of: sql, values) { result.append(map($0)) }
    return result
  }

  /// Runs one query and maps its first row; `nil` if the query has no rows.
  package func row<T>(
    _ sql: String, _ values: [SQLiteValue] = [], map: (SQLiteRow) -> T
  ) throws(SQLiteError) -> T? {
    let statement = try prepared(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() ? map(SQLiteRow(statement: statement)) : nil
  }

  /// Whether a statement does not change the database, according to SQLite.
  package func onlyReads(_ sql: String) throws(SQLiteError) -> Bool { try prepared(sql).onlyReads }

  /// The number of pages in the write-ahead log at the last commit, after ``countLog()``.
  package private(set) var logPages = 0

  /// Starts counting the pages of the write-ahead log, and leaves checkpoints to the caller.
  package func countLog() {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe sqlite3_wal_hook(
      database,
      { context, _, _, pages in
        // The connection outlives the call.
        guard let context = unsafe context else { return SQLITE_OK }
        unsafe Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue().logPages =
          Int(pages)
        return SQLITE_OK
      }, context)
  }

  /// Makes a running statement fail when its task is cancelled.
  package func endWithTask() {
    // A thousand instructions of SQLite's virtual machine take far less than a millisecond.
    unsafe sqlite3_progress_handler(database, 1000, { _ in Task.isCancelled ? 1 : 0 }, nil)
  }

  /// Checkpoints as much of the log as possible without waiting for others.
  package func checkpoint() throws(SQLiteError) { try execute("PRAGMA wal_checkpoint(PASSIVE)") }

  /// Whether a transaction is open; SQLite itself rolls one back if the disk is full.
  package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(database) == 0 }

  /// A prepared statement; the last 200 are cached by their text.
  private func prepared(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    if let statement = statements[StatementText(sql: sql)] { return statement }
    var handle: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    guard unsafe sqlite3_prepare_v3(database, sql, -1, flags, &handle, nil) == SQLITE_OK,
      let handle = unsafe handle
    else { throw error(sql) }
    let statement = unsafe SQLiteStatement(owning: handle, of: database, sql: sql)
    if statements.count >= 200 { statements.removeAll() }
    statements[StatementText(sql: sql)] = statement
    return statement
  }

  private func error(_ sql: String) -> SQLiteError { unsafe Self.error(of: database, sql: sql) }

  static func error(of database: OpaquePointer, sql: String) -> SQLiteError {
    let message = unsafe String(cString: sqlite3_errmsg(database))
    let code = SQLiteError.Code(rawValue: unsafe sqlite3_errcode(database) & 0xff)
    return SQLiteError(code: code, message: message, sql: sql)
  }
}

/// The text of a statement as a key that hashes only its length, because hashing all of it would take as long as a
/// small statement.
private struct StatementText: Hashable {
  let sql: String

  func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
}
