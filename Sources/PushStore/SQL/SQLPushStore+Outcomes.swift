import PushPayload

extension SQLPushStore {
  package func finish(
    _ batch: Batch, outcomes: [Outcome], retries: [Retry], alarm: String?, at now: Timestamp
  ) async throws(StoreError) -> String? {
    // Outcomes that are known already change nothing.
    try await write(repeatable: true) { db in
      // A send that was deleted has no one to tell.
      guard let app = try Self.number(of: batch.send.app, db),
        let (found, number) = try Self.send(
          where: "id = ?\(db.dialect.locked)", [batch.send.id], db)
      else { return nil }
      let lead = try self.lead(over: now, db)
      let now = now + lead
      var send = found
      let (left, doubt) = try Self.record(
        outcomes, of: batch, send: &send, number, app: app, at: now, db)
      let alarm = try Self.raise(doubt ?? alarm, &send, number, at: now, db)
      let mustEnd = left.isEmpty || send.state.isOver || (send.expiresAt.map { $0 <= now } ?? false)
      if mustEnd {
        // Whoever holds the lease now.
        try Self.end(batch: batch.id, ofSendIn: .complete, at: now, db)
      } else {
        try Self.release(
          batch, left: left, isFruitless: outcomes.isEmpty, isRunning: send.state.isRunning,
          retries.map { Retry($0.devices, dueAt: $0.dueAt + lead, attempts: $0.attempts) },
          at: now, db)
      }
      if mustEnd || send.state == .pausing { try Self.settle(&send, number, at: now, db) }
      return alarm
    }
  }

  /// Gives back a batch with devices left, if the lease has not lapsed.
  private static func release(
    _ batch: Batch, left: DeviceNumbers, isFruitless: Bool, isRunning: Bool, _ new: [Retry],
    at now: Timestamp, _ db: any SQLConnection
  ) throws {
    let held: [SQLValue] = [.integer(batch.id), .integer(batch.lease)]
    let lease = "id = ? AND lease = ? AND due_at IS NOT NULL"
    let row = try db.row("SELECT retries FROM batches WHERE \(lease)", held) { $0.optionalBlob(0) }
    guard let row else { return }
    var retries = try retries(row)
    retries.replace(DeviceNumbers(batch.targets.map(\.number)), by: new, left: left)
    try db.run(
      """
      UPDATE batches SET due_at = ?, owner = NULL, fruitless = ?, waits = ?, retries = ?
      WHERE \(lease)
      """,
      [
        .time(retries.dueTime(of: left, at: now)),
        .integer(isFruitless ? Int64(batch.fruitlessAttempts + 1) : 0), .bool(isRunning),
        retries.isEmpty ? .null : .blob(retries.packed),
      ] + held)
  }

  /// Pauses a send for a reason, and writes down that nobody but the server did; `nil` where it did
  /// not run.
  private static func raise(
    _ alarm: String?, _ send: inout Send, _ number: Int64, at now: Timestamp,
    _ db: any SQLConnection
  ) throws -> String? {
    guard let alarm, send.state.isRunning else { return nil }
    send.failure = alarm
    let leased = try work(of: number, db).leased
    try tell(.order(.alarm(alarm)), leased: leased, &send, number, at: now, db)
    let entry = AuditEntry(
      app: send.app, key: nil, action: "notification.pause", object: send.id, address: nil, at: now)
    try append(entry, db)
    return alarm
  }

  package func outcome(
    of send: String, app: String, device number: UInt32
  ) async throws(StoreError) -> Outcome? {
    try await read { db in
      guard let send = try Self.number(ofSend: send, app: app, db) else { return nil }
      // One a segment at most, and mostly one.
      let rows = try db.rows(
        """
        SELECT devices, outcomes FROM batches
        WHERE send = ?1 AND first <= ?2 AND last >= ?2 AND outcomes IS NOT NULL
        """, [.integer(send), .integer(Int64(number))]
      ) { (devices: $0.blob(0), outcomes: $0.optionalBlob(1)) }
      for row in rows {
        let outcomes = try Self.outcomes(row.outcomes, of: row.devices)
        if let outcome = outcomes.outcome(of: number) { return outcome }
      }
      return nil
    }
  }

