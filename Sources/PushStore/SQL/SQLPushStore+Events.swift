import PushPayload

extension SQLPushStore {
  package func record(
    _ events: [DeviceEvent], device id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Bool {
    try await write { db in
      guard let number = try Self.lockedNumber(of: app, db),
        let device = try Self.device(.id, id, app: number, db)
      else { return false }
      guard device.erasedAt == nil else { throw Self.erased(id) }
      try Self.count(events, on: device, app: number, at: now, db)
      try Self.convert(events, app: app, db)
      return true
    }
  }

  package func record(
    _ events: [DeviceEvent], user id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Int {
    try await write { db in
      guard let number = try Self.lockedNumber(of: app, db) else { return 0 }
      let devices = try Self.devices(ofUser: id, app: number, db)
      for device in devices { try Self.count(events, on: device, app: number, at: now, db) }
      // What a person did once counts once, however many devices they have.
      if !devices.isEmpty { try Self.convert(events, app: app, db) }
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
      [.integer(app), .text(id)], Device.init(row:))
  }

  private static func count(
    _ events: [DeviceEvent], on old: Device, app: Int64, at now: Timestamp, _ db: any SQLConnection
  ) throws {
    var device = old
    device.count(events, at: now)
    try save(&device, replacing: old, app: app, db)
  }

  private static func convert(
    _ events: [DeviceEvent], app: String, _ db: any SQLConnection
  ) throws {
    for event in events {
      guard let send = event.send, let number = try number(ofSend: send, app: app, db) else {
        continue
      }
      try tally(.conversion, event.name, send: number, db)
    }
  }
}
