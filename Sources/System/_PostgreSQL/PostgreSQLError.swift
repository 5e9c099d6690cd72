/// An error of PostgreSQL, which contains no password and no value of a statement.
package struct PostgreSQLError: Error, Sendable, CustomStringConvertible {
  /// A SQLSTATE code (PostgreSQL's manual, appendix A); the codes that callers distinguish have
  /// names.
  package struct Code: Hashable, Sendable {
    /// The five characters of the code.
    package let sqlState: String

    package init(_ sqlState: String) { self.sqlState = sqlState }

    /// The server cannot be reached, or the connection to it broke.
    package static let connectionFailure = Code("08006")
    /// Text has a character that the database cannot store, such as U+0000.
    package static let characterNotInRepertoire = Code("22021")
    /// JSON has an escape, `\\u0000`, of a character that the database cannot store.
    package static let untranslatableCharacter = Code("22P05")
    package static let uniqueViolation = Code("23505")
    package static let readOnlyTransaction = Code("25006")
    /// The server ended the session, because a transaction waited too long for its next statement.
    package static let idleInTransactionTimeout = Code("25P03")
    /// The session does not have the prepared statement.
    package static let unknownStatement = Code("26000")
    /// The session already has the prepared statement.
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

    /// The class of the code, which is its first two characters.
    package var family: String { String(sqlState.prefix(2)) }

    /// Whether the server is unreachable, out of resources, or stopping: the classes of
    /// connections, resources and interventions.
    package var isOutage: Bool {
      ["08", "53", "57"].contains(family) || self == .idleInTransactionTimeout
    }
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

  /// Whether connecting failed, so that no statement was sent.
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
