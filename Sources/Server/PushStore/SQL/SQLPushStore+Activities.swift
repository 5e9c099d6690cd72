import PushModel
import PushPayload

extension SQLPushStore {
  package func activity(
    _ id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Activity? {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return nil }
      return try Self.activity(id, app: app, at: now, db)
    }
  }

  package func activities(
    app: String, at now: Timestamp, limit: Int
  ) async throws(StoreError) -> [Activity] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [] }
      let ids = try db.rows(
        "SELECT id FROM activities WHERE app = \(app) ORDER BY updated_at DESC, id LIMIT \(limit)"
      ) { try $0.text("id") }
      return try ids.compactMap { try Self.activity($0, app: app, at: now, db) }
    }
  }

  private static func activity(
    _ id: String, app: Int64, at now: Timestamp, _ db: any SQLConnection
  ) throws -> Activity? {
    var activity = Activity(id: id)
    let phones = try db.row(
      """
      SELECT count(*) AS count, min(type) AS type FROM activity_tokens WHERE app = \(app)
      AND subject = \(ActivityToken.Subject.activity(id).text)
      """
    ) { try ($0.int("count"), $0.optionalText("type")) }
    (activity.phones, activity.type) = phones ?? (0, nil)
    let sent = try db.row(
      """
      SELECT type, event, timestamp, removed, created_at, updated_at FROM activities
      WHERE app = \(app) AND id = \(id)
      """
    ) { row in
      let type = try row.optionalText("type")
      let event: ActivityPush.Event = try row.word("event")
      let (timestamp, removed) = try (row.integer("timestamp"), row.int("removed"))
      let last = Activity.Last(
        event: event, timestamp: timestamp, createdAt: try row.time("created_at"),
        updatedAt: try row.time("updated_at"))
      return (type: type, removed: removed, last: last)
    }
    guard let sent else { return activity.phones > 0 ? activity : nil }
    activity.type = sent.type ?? activity.type
    (activity.removed, activity.last) = (sent.removed, sent.last)
    try addCounts(to: &activity, app: app, at: now, db)
    return activity
  }

  /// Adds up the counts of an activity's sends.
  private static func addCounts(
    to activity: inout Activity, app: Int64, at now: Timestamp, _ db: any SQLConnection
  ) throws {
    let counts = try db.row(
      """
      SELECT sum(targeted) AS targeted, sum(sent) AS sent, sum(rejected) AS rejected,
        sum(uninstalled) AS uninstalled
      FROM sends WHERE app = \(app) AND activity = \(activity.id)
      """
    ) { row in
      var counts = Send.Counts()
      counts.targeted = try row.int("targeted")
      counts.sent = try row.int("sent")
      counts.rejected = try row.int("rejected")
      counts.uninstalled = try row.int("uninstalled")
      return counts
    }
    activity.counts = counts ?? Send.Counts()
    let failures = try db.rows(
      """
      SELECT name, sum(count) AS count FROM tallies
      WHERE app = \(app) AND kind = \(Tally.pushFailure.rawValue)
      AND send IN (SELECT number FROM sends WHERE app = $1 AND activity = \(activity.id))
      GROUP BY name
      """
    ) { try ($0.text("name"), $0.int("count")) }
    activity.failures = Dictionary(failures, uniquingKeysWith: +)
    let recent = try db.rows(
      """
      SELECT activity_push FROM sends
      WHERE app = \(app) AND activity = \(activity.id) AND created_at > \(now + .seconds(-3600))
      """
    ) { try $0.json("activity_push")["priority"] == 10 }
    activity.recentPushes = recent.count
    activity.recentUrgentPushes = recent.count(where: \.self)
  }

  /// Gives a push the next timestamp of its activity, and stores that timestamp.
  ///
  /// - Throws: ``StoreError/Code/conflict`` if the push brings its own timestamp, and the activity has a later one.
  static func advance(
    _ push: ActivityPush, app: Int64, at now: Timestamp, _ db: any SQLConnection
  ) throws -> ActivityPush {
    var push = push
    try db.queue(
      """
      INSERT INTO activities (app, id, event, timestamp, removed, created_at, updated_at)
      VALUES (\(app), \(push.id), \(push.event.rawValue), 0, 0, \(now), \(now))
      ON CONFLICT (app, id) DO NOTHING
      """)
    let last =
      try db.row(
        """
        SELECT timestamp FROM activities
        WHERE app = \(app) AND id = \(push.id)\(db.dialect.forUpdate)
        """
      ) { try $0.integer("timestamp") } ?? 0
    if let timestamp = push.timestamp, timestamp < last {
      throw StoreError(
        .conflict,
        "the activity \(push.id) has had a push with the timestamp \(last), and phones ignore an"
          + " older one; leave timestamp out, or take a later one")
    }
    let timestamp = push.timestamp ?? max(now.milliseconds / 1000, last + 1)
    push.timestamp = timestamp
    try db.queue(
      """
      UPDATE activities SET event = \(push.event.rawValue), timestamp = \(timestamp),
        updated_at = \(now), type = coalesce(\(push.type), type)
      WHERE app = \(app) AND id = \(push.id)
      """)
    return push
  }
}
