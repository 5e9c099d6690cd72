import PushModel

extension SQLPushStore {
  package func receipts(
    of send: String, device: Device, app: String
  ) async throws(StoreError) -> [Receipt] {
    try await read { db in
      guard let key = try Self.key(ofSend: send, app: app, db) else { return [] }
      return try db.rows(
        """
        SELECT id, event, at, media, reason, milliseconds, trace FROM receipts
        WHERE \(db.dialect.unindexed)app = \(key.app) AND send = \(key.number)
        AND device = \(device.number) ORDER BY at, id LIMIT 100
        """
      ) { try Receipt(row: &$0, send: send, device: device.id) }
    }
  }
}
