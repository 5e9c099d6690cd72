import PushModel
import _SQLite

/// The migrations of a SQLite file to this version's schema.
///
/// The file's `user_version` is the version of its schema. Its `application_id` says that it is a store.
enum SQLiteMigrations {
  /// "MRTL", which distinguishes a store from another program's SQLite file.
  static let applicationID: Int64 = 0x4D52_544C

  /// Applies the missing steps, all in one transaction.
  ///
  /// - Throws: The errors of ``version(of:path:steps:)``.
  static func run(
    on connection: SQLiteConnection, path: String, steps: SchemaSteps = .sqlite
  ) throws {
    guard try !areDone(on: connection, path: path, steps: steps) else { return }
    try connection.execute("BEGIN EXCLUSIVE")
    do {
      // Another process may have applied the steps before this one got the lock.
      let version = try version(of: connection, path: path, steps: steps)
      for (_, step) in steps.missing(at: version) { try connection.execute(step.statements) }
      try connection.execute(
        """
        PRAGMA application_id = \(applicationID); PRAGMA user_version = \(steps.newestVersion);
        COMMIT
        """)
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error
    }
  }

  /// Whether a file has the newest schema; the file is not changed.
  ///
  /// - Throws: The errors of ``version(of:path:steps:)``.
  static func areDone(
    on connection: SQLiteConnection, path: String, steps: SchemaSteps = .sqlite
  ) throws -> Bool {
    try version(of: connection, path: path, steps: steps) == steps.newestVersion
  }

  /// The version of a file's schema; 0 if the file has no schema.
  ///
  /// - Throws: ``StoreError/Code/cannotOpen`` for another program's file; ``StoreError/Code/newerVersion`` or
  ///   ``StoreError/Code/olderVersion`` for a schema that the steps cannot bring forward.
  @discardableResult
  static func version(
    of connection: SQLiteConnection, path: String, steps: SchemaSteps = .sqlite
  ) throws -> Int {
    let version = try connection.row("PRAGMA user_version") { Int($0.integer(0)) } ?? 0
    let owner = try connection.row("PRAGMA application_id") { $0.integer(0) } ?? 0
    let tables = try connection.row("SELECT count(*) FROM sqlite_schema") { $0.integer(0) } ?? 0
    guard owner == applicationID || (version == 0 && owner == 0 && tables == 0) else {
      throw StoreError(
        .cannotOpen, "\(path) is the database of another program; name another file")
    }
    // A file has one node, so programs of different versions never use it together.
    try steps.check(
      version, oldestUser: version, of: "the database \(path)",
      replacement: "an empty --data directory")
    return version
  }
}