  package func outcomes(
    of send: String, app: String, after cursor: String?
  ) async throws(StoreError) -> Page<Outcome> {
    try await read { db in
      guard let found = try Self.send(where: "id = ? AND app = ?", [send, app], db) else {
        return Page([], cursor: nil, total: 0)
      }
      let rows = try db.rows(
        """
        SELECT id, devices, outcomes FROM batches
        WHERE send = ? AND id > ? AND outcomes IS NOT NULL ORDER BY id LIMIT 2
        """, [.integer(found.number), .integer(try Self.position(cursor, else: 0))]
      ) { (id: $0.integer(0), devices: $0.blob(1), outcomes: $0.optionalBlob(2)) }
      let counts = found.send.counts
      let total = counts.sent + counts.rejected + counts.uninstalled
      guard let row = rows.first else { return Page([], cursor: nil, total: total) }
      return Page(
        try Self.outcomes(row.outcomes, of: row.devices).outcomes,
        cursor: rows.count > 1 ? String(row.id) : nil, total: total)
    }
  }

  package func reasons(
    of send: String, app: String
  ) async throws(StoreError) -> [OutcomeReason: Int] {
    try await read { db in
      guard let send = try Self.number(ofSend: send, app: app, db) else { return [:] }
      var counts: [OutcomeReason: Int] = [:]
      let rows = try db.rows(
        "SELECT devices, outcomes FROM batches WHERE send = ? AND outcomes IS NOT NULL",
        [.integer(send)]
      ) {
        PackedOutcomes(devices: DeviceNumbers(packed: $0.blob(0)) ?? .init(), packed: $0.blob(1))?
          .reasons ?? [:]
      }
      for reasons in rows { counts.merge(reasons, uniquingKeysWith: +) }
      return counts
    }
  }

  // MARK: Rows

  static func outcomes(_ packed: [UInt8]?, of devices: [UInt8]) throws -> PackedOutcomes {
    let devices = try numbers(devices)
    guard let packed else { return PackedOutcomes(devices: devices) }
    guard let outcomes = PackedOutcomes(devices: devices, packed: packed) else {
      throw StoreError(.failed, "the store holds outcomes that cannot be read")
    }
    return outcomes
  }

  /// Takes the first outcome of each device, counts it, and returns which devices have none, and
  /// why the outcomes are not to be believed, where that is new.
  private static func record(
    _ outcomes: [Outcome], of batch: Batch, send: inout Send, _ number: Int64, app: Int64,
    at now: Timestamp, _ db: any SQLConnection
  ) throws -> (left: DeviceNumbers, doubt: String?) {
    let row = try db.row(
      "SELECT devices, outcomes FROM batches WHERE id = ?", [.integer(batch.id)]
    ) { (devices: $0.blob(0), outcomes: $0.optionalBlob(1)) }
    guard let row else { return (DeviceNumbers(), nil) }
    let known = try self.outcomes(row.outcomes, of: row.devices)
    var packed = known
    var taken = packed.merge(outcomes)
    let tally = InvalidationGuard.Tally(taken)
    var doubt: String?
    if send.suspicion == .none {
      doubt = InvalidationGuard.alarm(batch: tally, before: send.tally)
      if doubt != nil { send.suspicion = .raised }
    }
    if send.suspicion == .raised, taken.contains(where: { $0.result == .uninstalled }) {
      packed = known
      taken = packed.merge(outcomes.map(\.withoutMark))
    }
    if !taken.isEmpty {
      try db.run(
        "UPDATE batches SET outcomes = ? WHERE id = ?",
        [.blob(packed.packed), .integer(batch.id)])
      try count(taken, tally, send: number, app: app, at: now, db)
      try learn(from: taken, of: batch.send, app: app, at: now, db)
    }
    return (packed.count < packed.devices.count ? packed.left : DeviceNumbers(), doubt)
  }

