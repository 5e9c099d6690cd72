import PushModel
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

  package func devices(
    ofUser id: String, app: String, limit: Int
  ) async throws(StoreError) -> [Device] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [] }
      return try db.rows(
        """
        SELECT \(Device.columns) FROM devices WHERE app = \(app) AND user_id = \(id) ORDER BY key
        LIMIT \(limit)
        """, map: Device.init(row:))
    }
  }
}
