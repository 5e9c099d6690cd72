import PushModel
import _Bitmaps
import PushPayload

/// The send or message that a person got, by the number of its row.
private enum DeliveryNumber {
  case send(Int64)
  case message(Int64)
}

extension SQLPushStore {
  package func leaseEnrollments(
    of trigger: LiveTrigger, at now: Timestamp, until end: Timestamp, limit: Int
  ) async throws(StoreError) -> [Enrollment]? {
    // Usually no enrollment is due. Finding that costs a read, but no sync of the disk.
    let app = try await readFewRows { db -> Int64? in
      guard let app = try Self.number(of: trigger.app, db) else { return nil }
      let isDue = try db.row(
        """
        SELECT 1 FROM enrollments WHERE app = \(app) AND trigger_number = \(trigger.number)
        AND due_at <= \(now) LIMIT 1
        """
      ) { _ in true }
      return isDue == true ? app : nil
    }
    guard let app else { return nil }
    let isLeased = try await write { db in
      let offset = try self.clockOffset(from: now, db)
      return try db.run(
        """
        UPDATE triggers SET leased_until = \(end + offset) WHERE app = \(app)
        AND number = \(trigger.number) AND leased_until <= \(now + offset)
        """) > 0
    }
    guard isLeased else { return nil }
    return try await read { db in
      try db.rows(
        Enrollment.dueQuery(app: app, trigger: trigger.number, at: now, limit: limit)
      ) { row in
        row.skip("trigger_number")
        return try Enrollment(row: &row)
      }
    }
  }

  package func releaseEnrollments(of trigger: LiveTrigger) async throws(StoreError) {
    try await write(repeatable: true) { db in
      guard let app = try Self.number(of: trigger.app, db) else { return }
      try db.queue(
        "UPDATE triggers SET leased_until = 0 WHERE app = \(app) AND number = \(trigger.number)")
    }
  }

  package func endEnrollments(
    of trigger: LiveTrigger, at now: Timestamp, limit: Int
  ) async throws(StoreError) -> Bool {
    try await write { db in
      guard let app = try Self.number(of: trigger.app, db) else { return false }
      let ended = try db.run(
        """
        UPDATE enrollments SET due_at = NULL,
          outcome = \(Enrollment.Outcome.campaignEnded.rawValue), ended_at = \(now)
        WHERE app = \(app) AND trigger_number = \(trigger.number) AND (person, round) IN (
          SELECT person, round FROM enrollments
          WHERE app = $3 AND trigger_number = $4 AND due_at IS NOT NULL LIMIT \(limit))
        """)
      if ended < limit { try Self.finish(trigger, app: app, db) }
      return ended == limit
    }
  }

  package func devices(
    of people: [Enrollment.Person], app: String
  ) async throws(StoreError) -> [Enrollment.Person: [UInt32]] {
    guard !people.isEmpty else { return [:] }
    return try await read { db in
      guard let app = try Self.number(of: app, db) else { return [:] }
      var devices: [Enrollment.Person: [UInt32]] = [:]
      func add(
        _ column: String, among ids: [String], _ person: (String) -> Enrollment.Person
      ) throws {
        guard !ids.isEmpty else { return }
        let found = try db.rows(
          """
          SELECT key, \(raw: column) FROM devices WHERE app = \(app)
          AND \(raw: column) \(db.dialect.among(ids))
          AND erased_at IS NULL
          """
        ) { row in
          let number = try DeviceKeys.number(of: row.integer("key"))
          return try (number, column == "id" ? row.text("id") : row.text("user_id"))
        }
        for (number, id) in found { devices[person(id), default: []].append(number) }
      }
      try add("id", among: people.compactMap { if case .device(let id) = $0 { id } else { nil } }) {
        .device($0)
      }
      try add(
        "user_id", among: people.compactMap { if case .user(let id) = $0 { id } else { nil } }
      ) {
        .user($0)
      }
      return devices
    }
  }

  package func advance(
    _ change: EnrollmentChange, at now: Timestamp
  ) async throws(StoreError) -> Int? {
    let moved: Int? = try await write { db in
      let trigger = change.trigger
      guard let app = try Self.number(of: trigger.app, db),
        // The campaign is locked first, because orders to a campaign also lock it before its sends.
        let campaign = try Self.campaign(
          trigger.campaign, app: trigger.app, number: app, lock: db.dialect.forUpdate, db)
      else { return nil }
      guard campaign.state == .live else {
        // A program that does not know triggers has paused or ended the campaign.
        try Self.updateTrigger(of: campaign, app: app, db)
        return nil
      }
      let moves = try Self.unchanged(change.moves, of: trigger, app: app, db)
      guard !moves.isEmpty else { return 0 }
      var delivered: [Int: DeliveryNumber] = [:]
      for (place, delivery) in change.deliveries.enumerated() {
        let own = moves.filter { $0.delivery == place }
        guard !own.isEmpty else { continue }
        switch delivery {
        case .push(let send, let segments, let isPersonal):
          let number = try self.insert(
            send, in: segments, to: change.audience, for: own, isPersonal: isPersonal, app: app, db)
          delivered[place] = number.map { .send($0) }
        case .message(let message):
          let number = try Self.insert(message, to: change.audience, for: own, app: app, db)
          delivered[place] = number.map { .message($0) }
        }
      }
      try Self.store(moves, of: trigger, delivered: delivered, app: app, db)
      return moves.count
    }
    announce()
    return moved
  }

