import PushModel

/// A receipt that was not stored before.
struct NewReceipt {
  /// The index of its request in the group.
  var request: Int
  var receipt: Receipt
  var send: Int64
  /// The time at which the send began, before which no device has it.
  var beganAt: Timestamp
  var device: UInt32
}

/// The key of a receipt in its app.
private struct ReceiptKey: Hashable {
  var device: UInt32
  var send: Int64
  var id: String
}

extension SQLPushStore {
  /// Adds new receipts whose send was for their device.
  ///
  /// `devices` are the numbers of devices by their ids.
  ///
  /// - Returns: The added receipts, in order.
  static func insertNew(
    _ requests: [ReportRequest], of devices: [String: UInt32], app: Int64, targets: SendTargets,
    _ db: any SQLConnection
  ) throws -> [NewReceipt] {
    let receipts = requests.flatMap(\.receipts)
    guard !receipts.isEmpty else { return [] }
    let sends = try sends(Set(receipts.lazy.map(\.send)), app: app, db)
    guard !sends.isEmpty else { return [] }
    let targets = try targets.devices(of: Set(sends.values.map(\.key))) { sends in
      try targetedDevices(of: sends, app: app, db)
    }
    var known: Set<ReceiptKey> = []
    var candidates: [NewReceipt] = []
    for (place, request) in requests.enumerated() {
      for receipt in request.receipts {
        guard let send = sends[receipt.send], send.hasDevices,
          let device = devices[receipt.device], targets[send.key]?.contains(device) ?? false,
          known.insert(ReceiptKey(device: device, send: send.key.number, id: receipt.id)).inserted
        else { continue }
        candidates.append(
          NewReceipt(
            request: place, receipt: receipt, send: send.key.number, beganAt: send.beganAt,
            device: device))
      }
    }
    let added = Set(try insert(candidates, app: app, db))
    return candidates.filter { added.contains($0.key) }
  }

  /// The events that count once and that the devices of new receipts had reported before.
  ///
  /// The rows of the sends are locked, so any other transaction has either committed its receipts or waits.
  static func reportedBefore(
    _ new: [NewReceipt], among query: EarlierReceipts, app: Int64, _ db: any SQLConnection
  ) throws -> Set<ReportFold.Event> {
    var own: [ReportFold.Event: Int] = [:]
    for event in new.compactMap(\.singleEvent) { own[event, default: 0] += 1 }
    let stored = try db.rows(given: EarlierReceipts.columns, rows: query.rows) { given in
      EarlierReceipts.query(of: given, app: app)
    } map: { row in
      let device = try row.deviceNumber("device")
      return try ReportFold.Event(
        send: row.integer("send"), device: device, event: row.word("event"))
    }
    var counts: [ReportFold.Event: Int] = [:]
    for event in stored { counts[event, default: 0] += 1 }
    return Set(own.keys.filter { counts[$0] ?? 0 > own[$0] ?? 0 })
  }

  /// The keys of sends, and the times at which they began or, of one that has not begun, were created, by their ids.
  ///
  /// `hasDevices` says whether the store still has the devices of the send.
  static func sends(
    _ ids: Set<String>, app: Int64, _ db: any SQLConnection
  ) throws -> [String: (key: SendKey, beganAt: Timestamp, hasDevices: Bool)] {
    guard !ids.isEmpty else { return [:] }
    let rows = try db.rows(query(forSends: ids, app: app, db.dialect)) { row in
      let id = try row.text("id")
      return (
        id,
        (
          key: SendKey(app: app, number: try row.integer("number")),
          beganAt: try row.time("began_at"), hasDevices: try row.bool("has_devices")
        )
      )
    }
    return Dictionary(rows, uniquingKeysWith: { $1 })
  }

  /// The query of ``sends(_:app:_:)``.
  static func query(forSends ids: Set<String>, app: Int64, _ dialect: SQLDialect) -> SQL {
    """
    SELECT id, number, coalesce(started_at, created_at) AS began_at, EXISTS (
      SELECT 1 FROM segments WHERE segments.app = \(app) AND segments.send = sends.number
    ) AS has_devices
    FROM sends WHERE \(dialect.unindexed)app = $1 AND id \(dialect.among(ids.sorted()))
    """
  }

  /// The packed sets of devices that were targeted by sends.
  private static func targetedDevices(
    of sends: [SendKey], app: Int64, _ db: any SQLConnection
  ) throws -> [(send: SendKey, packed: [UInt8])] {
    try db.rows(
      """
      SELECT send, devices FROM segments WHERE app = \(app)
      AND send \(db.dialect.among(sends.map(\.number)))
      """
    ) { try (SendKey(app: app, number: $0.integer("send")), $0.blob("devices")) }
  }

  /// Adds receipts whose keys are not stored yet.
  ///
  /// - Returns: The keys of the added receipts.
  private static func insert(
    _ receipts: [NewReceipt], app: Int64, _ db: any SQLConnection
  ) throws -> [ReceiptKey] {
    // Sorted by key, so that two transactions lock the rows in the same order.
    let rows = receipts.sorted {
      ($0.send, $0.device, $0.receipt.id) < ($1.send, $1.device, $1.receipt.id)
    }
    return try db.run(
      given: [
        .integer("device"), .integer("send"), .text("id"), .text("event"), .integer("at"),
        .text("media"), .text("reason"), .integer("milliseconds"), .text("trace"),
      ],
      rows: rows.map { row in
        let receipt = row.receipt
        return [
          .integer(Int64(row.device)), .integer(row.send), .text(receipt.id),
          .text(receipt.event.rawValue), .time(receipt.at), .optional(receipt.media),
          .optional(receipt.reason), .optional(receipt.milliseconds),
          .optional(receipt.trace?.json),
        ]
      }
    ) { given in
      """
      INSERT INTO receipts
        (app, device, send, id, event, at, media, reason, milliseconds, trace)
      SELECT \(app), given.* FROM \(given) WHERE TRUE
      ON CONFLICT DO NOTHING RETURNING device, send, id
      """
    } returning: { row in
      ReceiptKey(
        device: try row.deviceNumber("device"), send: try row.integer("send"),
        id: try row.text("id"))
    }
  }
}

/// The query for all receipts of the devices and sends that have new receipts.
struct EarlierReceipts {
  static let columns = [GivenColumn.integer("device"), .integer("send")]
  let rows: [[SQLValue]]

  /// Makes the query for new receipts whose events count once.
  init(of new: [NewReceipt]) {
    var places: Set<[SQLValue]> = []
    rows = new.compactMap(\.singleEvent).compactMap { event in
      let place = [SQLValue.integer(Int64(event.device)), .integer(event.send)]
      return places.insert(place).inserted ? place : nil
    }
  }

  static func query(of given: SQL, app: Int64) -> SQL {
    """
    SELECT receipts.device, receipts.send, receipts.event FROM \(given)
    JOIN receipts ON receipts.app = \(app) AND receipts.send = given.send
      AND receipts.device = given.device
    """
  }
}

extension NewReceipt {
  /// The event, if it counts once for each device; otherwise `nil`.
  fileprivate var singleEvent: ReportFold.Event? {
    receipt.event.hourKind == nil ? nil : event
  }

  fileprivate var key: ReceiptKey { ReceiptKey(device: device, send: send, id: receipt.id) }
  fileprivate var event: ReportFold.Event {
    ReportFold.Event(send: send, device: device, event: receipt.event)
  }
}
