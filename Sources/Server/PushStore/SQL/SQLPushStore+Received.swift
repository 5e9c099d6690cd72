import PushModel
import _Bitmaps

extension SQLPushStore {
  package func received(
    _ id: String, app: String, opened: Bool?
  ) async throws(StoreError) -> DeviceNumbers? {
    try await read { db -> DeviceNumbers? in
      guard let app = try Self.number(of: app, db) else { return nil }
      let sends = try db.rows(
        """
        SELECT number, sent, opened FROM sends WHERE app = \(app)
        AND (id = \(id) OR message_id = $2)
        UNION SELECT number, sent, opened FROM sends WHERE app = $1 AND run = $2
        UNION SELECT number, sent, opened FROM sends WHERE app = $1 AND run IN (
          SELECT id FROM runs WHERE app = $1 AND campaign = $2)
        """
      ) { row in
        (
          key: SendKey(app: app, number: try row.integer("number")), sent: try row.int("sent"),
          opened: try row.int("opened")
        )
      }
      guard !sends.isEmpty else { return nil }
      var devices = DeviceNumbers()
      for send in sends {
        var found = try Self.accepted(of: send.key, db)
        // The counts are read first, so they exceed the stored rows only if rows were removed.
        guard found.count >= send.sent else { throw Self.removed("outcomes", of: id) }
        if let opened {
          let openers = try Self.openers(of: send.key, db)
          guard openers.count >= send.opened else { throw Self.removed("receipts", of: id) }
          found = DeviceNumbers(
            opened ? found.bitmap & openers.bitmap : found.bitmap.subtracting(openers.bitmap))
        }
        devices = devices.union(found)
      }
      return devices
    }
  }

  private static func removed(_ rows: String, of id: String) -> StoreError {
    StoreError(
      .conflict,
      "the \(rows) of \(id) are no longer stored, so its devices are not known any more; keep them"
        + " longer with the server's retention")
  }

  /// The number of batches that are in memory at once.
  private static var batchPage: Int { 256 }

  /// The devices for which APNs has accepted a send.
  private static func accepted(of send: SendKey, _ db: any SQLConnection) throws -> DeviceNumbers {
    var devices = DeviceNumbers()
    var last: Int64 = 0
    repeat {
      let batches = try db.rows(
        """
        SELECT number, devices, outcomes FROM batches
        WHERE app = \(send.app) AND send = \(send.number) AND number > \(last)
        AND outcomes IS NOT NULL ORDER BY number LIMIT \(batchPage)
        """
      ) { row in
        try (number: row.integer("number"), outcomes: row.outcomes().outcomes)
      }
      for batch in batches {
        devices = devices.union(
          DeviceNumbers(batch.outcomes.lazy.filter { $0.result == .sent }.map(\.device)))
      }
      last = batches.last?.number ?? last
      if batches.count < batchPage { return devices }
    } while true
  }

  /// The devices that have reported that a send was opened.
  private static func openers(of send: SendKey, _ db: any SQLConnection) throws -> DeviceNumbers {
    DeviceNumbers(
      try db.rows(
        """
        SELECT DISTINCT device FROM receipts
        WHERE \(db.dialect.unindexed)app = \(send.app) AND send = \(send.number)
        AND event = \(Receipt.Event.opened.rawValue)
        """
      ) { try $0.deviceNumber("device") })
  }
}
