import _PostgreSQL

@testable import PushStore

/// The tables that a distributed database divides by app, as its catalog tells of them.
struct PartitionedTables {
  /// Those that stay whole, for who reads them knows no app yet, or belongs to none.
  static let whole: Set = [
    "apps", "keys", "audit", "uploads", "upload_pieces", "probes", "martlet_schema",
  ]

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
    names = all.filter { !Self.whole.contains($0) }
  }

  /// A key of a table: its own or one that points to another, and the columns it is made of.
  struct Key {
    var table: String
    var isPrimary: Bool
    var columns: [String]
  }

  /// The primary keys, and every other unique one.
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
        table: row.text(0), isPrimary: row.bool(1),
        columns: row.text(2).split(separator: " ").map(String.init))
    }.filter { names.contains($0.table) }
  }

  /// The columns that point to rows of other tables.
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

  /// Makes each table anew in parts by the hash of its app, with all of its keys and indexes: what a
  /// key over all parts would be needed for is refused here, as a distributed database refuses it.
  func divide(into parts: Int = 4) throws {
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
