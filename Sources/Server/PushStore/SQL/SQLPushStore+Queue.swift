import PushModel
import PushPayload

extension SQLPushStore {
  package func leaseBatch(_ request: LeaseRequest) async throws(StoreError) -> Batch? {
    let leased: Lease? = try await lease(syncedIf: { $0?.mustSync ?? false }) { db in
      let offset = try self.clockOffset(from: request.now, db)
      var request = request
      (request.now, request.end) = (request.now + offset, request.end + offset)
      // Expiring sends can only remove batches, and each app of this list is checked again.
      try db.fetchAhead(Self.query(forAppsWithWork: request, db.dialect))
      try Self.endExpired(at: request.now, db)
      for app in try Self.appsInTurn(request, db) {
        repeat {
          while let leased = try Self.leaseNext(of: app, request, db) {
            if leased.isRunning { return leased }
          }
        } while try Self.splitSegment(of: app, request, db)
      }
      return nil
    }
    // The devices of a batch do not change, so they are read outside the write.
    guard let leased, let (app, targets) = try await targets(of: leased) else { return nil }
    var batch = Batch(
      id: leased.id, app: app, appNumber: leased.appNumber, lease: leased.lease,
      fruitlessAttempts: leased.fruitless, send: leased.send, targets: targets)
    batch.isFirst = leased.isFirst
    batch.counted = leased.counted
    guard leased.isQuiet || !leased.capped.isEmpty else { return batch }
    for place in batch.targets.indices {
      let number = batch.targets[place].number
      batch.targets[place].limit =
        leased.isQuiet ? .quiet : leased.capped[number].map(SendLimit.capped)
    }
    return batch
  }

