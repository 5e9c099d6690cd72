import PushModel

extension SQLPushStore {
  package func templateCounts(
    of send: String, app: String
  ) async throws(StoreError) -> TemplateCounts {
    try await read { db in
      guard let send = try Self.key(ofSend: send, app: app, db) else { return TemplateCounts() }
      var counts = TemplateCounts()
      _ = try db.rows(
        "SELECT kind, name, count FROM tallies WHERE app = \(send.app) AND send = \(send.number)"
      ) { row in
        let (kind, name, count) = try (row.text("kind"), row.text("name"), row.int("count"))
        if let tally = Tally(rawValue: kind) { counts.add(count, to: tally, named: name) }
      }
      return counts
    }
  }
}
