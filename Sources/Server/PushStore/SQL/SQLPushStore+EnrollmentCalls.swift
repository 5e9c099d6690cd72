import PushModel
import PushPayload

extension SQLPushStore {
  package func lookSoon(app: String, at now: Timestamp) async throws(StoreError) {
    try await write(repeatable: true) { db in
      guard let app = try Self.number(of: app, db) else { return }
      try db.queue("UPDATE triggers SET look_at = \(now) WHERE app = \(app) AND look_at > $1")
    }
  }

  package func seen(by trigger: LiveTrigger) async throws(StoreError) -> DeviceNumbers {
    try await read { db in
      guard let app = try Self.number(of: trigger.app, db) else { return DeviceNumbers() }
      let seen = try db.row(
        "SELECT seen FROM triggers WHERE app = \(app) AND number = \(trigger.number)"
      ) { try $0.optionalPacked("seen", DeviceNumbers.init(packed:)) }
      return (seen ?? nil) ?? DeviceNumbers()
    }
  }

  package func store(
    _ look: AudienceLook, at now: Timestamp
  ) async throws(StoreError) -> Bool {
    let packed = look.seen.packed
    return try await write { db in
      // The app is locked first, as for events, so that no two transactions enroll the same person.
      guard let app = try Self.lockedNumber(of: look.trigger.app, db) else { return false }
      let changed = try db.run(
        """
        UPDATE triggers SET seen = \(packed), looks = looks + 1, look_at = \(look.nextLook)
        WHERE app = \(app) AND number = \(look.trigger.number) AND looks = \(look.trigger.looks)
        AND state = '\(raw: TriggerState.live)'
        """)
      guard changed > 0 else { return false }
      let entry = TriggerIndex.Entry(
        number: look.trigger.number, trigger: look.trigger.trigger, isLive: true)
      _ = try Self.enroll(look.enrolls, saying: nil, in: entry, app: app, at: now, db)
      return true
    }
  }

  package func enroll(
    _ call: EnrollmentCall, at now: Timestamp
  ) async throws(StoreError) -> (enrolled: Int, fingerprint: [UInt8])? {
    try await write { db -> (enrolled: Int, fingerprint: [UInt8])? in
      guard let app = try Self.lockedNumber(of: call.app, db) else { return nil }
      if let key = call.key {
        let first = try db.row(
          "SELECT enrolled, fingerprint FROM trigger_calls WHERE app = \(app) AND key = \(key)"
        ) { try (enrolled: $0.int("enrolled"), fingerprint: $0.blob("fingerprint")) }
        if let first { return first }
      }
      let found = try db.row(
        """
        SELECT number, state, definition FROM triggers WHERE app = \(app)
        AND campaign = \(call.campaign)
        """
      ) { row in
        try (
          number: row.integer("number"), state: row.text("state"),
          trigger: row.value("definition", CampaignTrigger.init(json:))
        )
      }
      guard let found, found.state == TriggerState.live else {
        guard try Self.campaign(call.campaign, app: call.app, number: app, db) != nil else {
          return nil
        }
        throw StoreError(
          .conflict, "the campaign \(call.campaign) is not triggered and live; start or resume it")
      }
      let entry = TriggerIndex.Entry(
        number: found.number, trigger: found.trigger, isLive: true)
      let enrolled = try Self.enroll(
        call.devices, saying: call.data, in: entry, app: app, at: now, db)
      if let key = call.key {
        try db.queue(
          """
          INSERT INTO trigger_calls (app, key, fingerprint, enrolled, at)
          VALUES (\(app), \(key), \(call.fingerprint), \(enrolled), \(now))
          """)
      }
      return (enrolled, call.fingerprint)
    }
  }

  /// Enrolls the people of some devices, if their last enrollments allow it.
  ///
  /// - Returns: The number of enrolled people.
  private static func enroll(
    _ devices: DeviceNumbers, saying data: JSONValue?, in entry: TriggerIndex.Entry, app: Int64,
    at now: Timestamp, _ db: any SQLConnection
  ) throws -> Int {
    let found = try rows(
      of: devices, app: app, columns: "key, id, user_id, erased_at", db
    ) { row in
      row.skip("key")
      let (id, user) = try (row.text("id"), row.optionalText("user_id"))
      return try (id: id, user: user, isErased: row.optionalInteger("erased_at") != nil)
    }
    let own = found.filter { !$0.isErased }.map { device in
      EnrollmentFold.Occasion(
        person: device.user.map { .user($0) } ?? .device(device.id),
        others: device.user == nil ? [] : [.device(device.id)], at: now)
    }
    let occasions = try addDevices(to: own, app: app, db)
    let keys = Set(
      occasions.flatMap(\.people).map { EnrollmentFold.Key(trigger: entry.number, person: $0) })
    guard !keys.isEmpty else { return 0 }
    var fold = EnrollmentFold(
      TriggerIndex.Triggers([]), last: try last(keys, app: app, db))
    for occasion in occasions { fold.enroll(occasion, saying: data, in: entry) }
    try add(fold.added, app: app, db)
    return fold.added.count
  }
}
