import PushModel
import PushPayload

extension EventFold {
  /// The new events of a request, for triggers; `nil` if no event was new.
  ///
  /// `result` is the result of ``add(_:)``.
  func occasion(
    of request: EventRequest, _ result: (devices: [UInt32], counted: Set<Int>)
  ) -> EnrollmentFold.Occasion? {
    guard !result.counted.isEmpty else { return nil }
    let devices = result.devices.compactMap { subjects.devices[$0] }
    var person: Enrollment.Person? = nil
    switch request.subject {
    case .user(let id): person = .user(id)
    case .device: person = devices.first?.person
    }
    guard let person else { return nil }
    return EnrollmentFold.Occasion(
      events: result.counted.sorted().map { request.events[$0] }, person: person,
      others: devices.map { .device($0.id) }.filter { $0 != person }, at: request.at)
  }
}

extension Device {
  /// The person whom an event on the device enrolls.
  var person: Enrollment.Person { userID.map { .user($0) } ?? .device(id) }
}

extension SQLPushStore {
  /// Locks an app to change its devices, and returns its number and the version of its triggers; `nil` if the app
  /// does not exist.
  static func lockedTriggers(
    of app: String, _ db: any SQLConnection
  ) throws -> (app: Int64, version: Int64)? {
    try db.row(
      "SELECT number, triggers FROM apps WHERE id = \(app)\(db.dialect.forUpdate)"
    ) { try ($0.integer("number"), $0.integer("triggers")) }
  }

  /// The triggers of an app's live and paused campaigns.
  static func triggers(
    ofApp app: Int64, _ db: any SQLConnection
  ) throws -> [TriggerIndex.Entry] {
    try db.rows(
      """
      SELECT number, state, definition FROM triggers WHERE app = \(app)
      AND state IN ('live', 'paused')
      """
    ) { row -> TriggerIndex.Entry? in
      let (number, state) = try (row.integer("number"), row.text("state"))
      // A trigger that cannot be read enrolls nobody and takes no step, but does not make the app's events
      // fail.
      let trigger = (try? row.json("definition")).flatMap { CampaignTrigger(json: $0) }
      return trigger.map {
        TriggerIndex.Entry(
          number: number, trigger: $0, isLive: state == CampaignLifecycle.State.live.rawValue)
      }
    }
    .compactMap(\.self)
  }

  /// Stores the enrollments and exits that follow from events, in the transaction that records the events.
  static func enroll(
    _ occasions: [EnrollmentFold.Occasion], by triggers: TriggerIndex.Triggers, app: Int64,
    _ db: any SQLConnection
  ) throws {
    guard !EnrollmentFold.keys(of: occasions, triggers).isEmpty else { return }
    let occasions = try addDevices(to: occasions, app: app, db)
    let keys = EnrollmentFold.keys(of: occasions, triggers)
    var fold = EnrollmentFold(triggers, last: try last(keys, app: app, db))
    for occasion in occasions { fold.add(occasion) }
    try add(fold.added, app: app, db)
    try exit(fold.exited, app: app, db)
  }

  /// The most devices that are read for each user on average, since a user may have any number.
  private static var devicesPerUser: Int { 1000 }

  /// Adds the other devices of each user, any of which may have been enrolled before it had the user.
  static func addDevices(
    to occasions: [EnrollmentFold.Occasion], app: Int64, _ db: any SQLConnection
  ) throws -> [EnrollmentFold.Occasion] {
    let users = Set(
      occasions.compactMap { occasion -> String? in
        if case .user(let id) = occasion.person { id } else { nil }
      })
    guard !users.isEmpty else { return occasions }
    let found = try db.rows(
      """
      SELECT id, user_id FROM devices WHERE app = \(app) AND user_id \(db.dialect.among(users.sorted()))
      AND erased_at IS NULL LIMIT \(devicesPerUser * users.count)
      """
    ) { try (id: $0.text("id"), user: $0.text("user_id")) }
    let devices = Dictionary(grouping: found, by: \.user)
    return occasions.map { occasion in
      guard case .user(let id) = occasion.person else { return occasion }
      var whole = occasion
      let known = Set(occasion.others)
      whole.others += (devices[id] ?? []).map { .device($0.id) }.filter { !known.contains($0) }
      return whole
    }
  }

