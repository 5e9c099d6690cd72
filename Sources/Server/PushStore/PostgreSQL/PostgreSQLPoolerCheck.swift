import PushModel
import _PostgreSQL

/// A check that refuses a connection pooler that pools by transaction.
///
/// Such a pooler may run each transaction on a different connection of the server, so prepared statements, settings
/// and notifications get lost. A pooler that pools by session behaves like a server.
enum PostgreSQLPoolerCheck {
  static let advice =
    "the address is that of a pooler that pools by transaction; set pool_mode = session, or name the"
    + " server itself"

  /// - Throws: ``StoreError`` if a connection is not one session of the server.
  static func refuse(on db: PostgreSQLConnection, url: String) throws {
    guard try isSession(db, beside: PostgreSQLConnection(url: url)) else {
      throw StoreError(.cannotOpen, advice)
    }
  }

  private static func isSession(
    _ db: PostgreSQLConnection, beside other: PostgreSQLConnection
  ) throws -> Bool {
    do {
      let process = try process(of: db)
      // While this transaction holds a server connection, a pooler serves `db` with another one.
      return try other.transaction {
        try self.process(of: other) != process && self.process(of: db) == process
      }
    } catch let error as PostgreSQLError
      where [.unknownStatement, .duplicateStatement].contains(error.code)
    {
      return false
    }
  }

  private static func process(of db: PostgreSQLConnection) throws -> Int64? {
    try db.rows("SELECT pg_backend_pid()") { $0.integer(0) }.first
  }
}
