import PushModel
import PushPayload

extension SQLPushStore {
  /// Writes the changes that follow from reports.
  static func write(_ fold: ReportFold, app: Int64, _ db: any SQLConnection) throws {
    try save(fold, app: app, db)
    try tally(fold.tallies, app: app, db)
    try count(fold.hours, app: app, db)
    let counts = fold.sendCounts.filter { $0.value != ReportFold.SendCounts() }
      .sorted { $0.key < $1.key }
    try db.queue(
      given: [
        .integer("send"), .integer("more_delivered"), .integer("more_displayed"),
        .integer("more_opened"), .integer("more_indirect"),
      ],
      rows: counts.map { send, more in
        [
          send, Int64(more.delivered), Int64(more.displayed), Int64(more.opened),
          Int64(more.indirect),
        ]
        .map(SQLValue.integer)
      }
    ) { given in
      """
      UPDATE sends SET delivered = sends.delivered + given.more_delivered,
        displayed = sends.displayed + given.more_displayed,
        opened = sends.opened + given.more_opened, indirect = sends.indirect + given.more_indirect
      FROM \(given) WHERE \(db.dialect.unindexed)sends.app = \(app) AND sends.number = given.send
      """
    }
    try writeOpenings(fold, app: app, db)
  }

  private static func writeOpenings(
    _ fold: ReportFold, app: Int64, _ db: any SQLConnection
  ) throws {
    let opened = fold.opened.sorted()
    let keys = DeviceKeys(app: app)
    try db.queue(
      given: [.integer("device_key"), .integer("at"), .blob("hours")],
      rows: fold.opened.union(fold.timed).sorted().map { number in
        let device = fold.devices[number]
        return [
          keys.key(number), .time(device?.lastOpenedAt),
          .blob((device?.openHours ?? OpenHours()).packed),
        ]
      }
    ) { given in
      """
      UPDATE devices SET last_opened_at = given.at, open_hours = given.hours
      FROM \(given) WHERE \(db.dialect.unindexed)devices.app = \(app)
      AND devices.key = given.device_key
      """
    }
    try log(opened, app: app, db)
    for (count, amount) in fold.counters.sorted(by: {
      ($0.key.counter.rawValue, $0.key.hour) < ($1.key.counter.rawValue, $1.key.hour)
    }) {
      try self.count(count.counter, by: amount, app: app, at: count.hour, db)
    }
    try countActive(fold.activeDays, app: app, db)
  }

  /// Counts users, and devices without a user, once each day.
  private static func countActive(
    _ active: Set<ReportFold.ActiveDay>, app: Int64, _ db: any SQLConnection
  ) throws {
    let new = try db.run(
      given: [.integer("day"), .integer("device")],
      rows: active.sorted { ($0.day, $0.device) < ($1.day, $1.device) }
        .map { [.integer($0.day), .integer(Int64($0.device))] }
    ) { given in
      """
      INSERT INTO active_devices (app, day, device) SELECT \(app), given.* FROM \(given) WHERE TRUE
      ON CONFLICT DO NOTHING RETURNING day
      """
    } returning: { row in
      try row.integer("day")
    }
    for (day, days) in Dictionary(grouping: new, by: \.self).sorted(by: { $0.key < $1.key }) {
      let time = Timestamp(milliseconds: day * 86_400_000)
      try count(.activeUsers, by: days.count, app: app, at: time, db)
    }
    guard let last = new.max() else { return }
    // Two rows are removed for each added row, so that a new day does not begin with a large
    // transaction.
    try db.queue(
      """
      DELETE FROM active_devices WHERE app = \(app) AND (day, device) IN (
        SELECT day, device FROM active_devices WHERE app = $1 AND day < \(last - 1)
        LIMIT \(2 * new.count))
      """)
  }
}
