import PushPayload

extension SQLPushStore {
  package func add(_ webhook: Webhook) async throws(StoreError) {
    try await write { db in
      _ = try db.run(
        "INSERT INTO webhooks (\(Webhook.columns)) VALUES (?, ?, ?, ?, ?, ?)",
        [
          .text(webhook.id), .text(webhook.app), .text(webhook.url),
          .json(.array(webhook.events.map(JSONValue.string))), .blob(webhook.sealedSecret),
          .time(webhook.createdAt),
        ])
    }
  }

  package func webhooks(app: String) async throws(StoreError) -> [Webhook] {
    try await read { db in try Self.webhooks(app: app, db) }
  }

  package func deleteWebhook(_ id: String, app: String) async throws(StoreError) -> Bool {
    try await write { db in
      try db.run("DELETE FROM webhooks WHERE id = ? AND app = ?", [.text(id), .text(app)]) > 0
    }
  }

  package func enqueue(_ news: News) async throws(StoreError) -> Int {
    try await write { db in try Self.enqueue(news, db) }
  }

  static func enqueue(_ news: News, _ db: any SQLConnection) throws -> Int {
    let wanting = try webhooks(app: news.app, db).filter { $0.events.contains(news.event) }
    guard !wanting.isEmpty else { return 0 }
    let id = String(UInt64.random(in: .min ... .max), radix: 16)
    for webhook in wanting {
      try db.run(
        """
        INSERT INTO webhook_calls (webhook, event, body, created_at, due_at, lease, attempts)
        VALUES (?, ?, ?, ?4, ?4, 0, 0)
        """,
        [.text(webhook.id), .text(news.event), .json(news.body(id: id)), .time(news.at)])
    }
    return wanting.count
  }

  package func leaseWebhookCall(
    owner: String, at now: Timestamp, until end: Timestamp
  ) async throws(StoreError) -> WebhookCall? {
    let isDue = try await read { db in
      let next = try db.row("SELECT min(due_at) FROM webhook_calls") { $0.optionalTime(0) } ?? nil
      guard let next else { return false }
      return try next <= now + self.lead(over: now, db)
    }
    guard isDue else { return nil }
    return try await write { db in
      let lead = try self.lead(over: now, db)
      let (now, end) = (now + lead, end + lead)
      let row = try db.row(
        """
        UPDATE webhook_calls SET owner = ?, due_at = ?, lease = lease + 1 WHERE id = (
          SELECT id FROM webhook_calls AS call WHERE due_at <= ?3 AND NOT EXISTS (
            SELECT 1 FROM webhook_calls AS other WHERE other.webhook = call.webhook
            AND other.owner IS NOT NULL AND other.due_at > ?3)
          ORDER BY due_at, id LIMIT 1\(db.dialect.lockedElseSkipped))
        RETURNING id, webhook, event, body, created_at, lease, attempts
        """, [.text(owner), .time(end), .time(now)]
      ) { row in
        (
          id: row.integer(0), webhook: row.text(1), event: row.text(2), body: row.json(3),
          createdAt: row.time(4), lease: row.integer(5), attempts: Int(row.integer(6))
        )
      }
      guard let row,
        let webhook = try db.row(
          "SELECT \(Webhook.columns) FROM webhooks WHERE id = ?", [.text(row.webhook)],
          Webhook.init(row:))
      else { return nil }
      return WebhookCall(
        id: row.id, lease: row.lease, attempts: row.attempts, webhook: webhook, event: row.event,
        body: row.body, createdAt: row.createdAt)
    }
  }

  package func finish(_ call: WebhookCall, retryAt: Timestamp?) async throws(StoreError) {
    try await write { db in
      let held: [SQLValue] = [.integer(call.id), .integer(call.lease)]
      if let retryAt {
        try db.run(
          """
          UPDATE webhook_calls SET due_at = ?3, owner = NULL, attempts = attempts + 1
          WHERE id = ?1 AND lease = ?2
          """, held + [.time(retryAt)])
      } else {
        try db.run("DELETE FROM webhook_calls WHERE id = ? AND lease = ?", held)
      }
    }
  }

  private static func webhooks(app: String, _ db: any SQLConnection) throws -> [Webhook] {
    try db.rows(
      "SELECT \(Webhook.columns) FROM webhooks WHERE app = ? ORDER BY created_at, id",
      [.text(app)], Webhook.init(row:))
  }
}

extension Webhook {
  fileprivate static let columns = "id, app, url, events, sealed_secret, created_at"

  fileprivate init(row: any SQLRow) {
    self.init(
      id: row.text(0), app: row.text(1), url: row.text(2),
      events: row.json(3).array?.compactMap(\.string) ?? [], sealedSecret: row.blob(4),
      createdAt: row.time(5))
  }
}
