import _PostgreSQL

@testable import PushModel
@testable import PushStore

/// The tables that a distributed database partitions by app, read from the catalog.
struct PartitionedTables {
  let db: PostgreSQLConnection
  let names: [String]

  init(_ db: PostgreSQLConnection) throws {
    self.db = db
    let all = try db.rows(
      """
      SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
      AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname
      """
    ) { $0.text(0) }
    names = all.filter {
      !PostgreSQLDivision.copiedTables.union(PostgreSQLDivision.coordinatorTables).contains($0)
    }
  }

  /// A unique or a foreign key of a table.
  struct Key {
    var table: String
    var isPrimary: Bool
    var columns: [String]
  }

  /// The primary keys and the other unique keys.
  func uniqueKeys() throws -> [Key] {
    try db.rows(
      """
      SELECT indrelid::regclass::text, indisprimary, array_to_string(ARRAY(
        SELECT attname FROM unnest(indkey::smallint[]) WITH ORDINALITY AS place(number, rank)
        JOIN pg_attribute ON attrelid = indrelid AND attnum = number ORDER BY rank), ' ')
      FROM pg_index WHERE indisunique
      """
    ) { row in
      Key(
        table: row.text(0), isPrimary: row.bool(1) ?? false,
        columns: row.text(2).split(separator: " ").map(String.init))
    }.filter { names.contains($0.table) }
  }

  /// The foreign keys.
  func foreignKeys() throws -> [Key] {
    try db.rows(
      """
      SELECT conrelid::regclass::text, array_to_string(ARRAY(
        SELECT attname FROM unnest(conkey) WITH ORDINALITY AS place(number, rank)
        JOIN pg_attribute ON attrelid = conrelid AND attnum = number ORDER BY rank), ' ')
      FROM pg_constraint WHERE contype = 'f' AND conparentid = 0
      """
    ) { row in
      Key(
        table: row.text(0), isPrimary: false,
        columns: row.text(1).split(separator: " ").map(String.init))
    }.filter { names.contains($0.table) }
  }

  /// Replaces each table by one that is partitioned by the hash of the app, with all keys and
  /// indexes.
  ///
  /// PostgreSQL refuses a unique key without the app here, as a distributed database does.
  func partition(into parts: Int = 4) throws {
    let references = try db.rows(
      """
      SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
      WHERE contype = 'f'
      """
    ) { (table: $0.text(0), name: $0.text(1), definition: $0.text(2)) }
    .filter { names.contains($0.table) }
    try db.transaction {
      for key in references {
        try db.execute("ALTER TABLE \(key.table) DROP CONSTRAINT \(key.name)")
      }
      for table in names {
        try db.execute(
          """
          ALTER TABLE \(table) RENAME TO whole;
          CREATE TABLE \(table) (LIKE whole INCLUDING ALL) PARTITION BY HASH (app);
          """)
        for part in 0..<parts {
          try db.execute(
            """
            CREATE TABLE \(table)_\(part) PARTITION OF \(table)
            FOR VALUES WITH (MODULUS \(parts), REMAINDER \(part))
            """)
        }
        try db.execute("INSERT INTO \(table) SELECT * FROM whole; DROP TABLE whole")
      }
      for key in references { try db.execute("ALTER TABLE \(key.table) ADD \(key.definition)") }
    }
  }
}
