package import PushModel
import _PostgreSQL

/// A division of a Citus database's tables among its servers, by app.
///
/// Every row belongs to one app, and every key begins with the app's number. So the rows of an app are on one server,
/// and a statement of the store goes only to that server. Source: Citus documentation, "Creating and Modifying
/// Distributed Objects".
package enum PostgreSQLDivision {
  /// The tables of which every server has a whole copy, because divided tables refer to them.
  package static let copiedTables: Set = ["apps", "uploads"]
  /// The tables that stay on the coordinator, because they are read before the app is known or belong to no app.
  package static let coordinatorTables: Set = [
    "keys", "audit", "secret", "ended_sessions", "upload_pieces", "probes", "martlet_schema",
    "accounts", "account_roles", "account_links", "recovery_codes", "account_sessions",
    "account_identities", "account_passkeys", "test_budgets",
  ]

  /// The result of a division.
  package struct Result: Sendable {
    /// The names of the tables that were divided now; empty if all were divided before.
    package var divided: [String]
    /// The names of the tables that were copied to every server now.
    package var copied: [String]
    /// The number of servers that hold rows.
    package var servers: Int
  }

  /// Brings a database to this version's schema and divides its undivided tables.
  ///
  /// The tables are divided in one transaction, so an interrupted division changes nothing. Serving nodes wait for
  /// it, because it locks the tables. A repeated division changes nothing, or divides the tables that a newer version
  /// has added. `lockWait` says how it waits for the locks on the tables before it moves a row.
  ///
  /// - Throws: ``StoreError/Code/refused`` if the database does not have Citus, and the errors of the store's
  ///   initializer.
  package static func run(
    url: String, lockWait: PostgreSQLLockWait = PostgreSQLLockWait()
  ) async throws(StoreError) -> Result {
    try await PostgreSQLPushStore.withConnection(url: url) { db in
      try PostgreSQLMigrations.run(on: db, lockWait: lockWait)
      guard let servers = try servers(of: db) else {
        throw StoreError(
          .refused,
          "the database has no Citus; install it on every server, run CREATE EXTENSION citus there,"
            + " and name each worker with citus_add_node")
      }
      let names = try divide(db, lockWait).sorted()
      try removeRowsLeftBehind(db, lockWait)
      return Result(
        divided: names.filter { !copiedTables.contains($0) },
        copied: names.filter(copiedTables.contains), servers: servers)
    }
  }

  /// Whether tables of a database are divided.
  package static func isDivided(url: String) async throws(StoreError) -> Bool {
    try await PostgreSQLPushStore.withConnection(url: url) { db in
      guard try servers(of: db) != nil else { return false }
      return try db.rows("SELECT EXISTS (SELECT 1 FROM pg_dist_partition)") { $0.bool(0) } == [true]
    }
  }

  /// The number of servers that hold rows; `nil` if the database does not have Citus.
  private static func servers(of db: PostgreSQLConnection) throws -> Int? {
    let versions = try db.rows("SELECT extversion FROM pg_extension WHERE extname = 'citus'") {
      $0.text(0)
    }
    guard !versions.isEmpty else { return nil }
    let workers = try db.rows(
      "SELECT count(*) FROM pg_dist_node WHERE isactive AND shouldhaveshards"
    ) { $0.integer(0) }
    return max(1, Int(workers.first ?? 0))
  }

  /// The tables that must still be divided or copied to every server.
  ///
  /// Citus hides the pieces of divided tables from a session, except those that another session has made after this
  /// one planned its query.
  private static func undivided(_ db: PostgreSQLConnection) throws -> [String] {
    try db.rows(
      """
      SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace
      AND relkind IN ('r', 'p') AND NOT relispartition AND NOT relation_is_a_known_shard(oid)
      AND oid NOT IN (
        SELECT logicalrelid FROM pg_dist_partition
        WHERE partmethod = 'h' OR (partmethod = 'n' AND repmodel = 't'))
      """
    ) { $0.text(0) }
    .filter { !coordinatorTables.contains($0) }
  }

  /// Divides the tables that are not divided yet, with their rows.
  ///
  /// A table cannot be divided while a foreign key connects it with an undivided table, so the foreign keys are
  /// removed before and made anew after. All tables are locked first, so that no row is moved in vain.
  private static func divide(
    _ db: PostgreSQLConnection, _ lockWait: PostgreSQLLockWait
  ) throws -> [String] {
    guard try !undivided(db).isEmpty else { return [] }
    return try lockWait.run(to: "divide the database", on: db) { execute in
      let all = try (undivided(db) + references(db).flatMap { [$0.table, $0.other] })
      try execute(
        "LOCK TABLE \(Set(all).sorted().joined(separator: ", ")) IN ACCESS EXCLUSIVE MODE")
      // Another martlet may have divided tables before this one got the locks.
      let tables = try undivided(db)
      try db.execute("SET LOCAL citus.multi_shard_modify_mode = 'sequential'")
      let references = try references(db)
      for key in references {
        try db.execute("ALTER TABLE \(key.table) DROP CONSTRAINT \(key.name)")
      }
      for table in tables where copiedTables.contains(table) {
        try db.execute("SELECT create_reference_table('\(table)')")
      }
      // The first table decides which server has which app, and the others follow it.
      let first = "devices"
      if tables.contains(first) {
        try db.execute("SELECT create_distributed_table('\(first)', 'app')")
      }
      for table in tables where table != first && !copiedTables.contains(table) {
        try db.execute(
          "SELECT create_distributed_table('\(table)', 'app', colocate_with => '\(first)')")
      }
      for key in references {
        try db.execute("ALTER TABLE \(key.table) ADD CONSTRAINT \(key.name) \(key.definition)")
      }
      return tables
    }
  }

  /// The foreign keys between the tables of the store.
  private static func references(
    _ db: PostgreSQLConnection
  ) throws -> [(table: String, other: String, name: String, definition: String)] {
    try db.rows(
      """
      SELECT conrelid::regclass::text, confrelid::regclass::text, conname,
        pg_get_constraintdef(oid) FROM pg_constraint
      WHERE contype = 'f' AND conparentid = 0 AND NOT relation_is_a_known_shard(conrelid)
      AND connamespace = current_schema()::regnamespace
      """
    ) { (table: $0.text(0), other: $0.text(1), name: $0.text(2), definition: $0.text(3)) }
  }

  /// Frees the disk space of rows that were copied to the servers and are no longer read.
  private static func removeRowsLeftBehind(
    _ db: PostgreSQLConnection, _ lockWait: PostgreSQLLockWait
  ) throws {
    let tables = try db.rows(
      """
      SELECT logicalrelid::regclass::text FROM pg_dist_partition
      WHERE partmethod = 'h' AND pg_relation_size(logicalrelid) > 0
      """
    ) { $0.text(0) }
    for table in tables {
      try lockWait.run(
        "SELECT truncate_local_data_after_distributing_table('\(table)')",
        to: "free the disk of the rows of \(table), which is divided", on: db)
    }
  }
}
