import PushModel
import PushPayload
import _Bitmaps

extension SQLPushStore {
  package func finish(
    _ batch: Batch, outcomes: [Outcome], retries: [Retry], alarm: String?, at now: Timestamp
  ) async throws(StoreError) -> BatchEnd {
    // This is repeatable, because outcomes that are stored already change nothing.
    try await write(repeatable: true) { db in
      let app = batch.appNumber
      let sendQuery = Self.query(
        forSendWhere: "id = \(batch.send.id)\(db.dialect.forUpdate)", app: app)
      if let clock = self.clockQuery { try db.fetchAhead(clock) }
      try db.fetchAhead(sendQuery)
      try db.fetchAhead(Self.query(forOutcomesOf: batch))
      // If the send was deleted, its outcomes are dropped.
      guard let (found, key) = try Self.send(sendQuery, app: app, db) else { return BatchEnd() }
      let offset = try self.clockOffset(from: now, db)
      let now = now + offset
      var send = found
      var (left, unsent, end) = try Self.record(
        outcomes, of: batch, send: &send, key: key, at: now, db)
      end.pause = try Self.raise(end.pause ?? alarm, on: &send, key: key, at: now, db)
      // Devices that were not due have the counts of their own leases.
      let leased = DeviceNumbers(batch.targets.map(\.number))
      let unanswered = DeviceNumbers(left.bitmap & leased.bitmap)
      let mustEnd = left.isEmpty || send.state.isOver || send.hasExpired(at: now)
      if mustEnd {
        let isOwn = try unanswered.isEmpty || Self.hasLease(batch, app: app, db)
        // The batch ends even if the lease has lapsed and another owner has it, who may be sending to these devices.
        try Self.end(batch: batch.id, app: app, ofSendIn: .complete, at: now, db)
        if isOwn { unsent = unsent.union(unanswered) }
      } else {
        let isReleased = try Self.release(
          batch, app: app, left: left, isFruitless: outcomes.isEmpty,
          isRunning: send.state.isRunning,
          retries: retries.map { $0.moved(by: offset) }, at: now, db)
        // Otherwise another lease may be sending to these devices.
        if isReleased { unsent = unsent.union(unanswered) }
      }
      let mayHaveArrived = retries.filter(\.mayHaveArrived)
        .reduce(batch.counted) { $0.union($1.devices) }
      try Self.release(unsent.subtracting(mayHaveArrived), of: send, key: key, at: now, db)
      if mustEnd || send.state == .pausing { try Self.settle(&send, key: key, at: now, db) }
      end.isComplete = send.state == .complete && found.state != .complete
      return end
    }
  }

  /// Ends the lease of a batch with devices left.
  ///
  /// - Returns: `false` if the lease has lapsed.
  private static func release(
    _ batch: Batch, app: Int64, left: DeviceNumbers, isFruitless: Bool, isRunning: Bool,
    retries new: [Retry], at now: Timestamp, _ db: any SQLConnection
  ) throws -> Bool {
    let lease: SQL = """
      app = \(app) AND number = \(batch.id) AND lease = \(batch.lease) AND due_at IS NOT NULL
      """
    let row = try db.row("SELECT retries FROM batches WHERE \(lease)") {
      try $0.optionalPacked("retries", Retries.init(packed:)) ?? Retries()
    }
    guard var retries = row else { return false }
    retries.replace(DeviceNumbers(batch.targets.map(\.number)), by: new, left: left)
    try db.queue(
      """
      UPDATE batches SET due_at = \(retries.dueTime(of: left, at: now)), owner = NULL,
        fruitless = \(isFruitless ? batch.fruitlessAttempts + 1 : 0), waits = \(isRunning),
        retries = \(retries.isEmpty ? nil : retries.packed)
      WHERE \(lease)
      """)
    return true
  }

  /// Pauses a send for a reason, and logs the pause as the server's own in the audit log.
  ///
  /// A send that a person has paused gets the reason too, because a resume consents to it.
  ///
  /// - Returns: The reason; `nil` if `alarm` is `nil`, the send is over or has the reason already.
  private static func raise(
    _ alarm: String?, on send: inout Send, key: SendKey, at now: Timestamp,
    _ db: any SQLConnection
  ) throws -> String? {
    guard let alarm, !send.state.isOver, send.failure != alarm else { return nil }
    send.failure = alarm
    try db.queue(
      """
      UPDATE sends SET failure = \(alarm), suspicion = \(send.suspicion.rawValue)
      WHERE app = \(key.app) AND number = \(key.number)
      """)
    let leased = try work(of: key, db).leased
    try apply(event: .order(.alarm(alarm)), leased: leased, to: &send, key: key, at: now, db)
    let entry = AuditEntry(
      app: send.app, key: nil, action: "notification.pause", object: send.id, address: nil, at: now)
    try append(entry, db)
    return alarm
  }

