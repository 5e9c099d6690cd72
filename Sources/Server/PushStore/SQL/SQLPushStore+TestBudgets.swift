extension SQLPushStore {
  package func useTestBudget(
    of actor: String, devices: Int, limit: Int, at now: Timestamp
  ) async throws(StoreError) -> Bool {
    try await write { db in
      let hour = now.milliseconds / 3_600_000
      try db.queue("DELETE FROM test_budgets WHERE hour < ?", [.integer(hour)])
      try db.queue(
        """
        INSERT INTO test_budgets (actor, hour, devices) VALUES (?, ?, 0) ON CONFLICT DO NOTHING
        """, [.text(actor), .integer(hour)])
      return try db.run(
        """
        UPDATE test_budgets SET devices = devices + ?1 WHERE actor = ?2 AND devices + ?1 <= ?3
        """, [.integer(Int64(devices)), .text(actor), .integer(Int64(limit))]) > 0
    }
  }
}
