import _PostgreSQL

/// Brings a database to this version's schema while others use it.
enum PostgreSQLMigrations {
  /// "MRTL": who brings the schema forward holds this lock, and the other nodes wait.
  private static let lock: Int64 = 0x4D52_544C

  /// Each step in a transaction of its own, with its number.
  ///
  /// - Throws: ``StoreError/Code/newerVersion`` where a newer martlet has written it.
  static func run(
    on db: PostgreSQLConnection, steps: [String] = PostgreSQLSchema.steps
  ) throws {
    if try version(of: db, newest: steps.count) == steps.count { return }
    _ = try db.rows("SELECT pg_advisory_lock($1)", [.integer(lock)]) { _ in }
    defer { _ = try? db.rows("SELECT pg_advisory_unlock($1)", [.integer(lock)]) { _ in } }
    // Another node may have been faster.
    let version = try version(of: db, newest: steps.count)
    for (number, step) in steps.enumerated().dropFirst(version) {
      try run(step, number: number + 1, on: db)
    }
  }

  /// Nodes that serve lock tables in an order of their own, so that one of two must give way.
  private static func run(
    _ step: String, number: Int, on db: PostgreSQLConnection, attempts: Int = 10
  ) throws {
    do {
      try db.transaction {
        try db.execute("CREATE TABLE IF NOT EXISTS martlet_schema (version BIGINT NOT NULL)")
        try db.execute(step)
        try db.run("DELETE FROM martlet_schema")
        try db.run("INSERT INTO martlet_schema VALUES ($1)", [.integer(Int64(number))])
      }
    } catch let error as PostgreSQLError where error.code == .deadlockDetected && attempts > 1 {
      try run(step, number: number, on: db, attempts: attempts - 1)
    }
  }

  /// 0 for a database without a schema.
  static func version(
    of db: PostgreSQLConnection, newest: Int = PostgreSQLSchema.steps.count
  ) throws -> Int {
    let exists = try db.rows("SELECT to_regclass('martlet_schema') IS NOT NULL") { $0.bool(0) }
    guard exists.first == true else {
      let taken = try db.rows("SELECT to_regclass('devices') IS NOT NULL") { $0.bool(0) }
      guard taken.first != true else {
        throw StoreError(
          .cannotOpen, "the database is that of another program; name another one")
      }
      return 0
    }
    let version = try db.rows("SELECT version FROM martlet_schema") { Int($0.integer(0)) }
    guard let version = version.first else { return 0 }
    guard version <= newest else {
      throw StoreError(
        .newerVersion,
        "the database is of version \(version) and this martlet knows up to \(newest);"
          + " run the newer martlet, or restore a backup made before the upgrade")
    }
    return version
  }
}
