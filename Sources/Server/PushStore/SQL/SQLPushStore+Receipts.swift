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
      ) { row in
        let id = try row.text("id")
        let event: Receipt.Event = try row.word("event")
        var receipt = Receipt(
          id: id, send: send, device: device.id, event: event, at: try row.time("at"))
        receipt.media = try row.optionalText("media")
        receipt.reason = try row.optionalText("reason")
        receipt.milliseconds = try row.optionalInteger("milliseconds")
        receipt.trace = try row.optionalValue("trace", ReceiptTrace.init(json:))
        return receipt
      }
    }
  }
}
