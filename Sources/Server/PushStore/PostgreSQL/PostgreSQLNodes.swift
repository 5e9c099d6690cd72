import PushModel
import _PostgreSQL

/// The nodes that use a database, for changes of its schema.
///
/// Each connection with which a node reads and writes holds an advisory lock, shared with all others. A step with
/// which older nodes could not work takes the lock exclusively. It does not wait, and is refused while a node holds
/// the lock. An older node that had lost all its connections and connects again finds a schema that it does not know.
enum PostgreSQLNodes {
  /// "MRTN": the advisory lock that nodes share.
  private static let lock: Int64 = 0x4D52_544E

  /// Makes a connection hold the lock of nodes until it ends.
  ///
  /// - Throws: ``PostgreSQLError`` with the code ``PostgreSQLError/Code/schemaOutOfReach`` if this version cannot use
  ///   the schema, or another node is changing it.
  static func join(
    on db: PostgreSQLConnection, steps: SchemaSteps
  ) throws(PostgreSQLError) {
    let sql = "SELECT pg_try_advisory_lock_shared($1)"
    guard try db.rows(sql, [.integer(lock)], map: { $0.bool(0) }) == [true] else {
      throw PostgreSQLError(
        code: .schemaOutOfReach,
        message: "a newer martlet is changing the database's schema; try again", sql: sql)
    }
    try checkSchema(on: db, steps: steps)
  }

  /// Checks that this version can use the schema as it is now.
  ///
  /// - Throws: ``PostgreSQLError`` with the code ``PostgreSQLError/Code/schemaOutOfReach``.
  static func checkSchema(
    on db: PostgreSQLConnection, steps: SchemaSteps
  ) throws(PostgreSQLError) {
    do {
      _ = try PostgreSQLMigrations.recordedVersion(of: db, steps: steps)
    } catch let error as PostgreSQLError {
      throw error
    } catch {
      throw PostgreSQLError(code: .schemaOutOfReach, message: "\(error)", sql: "")
    }
  }

  /// Runs a body while no node uses the database or can begin to use it.
  ///
  /// - Throws: ``StoreError/Code/nodesRunning`` if a node uses the database.
  static func withoutNodes(
    on db: PostgreSQLConnection, _ body: () throws -> Void
  ) throws {
    let key = [PostgreSQLValue.integer(lock)]
    guard try db.rows("SELECT pg_try_advisory_lock($1)", key, map: { $0.bool(0) }) == [true] else {
      let running = try running(db).map(\.description).joined(separator: "; ")
      throw StoreError(
        .nodesRunning,
        "this martlet changes the database's schema in a way that older ones do not understand, and"
          + " these use it: \(running). Stop every older martlet serve, then start this one"
          + " (docs/server/operations.md, \"Upgrade several nodes\")")
    }
    defer { _ = try? db.rows("SELECT pg_advisory_unlock($1)", key) { _ in } }
    try body()
  }

  /// The programs whose connections hold the lock.
  private static func running(
    _ db: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [PostgreSQLClient] {
    try PostgreSQLClient.list(
      """
      SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND (classid::BIGINT << 32) | objid::BIGINT = $1 AND objsubid = 1
      """, [.integer(lock)], on: db)
  }
}

extension PostgreSQLError.Code {
  /// The code for a schema that this version cannot use, which is not one of PostgreSQL's SQLSTATEs.
  static let schemaOutOfReach = Self("MRTL1")
}
