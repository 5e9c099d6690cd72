import PushModel
import PushPayload

extension SQLPushStore {
  package func accept(
    _ send: Send, to audience: Audience, segments: [Segment], replacing replaced: String?
  ) async throws(StoreError) -> Send {
    let new = NewSend(send, to: audience, segments: segments)
    let stored: Send = try await write { db in
      guard let app = try Self.number(of: send.app, db) else { throw Self.noApp(send.app) }
      if let replaced {
        // The request may be a repeat of the one that has replaced the send.
        if let key = send.idempotencyKey,
          let first = try Self.send(where: "idempotency_key = \(key)", app: app, db)
        {
          return first.send
        }
        try Self.cancelBeforeStart(replaced, app: app, at: send.createdAt, db)
      }
      return try self.insert(new, app: app, db)
    }
    announce()
    return stored
  }

  /// Cancels a scheduled send that another one replaces.
  private static func cancelBeforeStart(
    _ id: String, app: Int64, at now: Timestamp, _ db: any SQLConnection
  ) throws {
    let found = try Self.send(where: "id = \(id)\(db.dialect.forUpdate)", app: app, db)
    guard let found, found.send.scheduledAt != nil, found.send.startedAt == nil else {
      throw StoreError(.conflict, "the notification \(id) has started and cannot be replaced")
    }
    var send = found.send
    let leased = try Self.work(of: found.key, db).leased
    guard
      !send.state.isOver, leased == 0,
      try apply(event: .order(.cancel), leased: leased, to: &send, key: found.key, at: now, db)
    else {
      throw StoreError(
        .conflict, "the notification \(id) is \(send.state.rawValue) and cannot be replaced")
    }
  }

  /// Stores a send, as ``accept(_:to:segments:replacing:)`` does, in the transaction of the caller.
  func insert(_ new: NewSend, app: Int64, _ db: any SQLConnection) throws -> Send {
    var send = new.send
    if let key = send.idempotencyKey,
      let first = try Self.send(where: "idempotency_key = \(key)", app: app, db)
    {
      return first.send
    }
    // The query of the clock shares a round trip with the next statement that waits for its answer.
    if let clockQuery { try db.fetchAhead(clockQuery) }
    var activityOffset: Duration?
    if let push = send.activity {
      send.activity = try Self.advance(push, app: app, at: send.createdAt, db)
      let offset = try clockOffset(from: send.createdAt, db)
      // It ends by the clock of leases too, which may be ahead of the caller's by more than a start lives.
      send.expiresAt = send.expiresAt.map { $0 + offset }
      activityOffset = offset
    }
    try Self.insert(new.audience, app: app, conflict: "ON CONFLICT (app, id) DO NOTHING", db)
    let number = try db.run(
      """
      INSERT INTO sends (app, \(Send.columns), ends_at)
      VALUES (\(app), \(send.values), \(send.state.isOver ? nil : send.expiresAt))
      RETURNING number
      """, returning: { try $0.integer("number") })
    guard let number else { return send }
    let offset = try activityOffset ?? clockOffset(from: send.createdAt, db)
    for part in new.parts {
      // What is due at once is due by the clock of leases: the caller's clock may be ahead of it.
      let due = part.dueAt <= send.createdAt ? part.dueAt + offset : part.dueAt
      try db.queue(
        """
        INSERT INTO segments (app, send, devices, taken, due_at, waits, quiet, transactional)
        VALUES (\(app), \(number), \(part.devices), \(part.taken), \(due), TRUE,
          \(part.quiet), \(send.sendClass == .transactional))
        """)
    }
    if send.activity == nil {
      try Self.insertTerms(of: send, key: SendKey(app: app, number: number), db)
    }
    try Self.recordUses(of: new.uploads, in: "send", number: number, app: app, db)
    if send.state.isOver, send.activity == nil {
      _ = try Self.enqueue(send.webhookNotice(at: send.createdAt), db)
    }
    return send
  }

