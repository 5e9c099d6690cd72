import PushModel
import _PostgreSQL

extension StoreError {
  /// Translates an error of PostgreSQL for the person who runs the server.
  init(postgreSQL error: any Error) {
    guard let error = error as? PostgreSQLError else {
      self =
        (error as? StoreError) ?? StoreError(.failed, "the store failed: \(error)", cause: error)
      return
    }
    switch error.code {
    case .uniqueViolation: self.init(.conflict, "the id is taken; use another one", cause: error)
    case .characterNotInRepertoire, .untranslatableCharacter:
      self.init(
        .refused, "PostgreSQL cannot store text with the character U+0000; remove it", cause: error)
    case .unknownStatement, .duplicateStatement:
      self.init(.unavailable, PostgreSQLPoolerCheck.advice, cause: error)
    case .schemaOutOfReach: self.init(.schemaChanged, error.message, cause: error)
    case .inputOutput:
      self.init(
        .unwritable, "the disk of the database cannot be read or written; check it", cause: error)
    case .readOnlyTransaction:
      self.init(
        .unavailable, "the database takes no writes: it is a standby; name its primary as well",
        cause: error)
    case .diskFull:
      self.init(.unwritable, "the disk of the database is full; make room on it", cause: error)
    case .lockNotAvailable, .serializationFailure, .deadlockDetected:
      self.init(.locked, "the database's rows are locked by others; try again", cause: error)
    case let code where code.isOutage:
      self.init(.unavailable, "the database cannot be reached: \(error.message)", cause: error)
    default:
      self.init(
        .failed, "the database failed: \(error.message) (SQLSTATE \(error.code.sqlState))",
        cause: error)
    }
  }
}
