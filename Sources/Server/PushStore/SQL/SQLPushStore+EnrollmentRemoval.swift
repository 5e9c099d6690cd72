import PushModel
import PushPayload

extension SQLPushStore {
  /// Removes the data of a device in triggered campaigns, and of its user if the user has no other device.
  static func removeEnrollments(of device: Device, app: Int64, _ db: any SQLConnection) throws {
    try db.queue("DELETE FROM send_data WHERE app = \(app) AND device = \(device.number)")
    var people = [Enrollment.Person.device(device.id)]
    if let user = device.userID {
      let other = try db.row(
        """
        SELECT 1 FROM devices WHERE app = \(app) AND user_id = \(user) AND id <> \(device.id)
        AND erased_at IS NULL LIMIT 1
        """
      ) { _ in true }
      if other == nil { people.append(.user(user)) }
    }
    let triggers = try db.rows(
      "SELECT number FROM triggers WHERE app = \(app)"
    ) { try $0.integer("number") }
    guard !triggers.isEmpty else { return }
    try db.queue(
      """
      DELETE FROM enrollments WHERE app = \(app) AND trigger_number \(db.dialect.among(triggers))
      AND person \(db.dialect.among(people.map(\.text)))
      """)
  }
}

extension Enrollment {
  /// The enrollments of each trigger that ended before a time and no longer matter.
  private static func outdated(
    app: Int64, before end: Timestamp, at now: Timestamp, _ db: any SQLConnection
  ) throws -> [(trigger: Int64, condition: SQL)] {
    let triggers = try db.rows(
      "SELECT number, state, definition FROM triggers WHERE app = \(app)"
    ) { row in
      (
        number: try row.integer("number"), state: try row.text("state"),
        trigger: (try? row.json("definition")).flatMap { CampaignTrigger(json: $0) }
      )
    }
    return triggers.compactMap { row in
      // A trigger that cannot be read keeps its enrollments.
      guard let trigger = row.trigger else { return nil }
      // Without `again_after`, a person who got a message never enters again.
      var lastMessage = Timestamp(milliseconds: 0)
      if row.state == TriggerState.ended {
        lastMessage = Timestamp(milliseconds: .max)
      } else if let pause = trigger.againAfter {
        lastMessage = now + (.zero - pause)
      }
      return (
        row.number,
        """
        app = \(app) AND trigger_number = \(row.number) AND ended_at < \(end)
        AND (sent_at IS NULL OR sent_at < \(lastMessage))
        """
      )
    }
  }

  static func areOutdated(
    app: Int64, before end: Timestamp, at now: Timestamp, _ db: any SQLConnection
  ) throws -> Bool {
    try outdated(app: app, before: end, at: now, db).contains { row in
      try db.row("SELECT 1 FROM enrollments WHERE \(row.condition) LIMIT 1", map: { _ in true })
        ?? false
    }
  }

  /// Removes at most `limit` enrollments of each trigger, and adds their counts to the trigger's counts of removed
  /// ones.
  static func removeOutdated(
    app: Int64, before end: Timestamp, at now: Timestamp, limit: Int, _ db: any SQLConnection
  ) throws {
    for row in try outdated(app: app, before: end, at: now, db) {
      let removed = try db.changedRows(
        """
        DELETE FROM enrollments
        WHERE app = \(app) AND trigger_number = \(row.trigger) AND (person, round) IN (
          SELECT person, round FROM enrollments WHERE \(row.condition) LIMIT \(limit))
        RETURNING step, outcome
        """
      ) { try (step: $0.int("step"), outcome: $0.word("outcome", Outcome.self)) }
      guard !removed.isEmpty else { continue }
      let stored = try db.row(
        """
        SELECT removed FROM triggers WHERE app = \(app)
        AND number = \(row.trigger)\(db.dialect.forUpdate)
        """
      ) { try $0.value("removed", EnrollmentCounts.init(json:)) }
      var counts = stored ?? EnrollmentCounts()
      for row in removed { counts.ended[row.step, default: [:]][row.outcome, default: 0] += 1 }
      try db.queue(
        """
        UPDATE triggers SET removed = \(counts.json) WHERE app = \(app) AND number = \(row.trigger)
        """)
    }
  }
}