  /// The last enrollment of each person in a trigger, locked against changes by other transactions.
  ///
  /// Without the lock, a person could leave although the message of a concurrent step is sent.
  static func last(
    _ keys: Set<EnrollmentFold.Key>, app: Int64, _ db: any SQLConnection
  ) throws -> [EnrollmentFold.Key: Enrollment] {
    let found = try db.rows(
      given: [.integer("given_trigger"), .text("given_person")],
      rows: keys.sorted().map { [.integer($0.trigger), .text($0.person.text)] }
    ) { given in
      """
      SELECT \(Enrollment.columns) FROM \(given) JOIN enrollments ON enrollments.app = \(app)
      AND enrollments.trigger_number = given.given_trigger
      AND enrollments.person = given.given_person
      \(Enrollment.lockOrder)\(db.dialect.forUpdate)
      """
    } map: { row in
      let trigger = try row.integer("trigger_number")
      return try (trigger, Enrollment(row: &row))
    }
    var last: [EnrollmentFold.Key: Enrollment] = [:]
    for (trigger, enrollment) in found {
      let key = EnrollmentFold.Key(trigger: trigger, person: enrollment.person)
      if let known = last[key], known.round > enrollment.round { continue }
      last[key] = enrollment
    }
    return last
  }

  static func add(
    _ added: [EnrollmentFold.Key: [Enrollment]], app: Int64, _ db: any SQLConnection
  ) throws {
    let rows = added.sorted { $0.key < $1.key }.flatMap { key, enrollments in
      enrollments.map { enrollment -> [SQLValue] in
        [
          .integer(key.trigger), .text(key.person.text), .integer(Int64(enrollment.round)),
          .integer(Int64(enrollment.step)), .time(enrollment.dueAt), .time(enrollment.enteredAt),
          .time(enrollment.endedAt), .optional(enrollment.outcome?.rawValue),
          enrollment.data.map { .json($0) } ?? .null,
        ]
      }
    }
    try db.queue(
      given: [
        .integer("given_trigger"), .text("given_person"), .integer("given_round"),
        .integer("given_step"), .integer("given_due"), .integer("given_entered"),
        .integer("given_ended"), .text("given_outcome"), .text("given_data"),
      ], rows: rows
    ) { given in
      """
      INSERT INTO enrollments (
        app, trigger_number, person, round, step, due_at, entered_at, ended_at, outcome, data)
      SELECT \(app), given.* FROM \(given) WHERE TRUE ON CONFLICT DO NOTHING
      """
    }
  }

  private static func exit(
    _ exited: [EnrollmentFold.Key: Enrollment], app: Int64, _ db: any SQLConnection
  ) throws {
    try db.queue(
      given: [
        .integer("given_trigger"), .text("given_person"), .integer("given_round"),
        .integer("given_ended"),
      ],
      rows: exited.sorted { $0.key < $1.key }.map { key, enrollment in
        [
          .integer(key.trigger), .text(key.person.text), .integer(Int64(enrollment.round)),
          .time(enrollment.endedAt),
        ]
      }
    ) { given in
      """
      UPDATE enrollments SET due_at = NULL, outcome = \(Enrollment.Outcome.exited.rawValue),
        ended_at = given.given_ended
      FROM \(given) WHERE enrollments.app = \(app)
      AND enrollments.trigger_number = given.given_trigger
      AND enrollments.person = given.given_person AND enrollments.round = given.given_round
      """
    }
  }
}

/// An enrollment as a row of `enrollments`.
extension Enrollment {
  /// The number of the trigger, and the columns that ``init(row:)`` reads.
  static let columns: SQL = """
    enrollments.trigger_number, enrollments.person, enrollments.round, enrollments.step,
    enrollments.due_at, enrollments.entered_at, enrollments.ended_at, enrollments.sent_at,
    enrollments.outcome, enrollments.data
    """

  /// The order in which transactions lock enrollments, so that no two wait for each other.
  static let lockOrder: SQL =
    "ORDER BY enrollments.trigger_number, enrollments.person, enrollments.round"

  /// The query for a limited number of an app's trigger's enrollments that are due at a time.
  static func dueQuery(
    app: Int64, trigger: Int64, at now: Timestamp, limit: Int
  ) -> SQL {
    """
    SELECT \(columns) FROM enrollments
    WHERE app = \(app) AND trigger_number = \(trigger) AND due_at <= \(now)
    ORDER BY due_at LIMIT \(limit)
    """
  }

  /// Reads the columns after the trigger's number.
  init(row: inout SQLRow) throws {
    let person = try row.parsed("person", Person.init(text:))
    let (round, step) = try (row.int("round"), row.int("step"))
    let due = try row.optionalTime("due_at")
    self.init(
      person: person, step: step, dueAt: due ?? Timestamp(milliseconds: 0),
      enteredAt: try row.time("entered_at"))
    self.round = round
    dueAt = due
    endedAt = try row.optionalTime("ended_at")
    sentAt = try row.optionalTime("sent_at")
    outcome = try row.optionalWord("outcome")
    guard outcome != nil || due != nil else {
      throw row.fault("outcome", "is NULL in an enrollment that is not due")
    }
    data = try row.optionalJSON("data")
  }
}
