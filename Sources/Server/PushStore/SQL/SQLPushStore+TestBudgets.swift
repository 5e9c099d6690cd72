import PushModel

extension SQLPushStore {
  package func useTestBudget(
    of actor: String, devices: Int, limit: Int, at now: Timestamp
  ) async throws(StoreError) -> Bool {
    try await write { db in
      let hour = now.milliseconds / 3_600_000
      try db.queue("DELETE FROM test_budgets WHERE hour < \(hour)")
      try db.queue(
        """
        INSERT INTO test_budgets (actor, hour, devices) VALUES (\(actor), \(hour), 0)
        ON CONFLICT DO NOTHING
        """)
      return try db.run(
        """
        UPDATE test_budgets SET devices = devices + \(devices) WHERE actor = \(actor)
        AND devices + $1 <= \(limit)
        """) > 0
    }
  }
}