  /// The moves of unchanged enrollments, which are then locked against changes by other transactions.
  private static func unchanged(
    _ moves: [EnrollmentChange.Move], of trigger: LiveTrigger, app: Int64,
    _ db: any SQLConnection
  ) throws -> [EnrollmentChange.Move] {
    let found = try db.rows(
      given: [.text("given_person"), .integer("given_round")],
      rows: moves.map { [.text($0.old.person.text), .integer(Int64($0.old.round))] }
    ) { given in
      """
      SELECT \(Enrollment.columns) FROM \(given) JOIN enrollments
      ON enrollments.app = \(app) AND enrollments.trigger_number = \(trigger.number)
      AND enrollments.person = given.given_person AND enrollments.round = given.given_round
      \(Enrollment.lockOrder)\(db.dialect.forUpdate)
      """
    } map: { row in
      row.skip("trigger_number")
      return try Enrollment(row: &row)
    }
    let stored = Set(found)
    return moves.filter { stored.contains($0.old) }
      .sorted { $0.old.person.text < $1.old.person.text }
  }

  /// Accepts a send for those devices of its segments that are in some moves, and returns its number.
  private func insert(
    _ send: Send, in segments: [Segment], to audience: Audience,
    for moves: [EnrollmentChange.Move], isPersonal: Bool, app: Int64, _ db: any SQLConnection
  ) throws -> Int64? {
    let devices = DeviceNumbers(moves.flatMap(\.devices)).bitmap
    let due = segments.map { segment in
      var (segment, due) = (segment, segment.devices.bitmap)
      due.formIntersection(devices)
      segment.devices = DeviceNumbers(due)
      return segment
    }.filter { !$0.devices.isEmpty }
    let stored = try insert(NewSend(send, to: audience, segments: due), app: app, db)
    guard let key = try Self.key(ofSend: stored.id, app: app, db) else { return nil }
    let rows = moves.flatMap { move in
      move.old.data.map { data in
        move.devices.map { [SQLValue.integer(Int64($0)), .json(data)] }
      } ?? []
    }
    guard isPersonal else { return key.number }
    try db.queue(given: [.integer("given_device"), .text("given_data")], rows: rows) { given in
      """
      INSERT INTO send_data (app, send, device, data) SELECT \(key.app), \(key.number), given.*
      FROM \(given) WHERE TRUE
      ON CONFLICT DO NOTHING
      """
    }
    return key.number
  }

  /// Publishes a message to the devices of some moves, and returns its number.
  private static func insert(
    _ message: Message, to audience: Audience, for moves: [EnrollmentChange.Move], app: Int64,
    _ db: any SQLConnection
  ) throws -> Int64? {
    try insert(audience, app: app, conflict: "ON CONFLICT (app, id) DO NOTHING", db)
    let devices = DeviceNumbers(moves.flatMap(\.devices))
    var message = message
    message.targeted = devices.count
    return try insert(message, for: devices, app: app, db)
  }

  private static func store(
    _ moves: [EnrollmentChange.Move], of trigger: LiveTrigger,
    delivered: [Int: DeliveryNumber], app: Int64, _ db: any SQLConnection
  ) throws {
    try db.queue(
      given: [
        .text("given_person"), .integer("given_round"), .integer("given_step"),
        .integer("given_due"), .integer("given_ended"), .integer("given_sent"),
        .text("given_outcome"), .integer("given_send"), .integer("given_message"),
      ],
      rows: moves.map { move in
        let new = move.new
        var (send, message) = (Int64?.none, Int64?.none)
        switch move.delivery.flatMap({ delivered[$0] }) {
        case .send(let number): send = number
        case .message(let number): message = number
        case nil: break
        }
        return [
          .text(new.person.text), .integer(Int64(new.round)), .integer(Int64(new.step)),
          .time(new.dueAt), .time(new.endedAt), .time(new.sentAt),
          .optional(new.outcome?.rawValue), .optional(send), .optional(message),
        ]
      }
    ) { given in
      """
      UPDATE enrollments SET step = given.given_step, due_at = given.given_due,
        ended_at = given.given_ended, sent_at = given.given_sent, outcome = given.given_outcome,
        send = coalesce(given.given_send, enrollments.send),
        message = coalesce(given.given_message, enrollments.message)
      FROM \(given) WHERE enrollments.app = \(app)
      AND enrollments.trigger_number = \(trigger.number)
      AND enrollments.person = given.given_person AND enrollments.round = given.given_round
      """
    }
  }
}
