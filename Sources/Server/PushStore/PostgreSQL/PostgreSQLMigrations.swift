import _PostgreSQL

/// Brings a PostgreSQL database to this version's schema while other nodes use it.
///
/// The one row of `martlet_schema` is the version of the schema, with the oldest version whose
/// programs can use it. A step that nodes of an older version could not work with is applied only
/// while there are none (``PostgreSQLNodes``).
enum PostgreSQLMigrations {
  /// "MRTL": the node that applies the steps holds this advisory lock, and the others wait for it.
  private static let lock: Int64 = 0x4D52_544C

  /// Applies the steps that a database lacks, each in a transaction of its own that records its
  /// version.
  ///
  /// `lockWait` is how a step waits for those who use its tables.
  ///
  /// - Throws: A ``StoreError``, as ``version(of:steps:)`` does, ``StoreError/Code/nodesRunning``, and
  ///   ``StoreError/Code/locked``.
  static func run(
    on db: PostgreSQLConnection, steps: SchemaSteps = .postgreSQL,
    lockWait: PostgreSQLLockWait = PostgreSQLLockWait()
  ) throws {
    guard try !areDone(on: db, steps: steps) else { return }
    try lockWait.takeTurn(lock, to: "bring the database's schema forward", on: db)
    defer { _ = try? db.rows("SELECT pg_advisory_unlock($1)", [.integer(lock)]) { _ in } }
    // Another node may have applied them before this one got the lock.
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

  /// Whether a database has every step; it is not changed.
  ///
  /// It may have more, of a newer version, as long as this one can use it.
  ///
  /// - Throws: A ``StoreError``, as ``version(of:steps:)`` does.
  static func areDone(
    on db: PostgreSQLConnection, steps: SchemaSteps = .postgreSQL
  ) throws -> Bool {
    try version(of: db, steps: steps) >= steps.newestVersion
  }

  /// The version of a database's schema; 0 for a database without one.
  ///
  /// - Throws: ``StoreError/Code/cannotOpen`` for another program's database,
  ///   ``StoreError/Code/newerVersion`` and ``StoreError/Code/olderVersion`` for a schema that the
  ///   steps cannot bring forward and that this version cannot use.
  static func version(
    of db: PostgreSQLConnection, steps: SchemaSteps = .postgreSQL
  ) throws -> Int {
    // One statement, which sees one state of the database: another node may make the tables at this time.
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

  /// The version of a database that has had a schema; 0 where none is recorded.
  ///
  /// - Throws: What ``version(of:steps:)`` throws for a schema that this version cannot use.
  static func recordedVersion(
    of db: PostgreSQLConnection, steps: SchemaSteps
  ) throws -> Int {
    guard let (version, oldestUser) = try recorded(in: db) else { return 0 }
    try steps.check(
      version, oldestUser: oldestUser, of: "the database", replacement: "an empty database")
    return version
  }

  /// The row of a database's schema; `nil` where there is none.
  private static func recorded(
    in db: PostgreSQLConnection
  ) throws -> (version: Int, oldestUser: Int)? {
    // As JSON, for the table of an unreleased version has no `oldest_user`.
    try db.rows(
      """
      SELECT version, coalesce((to_jsonb(martlet_schema) ->> 'oldest_user')::BIGINT, version)
      FROM martlet_schema
      """
    ) { (Int($0.integer(0)), Int($0.integer(1))) }.first
  }
}
