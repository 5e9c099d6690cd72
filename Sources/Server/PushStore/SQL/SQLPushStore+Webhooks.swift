import PushModel
import PushPayload

extension SQLPushStore {
  package func add(_ webhook: Webhook) async throws(StoreError) {
    try await write { db in
      guard let app = try Self.number(of: webhook.app, db) else { throw Self.noApp(webhook.app) }
      try Self.checkSeal(webhook.sealedSecret, db)
      try db.queue(
        """
        INSERT INTO webhooks (app, \(Webhook.columns))
        VALUES (\(app), \(webhook.id), \(webhook.url),
          \(JSONValue.array(webhook.events.map(JSONValue.string))), \(webhook.sealedSecret),
          \(webhook.createdAt))
        """)
    }
  }

  package func webhooks(app: String) async throws(StoreError) -> [Webhook] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [] }
      return try Self.webhooks(app: app, db)
    }
  }

  package func deleteWebhook(_ id: String, app: String) async throws(StoreError) -> Bool {
    try await write { db in
      guard let app = try Self.number(of: app, db) else { return false }
      return try OwnedTables.removeWebhooks(where: "id = \(id)", app: app, db) > 0
    }
  }

  package func enqueue(_ notice: WebhookNotice) async throws(StoreError) -> Int {
    try await write { db in try Self.enqueue(notice, db) }
  }

  static func enqueue(_ notice: WebhookNotice, _ db: any SQLConnection) throws -> Int {
    guard let app = try number(of: notice.app, db) else { return 0 }
    return try enqueue([notice], app: app, db)
  }

  /// Enqueues the calls for some notices of one app.
  ///
  /// - Returns: The number of calls.
  static func enqueue(
    _ notices: [WebhookNotice], app: Int64, _ db: any SQLConnection
  ) throws -> Int {
    guard !notices.isEmpty else { return 0 }
    // A webhook that cannot be read gets no call, but does not make the reported change fail.
    let webhooks = try db.rows(
      "SELECT \(Webhook.selection) FROM webhooks WHERE app = \(app) ORDER BY created_at, id"
    ) { try? Webhook(row: &$0) }.compactMap(\.self)
    let calls = notices.flatMap { notice -> [[SQLValue]] in
      let subscribed = webhooks.filter { $0.events.contains(notice.event) }
      guard !subscribed.isEmpty else { return [] }
      let id = UInt64.random(in: .min ... .max).hexadecimal(digits: 16)
      let body = SQLValue.json(notice.body(id: id))
      return subscribed.map { [.text($0.id), .text(notice.event), body, .time(notice.at)] }
    }
    return try db.run(
      given: [.text("webhook"), .text("event"), .text("body"), .integer("at")], rows: calls
    ) { given in
      """
      INSERT INTO webhook_calls (app, webhook, event, body, created_at, due_at, lease, attempts)
      SELECT \(app), webhook, event, body, at, \(db.dialect.atOnce("at")), 0, 0 FROM \(given)
      """
    }
  }

  package func leaseWebhookCall(
    owner: String, at now: Timestamp, until end: Timestamp
  ) async throws(StoreError) -> WebhookCall? {
    // The reader chooses, so that workers without a call to make do not hold up SQLite's only writer.
    let apps = try await read { db -> [Int64] in
      let next =
        try db.row("SELECT min(due_at) AS due_at FROM webhook_calls") {
          try $0.optionalTime("due_at")
        } ?? nil
      guard let next else { return [] }
      let now = try now + self.clockOffset(from: now, db)
      guard next <= now else { return [] }
      return try NextWebhook.apps(at: now, db)
    }
    guard !apps.isEmpty else { return nil }
    return try await write { db in
      let offset = try self.clockOffset(from: now, db)
      let (now, end) = (now + offset, end + offset)
      for app in apps {
        let call = try Self.leaseCall(of: app, owner: owner, at: now, until: end, db)
        if let call { return call }
      }
      return nil
    }
  }

  package func finish(
    _ call: WebhookCall, retryAt: Timestamp?, at now: Timestamp
  ) async throws(StoreError) {
    try await write { db in
      guard let app = try Self.number(of: call.webhook.app, db) else { return }
      let held: SQL = "app = \(app) AND number = \(call.id) AND lease = \(call.lease)"
      if let retryAt = try retryAt.map({ try $0 + self.clockOffset(from: now, db) }) {
        try db.queue(
          """
          UPDATE webhook_calls SET due_at = \(retryAt), owner = NULL, attempts = attempts + 1,
            failure = \(call.failure)
          WHERE \(held)
          """)
      } else {
        try db.queue("DELETE FROM webhook_calls WHERE \(held)")
      }
    }
  }

  package func backlog(
    ofWebhook id: String, app: String
  ) async throws(StoreError) -> WebhookBacklog? {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return nil }
      let calls: SQL = "FROM webhook_calls WHERE app = \(app) AND webhook = \(id)"
      let oldest = try db.row(
        "SELECT attempts, failure, created_at, due_at \(calls) ORDER BY number LIMIT 1"
      ) { row in
        WebhookBacklog(
          count: 0, failures: try row.int("attempts"), failure: try row.optionalText("failure"),
          since: try row.time("created_at"), dueAt: try row.time("due_at"))
      }
      guard var backlog = oldest else { return nil }
      let limit = Int64(WebhookBacklog.countLimit)
      backlog.count =
        try db.row(
          "SELECT count(*) AS count FROM (SELECT 1 AS one \(calls) LIMIT \(limit)) AS calls"
        ) { try $0.int("count") } ?? 0
      return backlog
    }
  }

  // MARK: Rows

  private static func leaseCall(
    of app: Int64, owner: String, at now: Timestamp, until end: Timestamp, _ db: any SQLConnection
  ) throws -> WebhookCall? {
    // The lock of the webhook keeps another transaction from leasing a second of its calls.
    let locked = try db.row(
      "\(NextWebhook.query(app: app, at: now))\(db.dialect.forUpdateSkippingLocked)"
    ) { row in
      let id = try row.text("id")
      row.skip("due_at")
      return id
    }
    guard let locked else { return nil }
    let row = try db.run(
      NextWebhook.leasingStatement(webhook: locked, app: app, owner: owner, at: now, until: end),
      returning: { row in
        let number = try row.integer("number")
        do throws(StoredValueError) {
          return try (
            id: number, webhook: row.text("webhook"), event: row.text("event"),
            body: row.json("body"), createdAt: row.time("created_at"),
            lease: row.integer("lease"), attempts: row.int("attempts")
          )
        } catch {
          throw error.of(.webhookCall(app: app, number: number))
        }
      })
    guard let row else { return nil }
    let webhook = try reading(.webhookCall(app: app, number: row.id)) {
      try db.row(
        "SELECT \(Webhook.selection) FROM webhooks WHERE app = \(app) AND id = \(row.webhook)",
        map: Webhook.init(row:))
    }
    guard let webhook else {
      // The webhook was deleted while the call was added.
      try db.queue("DELETE FROM webhook_calls WHERE app = \(app) AND number = \(row.id)")
      return nil
    }
    return WebhookCall(
      id: row.id, lease: row.lease, attempts: row.attempts, webhook: webhook, event: row.event,
      body: row.body, createdAt: row.createdAt)
  }

  private static func webhooks(app: Int64, _ db: any SQLConnection) throws -> [Webhook] {
    try db.rows(
      "SELECT \(Webhook.selection) FROM webhooks WHERE app = \(app) ORDER BY created_at, id",
      map: Webhook.init(row:))
  }
}

extension Webhook {
  fileprivate static let columns: SQL = "id, url, events, sealed_secret, created_at"
  /// The id of the app, whose number a row of `webhooks` has, and ``columns``.
  fileprivate static let selection: SQL =
    "(SELECT apps.id FROM apps WHERE apps.number = webhooks.app) AS app_id, \(columns)"

  fileprivate init(row: inout SQLRow) throws {
    let app = try row.text("app_id")
    self.init(
      id: try row.text("id"), app: app, url: try row.text("url"),
      events: try row.texts("events"),
      sealedSecret: try row.blob("sealed_secret"), createdAt: try row.time("created_at"))
  }
}
