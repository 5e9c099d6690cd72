extension SQLPushStore {
  /// Attributes the openings of the app on a device, after a receipt for a push.
  static func attribute(
    _ event: Receipt.Event, of key: SendKey, to device: UInt32, at time: Timestamp,
    _ db: any SQLConnection
  ) throws {
    guard event == .received || event == .displayed || event == .opened else { return }
    let (app, send) = (key.app, key.number)
    var changes: [Attribution.Change] = []
    var attribution: Attribution
    if let found = try self.attribution(of: device, app: app, db) {
      attribution = found
      changes =
        event == .opened
        ? attribution.tapped(send, at: time)
        : attribution.received(
          send, at: time, lastOpened: try lastOpened(device, app: app, db))
      guard attribution != found else { return }
    } else if event == .opened {
      attribution = Attribution(send: send, receivedAt: time, credit: .direct(at: time))
    } else {
      (attribution, changes) = Attribution.first(
        send, at: time, lastOpened: try lastOpened(device, app: app, db))
    }
    try save(attribution, changes: changes, of: device, app: app, db)
  }

  /// Attributes an opening of the app on a device.
  static func attributeOpen(
    of device: UInt32, app: Int64, at time: Timestamp, _ db: any SQLConnection
  ) throws {
    guard var attribution = try attribution(of: device, app: app, db) else { return }
    let changes = attribution.opened(at: time)
    if !changes.isEmpty { try save(attribution, changes: changes, of: device, app: app, db) }
  }

  /// The send that an event of a user is credited to: that of the last opening on one of the user's
  /// devices; `nil` where none is within the window.
  static func creditedSend(
    of devices: [UInt32], app: Int64, at time: Timestamp, _ db: any SQLConnection
  ) throws -> SendKey? {
    var last: (send: Int64, openedAt: Timestamp)?
    for device in devices {
      guard let attribution = try attribution(of: device, app: app, db),
        let send = attribution.creditedSend(at: time), let openedAt = attribution.openedAt
      else { continue }
      if last.map({ openedAt > $0.openedAt }) ?? true { last = (send, openedAt) }
    }
    return last.map { SendKey(app: app, number: $0.send) }
  }

  /// When the last push of a device was tapped; `nil` where it was not.
  static func tapTime(
    of device: UInt32, app: Int64, _ db: any SQLConnection
  ) throws -> Timestamp? {
    guard case .direct(at: let time)? = try attribution(of: device, app: app, db)?.credit else {
      return nil
    }
    return time
  }

  // MARK: Rows

  private static func attribution(
    of device: UInt32, app: Int64, _ db: any SQLConnection
  ) throws -> Attribution? {
    try db.row(
      """
      SELECT send, received_at, opened_at, direct FROM attributions
      WHERE app = ? AND device = ?\(db.dialect.forUpdate)
      """, [.integer(app), .integer(Int64(device))]
    ) { row in
      let (send, receivedAt) = (row.integer("send"), row.time("received_at"))
      let (openedAt, isDirect) = (row.optionalTime("opened_at"), row.bool("direct"))
      return Attribution(
        send: send, receivedAt: receivedAt,
        credit: openedAt.map { isDirect ? .direct(at: $0) : .indirect(at: $0) } ?? .none)
    }
  }

  private static func lastOpened(
    _ device: UInt32, app: Int64, _ db: any SQLConnection
  ) throws -> Timestamp? {
    try db.row(
      "SELECT last_opened_at FROM devices WHERE app = ? AND key = ?",
      DeviceKeys(app: app).values(device)
    ) { $0.optionalTime("last_opened_at") } ?? nil
  }

  private static func save(
    _ attribution: Attribution, changes: [Attribution.Change], of device: UInt32, app: Int64,
    _ db: any SQLConnection
  ) throws {
    var isDirect = false
    if case .direct = attribution.credit { isDirect = true }
    try db.run(
      """
      INSERT INTO attributions (app, device, send, received_at, opened_at, direct)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (app, device) DO UPDATE SET send = excluded.send,
        received_at = excluded.received_at, opened_at = excluded.opened_at,
        direct = excluded.direct
      """,
      [
        .integer(app), .integer(Int64(device)), .integer(attribution.send),
        .time(attribution.receivedAt), .time(attribution.openedAt), .bool(isDirect),
      ])
    for change in changes {
      try db.run(
        "UPDATE sends SET indirect = indirect + ?3 WHERE app = ?1 AND number = ?2",
        [.integer(app), .integer(change.send), .integer(Int64(change.amount))])
    }
  }
}
