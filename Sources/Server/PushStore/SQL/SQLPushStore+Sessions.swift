import PushModel

extension SQLPushStore {
  package func endSession(
    _ id: [UInt8], until: Timestamp, at now: Timestamp
  ) async throws(StoreError) -> Bool {
    try await write { db in
      try db.queue("DELETE FROM ended_sessions WHERE until <= \(now)")
      return try db.run(
        "INSERT INTO ended_sessions (id, until) VALUES (\(id), \(until)) ON CONFLICT DO NOTHING")
        > 0
    }
  }

  package func hasEnded(session id: [UInt8]) async throws(StoreError) -> Bool {
    try await readFewRows { db in
      try db.row("SELECT until FROM ended_sessions WHERE id = \(id)") { _ in true } ?? false
    }
  }
}