  // MARK: Rows

  private static func query(forOutcomesOf batch: Batch) -> SQL {
    "SELECT devices, outcomes FROM batches WHERE app = \(batch.appNumber) AND number = \(batch.id)"
  }

  /// Stores and counts the first outcome of each device.
  ///
  /// - Returns: The devices without an outcome, the devices whose push APNs has not accepted, and the verdict of
  ///   ``InvalidationGuard``.
  private static func record(
    _ outcomes: [Outcome], of batch: Batch, send: inout Send, key: SendKey,
    at now: Timestamp, _ db: any SQLConnection
  ) throws -> (left: DeviceNumbers, unsent: DeviceNumbers, end: BatchEnd) {
    let row = try db.row(query(forOutcomesOf: batch)) {
      try $0.outcomes()
    }
    var end = BatchEnd()
    guard let known = row else { return (DeviceNumbers(), DeviceNumbers(), end) }
    var packed = known
    var added = packed.merge(outcomes)
    var groups = [OutcomeGroup](added)
    let tally = InvalidationGuard.Tally(groups)
    let gone = groups.count { $0.result == .uninstalled }
    // Activities end on phones without notice, so many invalid tokens are not suspicious.
    if send.suspicion == .none, send.activity == nil {
      end.pause = InvalidationGuard.alarm(batch: tally, before: send.tally)
      if end.pause != nil {
        send.suspicion = .raised
      } else if gone > 0 {
        end.doubt = InvalidationGuard.doubt(
          batch: tally, before: try self.tally(ofApp: key.app, at: now, db))
      }
    }
    if gone > 0, send.suspicion == .raised || end.doubt != nil {
      end.unmarked = gone
      packed = known
      added = packed.merge(outcomes.map(\.withoutMark))
      groups = [OutcomeGroup](added)
    }
    if !added.isEmpty {
      try db.queue(
        """
        UPDATE batches SET outcomes = \(packed.packed) WHERE app = \(key.app)
        AND number = \(batch.id)
        """)
      try addCounts(of: groups, tally: tally, to: key, db)
      if let activity = send.activity {
        try updateTokens(from: added, of: activity, send: key, db)
        return (packed.left, DeviceNumbers(), end)
      }
      try count(groups, send: key, at: now, db)
      if send.suspicion != .settled {
        try count(.pushesInvalid, by: tally.invalid, app: key.app, at: now, db)
      }
      try updateDevices(from: added, of: batch.send, app: key.app, at: now, db)
    }
    // By index here and below, because iteration would copy whole outcomes.
    let unsent = added.indices.filter { added[$0].result != .sent && added[$0].limit == nil }
      .map { added[$0].device }
    return (
      packed.count < packed.devices.count ? packed.left : DeviceNumbers(), DeviceNumbers(unsent),
      end
    )
  }

  /// The answers of APNs for the app's sends in this and the previous hour.
  private static func tally(
    ofApp app: Int64, at now: Timestamp, _ db: any SQLConnection
  ) throws -> InvalidationGuard.Tally {
    func sum(_ counter: Counter) throws -> Int {
      try db.row(
        """
        SELECT sum(count) AS sum FROM counters WHERE app = \(app) AND counter = \(counter.rawValue)
        AND time >= \(now.hour + .seconds(-3600))
        """
      ) { try $0.optionalInt("sum") ?? 0 } ?? 0
    }
    let invalid = try sum(.pushesInvalid)
    return InvalidationGuard.Tally(answered: try sum(.pushesSent) + invalid, invalid: invalid)
  }

  private static func addCounts(
    of groups: [OutcomeGroup], tally: InvalidationGuard.Tally, to send: SendKey,
    _ db: any SQLConnection
  ) throws {
    let sent = groups.count { $0.result == .sent }
    let rejected = groups.count { $0.result == .rejected }
    let uninstalled = groups.count { $0.result == .uninstalled }
    try db.queue(
      """
      UPDATE sends SET sent = sent + \(sent), rejected = rejected + \(rejected),
        uninstalled = uninstalled + \(uninstalled),
        answered = answered + \(tally.answered), invalid = invalid + \(tally.invalid),
        quiet = quiet + \(groups.count { $0.limit == .quiet }),
        capped = capped + \(groups.count { $0.limit?.isCap == true })
      WHERE app = \(send.app) AND number = \(send.number)
      """)
  }

