import _PostgreSQL

/// Tells a server, or a pooler that keeps a connection for a session, from a pooler that gives each
/// transaction another one.
///
/// Behind the latter a prepared statement is gone when it is used, settings are another's, and what
/// is notified reaches nobody. It would fail here and there; so it is refused before anything begins.
enum PostgreSQLPoolerCheck {
  static let advice =
    "the address leads to a pooler that pools by transaction; let it pool by session, or name the"
    + " server itself"

  /// - Throws: ``StoreError`` where a connection is not one session of the server.
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
      // What this transaction holds, a pooler cannot give to the first connection again.
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
