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
        WHERE app = ? AND trigger_number = ? GROUP BY step, outcome
        """, [.integer(app), .integer(trigger.number)]
      ) { (step: $0.int("step"), outcome: $0.optionalText("outcome"), count: $0.int("count")) }
      var counts = EnrollmentCounts(json: trigger.removed)
      for row in rows {
        if let outcome = row.outcome {
          guard let outcome = Enrollment.Outcome(rawValue: outcome) else { continue }
          counts.ended[row.step, default: [:]][outcome, default: 0] += row.count
        } else {
          counts.waiting[row.step, default: 0] += row.count
        }
      }
      return counts
    }
  }

  /// The number of a campaign's trigger, and what retention has removed of its enrollments.
  static func trigger(
    ofCampaign id: String, app: Int64, _ db: any SQLConnection
  ) throws -> (number: Int64, removed: JSONValue)? {
    try db.row(
      "SELECT number, removed FROM triggers WHERE app = ? AND campaign = ?",
      [.integer(app), .text(id)]
    ) { ($0.integer("number"), $0.json("removed")) }
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
        "SELECT variant, \(sums) FROM sends WHERE app = ? AND run = ? GROUP BY variant",
        [.integer(app), .text(id)]
      ) { row -> (String, Send.Counts) in
        let variant = row.text("variant")
        var counts = Send.Counts()
        counts.targeted = row.int("targeted")
        counts.sent = row.int("sent")
        counts.rejected = row.int("rejected")
        counts.uninstalled = row.int("uninstalled")
        counts.delivered = row.int("delivered")
        counts.displayed = row.int("displayed")
        counts.opened = row.int("opened")
        counts.openedIndirectly = row.int("indirect")
        counts.quiet = row.int("quiet")
        counts.capped = row.int("capped")
        return (variant, counts)
      }
      return Dictionary(rows, uniquingKeysWith: { $1 })
    }
  }

  /// What selects the sums of columns, each with the name of its column.
  static func sums(of columns: [String]) -> String {
    columns.map { "CAST(sum(\($0)) AS BIGINT) AS \($0)" }.joined(separator: ", ")
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
        WHERE app = ? AND trigger_number = ? AND person = ? ORDER BY round DESC LIMIT 1
        """, [.integer(own), .integer(trigger.number), .text(person.text)]
      ) { row -> (Enrollment, send: Int64?, message: Int64?) in
        row.skip("trigger_number")
        let enrollment = Enrollment(row: &row)
        return (enrollment, row.optionalInteger("send"), row.optionalInteger("message"))
      }
      guard let (enrollment, send, message) = found else { return nil }
      return LastEnrollment(
        enrollment: enrollment,
        send: try send.flatMap { number in
          try db.row(
            "SELECT \(Send.selection) FROM sends WHERE app = ? AND number = ?",
            [.integer(own), .integer(number)], map: Send.init(row:))
        },
        message: try message.flatMap { number in
          try db.row(
            "SELECT \(Message.columns) FROM messages WHERE app = ? AND number = ?",
            [.integer(own), .integer(number)]
          ) { Message(row: &$0, app: app) }
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
        "SELECT device, data FROM send_data WHERE app = ? AND send = ? AND device BETWEEN ? AND ?",
        key.values + [.integer(Int64(first)), .integer(Int64(last))]
      ) { row in
        let device = UInt32(truncatingIfNeeded: row.integer("device"))
        return (device, row.json("data"))
      }
      return Dictionary(rows, uniquingKeysWith: { $1 })
    }
  }
}

/// The counts of enrollments that retention has removed, as they are stored: by step and outcome.
extension EnrollmentCounts {
  init(json: JSONValue) {
    self.init()
    for (step, outcomes) in json.object ?? [:] {
      guard let step = Int(step) else { continue }
      for (outcome, count) in outcomes.object ?? [:] {
        guard let outcome = Enrollment.Outcome(rawValue: outcome), let count = count.integer
        else { continue }
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
