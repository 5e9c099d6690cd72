import PushModel
import PushPayload

extension SQLPushStore {
  package func enrollmentCounts(
    ofCampaign id: String, app: String
  ) async throws(StoreError) -> EnrollmentCounts? {
    try await read { db -> EnrollmentCounts? in
      guard let app = try Self.number(of: app, db),
        let trigger = try Self.trigger(ofCampaign: id, app: app, db)
      else { return nil }
      let rows = try db.rows(
        """
        SELECT step, outcome, count(*) AS count FROM enrollments
        WHERE app = \(app) AND trigger_number = \(trigger.number) GROUP BY step, outcome
        """
      ) { row in
        try (
          step: row.int("step"), outcome: row.optionalWord("outcome", Enrollment.Outcome.self),
          count: row.int("count")
        )
      }
      var counts = trigger.removed
      for row in rows {
        if let outcome = row.outcome {
          counts.ended[row.step, default: [:]][outcome, default: 0] += row.count
        } else {
          counts.waiting[row.step, default: 0] += row.count
        }
      }
      return counts
    }
  }

  /// The number of a campaign's trigger, and the counts of its enrollments that retention has removed.
  ///
  /// The definition is not read, so that the page of a trigger that was stopped because of it can still be shown.
  static func trigger(
    ofCampaign id: String, app: Int64, _ db: any SQLConnection
  ) throws -> (number: Int64, removed: EnrollmentCounts)? {
    try db.row(
      "SELECT number, removed FROM triggers WHERE app = \(app) AND campaign = \(id)"
    ) { row in
      (try row.integer("number"), try row.value("removed", EnrollmentCounts.init(json:)))
    }
  }

  package func counts(
    ofRun id: String, app: String
  ) async throws(StoreError) -> [String: Send.Counts] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [:] }
      let sums = Self.sums(of: [
        "targeted", "sent", "rejected", "uninstalled", "delivered", "displayed", "opened",
        "indirect", "quiet", "capped",
      ])
      let rows = try db.rows(
        "SELECT variant, \(sums) FROM sends WHERE app = \(app) AND run = \(id) GROUP BY variant"
      ) { row -> (String, Send.Counts) in
        let variant = try row.text("variant")
        var counts = Send.Counts()
        counts.targeted = try row.int("targeted")
        counts.sent = try row.int("sent")
        counts.rejected = try row.int("rejected")
        counts.uninstalled = try row.int("uninstalled")
        counts.delivered = try row.int("delivered")
        counts.displayed = try row.int("displayed")
        counts.opened = try row.int("opened")
        counts.openedIndirectly = try row.int("indirect")
        counts.quiet = try row.int("quiet")
        counts.capped = try row.int("capped")
        return (variant, counts)
      }
      return Dictionary(rows, uniquingKeysWith: { $1 })
    }
  }

  /// The `SELECT` list of the sums of columns, each named after its column.
  static func sums(of columns: [String]) -> SQL {
    columns.map { "CAST(sum(\(raw: $0)) AS BIGINT) AS \(raw: $0)" as SQL }.joined(separator: ", ")
  }

  package func enrollment(
    of person: Enrollment.Person, inCampaign id: String, app: String
  ) async throws(StoreError) -> LastEnrollment? {
    try await read { db -> LastEnrollment? in
      guard let own = try Self.number(of: app, db),
        let trigger = try Self.trigger(ofCampaign: id, app: own, db)
      else { return nil }
      let found = try db.row(
        """
        SELECT \(Enrollment.columns), enrollments.send, enrollments.message FROM enrollments
        WHERE app = \(own) AND trigger_number = \(trigger.number) AND person = \(person.text)
        ORDER BY round DESC LIMIT 1
        """
      ) { row -> (Enrollment, send: Int64?, message: Int64?) in
        row.skip("trigger_number")
        let enrollment = try Enrollment(row: &row)
        return try (enrollment, row.optionalInteger("send"), row.optionalInteger("message"))
      }
      guard let (enrollment, send, message) = found else { return nil }
      return LastEnrollment(
        enrollment: enrollment,
        send: try send.flatMap { number in
          try db.row(
            "SELECT \(Send.selection) FROM sends WHERE app = \(own) AND number = \(number)",
            map: Send.init(row:))
        },
        message: try message.flatMap { number in
          try db.row(
            "SELECT \(Message.columns) FROM messages WHERE app = \(own) AND number = \(number)"
          ) { try Message(row: &$0, app: app) }
        })
    }
  }

  package func eventData(
    ofSend id: String, app: String, devices: DeviceNumbers
  ) async throws(StoreError) -> [UInt32: JSONValue] {
    guard let first = devices.first, let last = devices.last else { return [:] }
    return try await read { db in
      guard let key = try Self.key(ofSend: id, app: app, db) else { return [:] }
      let rows = try db.rows(
        """
        SELECT device, data FROM send_data WHERE app = \(key.app) AND send = \(key.number)
        AND device BETWEEN \(first) AND \(last)
        """
      ) { row in
        return try (row.deviceNumber("device"), row.json("data"))
      }
      return Dictionary(rows, uniquingKeysWith: { $1 })
    }
  }
}

/// The stored form of the counts of enrollments that retention has removed, by step and outcome.
extension EnrollmentCounts {
  /// Parses ``json``; `nil` if it is malformed or has an unknown outcome.
  init?(json: JSONValue) {
    guard let members = json.object else { return nil }
    self.init()
    for (step, outcomes) in members {
      guard let step = Int(step), let outcomes = outcomes.object else { return nil }
      for (outcome, count) in outcomes {
        guard let outcome = Enrollment.Outcome(rawValue: outcome), let count = count.integer
        else { return nil }
        ended[step, default: [:]][outcome, default: 0] += Int(count)
      }
    }
  }

  var json: JSONValue {
    .object(
      Dictionary(
        uniqueKeysWithValues: ended.map { step, outcomes in
          (
            String(step),
            JSONValue.object(
              Dictionary(
                uniqueKeysWithValues: outcomes.map {
                  ($0.key.rawValue, .integer(Int64($0.value)))
                }))
          )
        }))
  }
}