  static func count(
    _ groups: [OutcomeGroup], send: SendKey, at now: Timestamp, _ db: any SQLConnection
  ) throws {
    let sent = groups.count { $0.result == .sent }
    let rejected = groups.count { $0.result == .rejected }
    try count(groups, bySendHour: send, db)
    try count(.pushesSent, by: sent, app: send.app, at: now, db)
    try count(.pushesRejected, by: rejected, app: send.app, at: now, db)
  }

  /// Updates the devices of outcomes that change their device, unless the app has registered a different token since.
  private static func updateDevices(
    from outcomes: [Outcome], of send: Send, app: Int64, at now: Timestamp,
    _ db: any SQLConnection
  ) throws {
    guard outcomes.indices.contains(where: { outcomes[$0].changesDevice }) else { return }
    guard try lockDevices(of: app, db) else { return }
    let keys = DeviceKeys(app: app)
    var changed: [UInt32] = []
    var gone: [UInt32] = []
    for outcome in outcomes {
      let device = keys.isDevice(outcome.device)
      let registered: SQL = "\(device) AND token = \(outcome.token)"
      var rows = 0
      if outcome.result == .uninstalled {
        rows = try db.run(
          """
          UPDATE devices SET uninstalled_at = \(outcome.time)
          WHERE \(registered) AND uninstalled_at IS NULL
          AND (CAST(\(outcome.goneSince) AS BIGINT) IS NULL OR token_at IS NULL OR token_at <= $5)
          """)
        if rows > 0 { gone.append(outcome.device) }
      }
      if let isDevelopment = outcome.learnedDevelopment {
        rows += try db.run("UPDATE devices SET development = \(isDevelopment) WHERE \(registered)")
      }
      if let badge = outcome.badge, outcome.result == .sent {
        // What the device has told since the push is newer.
        rows += try db.run(
          """
          UPDATE devices SET badge = \(badge)
          WHERE \(device) AND updated_at <= \(outcome.time) AND erased_at IS NULL
          """)
      }
      if rows > 0 { changed.append(outcome.device) }
    }
    try log(changed, app: app, db)
    guard !gone.isEmpty else { return }
    for number in gone { try removeFurtherTokens(ofDevice: number, app: app, db) }
    try count(.uninstalls, by: gone.count, app: app, at: now, db)
    let devices = try rows(
      of: DeviceNumbers(gone), app: app, columns: "key, id, user_id, uninstalled_at", db
    ) { row -> JSONValue in
      row.skip("key")
      return [
        "id": .string(try row.text("id")),
        "user_id": try row.optionalText("user_id").map(JSONValue.string) ?? .null,
        "uninstalled_at": .string(try row.time("uninstalled_at").iso8601),
      ]
    }
    let data: JSONValue = ["notification_id": .string(send.id), "devices": .array(devices)]
    _ = try enqueue(
      WebhookNotice(app: send.app, event: "device.uninstalled", data: data, at: now), db)
  }

  /// Takes a batch out of the queue, for good or, if its send is paused, until the send is resumed.
  static func end(
    batch: Int64, app: Int64, ofSendIn state: SendLifecycle.State, at now: Timestamp,
    _ db: any SQLConnection
  ) throws {
    try db.queue(
      """
      UPDATE batches SET waits = FALSE, owner = NULL, due_at = \(state.isOver ? nil : now)
      WHERE app = \(app) AND number = \(batch)
      """)
  }

  /// Brings a send's state up to date after the end of a lease.
  static func settle(
    _ send: inout Send, key: SendKey, at now: Timestamp, _ db: any SQLConnection
  ) throws {
    let (leased, hasWork) = try work(of: key, db)
    try apply(event: .settled(leased: leased, hasWork: hasWork), to: &send, key: key, at: now, db)
  }
}

extension Outcome {
  /// The same outcome as a rejection, which does not change the device's registration.
  fileprivate var withoutMark: Outcome {
    var outcome = self
    if result == .uninstalled { outcome.result = .rejected }
    return outcome
  }

  /// Whether the outcome may change its device.
  fileprivate var changesDevice: Bool {
    result == .uninstalled || learnedDevelopment != nil || (badge != nil && result == .sent)
  }
}
