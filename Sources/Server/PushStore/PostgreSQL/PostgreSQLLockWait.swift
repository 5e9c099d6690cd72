import Foundation
import PushModel
import _PostgreSQL

/// A way for a change of tables to wait for locks that others hold on them.
///
/// All later users of a table wait behind a change that waits for its lock. So a change waits only for a short time,
/// lets the others pass, and is tried again.
package struct PostgreSQLLockWait: Sendable {
  /// The longest wait for one lock.
  package var timeout = Duration.seconds(1)
  /// The time between two attempts.
  package var pause = Duration.seconds(2)
  package var attempts = 20
  /// A function that is called with a description of the wait: after each attempt but the last, and while waiting for
  /// a turn.
  package var report: @Sendable (String) -> Void = { _ in }

  package init(report: @escaping @Sendable (String) -> Void = { _ in }) { self.report = report }

  /// Runs statements as one transaction, and repeats it if they do not get their locks or lose a deadlock.
  ///
  /// `purpose` describes the statements, such as "bring the database's schema to version 107".
  ///
  /// - Throws: ``StoreError/Code/locked``, which names the holders of the locks, after the last attempt.
  func run(_ statements: String, to purpose: String, on db: PostgreSQLConnection) throws {
    try run(to: purpose, on: db) { execute in try execute(statements) }
  }

  /// Runs a body as one transaction, and repeats it if it does not get its locks or loses a deadlock.
  ///
  /// The body runs statements that wait for locks with the function `execute`.
  ///
  /// - Throws: ``StoreError/Code/locked``, which names the holders of the locks, after the last attempt.
  func run<T>(
    to purpose: String, on db: PostgreSQLConnection,
    _ body: (_ execute: (String) throws -> Void) throws -> T
  ) throws -> T {
    var watch = try LockWatch(db)
    var attempt = 1
    while true {
      do {
        return try db.transaction {
          try db.execute("SET LOCAL lock_timeout = \(Int(timeout / .milliseconds(1)))")
          return try body { try db.execute($0, every: timeout / 4) { watch.look() } }
        }
      } catch let error as PostgreSQLError
        where error.code == .deadlockDetected && attempt < attempts
      {
        attempt += 1
      } catch let error as PostgreSQLError where error.code == .lockNotAvailable {
        let message =
          "cannot \(purpose), since locks on its tables are held by \(watch.description)"
        guard attempt < attempts else {
          throw StoreError(
            .locked,
            message + "; wait until they have ended, or end them with pg_terminate_backend, then"
              + " start this martlet again", cause: error)
        }
        report(message + "; trying again")
        attempt += 1
        // The connection has its own queue, so nothing else is delayed.
        Thread.sleep(forTimeInterval: pause / .seconds(1))
      }
    }
  }

  /// Takes an advisory lock for the session, which another martlet may hold while it works on the tables, and reports
  /// the holder.
  ///
  /// Nobody waits behind this lock, so the wait has no limit.
  func takeTurn(_ lock: Int64, to purpose: String, on db: PostgreSQLConnection) throws {
    var watch = try LockWatch(db)
    var reported: [PostgreSQLClient] = []
    try db.execute("SELECT pg_advisory_lock(\(lock))", every: timeout / 4) {
      watch.look()
      guard watch.holders != reported else { return }
      reported = watch.holders
      report("waiting to \(purpose) for \(watch.description), which works on its tables")
    }
  }
}

/// An observer of the clients for which a connection waits, on a second connection of the same program.
private struct LockWatch {
  private let watched: PostgreSQLConnection
  private let process: [PostgreSQLValue]
  private var observer: PostgreSQLConnection?
  /// The clients that were seen last.
  private(set) var holders: [PostgreSQLClient] = []

  init(_ watched: PostgreSQLConnection) throws(PostgreSQLError) {
    self.watched = watched
    process = try watched.rows("SELECT pg_backend_pid()") { .integer($0.integer(0)) }
  }

  mutating func look() {
    // If the server has no room for a second connection, nobody is named.
    if observer?.isBroken != false { observer = try? watched.makeSibling() }
    guard let observer,
      let clients = try? PostgreSQLClient.list(
        "SELECT unnest(pg_blocking_pids($1::INT))", process, on: observer),
      !clients.isEmpty
    else { return }
    holders = clients
  }

  var description: String {
    guard !holders.isEmpty else { return "transactions that pg_locks and pg_prepared_xacts list" }
    return holders.map(\.description).joined(separator: "; ")
  }
}
