import PushModel

/// The statements that choose the webhook to be called next, and lease its next call.
///
/// A webhook can be called if one of its calls is due and none is leased. Each statement looks for the first row of an
/// index, once for each webhook and never for each call, so a long backlog does not make it slower.
enum NextWebhook {
  /// The most apps that one lease tries.
  static let appLimit = 64

  /// Returns apps with a webhook that can be called, in the order of their next calls.
  static func apps(at now: Timestamp, _ db: any SQLConnection) throws -> [Int64] {
    var apps = Set(try db.rows(appsQuery(at: now)) { try $0.integer("app") }).sorted()
    guard apps.count > 1 else { return apps }
    if apps.count > appLimit {
      // Each time others are left out, so that no app waits for as long as there are so many.
      let start = Int(now.milliseconds.magnitude % UInt64(apps.count))
      apps = Array((apps[start...] + apps[..<start]).prefix(appLimit))
    }
    // One statement for all apps would need a subquery that Citus does not divide.
    let queries = apps.map { (app: $0, query: query(app: $0, at: now)) }
    for next in queries { try db.fetchAhead(next.query) }
    let due = try queries.compactMap { next in
      try db.row(next.query) { row in
        row.skip("id")
        return (app: next.app, time: try row.time("due_at"))
      }
    }
    return due.sorted { ($0.time, $0.app) < ($1.time, $1.app) }.map(\.app)
  }

  /// The query for the apps of all webhooks that can be called.
  static func appsQuery(at now: Timestamp) -> SQL {
    "SELECT app FROM webhooks WHERE \(isCallable(app: "webhooks.app", at: now))"
  }

  /// The query for the webhook of an app whose next call has been due the longest, with the time of that.
  ///
  /// Each part names the app, because Citus locks rows of one server alone.
  static func query(app: Int64, at now: Timestamp) -> SQL {
    """
    SELECT id, (
      SELECT min(due_at) FROM webhook_calls AS next
      WHERE next.app = \(app) AND next.webhook = webhooks.id) AS due_at
    FROM webhooks WHERE app = \(app) AND \(isCallable(app: "\(app)", at: now))
    ORDER BY due_at LIMIT 1
    """
  }

  /// The statement that leases the next call of a webhook, and returns it.
  ///
  /// It leases none if another transaction has leased one before the webhook was locked.
  static func leasingStatement(
    webhook: String, app: Int64, owner: String, at now: Timestamp, until end: Timestamp
  ) -> SQL {
    """
    UPDATE webhook_calls SET owner = \(owner), due_at = \(end), lease = lease + 1
    WHERE app = \(app) AND number = (
      SELECT number FROM webhook_calls AS call
      WHERE call.app = $3 AND call.webhook = \(webhook) AND call.due_at <= \(now)
      AND NOT \(hasLease(app: "\(app)", webhook: "\(webhook)", at: now))
      ORDER BY due_at, number LIMIT 1)
    RETURNING number, webhook, event, body, created_at, lease, attempts
    """
  }

  /// The condition that a row of `webhooks` can be called.
  private static func isCallable(app: SQL, at now: Timestamp) -> SQL {
    """
    EXISTS (
      SELECT 1 FROM webhook_calls AS call
      WHERE call.app = \(app) AND call.webhook = webhooks.id AND call.due_at <= \(now))
    AND NOT \(hasLease(app: app, webhook: "webhooks.id", at: now))
    """
  }

  /// The condition that a call of a webhook is leased, by a lease that has not lapsed.
  private static func hasLease(app: SQL, webhook: SQL, at now: Timestamp) -> SQL {
    """
    EXISTS (
      SELECT 1 FROM webhook_calls AS leased
      WHERE leased.app = \(app) AND leased.webhook = \(webhook)
      AND leased.owner IS NOT NULL AND leased.due_at > \(now))
    """
  }
}
