import PushModel
import PushPayload

extension SQLPushStore {
  package func owners(
    of devices: [String], app: String
  ) async throws(StoreError) -> [String: DeviceOwner] {
    guard !devices.isEmpty else { return [:] }
    return try await readFewRows { db in
      guard let app = try Self.number(of: app, db) else { return [:] }
      let owners = try db.rows(
        """
        SELECT id, secret_hash, erased_at FROM devices
        WHERE app = \(app) AND id IN (
          SELECT value FROM \(db.dialect.given(.array(devices.map(JSONValue.string)))))
        """
      ) { row in
        let (id, hash) = try (row.text("id"), row.optionalBlob("secret_hash"))
        let isErased = try row.optionalTime("erased_at") != nil
        return (id, DeviceOwner(secretHash: hash, isErased: isErased))
      }
      return Dictionary(owners, uniquingKeysWith: { $1 })
    }
  }

  package func resetSecret(device id: String, app: String) async throws(StoreError) -> Bool {
    try await write { db in
      guard let app = try Self.lockedNumber(of: app, db),
        let device = try Self.device(where: .id, is: id, app: app, db)
      else { return false }
      guard device.erasedAt == nil else { throw Self.erased(id) }
      try db.queue(
        """
        UPDATE devices SET secret_hash = NULL
        WHERE \(DeviceKeys(app: app).isDevice(device.number))
        """)
      return true
    }
  }

  package func registeredDevices() async throws(StoreError) -> [String: Int] {
    try await read { db in
      let apps = try db.rows("SELECT id, number FROM apps") {
        (try $0.text("id"), try $0.integer("number"))
      }
      // Numbers have no gaps, and rows of devices are never removed.
      return try Dictionary(uniqueKeysWithValues: apps).mapValues {
        Int(try Self.lastNumber(app: $0, db))
      }
    }
  }
}
