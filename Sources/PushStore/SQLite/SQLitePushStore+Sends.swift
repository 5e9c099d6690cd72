import PushPayload
import _SQLite

extension SQLitePushStore {
  package func audience(_ id: String, app: String) async throws(StoreError) -> Audience? {
    try await reader.read { db in
      try db.row(
        "SELECT id, app, filters, created_at FROM audiences WHERE id = ? AND app = ?",
        [.text(id), .text(app)]
      ) { row in
        Audience(
          id: row.text(0), app: row.text(1),
          filters: (row.json(2).array ?? []).compactMap(Filter.init(stored:)),
          createdAt: row.time(3))
      }
    }
  }

  package func accept(_ send: Send, to audience: Audience) async throws(StoreError) -> Send {
    try await writer.write { db in
      try db.run(
        "INSERT OR IGNORE INTO audiences (id, app, filters, created_at) VALUES (?, ?, ?, ?)",
        [
          .text(audience.id), .text(audience.app), .json(.array(audience.filters.map(\.stored))),
          .time(audience.createdAt),
        ])
      let condition = SQLCondition(audience)
      let devices = try db.rows(
        "SELECT number FROM devices WHERE \(condition.sql)", condition.values
      ) { $0.integer(0) }.sorted()

      var send = send
      send.counts.targeted = devices.count
      if devices.isEmpty {
        send.state = .complete
        send.startedAt = send.createdAt
        send.completedAt = send.createdAt
      }
      try db.run(
        """
        INSERT INTO sends (\(Send.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0)
        """,
        [
          .text(send.id), .text(send.messageID), .text(send.app), .text(send.audience),
          .json(send.payload), .text(send.state.rawValue), .time(send.createdAt),
          .time(send.startedAt), .time(send.completedAt), .integer(Int64(devices.count)),
        ])
      let number = db.lastInsertedRow
      for start in stride(from: 0, to: devices.count, by: Batch.limit) {
        let chunk = devices[start..<min(start + Batch.limit, devices.count)]
        try db.run(
          "INSERT INTO batches (send, devices, due_at, lease, fruitless) VALUES (?, ?, ?, 0, 0)",
          [
            .integer(number), .json(.array(chunk.map(JSONValue.integer))), .time(send.createdAt),
          ])
      }
      return send
    }
  }

  package func send(_ id: String, app: String) async throws(StoreError) -> Send? {
    try await reader.read { db in
      try db.row(
        "SELECT \(Send.columns) FROM sends WHERE (id = ?1 OR message_id = ?1) AND app = ?2",
        [.text(id), .text(app)], Send.init(row:))
    }
  }

  package func sends(
    app: String, after cursor: String?, limit: Int
  ) async throws(StoreError) -> (sends: [Send], total: Int) {
    try await reader.read { db in
      let sends = try db.rows(
        """
        SELECT \(Send.columns) FROM sends WHERE app = ?1
        AND (?2 IS NULL OR number < (SELECT number FROM sends WHERE id = ?2 AND app = ?1))
        ORDER BY number DESC LIMIT ?3
        """,
        [.text(app), .optional(cursor), .integer(Int64(limit))], Send.init(row:))
      let total = try db.row("SELECT count(*) FROM sends WHERE app = ?", [.text(app)]) {
        Int($0.integer(0))
      }
      return (sends, total ?? 0)
    }
  }

  package func outcomes(of send: String) async throws(StoreError) -> [Outcome] {
    try await reader.read { db in
      try db.rows(
        """
        SELECT device, result, status, reason, apns_id, time FROM outcomes
        WHERE send = (SELECT number FROM sends WHERE id = ?) ORDER BY device
        """, [.text(send)]
      ) { row in
        Outcome(
          device: row.integer(0), result: Outcome.Result(rawValue: row.text(1)) ?? .rejected,
          status: row.optionalInteger(2).map { Int($0) }, reason: row.optionalText(3),
          apnsID: row.text(4), time: row.time(5), token: nil)
      }
    }
  }
}

extension Send {
  static let columns = """
    id, message_id, app, audience, payload, state, created_at, started_at, completed_at, \
    targeted, sent, rejected, uninstalled
    """

  /// - Parameter row: ``columns``, from the first column on.
  init(row: SQLiteRow) {
    self.init(
      id: row.text(0), messageID: row.text(1), app: row.text(2), audience: row.text(3),
      payload: row.json(4), createdAt: row.time(6))
    state = State(rawValue: row.text(5)) ?? .scheduled
    startedAt = row.optionalTime(7)
    completedAt = row.optionalTime(8)
    counts.targeted = Int(row.integer(9))
    counts.sent = Int(row.integer(10))
    counts.rejected = Int(row.integer(11))
    counts.uninstalled = Int(row.integer(12))
  }
}
