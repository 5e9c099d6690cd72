package import PushModel
import _PostgreSQL

/// A store in a PostgreSQL database, which many nodes share.
///
/// Row locks order the transactions: the lock on a send's row orders changes of the send, the lock on an app's row
/// changes of its devices. A transaction that loses a deadlock, or a race for a unique key, runs again.
package final class PostgreSQLPushStore: SQLPushStore {
  /// The clock that leases use.
  package enum LeaseClock: Sendable {
    /// The server's clock, so that the nodes' clocks need not agree.
    case database
    /// The caller's clock, for tests.
    case caller
  }

  private let pool: PostgreSQLPool
  /// A connection for calls that must not wait until a server can be reached.
  private let probePool: PostgreSQLPool
  private let notifier: PostgreSQLNotifier
  private let leaseClock: LeaseClock
  private let steps: SchemaSteps
  private let recentWrite = RecentWrite()
  private let timings: StoreTimings
  /// The device changes that wait for a commit, by the ids of their apps.
  private let deviceChanges = CallGroups<String, DeviceChange, [Device]>()
  /// The lookups of API keys by hash that wait for a read, in one sequence of groups.
  private let keyLookups = CallGroups<KeyTable, [UInt8], APIKey?>()
  let groups = WriteGroups(lanes: 2)

  /// Connects to a database and brings it to this version's schema.
  ///
  /// `url` is an address in libpq's form, which may name several hosts. Unless it says otherwise, only a server that
  /// takes writes is used. `connections` is the maximum number of connections for calls; three more have other uses.
  /// `patience` is the time for which a call waits for a reachable server. `timings` gets the duration of each call.
  /// `steps` are the steps of this version, except in tests. `lockWait` says how a step of the schema waits for the
  /// locks on its tables.
  ///
  /// - Throws: ``StoreError``, with the code ``StoreError/Code/nodesRunning`` if the schema cannot be changed while
  ///   older nodes use it.
  package init(
    url: String, connections: Int = callConnections, leaseClock: LeaseClock = .database,
    patience: Duration = .seconds(20), timings: StoreTimings = StoreTimings(),
    steps: SchemaSteps = .postgreSQL, lockWait: PostgreSQLLockWait = PostgreSQLLockWait()
  ) async throws(StoreError) {
    let url = try Self.completed(url)
    (self.timings, self.steps) = (timings, steps)
    probePool = PostgreSQLPool(url: url, size: 1, patience: .zero)
    notifier = PostgreSQLNotifier(url: url)
    pool = PostgreSQLPool(
      url: url, size: connections, patience: patience,
      setUp: { db throws(PostgreSQLError) in
        // A node that has lost the server must not hold locks for long. A server whose system
        // cannot detect this finishes statements that nobody waits for.
        try? db.execute("SET client_connection_check_interval = '2s'")
        try db.execute(
          """
          SET idle_in_transaction_session_timeout = '30s'; SET lock_timeout = '30s';
          SET bytea_output = 'hex'; SET client_encoding = 'UTF8'
          """)
        try PostgreSQLNodes.join(on: db, steps: steps)
      })
    self.leaseClock = leaseClock
    do {
      // Without patience, because the address may be wrong.
      try await probePool.run { db in
        try PostgreSQLPoolerCheck.refuse(on: db, url: url)
        try PostgreSQLMigrations.run(on: db, steps: steps, lockWait: lockWait)
      }
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(postgreSQL: error)
    }
  }

  /// Whether a database has this version's schema; the database is not changed.
  ///
  /// - Throws: ``StoreError`` if `init` would refuse the database.
  package static func isCurrent(url: String) async throws(StoreError) -> Bool {
    try await withConnection(url: url) { db in try PostgreSQLMigrations.areDone(on: db) }
  }

  /// The version of a database's schema; 0 if the database has no store.
  ///
  /// - Throws: ``StoreError`` if `init` would refuse the database.
  package static func schemaVersion(url: String) async throws(StoreError) -> Int {
    try await withConnection(url: url) { db in try PostgreSQLMigrations.version(of: db) }
  }

  /// Runs a body on its own connection, without waiting for a server that cannot be reached.
  ///
  /// - Throws: ``StoreError`` if the address is that of a pooler that pools by transaction, and the errors of `body`.
  static func withConnection<T: Sendable>(
    url: String, _ body: @escaping @Sendable (PostgreSQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    do {
      let url = try completed(url)
      let pool = PostgreSQLPool(url: url, size: 1, patience: .zero)
      return try await pool.run { db in
        try PostgreSQLPoolerCheck.refuse(on: db, url: url)
        return try body(db)
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
    try await timings.measure(.read) { () async throws(StoreError) in
      try await attempt { db in
        defer {
          precondition(!db.hasQueued, "a read queues no statement, which the next write would run")
        }
        return try body(PostgreSQLSession(connection: db))
      } isLost: { _ in
        false
      }
    }
  }

  func write<T: Sendable>(
    repeatable: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    do {
      let value = try await timings.measure(.write) { () async throws(StoreError) in
        try await commit(repeatable: repeatable, body)
      }
      recentWrite.succeeded()
      return value
    } catch {
      if error.isTransient { recentWrite.failed(error) }
      throw error
    }
  }

  private func commit<T: Sendable>(
    repeatable: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await attempt { db in
      try db.queue("BEGIN")
      do {
        let value = try body(PostgreSQLSession(connection: db))
        do throws(PostgreSQLError) { try db.run("COMMIT") } catch {
          // If the server ended the connection with an error, nothing was committed, unless that error
          // answers the commit itself.
          let isUnknown = error.code == .connectionFailure || error.sql == "COMMIT"
          throw CommitError(cause: error, isLost: db.isBroken && isUnknown)
        }
        return value
      } catch {
        db.rollBack()
        // After a failover, another server takes writes. A new connection finds it.
        if (error as? PostgreSQLError)?.code == .readOnlyTransaction { db.abandon() }
        throw error
      }
    } isLost: {
      !repeatable && ($0 as? CommitError)?.isLost ?? false
    }
  }

  /// Commits a change of devices together with the app's other waiting changes, with statements for many rows.
  func change(_ change: DeviceChange, app: String) async throws(StoreError) -> [Device] {
    try await deviceChanges.answer(to: change, of: app) { changes throws(StoreError) in
      try await self.commit(changes, app: app)
    }
  }

  /// Reads the keys that are requested during another read in one query.
  ///
  /// Nearly every request of an app has the same key, and each read is a round trip.
  package func key(hash: [UInt8]) async throws(StoreError) -> APIKey? {
    try await keyLookups.answer(to: hash, of: .keys) { hashes throws(StoreError) in
      let query = Self.keyQuery(Set(hashes), self.dialect)
      let found = try await self.read { db in try Self.keys(query, db) }
      let keys = Dictionary(found.map { ($0.hash, $0) }, uniquingKeysWith: { $1 })
      return hashes.map { .success(keys[$0]) }
    }
  }

  var dialect: SQLDialect { .postgreSQL }

  func purgeOverwrittenData() async throws(StoreError) {}

  func announce() { notifier.announce() }

  package func announcements() -> AsyncStream<Void>? { notifier.announcements() }

  package func probe() async throws(StoreError) {
    do {
      if let problem = recentWrite.problem() { throw problem }
      let hasJustWritten = recentWrite.isKnown
      try await probePool.run(probePool.deadline(ContinuousClock.now + Self.probeLimit)) {
        [steps] db in
        // This connection does not hold the lock that keeps newer nodes from changing the schema.
        try PostgreSQLNodes.checkSchema(on: db, steps: steps)
        guard !hasJustWritten else { return }
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

  /// The time within which the database must answer a probe.
  private static let probeLimit = Duration.seconds(5)

  package func endCalls(within limit: Duration) { pool.close(within: limit) }

  func clockOffset(from now: Timestamp, _ db: any SQLConnection) throws -> Duration {
    guard let clockQuery else { return .zero }
    return try (Self.time(clockQuery, db) ?? now).since(now)
  }

  /// The time of the next look at the queue, by the caller's clock.
  ///
  /// Notifications of other nodes may be lost, so the time is never later than the next poll.
  package func nextBatchTime(
    of sendClass: SendClass?, excluding apps: Set<Int64>, at now: Timestamp
  ) async throws(StoreError) -> Timestamp? {
    try await read { db in
      guard let clock = self.clockQuery else {
        return try Self.nextDue(of: sendClass, excluding: apps, db)
      }
      try db.fetchAhead(clock)
      let next = try Self.nextDue(of: sendClass, excluding: apps, db)
      let time = try Self.time(clock, db)
      let poll = now + Self.pollInterval
      // Of the server's time only the wait counts, because the caller's clock may have been set since an earlier call.
      guard let next, let time else { return poll }
      return min(now + next.since(time), poll)
    }
  }

  var clockQuery: SQL? { leaseClock == .database ? Self.clockQuery : nil }

  private static let clockQuery: SQL = "SELECT \(SQLDialect.postgreSQLClock) AS time"

  private static func time(_ clock: SQL, _ db: any SQLConnection) throws -> Timestamp? {
    try db.row(clock) { try $0.time("time") }
  }

  private static let pollInterval = Duration.milliseconds(500)

  private func attempt<T: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLConnection) throws -> T, isLost: (any Error) -> Bool
  ) async throws(StoreError) -> T {
    var attempts = 1
    // All attempts share a deadline. A caller without a deadline waits anew after the server has
    // answered.
    let end = StoreDeadline.end
    var deadline = pool.deadline(end)
    while true {
      do {
        return try await pool.run(deadline, body)
      } catch {
        let cause = (error as? CommitError)?.cause ?? error
        if isLost(error) {
          throw StoreError(
            .unavailable,
            "the connection broke during a commit, so the change may or may not have been made; check, or repeat it",
            cause: cause)
        }
        guard let failure = cause as? PostgreSQLError, attempts < failure.code.attemptLimit,
          !failure.isOfConnecting, !deadline.hasPassed(at: .now)
        else { throw StoreError(postgreSQL: cause) }
        if end == nil { deadline = pool.deadline(nil) }
        attempts += 1
      }
    }
  }

  private static func completed(_ url: String) throws(StoreError) -> String {
    do throws(PostgreSQLError) {
      return try PostgreSQLAddress.completed(url, program: PostgreSQLClient.ownName)
    } catch {
      throw StoreError(postgreSQL: error)
    }
  }

  private enum KeyTable { case keys }

  private struct CommitError: Error {
    var cause: any Error
    var isLost: Bool
  }
}
