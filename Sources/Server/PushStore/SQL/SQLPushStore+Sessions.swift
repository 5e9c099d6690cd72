extension SQLPushStore {
  package func endSession(
    _ id: [UInt8], until: Timestamp, at now: Timestamp
  ) async throws(StoreError) -> Bool {
    try await write { db in
      try db.queue("DELETE FROM ended_sessions WHERE until <= ?", [.time(now)])
      return try db.run(
        "INSERT INTO ended_sessions (id, until) VALUES (?, ?) ON CONFLICT DO NOTHING",
        [.blob(id), .time(until)]) > 0
    }
  }

  package func hasEnded(session id: [UInt8]) async throws(StoreError) -> Bool {
    try await readFewRows { db in
      let sql = "SELECT until FROM ended_sessions WHERE id = ?"
      return try db.row(sql, [.blob(id)]) { _ in true } ?? false
    }
  }
}
