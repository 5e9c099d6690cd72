import PushPayload

extension SQLPushStore {
  package func finish(
    _ batch: Batch, outcomes: [Outcome], retries: [Retry], alarm: String?, at now: Timestamp
  ) async throws(StoreError) -> BatchEnd {
    // This is repeatable, because outcomes that are stored already change nothing.
    try await write(repeatable: true) { db in
      let app = batch.appNumber
      let sendQuery = Self.query(
        forSendWhere: "id = ?2\(db.dialect.forUpdate)", [batch.send.id], app: app)
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
      let mustEnd = left.isEmpty || send.state.isOver || (send.expiresAt.map { $0 <= now } ?? false)
      if mustEnd {
        // The batch ends even if the lease has lapsed and another owner has it.
        try Self.end(batch: batch.id, app: app, ofSendIn: .complete, at: now, db)
        unsent = unsent.union(left)
      } else {
        let isReleased = try Self.release(
          batch, app: app, left: left, isFruitless: outcomes.isEmpty,
          isRunning: send.state.isRunning,
          retries: retries.map {
            Retry($0.devices, dueAt: $0.dueAt + offset, attempts: $0.attempts)
          }, at: now, db)
        // Otherwise another lease may be sending to these devices.
        if isReleased { unsent = unsent.union(left) }
      }
      try Self.release(unsent, of: send, key: key, at: now, db)
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
    let held: [SQLValue] = [.integer(app), .integer(batch.id), .integer(batch.lease)]
    let lease = "app = ? AND number = ? AND lease = ? AND due_at IS NOT NULL"
    let row = try db.row("SELECT retries FROM batches WHERE \(lease)", held) {
      try $0.optionalPacked("retries", Retries.init(packed:)) ?? Retries()
    }
    guard var retries = row else { return false }
    retries.replace(DeviceNumbers(batch.targets.map(\.number)), by: new, left: left)
    try db.queue(
      """
      UPDATE batches SET due_at = ?, owner = NULL, fruitless = ?, waits = ?, retries = ?
      WHERE \(lease)
      """,
      [
        .time(retries.dueTime(of: left, at: now)),
        .integer(isFruitless ? Int64(batch.fruitlessAttempts + 1) : 0), .bool(isRunning),
        retries.isEmpty ? .null : .blob(retries.packed),
      ] + held)
    return true
  }

  /// Pauses a send for a reason, and logs the pause as the server's own in the audit log.
  ///
  /// - Returns: The reason; `nil` if `alarm` is `nil` or the send was not running.
  private static func raise(
    _ alarm: String?, on send: inout Send, key: SendKey, at now: Timestamp,
    _ db: any SQLConnection
  ) throws -> String? {
    guard let alarm, send.state.isRunning else { return nil }
    send.failure = alarm
    let leased = try work(of: key, db).leased
    try apply(event: .order(.alarm(alarm)), leased: leased, to: &send, key: key, at: now, db)
    let entry = AuditEntry(
      app: send.app, key: nil, action: "notification.pause", object: send.id, address: nil, at: now)
    try append(entry, db)
    return alarm
  }

  package func outcome(
    of send: String, app: String, device number: UInt32
  ) async throws(StoreError) -> Outcome? {
    try await read { db in
      guard let send = try Self.key(ofSend: send, app: app, db) else { return nil }
      // At most one batch of each segment has a range that includes this number.
      let rows = try db.rows(
        """
        SELECT devices, outcomes FROM batches
        WHERE app = ?1 AND send = ?2 AND first <= ?3 AND last >= ?3 AND outcomes IS NOT NULL
        """, send.values + [.integer(Int64(number))]
      ) { try $0.outcomes() }
      for outcomes in rows {
        if let outcome = outcomes.outcome(of: number) { return outcome }
      }
      return nil
    }
  }

  package func isTargeted(
    _ device: UInt32, by send: String, app: String
  ) async throws(StoreError) -> Bool? {
    try await read { db in
      guard let app = try Self.number(of: app, db),
        let found = try Self.send(where: "id = ?2", [send], app: app, db)
      else { return nil }
      let segments = try db.rows(
        "SELECT devices FROM segments WHERE app = ? AND send = ?", found.key.values
      ) { try $0.devices("devices") }
      for devices in segments where devices.contains(device) { return true }
      return segments.isEmpty && found.send.counts.targeted > 0 ? nil : false
    }
  }

  package func waitingPush(
    to device: UInt32, of send: String, app: String
  ) async throws(StoreError) -> WaitingPush? {
    try await read { db in
      guard let app = try Self.number(of: app, db),
        let found = try Self.send(where: "id = ?2", [send], app: app, db)
      else { return nil }
      let segments = try db.rows(
        "SELECT devices, due_at, quiet FROM segments WHERE app = ? AND send = ?", found.key.values
      ) { row in
        try (
          devices: row.devices("devices"), due: row.optionalTime("due_at"),
          quiet: row.optionalParsed("quiet", QuietWindows.init(text:))
        )
      }
      for segment in segments where segment.devices.contains(device) {
        return WaitingPush(dueAt: segment.due, quiet: segment.quiet)
      }
      return nil
    }
  }

  package func outcomes(
    of send: String, app: String, after cursor: String?
  ) async throws(StoreError) -> Page<Outcome> {
    try await read { db in
      guard let app = try Self.number(of: app, db),
        let found = try Self.send(where: "id = ?2", [send], app: app, db)
      else { return Page([], cursor: nil, total: 0) }
      guard let place = OutcomePlace(cursor ?? "0") else { throw Self.expired(cursor ?? "") }
      let rows = try db.rows(
        """
        SELECT number, devices, outcomes FROM batches
        WHERE app = ? AND send = ? AND number > ? AND outcomes IS NOT NULL ORDER BY number LIMIT 2
        """, found.key.values + [.integer(place.device == nil ? place.batch : place.batch - 1)]
      ) { row in
        try (number: row.integer("number"), outcomes: row.outcomes())
      }
      let counts = found.send.counts
      let total = counts.sent + counts.rejected + counts.uninstalled
      guard let row = rows.first else { return Page([], cursor: nil, total: total) }
      var rest = row.outcomes.outcomes[...]
      if row.number == place.batch, let last = place.device {
        rest = rest.drop { $0.device <= last }
      }
      let shown = Array(rest.prefix(Outcome.pageSize))
      let next: OutcomePlace? =
        if shown.count < rest.count {
          OutcomePlace(batch: row.number, device: shown.last?.device)
        } else if rows.count > 1 { OutcomePlace(batch: row.number) } else { nil }
      return Page(shown, cursor: next?.cursor, total: total)
    }
  }

  package func reasons(
    of send: String, app: String
  ) async throws(StoreError) -> [OutcomeReason: Int] {
    try await read { db in
      guard let send = try Self.key(ofSend: send, app: app, db) else { return [:] }
      var counts: [OutcomeReason: Int] = [:]
      // The table at the beginning is nearly always short, but the rest has bytes for each device.
      let rows = try db.rows(
        """
        SELECT number, substr(outcomes, 1, 128) AS first FROM batches
        WHERE app = ? AND send = ? AND outcomes IS NOT NULL
        """, send.values
      ) { try ($0.integer("number"), PackedOutcomes.reasons(inFirst: $0.blob("first"))) }
      for (_, reasons) in rows { counts.merge(reasons ?? [:], uniquingKeysWith: +) }
      let long = rows.compactMap { number, reasons in reasons == nil ? number : nil }
      guard !long.isEmpty else { return counts }
      let others = try db.rows(
        "SELECT outcomes FROM batches WHERE app = ? AND number \(db.dialect.among(.integer))",
        [.integer(send.app), .list(of: long)]
      ) { try $0.packed("outcomes", PackedOutcomes.reasons(inPacked:)) }
      for reasons in others { counts.merge(reasons, uniquingKeysWith: +) }
      return counts
    }
  }

  // MARK: Rows

  private static func query(forOutcomesOf batch: Batch) -> SQLQuery {
    SQLQuery(
      "SELECT devices, outcomes FROM batches WHERE app = ? AND number = ?",
      [.integer(batch.appNumber), .integer(batch.id)])
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
        "UPDATE batches SET outcomes = ?3 WHERE app = ?1 AND number = ?2",
        [.integer(key.app), .integer(batch.id), .blob(packed.packed)])
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
        "SELECT sum(count) AS sum FROM counters WHERE app = ? AND counter = ? AND time >= ?",
        [.integer(app), .text(counter.rawValue), .time(now.hour + .seconds(-3600))]
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
      UPDATE sends SET sent = sent + ?, rejected = rejected + ?, uninstalled = uninstalled + ?,
        answered = answered + ?, invalid = invalid + ?, quiet = quiet + ?,
        capped = capped + ?
      WHERE app = ? AND number = ?
      """,
      [
        .integer(Int64(sent)), .integer(Int64(rejected)),
        .integer(Int64(uninstalled)), .integer(Int64(tally.answered)),
        .integer(Int64(tally.invalid)), .integer(Int64(groups.count { $0.limit == .quiet })),
        .integer(Int64(groups.count { $0.limit?.isCap == true })),
      ] + send.values)
  }

  private static func count(
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
      let device = keys.values(outcome.device)
      let registered = device + [.optional(outcome.token)]
      var rows = 0
      if outcome.result == .uninstalled {
        rows = try db.run(
          """
          UPDATE devices SET uninstalled_at = ?4 WHERE app = ?1 AND key = ?2 AND token = ?3
          AND uninstalled_at IS NULL
          AND (CAST(?5 AS BIGINT) IS NULL OR token_at IS NULL OR token_at <= ?5)
          """, registered + [.time(outcome.time), .time(outcome.goneSince)])
        if rows > 0 { gone.append(outcome.device) }
      }
      if let isDevelopment = outcome.learnedDevelopment {
        rows += try db.run(
          "UPDATE devices SET development = ?4 WHERE app = ?1 AND key = ?2 AND token = ?3",
          registered + [.bool(isDevelopment)])
      }
      if let badge = outcome.badge, outcome.result == .sent {
        rows += try db.run(
          "UPDATE devices SET badge = ?3 WHERE app = ?1 AND key = ?2", device + [.integer(badge)])
      }
      if rows > 0 { changed.append(outcome.device) }
    }
    try log(changed, app: app, db)
    guard !gone.isEmpty else { return }
    for number in gone { try removeActivityTokens(ofDevice: number, app: app, db) }
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
      UPDATE batches SET waits = FALSE, owner = NULL, due_at = ? WHERE app = ? AND number = ?
      """, [state.isOver ? .null : .time(now), .integer(app), .integer(batch)])
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

/// The end of a page of outcomes: the end of a batch, or a device in it that is not its last.
private struct OutcomePlace {
  var batch: Int64
  var device: UInt32?

  init(batch: Int64, device: UInt32? = nil) { (self.batch, self.device) = (batch, device) }

  /// Reads a cursor; `nil` if it is not a cursor of this list.
  init?(_ cursor: String) {
    let parts = cursor.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count <= 2, let batch = parts.first.flatMap({ Int64($0) }) else { return nil }
    self.batch = batch
    guard parts.count == 2 else { return }
    guard let device = UInt32(parts[1]) else { return nil }
    self.device = device
  }

  var cursor: String { device.map { "\(batch)-\($0)" } ?? "\(batch)" }
}
