import CSQLite

/// An error of SQLite.
package struct SQLiteError: Error, Sendable, CustomStringConvertible {
  /// A primary result code of SQLite; the codes that callers distinguish have names.
  package struct Code: Hashable, Sendable {
    package let rawValue: Int32
    package static let busy = Code(rawValue: SQLITE_BUSY)
    package static let locked = Code(rawValue: SQLITE_LOCKED)
    package static let readOnly = Code(rawValue: SQLITE_READONLY)
    package static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
    package static let notADatabase = Code(rawValue: SQLITE_NOTADB)
    package static let corrupt = Code(rawValue: SQLITE_CORRUPT)
    package static let full = Code(rawValue: SQLITE_FULL)
    package static let inputOutput = Code(rawValue: SQLITE_IOERR)
    package static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
  }

  package var code: Code
  package var message: String
  /// The statement, without its values.
  package var sql: String

  package var description: String { "SQLite: \(message) (code \(code.rawValue))" }
}
