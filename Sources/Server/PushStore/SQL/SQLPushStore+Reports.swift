import PushModel

extension SQLPushStore {
  package func mediaFailures(of send: String, app: String) async throws(StoreError) -> [String: Int]
  {
    try await tallies(.mediaFailure, of: send, app: app)
  }

  package func conversions(of send: String, app: String) async throws(StoreError) -> [String: Int] {
    try await tallies(.conversion, of: send, app: app)
  }

  package func counts(
    of counter: Counter, app: String, from: Timestamp, to: Timestamp
  ) async throws(StoreError) -> [CounterValue] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [] }
      return try db.rows(
        """
        SELECT time, count FROM counters
        WHERE app = \(app) AND counter = \(counter.rawValue) AND time BETWEEN \(from) AND \(to)
        ORDER BY time
        """
      ) { try CounterValue(time: $0.time("time"), count: $0.int("count")) }
    }
  }

  package func groupStats(
    _ group: String, app: String, from: Timestamp, to: Timestamp
  ) async throws(StoreError) -> GroupStats {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return GroupStats() }
      let chosen: SQL =
        "app = \(app) AND group_name = \(group) AND created_at BETWEEN \(from) AND \(to)"
      var stats = GroupStats()
      let sums = try db.row(
        """
        SELECT sum(sent) AS sent, sum(opened) AS opened, sum(indirect) AS indirect
        FROM sends WHERE \(chosen)
        """
      ) { row in
        // Without rows, the sums are NULL.
        try (
          row.optionalInt("sent") ?? 0, row.optionalInt("opened") ?? 0,
          row.optionalInt("indirect") ?? 0
        )
      }
      (stats.sent, stats.opened, stats.openedIndirectly) = sums ?? (0, 0, 0)
      _ = try db.rows(
        """
        SELECT kind, name, sum(count) AS count FROM tallies
        WHERE app = \(app) AND send IN (SELECT number FROM sends WHERE \(chosen))
        GROUP BY kind, name
        """
      ) { row in
        let tally: Tally = try row.word("kind")
        let (name, count) = try (row.text("name"), row.int("count"))
        switch tally {
        case .conversion: stats.conversions[name] = count
        case .purchase: stats.purchases[name, default: Purchases()].count = count
        case .revenue: stats.purchases[name, default: Purchases()].value = count
        default: break
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
}
