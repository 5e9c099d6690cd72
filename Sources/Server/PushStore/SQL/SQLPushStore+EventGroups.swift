import PushModel
import PushPayload

extension SQLPushStore {
  func commit(_ request: EventRequest, app: String) async throws(StoreError) -> Int {
    let commit = { @Sendable (requests: [EventRequest]) async throws(StoreError) in
      try await self.writeUnrecorded { db in
        try Self.store(requests, app: app, triggers: self.groups.triggers, db)
      }
    }
    guard request.events.count <= WriteGroups.rowLimit else {
      return try await commit([request]).first?.get() ?? 0
    }
    return try await groups.events.answer(to: request, of: app, commit)
  }

  /// Stores events as if each request came after the previous one.
  ///
  /// The row of the app is locked first. Rows are never share-locked.
  ///
  /// - Returns: The number of devices of each request, or the error with which it was refused.
  static func store(
    _ requests: [EventRequest], app id: String, triggers index: TriggerIndex,
    _ db: any SQLConnection
  ) throws -> [Result<Int, StoreError>] {
    guard let (app, version) = try lockedTriggers(of: id, db) else {
      return requests.map { _ in .success(0) }
    }
    let triggers = try index.triggers(ofApp: app, version: version) {
      try Self.triggers(ofApp: app, db)
    }
    let subjects = EventSubjects(try devices(of: requests, app: app, db))
    let new = try insertNew(subjects.ids(of: requests), app: app, db)
    let named = Set(requests.lazy.flatMap(\.events).compactMap(\.send))
    var attributions = try attributions(
      of: Set(subjects.devices.keys), isLocked: false, app: app, db)
    let known = try numbers(ofSends: Set(attributions.values.map(\.send)), app: app, db)
    // An attribution may outlive its send.
    attributions = attributions.filter { known.contains($0.value.send) }
    var fold = EventFold(
      subjects, newIDs: new, attributions: attributions,
      sends: try sends(named, app: app, db).mapValues(\.key.number))
    let results = requests.map { fold.add($0) }
    try write(fold, app: app, db)
    if !triggers.isEmpty {
      let occasions = zip(requests, results).compactMap { request, result in
        result.flatMap { fold.occasion(of: request, $0) }
      }
      try enroll(occasions, by: triggers, app: app, db)
    }
    let records = zip(requests, results).compactMap {
      $1?.counted.isEmpty ?? true ? nil : $0.record
    }
    for entry in records.compactMap(\.entry) { try append(entry, db) }
    _ = try enqueue(records.compactMap(\.notice), app: app, db)
    return zip(requests, results).map { request, result in
      result.map { .success($0.devices.count) } ?? .failure(erased(request.subject.id))
    }
  }

  /// The devices of requests, with the columns that events change.
  private static func devices(
    of requests: [EventRequest], app: Int64, _ db: any SQLConnection
  ) throws -> [Device] {
    var (ids, users): (Set<String>, Set<String>) = ([], [])
    for request in requests {
      switch request.subject {
      case .device(let id): ids.insert(id)
      case .user(let id): users.insert(id)
      }
    }
    func devices(_ column: String, _ values: Set<String>) throws -> [Device] {
      guard !values.isEmpty else { return [] }
      return try db.rows(
        """
        SELECT key, id, user_id, erased_at, events FROM devices
        WHERE app = \(app) AND \(raw: column) \(db.dialect.among(values)) ORDER BY key
        """
      ) { row in
        let key = try row.integer("key")
        var device = try Device(id: row.text("id"), createdAt: Timestamp(milliseconds: 0))
        device.number = DeviceKeys.number(of: key)
        device.userID = try row.optionalText("user_id")
        device.erasedAt = try row.optionalTime("erased_at")
        device.events = try row.events("events")
        return device
      }
    }
    return try devices("id", ids) + devices("user_id", users)
  }

  /// The numbers of those sends that exist.
  private static func numbers(
    ofSends numbers: Set<Int64>, app: Int64, _ db: any SQLConnection
  ) throws -> Set<Int64> {
    guard !numbers.isEmpty else { return [] }
    return Set(
      try db.rows(
        """
        SELECT number FROM sends WHERE \(db.dialect.unindexed)app = \(app)
        AND number \(db.dialect.among(numbers))
        """
      ) { try $0.integer("number") })
  }

  /// Stores the ids of events.
  ///
  /// - Returns: The ids that the devices had not counted before.
  private static func insertNew(
    _ ids: [EventID: Timestamp], app: Int64, _ db: any SQLConnection
  ) throws -> Set<EventID> {
    Set(
      try db.run(
        given: [.integer("device"), .text("id"), .integer("at")],
        rows: ids.map { [.integer(Int64($0.key.device)), .text($0.key.id), .time($0.value)] }
      ) { given in
        """
        INSERT INTO event_ids (app, device, id, at) SELECT \(app), given.* FROM \(given) WHERE TRUE
        ON CONFLICT DO NOTHING RETURNING device, id
        """
      } returning: { row in
        EventID(device: try row.deviceNumber("device"), id: try row.text("id"))
      })
  }

  private static func write(_ fold: EventFold, app: Int64, _ db: any SQLConnection) throws {
    let keys = DeviceKeys(app: app)
    let changed = fold.changed.sorted()
    try db.queue(
      given: [.integer("device_key"), GivenColumn(name: "counts", type: .json)],
      rows: changed.map { [keys.key($0), .json(fold.subjects.devices[$0]?.eventsJSON ?? [:])] }
    ) { given in
      """
      UPDATE devices SET events = given.counts
      FROM \(given) WHERE \(db.dialect.unindexed)devices.app = \(app)
      AND devices.key = given.device_key
      """
    }
    try log(changed, app: app, db)
    try tally(fold.tallies, app: app, db)
  }
}