  package func recipients(
    app: String, numbers: DeviceNumbers
  ) async throws(StoreError) -> [Recipient] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [] }
      return try Self.rows(
        of: numbers, app: app, columns: Recipient.columns, db, map: Recipient.init(row:))
    }
  }

  /// Whether a lease of a batch is still the last one.
  static func hasLease(_ batch: Batch, app: Int64, _ db: any SQLConnection) throws -> Bool {
    try db.row("SELECT lease FROM batches WHERE app = \(app) AND number = \(batch.id)") {
      try $0.integer("lease") == batch.lease
    } ?? true
  }

  package func extend(
    _ batch: Batch, at now: Timestamp, until end: Timestamp
  ) async throws(StoreError) {
    try await write(repeatable: true) { db in
      guard let app = try Self.number(of: batch.send.app, db) else { return }
      let end = try end + self.clockOffset(from: now, db)
      try db.queue(
        """
        UPDATE batches SET due_at = \(end) WHERE app = \(app) AND number = \(batch.id)
        AND lease = \(batch.lease)
        AND owner IS NOT NULL
        """)
    }
  }

  package func releaseBatches(owner: String) async throws(StoreError) {
    try await write(repeatable: true) { db in
      try db.queue(
        "UPDATE batches SET due_at = 0, owner = NULL WHERE owner = \(owner) AND due_at IS NOT NULL")
    }
  }

  package func nextBatchTime(
    of sendClass: SendClass?, excluding apps: Set<Int64>, at now: Timestamp
  ) async throws(StoreError) -> Timestamp? {
    try await readFewRows { db in try Self.nextDue(of: sendClass, excluding: apps, db) }
  }

  /// The time at which the next row is due, by the clock of ``clockOffset(from:_:)``; `nil` if no row waits.
  static func nextDue(
    of sendClass: SendClass?, excluding apps: Set<Int64>, _ db: any SQLConnection
  ) throws -> Timestamp? {
    let waits: SQL = "\(waiting(sendClass))\(excluding(apps, db.dialect))"
    return try db.row(
      """
      SELECT min(due_at) AS due_at FROM (
        SELECT min(due_at) AS due_at FROM batches WHERE \(waits)
        UNION ALL SELECT min(due_at) FROM segments WHERE \(waits)
        UNION ALL SELECT min(ends_at) FROM sends WHERE ends_at IS NOT NULL) AS dues
      """
    ) { try $0.optionalTime("due_at") } ?? nil
  }

  /// The condition for rows of `batches` and `segments` that wait, of sends of a class.
  private static func waiting(_ sendClass: SendClass?) -> SQL {
    switch sendClass {
    case nil: "waits"
    case .transactional: "waits AND transactional"
    case .campaign: "waits AND NOT transactional"
    }
  }

  /// The end of a condition for rows of `batches` and `segments` of other apps than these.
  private static func excluding(_ apps: Set<Int64>, _ dialect: SQLDialect) -> SQL {
    apps.isEmpty ? "" : " AND NOT (app \(dialect.among(apps.sorted())))"
  }

  /// The condition for rows of `batches` and `segments` from which a request may get a batch.
  static func due(_ request: LeaseRequest) -> SQL {
    "\(waiting(request.sendClass)) AND due_at <= \(request.now)"
  }

  /// The numbers of the apps with due work, first those that come after the app of the request.
  private static func appsInTurn(
    _ request: LeaseRequest, _ db: any SQLConnection
  ) throws -> [Int64] {
    let apps = try db.rows(query(forAppsWithWork: request, db.dialect)) { try $0.integer("app") }
    return apps.filter { $0 > request.lastApp }.sorted()
      + apps.filter { $0 <= request.lastApp }.sorted()
  }

  /// Only this query reads rows of all apps.
  ///
  /// A row is then locked in one app.
  private static func query(forAppsWithWork request: LeaseRequest, _ dialect: SQLDialect) -> SQL {
    let isWanted: SQL = "\(due(request))\(excluding(request.excludedApps, dialect))"
    // So many rows bound the time of the query, and an app that has more of them does not hide another one for long.
    func apps(_ table: String) -> SQL {
      "SELECT app FROM \(raw: table) WHERE \(isWanted) ORDER BY due_at, number LIMIT 1000"
    }
    return """
      SELECT app FROM (\(apps("batches"))) AS due_batches
      UNION SELECT app FROM (\(apps("segments"))) AS due_segments
      """
  }

  private static func leaseNext(
    of app: Int64, _ request: LeaseRequest, _ db: any SQLConnection
  ) throws -> Lease? {
    let row = try db.run(
      """
      UPDATE batches SET owner = \(request.owner), due_at = \(request.end), lease = lease + 1
      WHERE app = \(app) AND number = (
        SELECT number FROM batches WHERE app = $3 AND \(due(request))
        ORDER BY due_at, number LIMIT 1\(db.dialect.forUpdateSkippingLocked))
      RETURNING number, send, lease, fruitless, devices, outcomes, retries, quiet
      """,
      returning: { try DueBatch(row: &$0, app: app) })
    return try row.map { row in
      try reading(.send(row.send)) { try lease(row, app: app, at: request.now, db) }
    }
  }

  private static func lease(
    _ row: DueBatch, app: Int64, at now: Timestamp, _ db: any SQLConnection
  ) throws -> Lease {
    guard var send = try send(row.send, db) else {
      throw StoreError(.failed, "the batch \(row.id) has no send; restore a backup")
    }
    var lease = Lease(
      id: row.id, key: row.send, appNumber: app, lease: row.lease, fruitless: row.fruitless,
      send: send,
      devices: row.outcomes.left, retries: row.retries,
      isRunning: send.state.isRunning && !send.hasExpired(at: now))
    guard lease.isRunning else {
      // The previous lease lapsed, and the send was paused, ended or expired meanwhile.
      let state = send.hasExpired(at: now) ? .complete : send.state
      try Self.end(batch: row.id, app: app, ofSendIn: state, at: now, db)
      try settle(&send, key: row.send, at: now, db)
      return lease
    }
    let left = lease.devices
    lease.devices = lease.retries.due(of: left, at: now)
    if lease.devices.isEmpty, !left.isEmpty {
      // The previous lease lapsed, or a pause ended, while all devices waited for a retry.
      try db.queue(
        """
        UPDATE batches SET owner = NULL, due_at = \(lease.retries.dueTime(of: left, at: now))
        WHERE app = \(app) AND number = \(row.id)
        """)
      lease.isRunning = false
      return lease
    }
    if let quiet = row.quiet, let quietEnd = quiet.end(at: now) {
      if quiet.otherwise == .wait {
        try db.queue(
          """
          UPDATE batches SET owner = NULL, due_at = \(quietEnd) WHERE app = \(app)
          AND number = \(row.id)
          """)
        lease.isRunning = false
        return lease
      }
      lease.isQuiet = true
    }
    if !lease.isQuiet {
      let found = try reserve(lease.devices, for: send, key: row.send, at: now, db)
      lease.hasRules = found != nil
      if let found { (lease.capped, lease.counted) = (found.capped, found.counted) }
    }
    lease.isFirst = send.startedAt == nil
    try apply(event: .leased, to: &send, key: row.send, at: now, db)
    lease.send = send
    return lease
  }

  private static func endExpired(at now: Timestamp, _ db: any SQLConnection) throws {
    // A lease does not outlive its transaction, so it ends some of them and later leases end the others.
    let expired = try db.rows(
      "SELECT app, number FROM sends WHERE ends_at <= \(now) ORDER BY ends_at LIMIT 100"
    ) { SendKey(app: try $0.integer("app"), number: try $0.integer("number")) }
    for key in expired { try reading(.send(key)) { try endExpired(key, at: now, db) } }
  }

  private static func endExpired(
    _ key: SendKey, at now: Timestamp, _ db: any SQLConnection
  ) throws {
    // If another node has locked a send, that node ends it.
    let found = try db.row(
      """
      SELECT \(Send.selection) FROM sends
      WHERE app = \(key.app) AND number = \(key.number)
      AND ends_at <= \(now)\(db.dialect.forUpdateSkippingLocked)
      """, map: Send.init(row:))
    guard var send = found else { return }
    let leased = try work(of: key, db).leased
    try apply(event: .expired(leased: leased), to: &send, key: key, at: now, db)
    try db.queue(
      "UPDATE sends SET ends_at = NULL WHERE app = \(key.app) AND number = \(key.number)")
  }
}

