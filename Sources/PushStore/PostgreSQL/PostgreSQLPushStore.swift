import Synchronization
import _PostgreSQL

/// A store in a PostgreSQL database that many nodes share.
///
/// Row locks order what SQLite's one writer orders: a send's row its life, an app's row the changes
/// of its devices. Whoever loses a deadlock or a race for a unique name runs again.
package final class PostgreSQLPushStore: SQLPushStore {
  /// Whose clock leases are kept by.
  package enum LeaseClock: Sendable {
    /// The server's, whatever the nodes' own clocks say.
    case database
    /// The caller's, for tests.
    case caller
  }

  private let pool: PostgreSQLPool
  /// For what must not wait behind calls that wait for a server.
  private let probing: PostgreSQLPool
  private let notifier: PostgreSQLNotifier
  private let leaseClock: LeaseClock
  /// How far the server's clock was ahead of this node's when it was last asked.
  private let lastClockOffset = Mutex(Duration.zero)
  private let recentWrite = RecentWrite()

  /// Connects, and brings the database to this version's schema.
  ///
  /// `url` is libpq's, with several hosts perhaps; unless it says otherwise only a server that takes
  /// writes is used. `patience` is how long a call waits for one.
  package init(
    url: String, connections: Int = 8, leaseClock: LeaseClock = .database,
    patience: Duration = .seconds(20)
  ) async throws(StoreError) {
    let url = Self.completed(url)
    probing = PostgreSQLPool(url: url, size: 1, patience: .zero)
    notifier = PostgreSQLNotifier(url: url)
    pool = PostgreSQLPool(
      url: url, size: connections, patience: patience,
      setUp: { db throws(PostgreSQLError) in
        // A node that lost its way to the server shall not hold locks for ever.
        try db.execute(
          """
          SET idle_in_transaction_session_timeout = '30s'; SET lock_timeout = '30s';
          SET bytea_output = 'hex'; SET client_encoding = 'UTF8'
          """)
      })
    self.leaseClock = leaseClock
    do {
      // Here a server that is not there is told of at once, for the address may be wrong.
      try await probing.run { db in
        try PostgreSQLPoolerCheck.refuse(on: db, url: url)
        try PostgreSQLMigrations.run(on: db)
      }
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(postgreSQL: error)
    }
  }

  /// Whether the database has this version's schema; what opening would refuse is refused here too,
  /// and nothing is changed.
  package static func isCurrent(url: String) async throws(StoreError) -> Bool {
    do {
      let url = completed(url)
      let pool = PostgreSQLPool(url: url, size: 1, patience: .zero)
      return try await pool.run { db in
        try PostgreSQLPoolerCheck.refuse(on: db, url: url)
        return try PostgreSQLMigrations.areDone(on: db)
      }
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(postgreSQL: error)
    }
  }

  func read<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await attempt { db in
      try body(PostgreSQLSession(connection: db))
    } isLost: { _ in
      false
    }
  }

  func write<T: Sendable>(
    repeatable: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    do {
      let value = try await commit(repeatable: repeatable, body)
      recentWrite.succeeded()
      return value
    } catch {
      if error.isTransient { recentWrite.failed() }
      throw error
    }
  }

  private func commit<T: Sendable>(
    repeatable: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await attempt { db in
      try db.execute("BEGIN")
      let value: T
      do {
        value = try body(PostgreSQLSession(connection: db))
      } catch {
        if !db.isBroken, db.isInTransaction { try? db.execute("ROLLBACK") }
        throw error
      }
      do { try db.execute("COMMIT") } catch {
        throw CommitError(cause: error, isLost: db.isBroken)
      }
      return value
    } isLost: {
      !repeatable && ($0 as? CommitError)?.isLost ?? false
    }
  }

  var dialect: SQLDialect { .postgreSQL }

  func purgeOverwrittenData() async throws(StoreError) {}

  func announce() { notifier.announce() }

  package func announcements() -> AsyncStream<Void>? { notifier.announcements() }

  package func probe() async throws(StoreError) {
    do {
      let hasJustWritten = recentWrite.isKnown
      try await probing.run { db in
        guard !hasJustWritten else { return _ = try db.rows("SELECT 1") { _ in } }
        try db.transaction {
          try db.execute(
            """
            SET LOCAL lock_timeout = '5s';
            INSERT INTO probes SELECT convert_to(repeat('x', 16384), 'UTF8');
            DELETE FROM probes
            """)
        }
      }
      if !hasJustWritten { recentWrite.succeeded() }
    } catch {
      throw StoreError(postgreSQL: error)
    }
  }

  func clockOffset(from now: Timestamp, _ db: any SQLConnection) throws -> Duration {
    guard leaseClock == .database else { return .zero }
    let offset = try (Self.time(of: db) ?? now).since(now)
    lastClockOffset.withLock { $0 = offset }
    return offset
  }

  /// By the caller's clock.
  ///
  /// Other nodes accept sends that this one hears nothing of, so there is always a time to look again.
  package func nextBatchTime() async throws(StoreError) -> Timestamp? {
    try await read { db in
      let next = try Self.nextDue(db)
      guard self.leaseClock == .database else { return next }
      let now = try Self.time(of: db) ?? Timestamp(milliseconds: 0)
      let poll = now + Self.pollInterval
      let offset = self.lastClockOffset.withLock(\.self)
      return min(next ?? poll, poll) + (.zero - offset)
    }
  }

  /// The time by the server's clock.
  private static func time(of db: any SQLConnection) throws -> Timestamp? {
    try db.row(
      "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS time"
    ) { $0.time("time") }
  }

  private static let pollInterval = Duration.milliseconds(500)

  private func attempt<T: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLConnection) throws -> T, isLost: (any Error) -> Bool
  ) async throws(StoreError) -> T {
    var attempts = 1
    while true {
      do {
        return try await pool.run(body)
      } catch {
        let cause = (error as? CommitError)?.cause ?? error
        if isLost(error) {
          throw StoreError(
            .unavailable,
            "the connection broke while a change was committed, which may have been made or not",
            cause: cause)
        }
        let code = (cause as? PostgreSQLError)?.code
        guard let code, attempts < code.attemptLimit else { throw StoreError(postgreSQL: cause) }
        attempts += 1
      }
    }
  }

  /// What an address does not say: only a server that takes writes will do, and one that has fallen
  /// silent is given up.
  private static func completed(_ url: String) -> String {
    let missing = [
      ("target_session_attrs", "read-write"), ("connect_timeout", "5"),
      ("tcp_user_timeout", "20000"),
    ].filter { !url.contains($0.0) }
    guard !missing.isEmpty else { return url }
    return url + (url.contains("?") ? "&" : "?")
      + missing.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  private struct CommitError: Error {
    var cause: any Error
    var isLost: Bool
  }
}

