import PushPayload

extension SQLPushStore {
  package func accept(
    _ send: Send, to audience: Audience, segments: [Segment]
  ) async throws(StoreError) -> Send {
    // Packed before the writer's turn, which others wait for.
    let packed = segments.filter { !$0.devices.isEmpty }.map {
      (dueAt: $0.dueAt, devices: $0.devices.packed)
    }
    let uploads = Upload.names(in: send.payload.bytes)
    var accepted = send
    accepted.counts.targeted = segments.reduce(0) { $0 + $1.devices.count }
    if packed.isEmpty {
      accepted.state = .complete
      accepted.startedAt = send.createdAt
      accepted.completedAt = send.createdAt
    }
    let stored: Send = try await write { [accepted] db in
      guard let app = try Self.number(of: send.app, db) else { throw Self.noApp(send.app) }
      if let key = accepted.idempotencyKey,
        let first = try Self.send(where: "idempotency_key = ?2", [key], app: app, db)
      {
        return first.send
      }
      try Self.insert(audience, app: app, "ON CONFLICT (app, id) DO NOTHING", db)
      let number = try db.run(
        """
        INSERT INTO sends (app, \(Send.columns), ends_at)
        VALUES (?\(String(repeating: ", ?", count: accepted.values.count))) RETURNING number
        """, [.integer(app)] + accepted.values, returning: { $0.integer("number") })
      guard let number else { return accepted }
      for segment in packed {
        try db.run(
          """
          INSERT INTO segments (app, send, devices, taken, due_at, waits) VALUES (?, ?, ?, 0, ?, TRUE)
          """,
          [.integer(app), .integer(number), .blob(segment.devices), .time(segment.dueAt)])
      }
      try Self.use(uploads, in: "send", number, app: app, db)
      if accepted.state.isOver { _ = try Self.enqueue(accepted.news(at: send.createdAt), db) }
      return accepted
    }
    announce()
    return stored
  }

