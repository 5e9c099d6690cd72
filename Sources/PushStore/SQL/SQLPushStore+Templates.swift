extension SQLPushStore {
  package func templateCounts(
    of send: String, app: String
  ) async throws(StoreError) -> TemplateCounts {
    try await read { db in
      guard let send = try Self.key(ofSend: send, app: app, db) else { return TemplateCounts() }
      var counts = TemplateCounts()
      _ = try db.rows(
        "SELECT kind, name, count FROM tallies WHERE app = ? AND send = ?", send.values
      ) { row in
        let (kind, name, count) = (row.text("kind"), row.text("name"), row.int("count"))
        if let tally = Tally(rawValue: kind) { counts.add(count, to: tally, named: name) }
      }
      return counts
    }
  }

  /// Counts what a person did with an expanded notification.
  static func countTemplate(
    _ receipt: Receipt, send: SendKey, _ db: any SQLConnection
  ) throws {
    let page = receipt.page.map { String($0) } ?? ""
    switch receipt.event {
    case .templateViewed: try tally(.templateViewed, named: "", send: send, db)
    case .templatePage:
      try tally(.templatePage, named: page, send: send, db)
      try tally(.templateDwell, named: page, by: Int64(receipt.dwell ?? 0), send: send, db)
    case .templateAnswered:
      // Two transactions with answers to a send wait for each other here, so that neither exceeds the number of values.
      try tally(.templateAnswered, named: "", send: send, db)
      if let value = receipt.value { try count(value: value, send: send, db) }
    case .templateOpened: try tally(.templateOpened, named: page, send: send, db)
    case .templateExpired: try tally(.templateExpired, named: "", send: send, db)
    case .templatePlayed: try tally(.templatePlayed, named: "", send: send, db)
    case .received, .displayed, .opened, .dismissed, .action: break
    }
  }

  /// Counts an answer by its value, and beyond ``TemplateCounts/maximumValues`` without it.
  private static func count(value: String, send: SendKey, _ db: any SQLConnection) throws {
    let values = send.values + [.text(Tally.templateValue.rawValue)]
    func isKnown() throws -> Bool {
      try db.row(
        "SELECT 1 FROM tallies WHERE app = ? AND send = ? AND kind = ? AND name = ?",
        values + [.text(value)], map: { _ in true }) ?? false
    }
    if try !isKnown() {
      let count =
        try db.row(
          "SELECT count(*) AS count FROM tallies WHERE app = ? AND send = ? AND kind = ?", values
        ) { $0.int("count") } ?? 0
      if count >= TemplateCounts.maximumValues {
        return try tally(.templateOtherValue, named: "", send: send, db)
      }
    }
    try tally(.templateValue, named: value, send: send, db)
  }
}