  private static func count(
    _ outcomes: [Outcome], _ tally: InvalidationGuard.Tally, send: Int64, app: Int64,
    at now: Timestamp, _ db: any SQLConnection
  ) throws {
    var counted: [Outcome.Result: Int] = [:]
    for outcome in outcomes { counted[outcome.result, default: 0] += 1 }
    let (sent, rejected) = (counted[.sent] ?? 0, counted[.rejected] ?? 0)
    try db.run(
      """
      UPDATE sends SET sent = sent + ?, rejected = rejected + ?, uninstalled = uninstalled + ?,
        answered = answered + ?, invalid = invalid + ?
      WHERE number = ?
      """,
      [
        .integer(Int64(sent)), .integer(Int64(rejected)),
        .integer(Int64(counted[.uninstalled] ?? 0)), .integer(Int64(tally.answered)),
        .integer(Int64(tally.invalid)), .integer(send),
      ])
    try count(outcomes, bySendHour: send, db)
    try count(.pushesSent, sent, app: app, at: now, db)
    try count(.pushesRejected, rejected, app: app, at: now, db)
  }

  /// What an answer says about its device, unless the app has registered another token since.
  private static func learn(
    from outcomes: [Outcome], of send: Send, app: Int64, at now: Timestamp,
    _ db: any SQLConnection
  ) throws {
    guard outcomes.contains(where: \.tellsOfDevice) else { return }
    try lockDevices(of: app, db)
    let keys = DeviceKeys(app: app)
    var changed: [UInt32] = []
    var gone: [UInt32] = []
    for outcome in outcomes {
      let device = [keys.key(outcome.device), SQLValue.optional(outcome.token)]
      var rows = 0
      if outcome.result == .uninstalled {
        rows = try db.run(
          """
          UPDATE devices SET uninstalled_at = ?3 WHERE key = ?1 AND token = ?2
          AND uninstalled_at IS NULL AND (CAST(?4 AS BIGINT) IS NULL OR token_at IS NULL OR token_at <= ?4)
          """, device + [.time(outcome.time), .time(outcome.goneSince)])
        if rows > 0 { gone.append(outcome.device) }
      }
      if let isDevelopment = outcome.learnedDevelopment {
        rows += try db.run(
          "UPDATE devices SET development = ?3 WHERE key = ?1 AND token = ?2",
          device + [.bool(isDevelopment)])
      }
      if let badge = outcome.badge, outcome.result == .sent {
        rows += try db.run(
          "UPDATE devices SET badge = ?2 WHERE key = ?1", [device[0], .integer(badge)])
      }
      if rows > 0 { changed.append(outcome.device) }
    }
    try log(changed, app: app, db)
    guard !gone.isEmpty else { return }
    try count(.uninstalls, gone.count, app: app, at: now, db)
    let devices = try rows(
      of: DeviceNumbers(gone), app: app, columns: "key, id, user_id, uninstalled_at", db
    ) { row -> JSONValue in
      [
        "id": .string(row.text(1)),
        "user_id": row.optionalText(2).map(JSONValue.string) ?? .null,
        "uninstalled_at": .string(row.time(3).iso8601),
      ]
    }
    let data: JSONValue = ["notification_id": .string(send.id), "devices": .array(devices)]
    _ = try enqueue(News(app: send.app, event: "device.uninstalled", data: data, at: now), db)
  }

  /// Takes a batch out of the queue: for good, or, in a pause, until it is over.
  static func end(
    batch: Int64, ofSendIn state: SendLife.State, at now: Timestamp, _ db: any SQLConnection
  ) throws {
    try db.run(
      """
      UPDATE batches SET waits = FALSE, owner = NULL, due_at = ? WHERE id = ?
      """, [state.isOver ? .null : .time(now), .integer(batch)])
  }

  static func settle(
    _ send: inout Send, _ number: Int64, at now: Timestamp, _ db: any SQLConnection
  ) throws {
    let (leased, hasWork) = try work(of: number, db)
    try tell(.settled(leased: leased, hasWork: hasWork), &send, number, at: now, db)
  }
}

extension Outcome {
  /// Apple's answer as it is, of which nothing follows for the device's registration.
  fileprivate var withoutMark: Outcome {
    var outcome = self
    if result == .uninstalled { outcome.result = .rejected }
    return outcome
  }

  /// Whether its device is another one for it.
  fileprivate var tellsOfDevice: Bool {
    result == .uninstalled || learnedDevelopment != nil || (badge != nil && result == .sent)
  }
}