  package func send(_ id: String, app: String) async throws(StoreError) -> Send? {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return nil }
      return try Self.send(where: "(id = \(id) OR message_id = $1)", app: app, db)?.send
    }
  }

  package func send(
    idempotencyKey key: String, app: String
  ) async throws(StoreError) -> Send? {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return nil }
      return try Self.send(where: "idempotency_key = \(key)", app: app, db)?.send
    }
  }

  package func order(
    _ order: SendLifecycle.Order, send id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Send? {
    let send: Send? = try await write { db in
      guard let app = try Self.number(of: app, db),
        let found = try Self.send(
          where: "(id = \(id) OR message_id = $1)\(db.dialect.forUpdate)", app: app, db)
      else { return nil }
      var send = found.send
      switch order {
      case .fail(let reason), .alarm(let reason): send.failure = reason
      case .resume:
        send.failure = nil
        if send.suspicion == .raised { send.suspicion = .settled }
      case .pause, .cancel: break
      }
      let leased = try Self.work(of: found.key, db).leased
      guard
        try Self.apply(event: .order(order), leased: leased, to: &send, key: found.key, at: now, db)
      else {
        throw StoreError(
          .conflict,
          "the notification \(send.id) is \(send.state.rawValue) and cannot be changed "
            + "any more; send a new one")
      }
      return send
    }
    announce()
    return send
  }

  // MARK: Rows

  /// A send of an app and its key; `nil` if no send meets the condition.
  static func send(
    where condition: SQL, app: Int64, _ db: any SQLConnection
  ) throws -> (send: Send, key: SendKey)? {
    try send(query(forSendWhere: condition, app: app), app: app, db)
  }

  /// The query of ``send(where:_:app:_:)``.
  static func query(forSendWhere condition: SQL, app: Int64) -> SQL {
    "SELECT number, \(Send.selection) FROM sends WHERE app = \(app) AND \(condition)"
  }

  static func send(
    _ query: SQL, app: Int64, _ db: any SQLConnection
  ) throws -> (send: Send, key: SendKey)? {
    try db.row(query) { row in
      let key = try SendKey(app: app, number: row.integer("number"))
      return try (Send(row: &row), key)
    }
  }

  /// Locks a send to change it, and returns it; `nil` if the send does not exist.
  static func send(_ key: SendKey, _ db: any SQLConnection) throws -> Send? {
    try db.row(
      """
      SELECT \(Send.selection) FROM sends WHERE app = \(key.app)
      AND number = \(key.number)\(db.dialect.forUpdate)
      """, map: Send.init(row:))
  }

  /// The number of leased batches of a send, and whether a batch or segment is left.
  static func work(
    of send: SendKey, _ db: any SQLConnection
  ) throws -> (leased: Int, isLeft: Bool) {
    let work = try db.row(
      """
      SELECT (
          SELECT count(*) FROM batches
          WHERE app = \(send.app) AND send = \(send.number) AND due_at IS NOT NULL
          AND owner IS NOT NULL) AS leased,
        EXISTS (SELECT 1 FROM batches WHERE app = $1 AND send = $2 AND due_at IS NOT NULL)
        OR EXISTS (
          SELECT 1 FROM segments WHERE app = $1 AND send = $2 AND due_at IS NOT NULL) AS is_left
      """
    ) { try (leased: $0.int("leased"), isLeft: $0.bool("is_left")) }
    return work ?? (0, false)
  }

  /// Applies an event to a send, its batches and its segments.
  ///
  /// `leased` is the number of leased batches.
  ///
  /// - Returns: `false` if the send's state refuses the event.
  @discardableResult
  static func apply(
    event: SendLifecycle.Event, leased: Int = 0, to send: inout Send, key: SendKey,
    at now: Timestamp, _ db: any SQLConnection
  ) throws -> Bool {
    var lifecycle = SendLifecycle(state: send.state, hasStarted: send.startedAt != nil)
    let action = lifecycle.on(event, leased: leased)
    if action == .refuse { return false }
    switch action {
    case .hold:
      // The segments come first, so that batches that are split off meanwhile are held too.
      try db.queue(
        """
        UPDATE segments SET waits = FALSE WHERE app = \(key.app) AND send = \(key.number)
        AND due_at IS NOT NULL
        """)
      try db.queue(
        """
        UPDATE batches SET waits = FALSE
        WHERE app = \(key.app) AND send = \(key.number) AND due_at IS NOT NULL AND owner IS NULL
        """)
    case .release:
      try db.queue(
        """
        UPDATE batches SET waits = TRUE WHERE app = \(key.app) AND send = \(key.number)
        AND due_at IS NOT NULL
        """)
      try db.queue(
        """
        UPDATE segments SET waits = TRUE WHERE app = \(key.app) AND send = \(key.number)
        AND due_at IS NOT NULL
        """)
    case .drop: try drop(key, db)
    case .none, .refuse: break
    }
    let starts = lifecycle.hasStarted && send.startedAt == nil
    guard lifecycle.state != send.state || starts else { return true }
    let isReported = starts || lifecycle.state.isOver || lifecycle.state == .paused
    send.state = lifecycle.state
    if lifecycle.hasStarted { send.startedAt = send.startedAt ?? now }
    if lifecycle.state.isOver { send.completedAt = now }
    try db.queue(
      """
      UPDATE sends SET state = \(send.state.rawValue), started_at = \(send.startedAt),
        completed_at = \(send.completedAt), failure = \(send.failure),
        suspicion = \(send.suspicion.rawValue),
        ends_at = CASE WHEN \(send.state.isOver) THEN NULL ELSE ends_at END
      WHERE app = \(key.app) AND number = \(key.number)
      """)
    // Webhooks get only notifications. The send is read again, because its counts may have changed.
    if isReported, send.activity == nil, let changed = try Self.send(key, db) {
      _ = try enqueue(changed.webhookNotice(at: now), db)
    }
    return true
  }

  /// Ends batches and segments that are not leased, but keeps batches with outcomes and segments with devices in
  /// batches.
  private static func drop(_ send: SendKey, _ db: any SQLConnection) throws {
    try db.queue(
      "DELETE FROM segments WHERE app = \(send.app) AND send = \(send.number) AND taken <= 0")
    try db.queue(
      """
      UPDATE segments SET due_at = NULL, waits = FALSE WHERE app = \(send.app)
      AND send = \(send.number)
      """)
    let open: SQL = """
      app = \(send.app) AND send = \(send.number) AND due_at IS NOT NULL AND owner IS NULL
      """
    try db.queue("DELETE FROM batches WHERE \(open) AND outcomes IS NULL")
    try db.queue("UPDATE batches SET due_at = NULL, waits = FALSE WHERE \(open)")
  }
}

/// A send with its audience and devices, packed before the transaction, because other writes wait for it.
struct NewSend: Sendable {
  var send: Send
  var audience: Audience
  var parts: [(dueAt: Timestamp, taken: Int64, devices: [UInt8], quiet: String?)]
  var uploads: Set<String>

  init(_ send: Send, to audience: Audience, segments: [Segment]) {
    self.send = send
    self.audience = audience
    parts = segments.flatMap { segment in
      segment.parts.enumerated().map { place, part in
        let (due, taken) =
          place == 0 ? (segment.dueAt, 0) : (Segment.followerDue, Segment.followerTaken)
        return (dueAt: due, taken: taken, devices: part.packed, quiet: segment.quiet?.text)
      }
    }
    uploads = Upload.names(in: send.payload.bytes)
    self.send.counts.targeted = segments.reduce(0) { $0 + $1.devices.count }
    guard parts.isEmpty else { return }
    self.send.state = .complete
    self.send.startedAt = send.createdAt
    self.send.completedAt = send.createdAt
  }
}
