import PushModel

extension SQLPushStore {
  package func sends(
    app: String, scheduledIn span: Range<Timestamp>, limit: Int
  ) async throws(StoreError) -> [Send] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [] }
      return try db.rows(
        """
        SELECT \(Send.selection) FROM sends
        WHERE app = \(app) AND activity IS NULL AND run IS NULL AND scheduled_at IS NOT NULL
        AND scheduled_at >= \(span.lowerBound) AND scheduled_at < \(span.upperBound)
        ORDER BY scheduled_at, number LIMIT \(limit)
        """, map: Send.init(row:))
    }
  }

  package func runs(
    app: String, plannedIn span: Range<Timestamp>, limit: Int
  ) async throws(StoreError) -> [CampaignRun] {
    try await read { db in
      guard let number = try Self.number(of: app, db) else { return [] }
      let states = RunLifecycle.State.allCases.map(\.rawValue)
      return try Self.runs(
        where: """
          state \(db.dialect.among(states)) AND planned_at >= \(span.lowerBound)
          AND planned_at < \(span.upperBound) ORDER BY planned_at, id LIMIT \(limit)
          """, app: app, number: number, db)
    }
  }

  package func runs(
    app: String, in states: [RunLifecycle.State], limit: Int
  ) async throws(StoreError) -> [CampaignRun] {
    try await read { db in
      guard let number = try Self.number(of: app, db) else { return [] }
      return try Self.runs(
        where: """
          state \(db.dialect.among(states.map(\.rawValue)))
          ORDER BY planned_at DESC, id LIMIT \(limit)
          """, app: app, number: number, db)
    }
  }
}
