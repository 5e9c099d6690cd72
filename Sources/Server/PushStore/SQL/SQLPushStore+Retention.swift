import PushModel

extension SQLPushStore {
  package func removeOutdated(
    _ retention: Retention, at now: Timestamp, limit: Int
  ) async throws(StoreError) -> Bool {
    // Usually no row is outdated, and a read does not keep other writes waiting.
    let outdated = try await read { db in try Outdated(retention, at: now, limit: limit, db) }
    guard !outdated.isEmpty else { return false }
    try await write(repeatable: true) { db in try outdated.remove(limit: limit, db) }
    if outdated.sends.removesOutcomes { groups.targets.removeAll() }
    return true
  }
}

/// The rows that one transaction removes.
private struct Outdated: Sendable {
  /// The key of a send or a message.
  private typealias Row = SendKey

  /// The outcomes and receipts of sends.
  let sends: OutdatedSends
  private var keys: [Row] = []
  private var messages: [Row] = []
  /// Calls of webhooks that were never made, because those before them took too long.
  private var calledLate: (calls: [Row], before: Timestamp)
  private let activities: OutdatedActivities
  /// The apps with pages of the ledger that are too old for every frequency cap.
  private var ledgers: (apps: [Int64], before: Timestamp)
  private var uploads: [(app: Int64, name: String)] = []
  private var audit: Int64?
  /// The apps with ids of events from before a time, which are removed.
  private var eventIDs: (apps: [Int64], before: Timestamp)
  /// The apps with enrollments that ended before a time.
  private var enrollments: (apps: [Int64], before: Timestamp)
  /// The apps with requests that enrolled people before a time.
  private var calls: (apps: [Int64], before: Timestamp)
  /// The imports whose files, or of which all rows, are removed.
  private var imports: [(app: Int64, id: String, isOver: Bool)] = []
  private let now: Timestamp
  /// The last change to remove from each app's log.
  private var changes: [(app: Int64, last: Int64)] = []

  /// Finds a limited number of rows of each kind.
  init(_ retention: Retention, at now: Timestamp, limit: Int, _ db: any SQLConnection) throws {
    self.now = now
    func rows(_ kept: Duration, _ query: (_ end: Timestamp) -> SQL) throws -> [Row] {
      try db.rows("\(query(now + (.zero - kept))) LIMIT \(limit)") {
        try Row(app: $0.integer("app"), number: $0.integer("number"))
      }
    }
    sends = try OutdatedSends(retention, at: now, limit: limit, db)
    keys = try rows(retention.idempotencyKeys) { end in
      "SELECT app, number FROM sends WHERE idempotency_key IS NOT NULL AND created_at < \(end)"
    }
    messages = try rows(retention.messages) { end in
      "SELECT app, number FROM messages WHERE unpublish_at < \(end)"
    }
    calledLate = (
      try rows(WebhookCall.kept) { end in
        "SELECT app, number FROM webhook_calls WHERE due_at < \(end) ORDER BY due_at"
      }, now + (.zero - WebhookCall.kept)
    )
    // The audit log is ordered by time.
    let oldest = try db.rows(
      "SELECT number, at FROM audit ORDER BY number LIMIT \(limit)"
    ) { try (number: $0.integer("number"), at: $0.time("at")) }
    audit = oldest.prefix { $0.at + retention.audit < now }.last?.number
    let appIcons = try db.rows("SELECT number, icon FROM apps") {
      (app: try $0.integer("number"), icon: try $0.optionalText("icon"))
    }
    let apps = appIcons.map(\.app)
    let lastUpload = now + (.zero - retention.uploads)
    for (app, icon) in appIcons {
      // Two queries, because Citus does not join a table that all servers have with a divided
      // table.
      let old = try db.rows(
        "SELECT name FROM uploads WHERE app = \(app) AND created_at < \(lastUpload)"
      ) { try $0.text("name") }
      guard !old.isEmpty else { continue }
      let used = try db.rows(
        "SELECT DISTINCT upload FROM upload_uses WHERE app = \(app)"
      ) { try $0.text("upload") }
      uploads += Set(old).subtracting(used + [icon].compactMap(\.self)).prefix(limit)
        .map { (app, $0) }
    }
    let oldestID = now + (.zero - retention.receipts)
    eventIDs = (
      try apps.filter { app in
        try db.row(
          "SELECT 1 FROM event_ids WHERE app = \(app) AND at < \(oldestID) LIMIT 1",
          map: { _ in true }) ?? false
      }, oldestID
    )
    let lastEnd = now + (.zero - retention.enrollments)
    enrollments = (
      try apps.filter { app in
        try Enrollment.areOutdated(app: app, before: lastEnd, at: now, db)
      }, lastEnd
    )
    let lastCall = now + (.zero - retention.idempotencyKeys)
    calls = (
      try apps.filter { app in
        try ["trigger_calls", "campaign_calls"].contains { table in
          try db.row(
            "SELECT 1 FROM \(raw: table) WHERE app = \(app) AND at < \(lastCall) LIMIT 1",
            map: { _ in true }) ?? false
        }
      }, lastCall
    )
    activities = try OutdatedActivities(
      of: apps, kept: retention.activities, at: now, limit: limit, db)
    let firstPush = now + (.zero - PushLedger.kept)
    ledgers = (
      try apps.filter { app in
        try db.row(
          "SELECT 1 FROM push_ledger WHERE app = \(app) AND newest < \(firstPush) LIMIT 1",
          map: { _ in true }) ?? false
      }, firstPush
    )
    let (lastFile, lastImport) = (
      now + (.zero - retention.importFiles), now + (.zero - retention.imports)
    )
    imports = try apps.flatMap { app in
      try db.rows(
        """
        SELECT id, changed_at FROM imports WHERE app = \(app) AND held_until IS NULL
        AND (changed_at < \(lastImport) OR (changed_at < \(lastFile) AND removed = FALSE))
        LIMIT \(limit)
        """
      ) { try (app, $0.text("id"), $0.time("changed_at") < lastImport) }
    }
    for app in apps {
      func end(_ order: String) throws -> Int64 {
        try db.row(
          "SELECT sequence FROM changes WHERE app = \(app) ORDER BY sequence \(raw: order) LIMIT 1"
        ) { try $0.integer("sequence") } ?? 0
      }
      let (first, last) = (try end("ASC"), try end("DESC") - Int64(retention.changes))
      if first <= last, first > 0 { changes.append((app, min(last, first + Int64(limit) - 1))) }
    }
  }

