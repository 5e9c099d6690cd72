import PushPayload

extension SQLPushStore {
  package func record(
    _ events: [DeviceEvent], device id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Bool {
    try await write { db in
      guard let number = try Self.lockedNumber(of: app, db),
        let device = try Self.device(where: .id, is: id, app: number, db)
      else { return false }
      guard device.erasedAt == nil else { throw Self.erased(id) }
      let new = try Self.newEvents(of: events, on: device, app: number, at: now, db)
      let events = new.map { events[$0] }
      guard !events.isEmpty else { return true }
      try Self.count(events, on: device, app: number, at: now, db)
      let credited = try Self.creditedSend(of: [device.number], app: number, at: now, db)
      try Self.countConversions(events, app: number, creditedTo: credited, db)
      return true
    }
  }

  package func record(
    _ events: [DeviceEvent], user id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Int {
    try await write { db in
      guard let number = try Self.lockedNumber(of: app, db) else { return 0 }
      let devices = try Self.devices(ofUser: id, app: number, db)
      // A device that the user got since a first request may count what the others have counted.
      var converted = Set(events.indices)
      for device in devices {
        let new = try Self.newEvents(of: events, on: device, app: number, at: now, db)
        converted.formIntersection(new)
        guard !new.isEmpty else { continue }
        try Self.count(new.map { events[$0] }, on: device, app: number, at: now, db)
      }
      // A user's event is one conversion, however many devices the user has.
      guard !devices.isEmpty, !converted.isEmpty else { return devices.count }
      let credited = try Self.creditedSend(of: devices.map(\.number), app: number, at: now, db)
      try Self.countConversions(
        converted.sorted().map { events[$0] }, app: number, creditedTo: credited, db)
      return devices.count
    }
  }

  package func update(
    user id: String, app: String, attributes: [String: Attribute?], at now: Timestamp
  ) async throws(StoreError) -> Int {
    var patch = DevicePatch()
    patch.attributes = attributes
    return try await write { [patch] db in
      guard let app = try Self.lockedNumber(of: app, db) else { return 0 }
      let devices = try Self.devices(ofUser: id, app: app, db)
      for old in devices {
        var device = old
        device.apply(patch, at: now)
        try Self.save(&device, replacing: old, app: app, db)
      }
      return devices.count
    }
  }

  private static func devices(
    ofUser id: String, app: Int64, _ db: any SQLConnection
  ) throws -> [Device] {
    try db.rows(
      "SELECT \(Device.columns) FROM devices WHERE app = ? AND user_id = ? ORDER BY key",
      [.integer(app), .text(id)], map: Device.init(row:))
  }

  /// Stores the ids of events, and returns the indices of those that the device has not counted.
  private static func newEvents(
    of events: [DeviceEvent], on device: Device, app: Int64, at now: Timestamp,
    _ db: any SQLConnection
  ) throws -> [Int] {
    try events.indices.filter { index in
      guard let id = events[index].id else { return true }
      return try db.run(
        """
        INSERT INTO event_ids (app, device, id, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
        """, [.integer(app), .integer(Int64(device.number)), .text(id), .time(now)]) > 0
    }
  }

  private static func count(
    _ events: [DeviceEvent], on old: Device, app: Int64, at now: Timestamp, _ db: any SQLConnection
  ) throws {
    var device = old
    device.count(events, at: now)
    try save(&device, replacing: old, app: app, db)
  }

  /// Counts events on the sends that they name or, without one, on the credited send.
  private static func countConversions(
    _ events: [DeviceEvent], app: Int64, creditedTo last: SendKey?, _ db: any SQLConnection
  ) throws {
    for event in events {
      let named = try event.send.map { try key(ofSend: $0, app: app, db) } ?? last
      guard let send = named else { continue }
      try tally(.conversion, named: event.name, send: send, db)
      for item in event.items {
        try tally(.purchase, named: item.name, by: item.quantity, send: send, db)
        try tally(.revenue, named: item.name, by: item.quantity * item.price, send: send, db)
      }
    }
  }
}
