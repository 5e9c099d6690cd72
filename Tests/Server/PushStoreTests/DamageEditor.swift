import _PostgreSQL
import _SQLite

@testable import PushModel
@testable import PushStore

/// A column of a table, as its database names it.
struct DamageColumn {
  var table: String
  var column: String
  var type: String
  var name: String { "\(table).\(column)" }
}

/// Whether a value could be replaced.
enum Replacement {
  case made
  /// There is no value.
  case nothing
  /// The database refuses the new one, as for a key or a type.
  case refused
}

/// Changes values behind a store's back.
protocol DamageEditor {
  /// The schema of the store's tables, and that of the copies of them.
  var schemas: (store: String, copies: String) { get }
  /// The operator that compares two values, of which one may be NULL.
  var differs: String { get }
  func columns() throws -> [DamageColumn]
  /// A value of another type than the column's, as SQL; `nil` where the database makes any value one of the type.
  func foreignValue(of column: DamageColumn) -> String?
  /// The JSON of a column with the member `later`, in its first element where it is an array of objects.
  func withMember(_ column: DamageColumn, inFirstElement: Bool) -> String
  /// The JSON array of a column with one more element.
  func appending(_ json: String, to column: DamageColumn) -> String
  func execute(_ sql: String) throws
  func run(_ sql: String) throws -> Int
}

extension DamageEditor {
  /// Copies the tables of columns as they are now.
  func copyTables(of columns: [DamageColumn]) throws {
    for table in Set(columns.map(\.table)) {
      try execute(
        "CREATE TABLE \(schemas.copies).\(table) AS SELECT * FROM \(schemas.store).\(table)")
    }
  }

  /// Replaces the values of a column by those of an expression.
  func replace(_ column: DamageColumn, by sql: String) -> Replacement {
    do {
      let changed = try run(
        """
        UPDATE \(schemas.store).\(column.table) SET \(column.column) = \(sql)
        WHERE \(column.column) IS NOT NULL AND \(column.column) \(differs) \(sql)
        """)
      return changed > 0 ? .made : .nothing
    } catch {
      return .refused
    }
  }

  /// Puts the rows of a column's table back.
  func restore(_ column: DamageColumn) throws {
    try execute("DELETE FROM \(schemas.store).\(column.table)")
    try execute(
      """
      INSERT INTO \(schemas.store).\(column.table)
      SELECT * FROM \(schemas.copies).\(column.table)
      """)
  }
}

struct SQLiteDamageEditor: DamageEditor {
  let schemas = (store: "main", copies: "temp")
  let differs = "IS NOT"
  private let db: SQLiteConnection

  init(_ path: String) throws {
    db = try SQLiteConnection(path: path, busyTimeout: .seconds(5))
    try db.execute("PRAGMA foreign_keys = OFF")
  }

  func columns() throws -> [DamageColumn] {
    let tables = try db.rows(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ) { $0.text(0) }
    return try tables.flatMap { table in
      try db.rows("SELECT name, type FROM pragma_table_info('\(table)', 'main')") { row in
        DamageColumn(table: table, column: row.text(0), type: row.text(1))
      }
    }
  }

  /// SQLite stores it where the column's type would convert another one.
  func foreignValue(of column: DamageColumn) -> String? {
    column.type == "TEXT" ? "x'ff00'" : "'later'"
  }

  func withMember(_ column: DamageColumn, inFirstElement: Bool) -> String {
    "json_set(\(column.column), '$\(inFirstElement ? "[0]" : "").later', 1)"
  }

  func appending(_ json: String, to column: DamageColumn) -> String {
    "json_insert(\(column.column), '$[#]', json('\(json)'))"
  }

  func execute(_ sql: String) throws { try db.execute(sql) }

  func run(_ sql: String) throws -> Int { try db.run(sql, []) }
}

struct PostgreSQLDamageEditor: DamageEditor {
  let schemas = (store: "public", copies: "saved")
  let differs = "IS DISTINCT FROM"
  private let db: PostgreSQLConnection

  init(_ url: String) throws {
    db = try PostgreSQLConnection(url: url)
    // Neither foreign keys nor triggers.
    try db.execute("SET session_replication_role = replica; CREATE SCHEMA saved")
  }

  func columns() throws -> [DamageColumn] {
    try db.rows(
      """
      SELECT relname, attname, format_type(atttypid, NULL) FROM pg_class
      JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      ORDER BY relname, attnum
      """
    ) { DamageColumn(table: $0.text(0), column: $0.text(1), type: $0.text(2)) }
  }

  func foreignValue(of column: DamageColumn) -> String? {
    ["text", "bytea", "jsonb"].contains(column.type) ? nil : "'later'"
  }

  func withMember(_ column: DamageColumn, inFirstElement: Bool) -> String {
    let path = inFirstElement ? "{0,later}" : "{later}"
    return "CAST(jsonb_set(CAST(\(column.column) AS jsonb), '\(path)', '1') AS \(column.type))"
  }

  func appending(_ json: String, to column: DamageColumn) -> String {
    "CAST(CAST(\(column.column) AS jsonb) || CAST('[\(json)]' AS jsonb) AS \(column.type))"
  }

  func execute(_ sql: String) throws { try db.execute(sql) }

  func run(_ sql: String) throws -> Int { try db.run(sql, []) }
}

/// The form of the values of a column.
enum ValueForm {
  /// A word of a list.
  case word
  /// An object whose members are known.
  case object
  /// An array of texts.
  case texts
  /// An array of objects whose members are known.
  case objects
  /// JSON that the caller made.
  case json
  /// Text or bytes in a form of their own.
  case packed

  /// What is stored in place of a value, as SQL, by what it stands for.
  func damages(
    of column: DamageColumn, by editor: any DamageEditor
  ) -> [(kind: String, sql: String)] {
    let cut = ("cut", "substr(\(column.column), 1, length(\(column.column)) - 1)")
    let number = ("a number in place of the JSON", "'5'")
    func member(inFirstElement: Bool) -> (String, String) {
      ("a member of a newer version", editor.withMember(column, inFirstElement: inFirstElement))
    }
    return switch self {
    case .word: [cut, ("a word of a newer version", "'later'")]
    case .object: [cut, number, member(inFirstElement: false)]
    case .texts:
      [cut, number, ("an element of another type", editor.appending("5", to: column))]
    case .objects:
      [
        cut, number, member(inFirstElement: true),
        ("an element of a newer version", editor.appending(#"{"later":1}"#, to: column)),
      ]
    case .json, .packed: [cut]
    }
  }
}