  var isEmpty: Bool {
    sends.isEmpty && keys.isEmpty && messages.isEmpty && uploads.isEmpty
      && audit == nil && eventIDs.apps.isEmpty && changes.isEmpty
      && calledLate.calls.isEmpty && activities.isEmpty && ledgers.apps.isEmpty
      && enrollments.apps.isEmpty && calls.apps.isEmpty && imports.isEmpty
  }

  /// Removes the rows, but at most `limit` receipts, outcomes and ids of events; the rest is found again later.
  func remove(limit count: Int, _ db: any SQLConnection) throws {
    try activities.remove(limit: count, db)
    try sends.remove(limit: count, db)
    for send in keys {
      try db.queue(
        """
        UPDATE sends SET idempotency_key = NULL, fingerprint = NULL WHERE app = \(send.app)
        AND number = \(send.number)
        """)
    }
    for message in messages {
      try OwnedTables.removeMessages(
        where: "number = \(message.number)", app: message.app, db)
    }
    for (app, calls) in Dictionary(grouping: calledLate.calls, by: \.app) {
      try db.queue(
        """
        DELETE FROM webhook_calls WHERE app = \(app)
        AND number \(db.dialect.among(calls.map(\.number))) AND due_at < \(calledLate.before)
        """)
    }
    for app in eventIDs.apps {
      try db.queue(
        """
        DELETE FROM event_ids WHERE app = \(app) AND (device, id) IN (
          SELECT device, id FROM event_ids WHERE app = $1 AND at < \(eventIDs.before)
          LIMIT \(count))
        """)
    }
    for app in enrollments.apps {
      try Enrollment.removeOutdated(
        app: app, before: enrollments.before, at: now, limit: count, db)
    }
    for app in calls.apps {
      for table in ["trigger_calls", "campaign_calls"] {
        try db.queue("DELETE FROM \(raw: table) WHERE app = \(app) AND at < \(calls.before)")
      }
    }
    for app in ledgers.apps {
      try db.queue("DELETE FROM push_ledger WHERE app = \(app) AND newest < \(ledgers.before)")
    }
    for (app, name) in uploads.prefix(count) {
      let isUsed = try db.row(
        "SELECT 1 FROM upload_uses WHERE app = \(app) AND upload = \(name) LIMIT 1"
      ) { _ in true }
      let isIcon = try db.row("SELECT 1 FROM apps WHERE icon = \(name)") { _ in true }
      if isUsed == nil, isIcon == nil {
        try db.queue("DELETE FROM uploads WHERE name = \(name)")
      }
    }
    for (app, id, isOver) in imports {
      // It may have been started since it was found.
      let idle: SQL = "app = \(app) AND id = \(id) AND held_until IS NULL"
      let change: SQL =
        isOver
        ? "DELETE FROM imports WHERE \(idle)"
        : "UPDATE imports SET removed = TRUE, revision = revision + 1 WHERE \(idle)"
      guard try db.run(change) > 0 else { continue }
      try db.queue("DELETE FROM import_parts WHERE app = \(app) AND import = \(id)")
    }
    if let audit { try db.queue("DELETE FROM audit WHERE number <= \(audit)") }
    for (app, last) in changes {
      try db.queue("DELETE FROM changes WHERE app = \(app) AND sequence <= \(last)")
    }
  }
}
