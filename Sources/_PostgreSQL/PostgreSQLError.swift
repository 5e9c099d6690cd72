/// What PostgreSQL answered, by SQLSTATE; never a password and never a value.
package struct PostgreSQLError: Error, Sendable, CustomStringConvertible {
  /// The five characters of appendix A of PostgreSQL's manual; the ones told apart have names.
  package struct Code: Hashable, Sendable {
    package let sqlState: String

    package init(_ sqlState: String) { self.sqlState = sqlState }

    /// The server cannot be reached, or the connection to it broke.
    package static let connectionFailure = Code("08006")
    /// Text that the database cannot hold, U+0000 above all.
    package static let characterNotInRepertoire = Code("22021")
    /// An escape in JSON, `\\u0000`, for a character that the database cannot hold.
    package static let untranslatableCharacter = Code("22P05")
    package static let uniqueViolation = Code("23505")
    package static let readOnlyTransaction = Code("25006")
    /// A prepared statement that the server does not have, or has already: another session's.
    package static let unknownStatement = Code("26000")
    package static let duplicateStatement = Code("42P05")
    package static let serializationFailure = Code("40001")
    package static let deadlockDetected = Code("40P01")
    package static let syntaxError = Code("42601")
    package static let undefinedTable = Code("42P01")
    package static let diskFull = Code("53100")
    package static let lockNotAvailable = Code("55P03")
    package static let inputOutput = Code("58030")
    package static let queryCanceled = Code("57014")
    package static let adminShutdown = Code("57P01")

    /// Its first two characters, which name a family.
    package var family: String { String(sqlState.prefix(2)) }
  }

  package var code: Code
  package var message: String
  /// The statement, never its values.
  package var sql: String

  package var description: String { "PostgreSQL: \(message) (SQLSTATE \(code.sqlState))" }
}

extension PostgreSQLError {
  static func broken(_ sql: String) -> PostgreSQLError {
    PostgreSQLError(
      code: .connectionFailure, message: "the connection to the server broke", sql: sql)
  }

  static func holdsZero(_ sql: String) -> PostgreSQLError {
    PostgreSQLError(
      code: .characterNotInRepertoire, message: "text with the character U+0000 cannot be stored",
      sql: sql)
  }
}
