import PushPayload

extension SQLPushStore {
  package func record(
    _ events: [DeviceEvent], device id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Bool {
    let request = EventRequest(events: events, of: .device(id), at: now, record: changeRecord)
    return try await commit(request, app: app) > 0
  }

  package func record(
    _ events: [DeviceEvent], user id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Int {
    try await commit(
      EventRequest(events: events, of: .user(id), at: now, record: changeRecord), app: app)
  }

  package func update(
    user id: String, app: String, attributes: [String: Attribute?], at now: Timestamp
  ) async throws(StoreError) -> Int {
    let edit = DeviceChange.Edit.user(id, attributes: attributes)
    return try await change(DeviceChange(edit, at: now), app: app).count
  }

  private static func devices(
    ofUser id: String, app: Int64, _ db: any SQLConnection
  ) throws -> [Device] {
    try db.rows(
      "SELECT \(Device.columns) FROM devices WHERE app = ? AND user_id = ? ORDER BY key",
      [.integer(app), .text(id)], map: Device.init(row:))
  }
}
