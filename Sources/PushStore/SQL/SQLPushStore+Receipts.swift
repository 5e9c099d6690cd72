extension SQLPushStore {
  package func receipts(
    of send: String, device: Device, app: String
  ) async throws(StoreError) -> [Receipt] {
    try await read { db in
      guard let key = try Self.key(ofSend: send, app: app, db) else { return [] }
      return try db.rows(
        """
        SELECT id, event, at, media, reason, milliseconds FROM receipts
        WHERE \(db.dialect.unindexed)app = ? AND send = ? AND device = ? ORDER BY at, id LIMIT 100
        """, key.values + [.integer(Int64(device.number))]
      ) { row -> Receipt? in
        let id = row.text("id")
        guard let event = Receipt.Event(rawValue: row.text("event")) else { return nil }
        var receipt = Receipt(
          id: id, send: send, device: device.id, event: event, at: row.time("at"))
        receipt.media = row.optionalText("media")
        receipt.reason = row.optionalText("reason")
        receipt.milliseconds = row.optionalInteger("milliseconds")
        return receipt
      }.compactMap(\.self)
    }
  }
}
