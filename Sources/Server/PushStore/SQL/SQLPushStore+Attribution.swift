import PushModel

extension SQLPushStore {
  /// The attributions of devices.
  ///
  /// `isLocked` says whether they are changed afterwards. Their rows are locked before the rows of sends and of the
  /// app.
  static func attributions(
    of devices: Set<UInt32>, isLocked: Bool, app: Int64, _ db: any SQLConnection
  ) throws -> [UInt32: Attribution] {
    let rows = try db.rows(
      """
      SELECT device, send, received_at, opened_at, direct FROM attributions
      WHERE app = \(app) AND device \(db.dialect.among(devices.map(Int64.init)))
      ORDER BY device\(isLocked ? db.dialect.forUpdate : "")
      """
    ) { try ($0.deviceNumber("device"), Attribution(row: &$0)) }
    return Dictionary(rows, uniquingKeysWith: { $1 })
  }

  /// Writes the attributions that have changed.
  static func save(_ fold: ReportFold, app: Int64, _ db: any SQLConnection) throws {
    let rows = fold.attributed.sorted().compactMap { device -> [SQLValue]? in
      guard let attribution = fold.attributions[device] else { return nil }
      var isDirect = false
      if case .direct = attribution.credit { isDirect = true }
      return [
        .integer(Int64(device)), .integer(attribution.send), .time(attribution.receivedAt),
        .time(attribution.openedAt), .bool(isDirect),
      ]
    }
    try db.queue(
      given: [
        .integer("device"), .integer("send"), .integer("received_at"), .integer("opened_at"),
        .bool("direct"),
      ], rows: rows
    ) { given in
      """
      INSERT INTO attributions (app, device, send, received_at, opened_at, direct)
      SELECT \(app), given.* FROM \(given) WHERE TRUE
      ON CONFLICT (app, device) DO UPDATE SET send = excluded.send,
        received_at = excluded.received_at, opened_at = excluded.opened_at,
        direct = excluded.direct
      """
    }
  }
}

extension Attribution {
  fileprivate init(row: inout SQLRow) throws {
    let (send, receivedAt) = try (row.integer("send"), row.time("received_at"))
    let (openedAt, isDirect) = try (row.optionalTime("opened_at"), row.bool("direct"))
    self.init(
      send: send, receivedAt: receivedAt,
      credit: openedAt.map { isDirect ? .direct(at: $0) : .indirect(at: $0) } ?? .none)
  }
}
