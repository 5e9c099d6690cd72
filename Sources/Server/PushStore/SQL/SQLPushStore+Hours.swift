import PushModel

extension SQLPushStore {
  package func hours(of send: String, app: String) async throws(StoreError) -> [SendHour] {
    try await read { db in
      guard let send = try Self.key(ofSend: send, app: app, db) else { return [] }
      var hours: [SendHour] = []
      _ = try db.rows(
        """
        SELECT time, kind, name, count FROM send_hours WHERE app = \(send.app)
        AND send = \(send.number) ORDER BY time
        """
      ) { row in
        let time = try row.time("time")
        let kind: SendHour.Kind = try row.word("kind")
        let (name, count) = try (row.text("name"), row.int("count"))
        if hours.last?.time != time { hours.append(SendHour(time: time)) }
        hours[hours.count - 1].add(count, to: kind, named: name)
      }
      return hours
    }
  }

  /// Adds amounts to the hourly counts of an app's sends.
  static func count(
    _ amounts: [ReportFold.HourCount: Int], app: Int64, _ db: any SQLConnection
  ) throws {
    // Sorted by key, so that two transactions lock the rows in the same order.
    let rows = amounts.sorted {
      ($0.key.send, $0.key.hour, $0.key.kind.rawValue, $0.key.name)
        < ($1.key.send, $1.key.hour, $1.key.kind.rawValue, $1.key.name)
    }
    try db.queue(
      given: [
        .integer("send"), .integer("time"), .text("kind"), .text("name"), .integer("count"),
      ],
      rows: rows.map { key, amount in
        [
          .integer(key.send), .time(key.hour), .text(key.kind.rawValue), .text(key.name),
          .integer(Int64(amount)),
        ]
      }
    ) { given in
      """
      INSERT INTO send_hours (app, send, time, kind, name, count)
      SELECT \(app), given.* FROM \(given) WHERE TRUE
      ON CONFLICT (app, send, time, kind, name)
      DO UPDATE SET count = send_hours.count + excluded.count
      """
    }
  }

  /// Adds the outcomes of a send to its hourly counts.
  static func count(
    _ groups: [OutcomeGroup], bySendHour send: SendKey, _ db: any SQLConnection
  ) throws {
    var amounts: [ReportFold.HourCount: Int] = [:]
    for group in groups {
      let count = ReportFold.HourCount(
        send: send.number, hour: group.hour, kind: .init(group.end.result), name: "")
      amounts[count, default: 0] += group.count
    }
    try count(amounts, app: send.app, db)
  }
}

extension SendHour.Kind {
  fileprivate init(_ result: Outcome.Result) {
    self =
      switch result {
      case .sent: .sent
      case .rejected: .rejected
      case .uninstalled: .uninstalled
      }
  }
}
