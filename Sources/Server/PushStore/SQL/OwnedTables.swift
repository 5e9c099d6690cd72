/// The tables whose rows the store itself removes together with their owner's row.
///
/// They have no foreign keys, which would share-lock an app, a send or a message with each row that a device's
/// request adds (``PostgreSQLSchema``).
enum OwnedTables {
  private static let ofSend = [
    "segments", "batches", "receipts", "tallies", "send_hours", "send_terms", "send_data",
  ]
  private static let ofMessage = ["message_states", "impressions"]
  private static let ofApp = [
    "devices", "changes", "attributions", "event_ids", "counters", "active_devices",
    "activity_tokens", "kept_activities", "activity_expenses", "reload_tokens", "run_devices",
    "runs", "campaign_versions", "campaigns",
    "holdouts", "limits", "push_ledger",
    "triggers", "enrollments", "trigger_calls", "campaign_calls", "templates", "template_versions",
    "imports", "import_parts",
  ]

  /// Removes sends with all their data.
  ///
  /// `condition` is a condition on the app's `sends`.
  ///
  /// - Returns: The number of removed sends.
  @discardableResult
  static func removeSends(
    where condition: SQL, app: Int64, _ db: any SQLConnection
  ) throws -> Int {
    // The sends come first: this waits for transactions that have locked one, and later ones find
    // none.
    let sends = try db.changedRows(
      "DELETE FROM sends WHERE app = \(app) AND \(condition) RETURNING number"
    ) { try $0.integer("number") }
    try remove(from: ofSend, where: "send", among: sends, app: app, db)
    return sends.count
  }

  /// Removes messages with all their data; `condition` is as for sends.
  static func removeMessages(
    where condition: SQL, app: Int64, _ db: any SQLConnection
  ) throws {
    let messages = try db.changedRows(
      "DELETE FROM messages WHERE app = \(app) AND \(condition) RETURNING number"
    ) { try $0.integer("number") }
    try remove(from: ofMessage, where: "message", among: messages, app: app, db)
  }

  /// Removes webhooks with their calls; `condition` is as for sends.
  ///
  /// - Returns: The number of removed webhooks.
  static func removeWebhooks(
    where condition: SQL, app: Int64, _ db: any SQLConnection
  ) throws -> Int {
    let webhooks = try db.changedRows(
      "DELETE FROM webhooks WHERE app = \(app) AND \(condition) RETURNING id"
    ) { try $0.text("id") }
    guard !webhooks.isEmpty else { return 0 }
    try db.queue(
      "DELETE FROM webhook_calls WHERE app = \(app) AND webhook \(db.dialect.among(webhooks))")
    return webhooks.count
  }

  /// Removes an app with all its rows.
  ///
  /// - Returns: `false` if the app does not exist.
  static func removeApp(_ id: String, _ db: any SQLConnection) throws -> Bool {
    let found = try db.row(
      "SELECT number FROM apps WHERE id = \(id)\(db.dialect.forDeletion)"
    ) { try $0.integer("number") }
    guard let app = found else { return false }
    try removeSends(where: "TRUE", app: app, db)
    try removeMessages(where: "TRUE", app: app, db)
    _ = try removeWebhooks(where: "TRUE", app: app, db)
    // The people lose a role, as with ``AccountStore/setRole(_:app:of:by:at:)``.
    let people = try db.changedRows(
      "DELETE FROM account_roles WHERE app = \(id) RETURNING account"
    ) { try $0.text("account") }
    if !people.isEmpty {
      for table in ["account_links", "account_sessions"] {
        try db.queue("DELETE FROM \(raw: table) WHERE account \(db.dialect.among(people))")
      }
    }
    for table in ofApp { try db.queue("DELETE FROM \(raw: table) WHERE app = \(app)") }
    return try db.run("DELETE FROM apps WHERE id = \(id)") > 0
  }

  private static func remove(
    from tables: [String], where column: String, among numbers: [Int64], app: Int64,
    _ db: any SQLConnection
  ) throws {
    guard !numbers.isEmpty else { return }
    for table in tables {
      try db.queue(
        """
        DELETE FROM \(raw: table)
        WHERE \(db.dialect.unindexed)app = \(app) AND \(raw: column) \(db.dialect.among(numbers))
        """)
    }
  }
}
