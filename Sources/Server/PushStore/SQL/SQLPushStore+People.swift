import PushModel

/// What pages show of people: their devices, and what was sent to them.
extension SQLPushStore {
  package func devices(
    ofUsers ids: [String], app: String, limit: Int
  ) async throws(StoreError) -> [String: [Device]] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [:] }
      var found: [String: [Device]] = [:]
      // One query would sort all devices of all these users, and a user may have any number.
      for id in Set(ids) {
        let devices = try db.rows(
          """
          SELECT \(Device.columns) FROM devices WHERE app = \(app) AND user_id = \(id)
          ORDER BY key LIMIT \(limit)
          """, map: Device.init(row:))
        if !devices.isEmpty { found[id] = devices }
      }
      return found
    }
  }

  package func devices(
    app: String, userPrefix: String, limit: Int
  ) async throws(StoreError) -> [Device] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [] }
      return try db.rows(
        """
        SELECT \(Device.columns) FROM devices WHERE app = \(app) AND user_id >= \(userPrefix)
        AND user_id < \(SendTerms.end(of: userPrefix))
        ORDER BY user_id, key LIMIT \(limit)
        """, map: Device.init(row:))
    }
  }

  package func deliveries(
    of sends: [String], to devices: [Device], app: String
  ) async throws(StoreError) -> [DeviceDelivery] {
    guard !sends.isEmpty, !devices.isEmpty else { return [] }
    return try await read { db in
      guard let app = try Self.number(of: app, db) else { return [] }
      let keys = try db.rows(
        "SELECT number, id FROM sends WHERE app = \(app) AND id \(db.dialect.among(sends))"
      ) { (try $0.integer("number"), try $0.text("id")) }
      let ids = Dictionary(keys, uniquingKeysWith: { $1 })
      var found: [DeviceDelivery] = []
      for device in devices {
        let outcomes = try Self.outcomes(ofSends: ids.keys.sorted(), device.number, app: app, db)
        let receipts = try Self.receipts(ofSends: ids, device, app: app, db)
        for (number, id) in ids.sorted(by: { $0.key < $1.key }) {
          var delivery = DeviceDelivery(send: id, device: device.number)
          delivery.outcome = outcomes[number]
          delivery.receipts = receipts.filter { $0.send == id }
          if delivery.outcome != nil || !delivery.receipts.isEmpty { found.append(delivery) }
        }
      }
      return found
    }
  }

  private static func outcomes(
    ofSends numbers: [Int64], _ device: UInt32, app: Int64, _ db: any SQLConnection
  ) throws -> [Int64: Outcome] {
    let rows = try db.rows(
      """
      SELECT send, devices, outcomes FROM batches
      WHERE app = \(app) AND send \(db.dialect.among(numbers)) AND first <= \(device)
      AND last >= \(device) AND outcomes IS NOT NULL
      """
    ) { row in
      let send = try row.integer("send")
      return (send, try row.outcomes().outcome(of: device))
    }
    let found = rows.compactMap { send, outcome in outcome.map { (send, $0) } }
    return Dictionary(found, uniquingKeysWith: { $1 })
  }

  /// The most reports of a device that are read for a list of sends.
  private static var receiptLimit: Int { 500 }

  private static func receipts(
    ofSends ids: [Int64: String], _ device: Device, app: Int64, _ db: any SQLConnection
  ) throws -> [Receipt] {
    try db.rows(
      """
      SELECT send, id, event, at, media, reason, milliseconds, trace FROM receipts
      WHERE \(db.dialect.unindexed)app = \(app) AND send \(db.dialect.among(ids.keys.sorted()))
      AND device = \(device.number) ORDER BY at, id LIMIT \(receiptLimit)
      """
    ) { row in
      let send = ids[try row.integer("send")] ?? ""
      return try Receipt(row: &row, send: send, device: device.id)
    }
  }
}

extension Receipt {
  /// Reads the columns from `id` on.
  init(row: inout SQLRow, send: String, device: String) throws {
    let id = try row.text("id")
    let event: Receipt.Event = try row.word("event")
    self.init(id: id, send: send, device: device, event: event, at: try row.time("at"))
    media = try row.optionalText("media")
    reason = try row.optionalText("reason")
    milliseconds = try row.optionalInteger("milliseconds")
    trace = try row.optionalValue("trace", ReceiptTrace.init(json:))
  }
}
