import PushModel

extension SQLPushStore {
  package func totals(
    app: String, from: Timestamp, to: Timestamp
  ) async throws(StoreError) -> SendTotals {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return SendTotals() }
      let chosen: SQL = "app = \(app) AND activity IS NULL AND created_at BETWEEN \(from) AND \(to)"
      var totals = try Self.sendTotals(where: chosen, db)
      guard totals.accepted > 0 else { return totals }
      let conversion = Tally.conversion.rawValue
      let rows = try db.rows(
        """
        SELECT name, CAST(sum(count) AS BIGINT) AS count FROM tallies
        WHERE app = \(app) AND kind = \(conversion)
        AND send IN (SELECT number FROM sends WHERE \(chosen)) GROUP BY name
        """
      ) { try ($0.text("name"), $0.int("count")) }
      totals.conversions = Dictionary(rows) { $1 }
      return totals
    }
  }

  package func totals(
    ofCampaigns ids: [String], app: String
  ) async throws(StoreError) -> [String: SendTotals] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [:] }
      var totals: [String: SendTotals] = [:]
      for id in ids {
        let runs: SQL = "FROM runs WHERE app = \(app) AND campaign = \(id)"
        let own: SQL = "app = \(app) AND run IN (SELECT id \(runs))"
        var sum = try Self.sendTotals(where: own, db)
        try Self.addMessages(to: &sum, where: own, db)
        sum.waitingRuns =
          try db.row("SELECT count(*) AS count \(runs) AND state IN (\(Self.waiting))") {
            try $0.int("count")
          } ?? 0
        totals[id] = sum
      }
      return totals
    }
  }

  private static var over: [SQLValue] {
    [Send.State.complete, .canceled, .failed].map { .text($0.rawValue) }
  }

  private static var waiting: [SQLValue] {
    [RunLifecycle.State.planned, .testing, .deciding].map { .text($0.rawValue) }
  }

  private static func sendTotals(where chosen: SQL, _ db: any SQLConnection) throws -> SendTotals {
    let totals = try db.row(
      """
      SELECT count(*) AS count, \(sums(of: ["targeted", "sent", "displayed", "opened"])),
        count(CASE WHEN state NOT IN (\(over)) THEN 1 END) AS unfinished
      FROM sends WHERE \(chosen)
      """
    ) { row in
      var totals = SendTotals()
      totals.sends = try row.int("count")
      // Without rows, the sums are NULL.
      totals.targeted = try row.optionalInt("targeted") ?? 0
      totals.accepted = try row.optionalInt("sent") ?? 0
      totals.displayed = try row.optionalInt("displayed") ?? 0
      totals.opened = try row.optionalInt("opened") ?? 0
      totals.unfinished = try row.int("unfinished")
      return totals
    }
    return totals ?? SendTotals()
  }

  /// Adds in-app messages, which are displayed in a list and opened in detail.
  private static func addMessages(
    to totals: inout SendTotals, where chosen: SQL, _ db: any SQLConnection
  ) throws {
    let sums = try db.row(
      """
      SELECT count(*) AS count, \(sums(of: ["targeted", "seen_1", "seen_2"])) FROM messages
      WHERE \(chosen)
      """
    ) { row in
      // Without rows, the sums are NULL.
      try (
        row.int("count"), row.optionalInt("targeted") ?? 0, row.optionalInt("seen_1") ?? 0,
        row.optionalInt("seen_2") ?? 0
      )
    }
    guard let (count, targeted, displayed, opened) = sums else { return }
    totals.messages += count
    totals.targeted += targeted
    totals.accepted += targeted
    totals.displayed += displayed
    totals.opened += opened
  }
}
