extension SQLPushStore {
  package func hours(of send: String, app: String) async throws(StoreError) -> [SendHour] {
    try await read { db in
      guard let send = try Self.key(ofSend: send, app: app, db) else { return [] }
      var hours: [SendHour] = []
      _ = try db.rows(
        "SELECT time, kind, name, count FROM send_hours WHERE app = ? AND send = ? ORDER BY time",
        send.values
      ) { row in
        let (time, kind) = (row.time("time"), SendHour.Kind(rawValue: row.text("kind")))
        let (name, count) = (row.text("name"), row.int("count"))
        if hours.last?.time != time { hours.append(SendHour(time: time)) }
        guard let kind else { return }
        hours[hours.count - 1].add(count, to: kind, named: name)
      }
      return hours
    }
  }

  /// Counts something of a send in the hour in which it happened.
  static func count(
    _ kind: SendHour.Kind, named name: String = "", by amount: Int = 1, send: SendKey,
    at time: Timestamp, _ db: any SQLConnection
  ) throws {
    guard amount > 0 else { return }
    try db.run(
      """
      INSERT INTO send_hours (app, send, time, kind, name, count) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (app, send, time, kind, name)
      DO UPDATE SET count = send_hours.count + excluded.count
      """,
      send.values + [
        .time(time.hour), .text(kind.rawValue), .text(name), .integer(Int64(amount)),
      ])
  }

  /// Counts outcomes of a send in their hours.
  static func count(
    _ outcomes: [Outcome], bySendHour send: SendKey, _ db: any SQLConnection
  ) throws {
    // The hours in order, so that two transactions lock the rows in the same order.
    for hour in Set(outcomes.map { $0.time.hour }).sorted() {
      for result in Outcome.Result.allCases {
        let amount = outcomes.count { $0.result == result && $0.time.hour == hour }
        try count(.init(result), by: amount, send: send, at: hour, db)
      }
    }
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
