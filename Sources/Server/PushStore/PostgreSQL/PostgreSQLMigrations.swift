import PushModel
import _PostgreSQL

/// The migrations of a PostgreSQL database to this version's schema, while other nodes use it.
///
/// The only row of `martlet_schema` has the version of the schema, and the oldest version whose programs can use it.
/// A step with which nodes of an older version could not work is applied only while no such node runs
/// (``PostgreSQLNodes``).
enum PostgreSQLMigrations {
  /// "MRTL": the advisory lock that the node that applies the steps holds, and for which the others wait.
  private static let lock: Int64 = 0x4D52_544C

  /// Applies the missing steps, each in its own transaction, which also records the version.
  ///
  /// `lockWait` says how a step waits for the locks on its tables.
  ///
  /// - Throws: The errors of ``version(of:steps:)``, ``StoreError/Code/nodesRunning``, and
  ///   ``StoreError/Code/locked``.
  static func run(
    on db: PostgreSQLConnection, steps: SchemaSteps = .postgreSQL,
    lockWait: PostgreSQLLockWait = PostgreSQLLockWait()
  ) throws {
    guard try !areDone(on: db, steps: steps) else { return }
    try lockWait.takeTurn(lock, to: "bring the database's schema forward", on: db)
    defer { _ = try? db.rows("SELECT pg_advisory_unlock($1)", [.integer(lock)]) { _ in } }
    // Another node may have applied steps before this one got the lock.
    let version = try version(of: db, steps: steps)
    func apply() throws {
      for (version, step) in steps.missing(at: version) {
        try lockWait.run(
          statements(of: step, to: version, oldestUser: steps.oldestUser(of: version)),
          to: "bring the database's schema to version \(version)", on: db)
      }
    }
    guard steps.needsNodesToEnd(at: version) else { return try apply() }
    try PostgreSQLNodes.withoutNodes(on: db, apply)
  }

  private static func statements(
    of step: SchemaSteps.Step, to version: Int, oldestUser: Int
  ) -> String {
    """
    CREATE TABLE IF NOT EXISTS martlet_schema (
      version BIGINT NOT NULL, oldest_user BIGINT NOT NULL
    );
    \(step.statements)
    ;
    DELETE FROM martlet_schema;
    INSERT INTO martlet_schema VALUES (\(version), \(oldestUser))
    """
  }

  /// Whether a database has every step; the database is not changed.
  ///
  /// It may also have steps of a newer version, as long as this version can use it.
  ///
  /// - Throws: The errors of ``version(of:steps:)``.
  static func areDone(
    on db: PostgreSQLConnection, steps: SchemaSteps = .postgreSQL
  ) throws -> Bool {
    try version(of: db, steps: steps) >= steps.newestVersion
  }

  /// The version of a database's schema; 0 if the database has no schema.
  ///
  /// - Throws: ``StoreError/Code/cannotOpen`` for another program's database; ``StoreError/Code/newerVersion`` or
  ///   ``StoreError/Code/olderVersion`` for a schema that this version can neither bring forward nor use.
  static func version(
    of db: PostgreSQLConnection, steps: SchemaSteps = .postgreSQL
  ) throws -> Int {
    // One statement sees one state of the database, even if another node is making the tables.
    let tables = try db.rows(
      """
      SELECT relname FROM pg_class
      WHERE relname IN ('martlet_schema', 'devices') AND pg_table_is_visible(oid)
      """
    ) { $0.text(0) }
    guard tables.contains("martlet_schema") else {
      guard !tables.contains("devices") else {
        throw StoreError(
          .cannotOpen, "the database is that of another program; name another one")
      }
      return 0
    }
    return try recordedVersion(of: db, steps: steps)
  }

  /// The recorded version of a database that has had a schema; 0 if no version is recorded.
  ///
  /// - Throws: The errors of ``version(of:steps:)`` for a schema that this version cannot use.
  static func recordedVersion(
    of db: PostgreSQLConnection, steps: SchemaSteps
  ) throws -> Int {
    guard let (version, oldestUser) = try recorded(in: db) else { return 0 }
    try steps.check(
      version, oldestUser: oldestUser, of: "the database", replacement: "an empty database")
    return version
  }

  /// The row of a database's schema; `nil` if `martlet_schema` is empty.
  private static func recorded(
    in db: PostgreSQLConnection
  ) throws -> (version: Int, oldestUser: Int)? {
    // As JSON, because the table of an unreleased version has no `oldest_user`.
    try db.rows(
      """
      SELECT version, coalesce((to_jsonb(martlet_schema) ->> 'oldest_user')::BIGINT, version)
      FROM martlet_schema
      """
    ) { (Int($0.integer(0)), Int($0.integer(1))) }.first
  }
}
