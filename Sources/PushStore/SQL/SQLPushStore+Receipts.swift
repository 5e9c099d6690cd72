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
      ) { row in
        Receipt.Event(rawValue: row.text(1)).map { event in
          var receipt = Receipt(
            id: row.text(0), send: send, device: device.id, event: event, at: row.time(2))
          receipt.media = row.optionalText(3)
          receipt.reason = row.optionalText(4)
          receipt.milliseconds = row.optionalInteger(5)
          return receipt
        }
      }.compactMap(\.self)
    }
  }
}
