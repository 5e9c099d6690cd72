extension SQLPushStore {
  package func record(
    _ receipts: [Receipt], app: String, at now: Timestamp
  ) async throws(StoreError) -> Int {
    try await write { db in
      guard let number = try Self.number(of: app, db) else { return 0 }
      // An opening changes its device.
      if receipts.contains(where: { $0.event == .opened }) {
        try Self.lockDevices(of: number, db)
      }
      var new = 0
      for receipt in receipts {
        guard let (send, createdAt) = try Self.start(of: receipt.send, app: number, db),
          let device = try Self.deviceNumber(receipt.device, app: number, db),
          try Self.insert(receipt, send: send, device: device, db)
        else { continue }
        new += 1
        // A device's clock may be wrong, and no receipt is from before the send or after now.
        let time = min(max(receipt.at, createdAt), now)
        try Self.attribute(receipt.event, of: send, to: device, at: time, db)
        if receipt.event == .opened { try Self.recordTap(receipt, of: send, at: time, db) }
        try Self.count(receipt, send: send, at: time, db)
      }
      return new
    }
  }

  package func mediaFailures(of send: String, app: String) async throws(StoreError) -> [String: Int]
  {
    try await tallies(.mediaFailure, of: send, app: app)
  }

  package func conversions(of send: String, app: String) async throws(StoreError) -> [String: Int] {
    try await tallies(.conversion, of: send, app: app)
  }

  package func recordOpen(
    device id: String, app: String, at now: Timestamp
  ) async throws(StoreError) {
    try await write { db in
      guard let app = try Self.lockedNumber(of: app, db),
        let old = try Self.device(where: .id, is: id, app: app, db), old.erasedAt == nil
      else { return }
      var device = old
      device.lastOpenedAt = now
      try Self.save(&device, replacing: old, app: app, db)
      try Self.attributeOpen(of: device.number, app: app, at: now, db)
      // The opening that a tap's receipt has reported already is not counted again.
      let tap = try Self.tapTime(of: device.number, app: app, db)
      if let tap, tap == old.lastOpenedAt, now.since(tap) <= Self.launchWindow { return }
      try Self.countOpen(of: device, app: app, at: now, db)
    }
  }

  /// How long after a tap an app reports the opening that the tap caused.
  private static var launchWindow: Duration { .seconds(60) }

  /// Counts the opening of the app that a tap's receipt reports, unless the app has reported it.
  private static func recordTap(
    _ receipt: Receipt, of send: SendKey, at time: Timestamp, _ db: any SQLConnection
  ) throws {
    let app = send.app
    guard let old = try Self.device(where: .id, is: receipt.device, app: app, db),
      old.erasedAt == nil
    else {
      return
    }
    let taps = try db.row(
      """
      SELECT count(*) AS count FROM receipts
      WHERE \(db.dialect.unindexed)app = ? AND send = ? AND device = ? AND event = ?
      """, send.values + [.integer(Int64(old.number)), .text(receipt.event.rawValue)]
    ) { $0.int("count") }
    // A notification is counted as tapped once.
    guard taps == 1 else { return }
    if let last = old.lastOpenedAt, last >= time {
      // The app may have reported this opening first.
      guard last.since(time) > launchWindow else { return }
    } else {
      var device = old
      device.lastOpenedAt = time
      try save(&device, replacing: old, app: app, db)
    }
    try countOpen(of: old, app: app, at: time, db)
  }

  private static func countOpen(
    of device: Device, app: Int64, at time: Timestamp, _ db: any SQLConnection
  ) throws {
    try count(.opens, by: 1, app: app, at: time, db)
    try count(.sessions, by: 1, app: app, at: time, db)
    try countActive(device, app: app, at: time, db)
  }

  package func counts(
    of counter: Counter, app: String, from: Timestamp, to: Timestamp
  ) async throws(StoreError) -> [CounterValue] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [] }
      return try db.rows(
        """
        SELECT time, count FROM counters
        WHERE app = ? AND counter = ? AND time BETWEEN ? AND ? ORDER BY time
        """, [.integer(app), .text(counter.rawValue), .time(from), .time(to)]
      ) { CounterValue(time: $0.time("time"), count: $0.int("count")) }
    }
  }

  package func groupStats(
    _ group: String, app: String, from: Timestamp, to: Timestamp
  ) async throws(StoreError) -> GroupStats {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return GroupStats() }
      let chosen = "app = ?1 AND group_name = ?2 AND created_at BETWEEN ?3 AND ?4"
      let values: [SQLValue] = [.integer(app), .text(group), .time(from), .time(to)]
      var stats = GroupStats()
      let sums = try db.row(
        """
        SELECT sum(sent) AS sent, sum(opened) AS opened, sum(indirect) AS indirect
        FROM sends WHERE \(chosen)
        """, values
      ) { ($0.int("sent"), $0.int("opened"), $0.int("indirect")) }
      (stats.sent, stats.opened, stats.openedIndirectly) = sums ?? (0, 0, 0)
      _ = try db.rows(
        """
        SELECT kind, name, sum(count) AS count FROM tallies
        WHERE app = ?1 AND send IN (SELECT number FROM sends WHERE \(chosen)) GROUP BY kind, name
        """, values
      ) { row in
        let tally = Tally(rawValue: row.text("kind"))
        let (name, count) = (row.text("name"), row.int("count"))
        switch tally {
        case .conversion: stats.conversions[name] = count
        case .purchase: stats.purchases[name, default: Purchases()].count = count
        case .revenue: stats.purchases[name, default: Purchases()].value = count
        case .mediaFailure, .pushFailure, nil: break
        }
      }
      return stats
    }
  }

  // MARK: Rows

  private func tallies(
    _ kind: Tally, of send: String, app: String
  ) async throws(StoreError) -> [String: Int] {
    try await read { db in
      guard let send = try Self.key(ofSend: send, app: app, db) else { return [:] }
      return try Self.tallies(kind, send: send, db)
    }
  }

  /// The key of a send and when it was made; `nil` where there is no such send.
  private static func start(
    of send: String, app: Int64, _ db: any SQLConnection
  ) throws -> (send: SendKey, createdAt: Timestamp)? {
    try db.row(
      "SELECT number, created_at FROM sends WHERE app = ? AND id = ?", [.integer(app), .text(send)]
    ) { (SendKey(app: app, number: $0.integer("number")), $0.time("created_at")) }
  }

  private static func deviceNumber(
    _ id: String, app: Int64, _ db: any SQLConnection
  ) throws -> UInt32? {
    try db.row(
      "SELECT key FROM devices WHERE app = ? AND id = ?", [.integer(app), .text(id)]
    ) { DeviceKeys.number(of: $0.integer("key")) }
  }

  /// Adds a receipt; `false` where it was there already.
  private static func insert(
    _ receipt: Receipt, send: SendKey, device: UInt32, _ db: any SQLConnection
  ) throws -> Bool {
    try db.run(
      """
      INSERT INTO receipts (app, send, device, id, event, at, media, reason, milliseconds)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
      """,
      send.values + [
        .integer(Int64(device)), .text(receipt.id), .text(receipt.event.rawValue),
        .time(receipt.at), .optional(receipt.media),
        .optional(receipt.reason), .optional(receipt.milliseconds),
      ]) > 0
  }

  private static func count(
    _ receipt: Receipt, send: SendKey, at time: Timestamp, _ db: any SQLConnection
  ) throws {
    if let media = receipt.media { try count(.media, named: media, send: send, at: time, db) }
    if let reason = receipt.reason {
      try tally(.mediaFailure, named: reason, send: send, db)
      try count(.mediaFailure, named: reason, send: send, at: time, db)
    }
    let kind: SendHour.Kind? =
      switch receipt.event {
      case .received: .delivered
      case .displayed: .displayed
      case .opened: .opened
      case .dismissed, .action: nil
      }
    guard let kind else { return }
    let column = kind.rawValue
    try db.run(
      "UPDATE sends SET \(column) = \(column) + 1 WHERE app = ? AND number = ?", send.values)
    try count(kind, send: send, at: time, db)
  }

  /// Counts a user, or a device without a user, once a day; a user by their first device.
  private static func countActive(
    _ device: Device, app: Int64, at now: Timestamp, _ db: any SQLConnection
  ) throws {
    let first = try device.userID.flatMap { user in
      try db.row(
        "SELECT key FROM devices WHERE app = ? AND user_id = ? ORDER BY key LIMIT 1",
        [.integer(app), .text(user)]
      ) { DeviceKeys.number(of: $0.integer("key")) }
    }
    let day = now.milliseconds / 86_400_000
    let isNew = try db.run(
      "INSERT INTO active_devices (app, day, device) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      [.integer(app), .integer(day), .integer(Int64(first ?? device.number))])
    guard isNew > 0 else { return }
    try count(.activeUsers, by: 1, app: app, at: now, db)
    // Two are removed for each one that is added, so that a new day is no large transaction.
    try db.run(
      """
      DELETE FROM active_devices WHERE app = ?1 AND (day, device) IN (
        SELECT day, device FROM active_devices WHERE app = ?1 AND day < ?2 LIMIT 2)
      """, [.integer(app), .integer(day - 1)])
  }
}
