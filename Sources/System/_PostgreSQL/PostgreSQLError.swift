/// An error of PostgreSQL, which contains no password and no value of a statement.
package struct PostgreSQLError: Error, Sendable, CustomStringConvertible {
  /// A SQLSTATE code (PostgreSQL's manual, appendix A); the ones that callers distinguish have
  /// names.
  package struct Code: Hashable, Sendable {
    /// The five characters of the code.
    package let sqlState: String

    package init(_ sqlState: String) { self.sqlState = sqlState }

    /// The server cannot be reached, or the connection to it broke.
    package static let connectionFailure = Code("08006")
    /// Text that the database cannot store, such as U+0000.
    package static let characterNotInRepertoire = Code("22021")
    /// An escape in JSON, `\\u0000`, for a character that the database cannot store.
    package static let untranslatableCharacter = Code("22P05")
    package static let uniqueViolation = Code("23505")
    package static let readOnlyTransaction = Code("25006")
    /// A prepared statement that the session does not have.
    package static let unknownStatement = Code("26000")
    /// A prepared statement that the session has already.
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
    package static let internalError = Code("XX000")

    /// The class of the code, its first two characters.
    package var family: String { String(sqlState.prefix(2)) }

    /// Whether the server is out of reach, out of room, or stopping: the classes of connections,
    /// resources and interventions.
    package var isOutage: Bool { ["08", "53", "57"].contains(family) }
  }

  package var code: Code
  package var message: String
  /// The statement, without its values.
  package var sql: String

  package init(code: Code, message: String, sql: String) {
    self.code = code
    self.message = message
    self.sql = sql
  }

  /// Whether there was no connection, so that no statement was sent.
  package var isOfConnecting: Bool { code == .connectionFailure && sql.isEmpty }

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
