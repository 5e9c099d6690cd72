import PushPayload
import _SQLite

extension SQLitePushStore {
  package func device(_ id: String, app: String) async throws(StoreError) -> Device? {
    try await reader.read { db in try Self.device(where: "id", is: id, app: app, db) }
  }

  package func update(
    device id: String, app: String, _ patch: DevicePatch, at now: Timestamp
  ) async throws(StoreError) -> Device {
    try await writer.write { db in
      var device =
        try Self.device(where: "id", is: id, app: app, db)
        ?? Device(id: id, createdAt: now)
      device.apply(patch, at: now)
      try Self.save(device, app: app, db)
      return device
    }
  }

  package func importDevices(
    _ devices: [ImportedDevice], app: String, at now: Timestamp
  ) async throws(StoreError) {
    try await writer.write { db in
      for imported in devices {
        var device =
          try Self.device(where: "token", is: imported.token, app: app, db)
          ?? Device(id: imported.id, createdAt: now)
        var patch = imported.patch
        patch.token = .set(imported.token)
        device.apply(patch, at: now)
        try Self.save(device, app: app, db)
      }
    }
  }

  package func deviceCount(app: String) async throws(StoreError) -> Int {
    try await reader.read { db in
      try db.row("SELECT count(*) FROM devices WHERE app = ?", [.text(app)]) {
        Int($0.integer(0))
      } ?? 0
    }
  }

  /// The device of which a column, `id` or `token`, has a value.
  private static func device(
    where column: String, is value: String, app: String, _ db: SQLiteConnection
  ) throws -> Device? {
    try db.row(
      "SELECT \(Device.columns) FROM devices WHERE app = ? AND \(column) = ?",
      [.text(app), .text(value)], Device.init(row:))
  }

  private static func save(_ device: Device, app: String, _ db: SQLiteConnection) throws {
    if let token = device.token {
      try db.run(
        "UPDATE devices SET token = NULL, token_at = NULL WHERE app = ? AND token = ? AND id <> ?",
        [.text(app), .text(token), .text(device.id)])
    }
    let attributes = device.attributes.mapValues(\.json)
    try db.run(
      """
      INSERT INTO devices (app, \(Device.columns))
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (app, id) DO UPDATE SET \(Device.updates)
      """,
      [
        .text(app), .text(device.id), .optional(device.userID), .optional(device.userEmail),
        .optional(device.token), .text(device.platform), .bool(device.isDevelopment),
        .bool(device.isPushEnabled), .json(.array(device.tags.map(JSONValue.string))),
        .json(.object(attributes)), .optional(device.locale), .optional(device.timeZone),
        .optional(device.appVersion), .optional(device.osVersion), .optional(device.publicKey),
        .optional(device.authSecret), .optional(device.badge), .time(device.createdAt),
        .time(device.updatedAt), .time(device.tokenAt), .time(device.uninstalledAt),
      ])
  }
}

extension Device {
  private static let columnNames = [
    "id", "user_id", "user_email", "token", "platform", "development", "push_enabled", "tags",
    "attributes", "locale", "time_zone", "app_version", "os_version", "public_key", "auth_secret",
    "badge", "created_at", "updated_at", "token_at", "uninstalled_at",
  ]
  fileprivate static let columns = columnNames.joined(separator: ", ")
  fileprivate static let updates = columnNames.dropFirst().map { "\($0) = excluded.\($0)" }
    .joined(separator: ", ")

  fileprivate init(row: SQLiteRow) {
    self.init(id: row.text(0), createdAt: row.time(16))
    userID = row.optionalText(1)
    userEmail = row.optionalText(2)
    token = row.optionalText(3)
    platform = row.text(4)
    isDevelopment = row.bool(5)
    isPushEnabled = row.bool(6)
    tags = row.json(7).array?.compactMap(\.string) ?? []
    attributes = (row.json(8).object ?? [:]).compactMapValues(Attribute.init(json:))
    locale = row.optionalText(9)
    timeZone = row.optionalText(10)
    appVersion = row.optionalText(11)
    osVersion = row.optionalText(12)
    publicKey = row.optionalText(13)
    authSecret = row.optionalText(14)
    badge = row.optionalInteger(15)
    updatedAt = row.time(17)
    tokenAt = row.optionalTime(18)
    uninstalledAt = row.optionalTime(19)
  }
}
