import _PostgreSQL

/// The nodes that use a database, as its schema's changes see them.
///
/// Each connection with which a node reads and writes holds an advisory lock together with all
/// others. A step that older nodes could not work with takes the lock alone, so it waits for none
/// and is refused while there is one. A connection that is made afterwards, by an older node that had
/// lost all of its connections, finds a schema that it does not know.
enum PostgreSQLNodes {
  /// "MRTN".
  private static let lock: Int64 = 0x4D52_544E

  /// Makes a connection one of a node's: it holds the lock until it ends.
  ///
  /// - Throws: ``PostgreSQLError`` with the code ``PostgreSQLError/Code/schemaOutOfReach`` where
  ///   this version cannot use the schema, or another node is changing it.
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

  /// Runs a body while no node uses the database and none can begin to.
  ///
  /// - Throws: ``StoreError/Code/nodesRunning`` where one does.
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
  /// The schema is not one that this version can use; PostgreSQL has no such SQLSTATE.
  static let schemaOutOfReach = Self("MRTL1")
}