extension PostgreSQLError.Code {
  /// How often a transaction that ends so is run: another try may succeed where it lost to another
  /// one, or its server went away before anything was committed.
  fileprivate var attemptLimit: Int {
    switch self {
    case .serializationFailure, .deadlockDetected: 10
    case .uniqueViolation, .readOnlyTransaction: 3
    default: family == "08" || family == "57" ? 3 : 1
    }
  }
}

extension StoreError {
  /// What an error of the database means to the person who runs the server.
  fileprivate init(postgreSQL error: any Error) {
    guard let error = error as? PostgreSQLError else {
      self =
        (error as? StoreError) ?? StoreError(.failed, "the store failed: \(error)", cause: error)
      return
    }
    switch error.code {
    case .uniqueViolation: self.init(.conflict, "that id is taken", cause: error)
    case .characterNotInRepertoire, .untranslatableCharacter:
      self.init(.refused, "text with the character U+0000 cannot be stored", cause: error)
    case .unknownStatement, .duplicateStatement:
      self.init(.unavailable, PostgreSQLPoolerCheck.advice, cause: error)
    case .inputOutput:
      self.init(
        .unwritable, "the disk of the database cannot be read or written; check it", cause: error)
    case .readOnlyTransaction:
      self.init(.unavailable, "the database takes no writes: it is a standby", cause: error)
    case .diskFull:
      self.init(.unwritable, "the disk of the database is full; make room", cause: error)
    case .lockNotAvailable, .serializationFailure, .deadlockDetected:
      self.init(.locked, "the database's rows are locked by others; try again", cause: error)
    case let code where ["08", "53", "57"].contains(code.family):
      self.init(.unavailable, "the database is out of reach: \(error.message)", cause: error)
    default:
      self.init(
        .failed, "the database failed: \(error.message) (SQLSTATE \(error.code.sqlState))",
        cause: error)
    }
  }
}