  package func send(_ id: String, app: String) async throws(StoreError) -> Send? {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return nil }
      return try Self.send(where: "(id = ?2 OR message_id = ?2)", [id], app: app, db)?.send
    }
  }

  package func sends(
    app: String, after cursor: String?, limit: Int
  ) async throws(StoreError) -> (sends: [Send], total: Int) {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return ([], 0) }
      let sends = try db.rows(
        """
        SELECT \(Send.selection) FROM sends WHERE app = ?1
        AND (CAST(?2 AS TEXT) IS NULL OR number < (SELECT number FROM sends WHERE app = ?1 AND id = ?2))
        ORDER BY number DESC LIMIT ?3
        """,
        [.integer(app), .optional(cursor), .integer(Int64(limit))], Send.init(row:))
      let total = try db.row(
        "SELECT count(*) AS count FROM sends WHERE app = ?", [.integer(app)]
      ) { $0.int("count") }
      return (sends, total ?? 0)
    }
  }

  package func order(
    _ order: SendLifecycle.Order, send id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Send? {
    let send: Send? = try await write { db in
      guard let app = try Self.number(of: app, db),
        let found = try Self.send(
          where: "(id = ?2 OR message_id = ?2)\(db.dialect.forUpdate)", [id], app: app, db)
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
      guard try Self.tell(.order(order), leased: leased, &send, found.key, at: now, db) else {
        throw StoreError(.conflict, "a notification that is \(send.state.rawValue) cannot do that")
      }
      return send
    }
    announce()
    return send
  }

  // MARK: Rows

  /// One send of an app and its key; the condition's values are `?2` and on.
  static func send(
    where condition: String, _ values: [String], app: Int64, _ db: any SQLConnection
  ) throws -> (send: Send, key: SendKey)? {
    try db.row(
      "SELECT number, \(Send.selection) FROM sends WHERE app = ?1 AND \(condition)",
      [.integer(app)] + values.map(SQLValue.text)
    ) { row in
      let key = SendKey(app: app, number: row.integer("number"))
      return (Send(row: &row), key)
    }
  }

  /// One to be changed.
  static func send(_ key: SendKey, _ db: any SQLConnection) throws -> Send? {
    try db.row(
      "SELECT \(Send.selection) FROM sends WHERE app = ? AND number = ?\(db.dialect.forUpdate)",
      key.values, Send.init(row:))
  }

  /// How many batches of a send are leased, and whether any work is left.
  static func work(
    of send: SendKey, _ db: any SQLConnection
  ) throws -> (leased: Int, isLeft: Bool) {
    let leased = try db.row(
      """
      SELECT count(*) AS count FROM batches
      WHERE app = ? AND send = ? AND due_at IS NOT NULL AND owner IS NOT NULL
      """, send.values
    ) { $0.int("count") }
    let isLeft = try db.row(
      """
      SELECT EXISTS (SELECT 1 FROM batches WHERE app = ?1 AND send = ?2 AND due_at IS NOT NULL)
        OR EXISTS (SELECT 1 FROM segments WHERE app = ?1 AND send = ?2) AS is_left
      """, send.values
    ) { $0.bool("is_left") }
    return (leased ?? 0, isLeft ?? false)
  }

  /// Tells a send's life what happened, and does what that asks; `false` where it is refused.
  @discardableResult
  static func tell(
    _ event: SendLifecycle.Event, leased: Int = 0, _ send: inout Send, _ key: SendKey,
    at now: Timestamp, _ db: any SQLConnection
  ) throws -> Bool {
    var life = SendLifecycle(state: send.state, hasStarted: send.startedAt != nil)
    let action = life.on(event, leased: leased)
    if action == .refuse { return false }
    switch action {
    case .hold:
      // First the segments: what is cut off one meanwhile is then among the batches.
      try db.run("UPDATE segments SET waits = FALSE WHERE app = ? AND send = ?", key.values)
      try db.run(
        """
        UPDATE batches SET waits = FALSE
        WHERE app = ? AND send = ? AND due_at IS NOT NULL AND owner IS NULL
        """, key.values)
    case .release:
      try db.run(
        "UPDATE batches SET waits = TRUE WHERE app = ? AND send = ? AND due_at IS NOT NULL",
        key.values)
      try db.run("UPDATE segments SET waits = TRUE WHERE app = ? AND send = ?", key.values)
    case .drop: try drop(key, db)
    case .none, .refuse: break
    }
    let starts = life.hasStarted && send.startedAt == nil
    guard life.state != send.state || starts else { return true }
    let isNews = starts || life.state.isOver || life.state == .paused
    send.state = life.state
    if life.hasStarted { send.startedAt = send.startedAt ?? now }
    if life.state.isOver { send.completedAt = now }
    try db.run(
      """
      UPDATE sends SET state = ?, started_at = ?, completed_at = ?, failure = ?, suspicion = ?,
        ends_at = CASE WHEN ? THEN NULL ELSE ends_at END
      WHERE app = ? AND number = ?
      """,
      [
        .text(send.state.rawValue), .time(send.startedAt), .time(send.completedAt),
        .optional(send.failure), .integer(Int64(send.suspicion.rawValue)),
        .bool(send.state.isOver),
      ] + key.values)
    // Read again, for its counts may have changed since.
    if isNews, let changed = try Self.send(key, db) {
      _ = try enqueue(changed.news(at: now), db)
    }
    return true
  }

  /// Ends what nobody has leased; rows with outcomes stay for them.
  private static func drop(_ send: SendKey, _ db: any SQLConnection) throws {
    try db.run("DELETE FROM segments WHERE app = ? AND send = ?", send.values)
    let open = "app = ? AND send = ? AND due_at IS NOT NULL AND owner IS NULL"
    try db.run("DELETE FROM batches WHERE \(open) AND outcomes IS NULL", send.values)
    try db.run("UPDATE batches SET due_at = NULL, waits = FALSE WHERE \(open)", send.values)
  }
}