/// A row of `batches` that is due.
private struct DueBatch {
  var id: Int64
  var send: SendKey
  var lease: Int64
  var fruitless: Int
  var outcomes: PackedOutcomes
  var retries: Retries
  var quiet: QuietWindows?

  init(row: inout SQLRow, app: Int64) throws {
    id = try row.integer("number")
    let send = SendKey(app: app, number: try row.integer("send"))
    self.send = send
    do {
      (lease, fruitless) = try (row.integer("lease"), row.int("fruitless"))
      outcomes = try row.outcomes()
      retries = try row.optionalPacked("retries", Retries.init(packed:)) ?? Retries()
      quiet = try row.optionalParsed("quiet", QuietWindows.init(text:))
    } catch {
      throw error.of(.send(send))
    }
  }
}

/// The row of a leased batch.
struct Lease: Sendable {
  var id: Int64
  var key: SendKey
  var appNumber: Int64
  var lease: Int64
  var fruitless: Int
  var send: Send
  var devices: DeviceNumbers
  var retries: Retries
  /// Whether to send the batch; otherwise it is held or ended with its send, or none of its devices is due.
  var isRunning: Bool
  var isFirst = false
  /// Whether the devices are in their quiet hours, in which pushes are dropped.
  var isQuiet = false
  /// Whether the app has rules that the send obeys or that count its pushes.
  var hasRules = false
  /// The devices that have had as many pushes as a rule allows.
  var capped: [UInt32: FrequencyCap] = [:]
  /// ``Batch/counted``.
  var counted = DeviceNumbers()
  /// Whether the lease must not be lost, because a started send cannot be edited and rules must hold after a crash.
  var mustSync: Bool { isRunning && (isFirst || hasRules) }
}
