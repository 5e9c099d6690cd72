import PushModel

/// What a store no longer needs of Live Activities, as much as one transaction removes.
struct OutdatedActivities: Sendable {
  /// Activities whose last push is too old.
  private let sent: [(app: Int64, id: String)]
  /// Kept activities that have sent nothing, and were made too long ago.
  private let unsent: [(app: Int64, id: String)]
  /// The apps with expired tokens.
  private let tokens: [Int64]
  /// The apps with pushes that no budget of a phone counts any more.
  private let expenses: [Int64]
  private let now: Timestamp

  private var lastExpense: Timestamp { now + (.zero - PhoneBudget.startWindow) }

  init(
    of apps: [Int64], kept: Duration, at now: Timestamp, limit: Int, _ db: any SQLConnection
  ) throws {
    self.now = now
    let end = now + (.zero - kept)
    sent = try apps.flatMap { app in
      try db.rows(
        """
        SELECT id FROM activities WHERE app = \(app) AND updated_at < \(end)
        ORDER BY updated_at LIMIT \(limit)
        """
      ) { try (app, $0.text("id")) }
    }
    unsent = try apps.flatMap { app in
      try db.rows(
        """
        SELECT id FROM kept_activities WHERE app = \(app) AND created_at < \(end)
        AND NOT EXISTS (SELECT 1 FROM activities WHERE activities.app = kept_activities.app
          AND activities.id = kept_activities.id)
        ORDER BY created_at LIMIT \(limit)
        """
      ) { try (app, $0.text("id")) }
    }
    tokens = try apps.filter { app in
      try db.row(
        "SELECT 1 FROM activity_tokens WHERE app = \(app) AND expires_at < \(now) LIMIT 1",
        map: { _ in true }) ?? false
    }
    let lastExpense = now + (.zero - PhoneBudget.startWindow)
    expenses = try apps.filter { app in
      try db.row(
        "SELECT 1 FROM activity_expenses WHERE app = \(app) AND at < \(lastExpense) LIMIT 1",
        map: { _ in true }) ?? false
    }
  }

  var isEmpty: Bool { sent.isEmpty && unsent.isEmpty && tokens.isEmpty && expenses.isEmpty }

  /// Removes activities with at most `limit` sends in total, and of a larger activity only sends.
  func remove(limit: Int, _ db: any SQLConnection) throws {
    var left = limit
    for (app, id) in sent {
      left -= try OwnedTables.removeSends(
        where: """
          number IN (
            SELECT number FROM sends WHERE app = \(app) AND activity = \(id) LIMIT \(left))
          """, app: app, db)
      guard left > 0 else { break }
      try db.queue("DELETE FROM activities WHERE app = \(app) AND id = \(id)")
      try db.queue("DELETE FROM kept_activities WHERE app = \(app) AND id = \(id)")
    }
    for (app, id) in unsent {
      // It may have sent something since it was found.
      try db.queue(
        """
        DELETE FROM kept_activities WHERE app = \(app) AND id = \(id) AND NOT EXISTS (
          SELECT 1 FROM activities WHERE app = $1 AND id = $2)
        """)
    }
    for app in tokens {
      try db.queue(
        """
        DELETE FROM activity_tokens WHERE app = \(app) AND (subject, device) IN (
          SELECT subject, device FROM activity_tokens WHERE app = $1 AND expires_at < \(now)
          LIMIT \(limit))
        """)
    }
    for app in expenses {
      try db.queue(
        """
        DELETE FROM activity_expenses WHERE app = \(app) AND (device, kind, at) IN (
          SELECT device, kind, at FROM activity_expenses WHERE app = $1 AND at < \(lastExpense)
          LIMIT \(limit))
        """)
    }
  }
}
