extension SQLPushStore {
  package func removeOutdated(
    _ retention: Retention, at now: Timestamp, limit: Int
  ) async throws(StoreError) -> Bool {
    // What is to be removed is mostly nothing; looking for it does not hold up the writer.
    let outdated = try await read { db in try Outdated(retention, at: now, limit: limit, db) }
    guard !outdated.isEmpty else { return false }
    try await write(repeatable: true) { db in try outdated.remove(limit: limit, db) }
    return true
  }
}

/// What one transaction removes.
private struct Outdated: Sendable {
  private var receipts: [Int64] = []
  private var outcomes: [Int64] = []
  private var keys: [Int64] = []
  private var messages: [Int64] = []
  private var uploads: [String] = []
  private var audit: Int64?
  /// Before when attributions are of no more use; `nil` where there are none such.
  private var attributions: Timestamp?
  /// Of an app, all changes up to one.
  private var changes: [(app: Int64, last: Int64)] = []

  /// Finds a bounded number of rows of each kind.
  init(_ retention: Retention, at now: Timestamp, limit: Int, _ db: any SQLConnection) throws {
    func numbers(_ sql: String, _ kept: Duration) throws -> [Int64] {
      try db.rows(
        "\(sql) LIMIT ?", [.time(now + (.zero - kept)), .integer(Int64(limit))]
      ) { $0.integer(0) }
    }
    receipts = try numbers(
      """
      SELECT number FROM sends WHERE created_at < ?
      AND EXISTS (SELECT 1 FROM receipts WHERE send = number)
      """, retention.receipts)
    outcomes = try numbers(
      """
      SELECT number FROM sends WHERE completed_at < ?
      AND EXISTS (SELECT 1 FROM batches WHERE send = number)
      """, retention.outcomes)
    keys = try numbers(
      "SELECT number FROM sends WHERE idempotency_key IS NOT NULL AND created_at < ?",
      retention.idempotencyKeys)
    messages = try numbers(
      "SELECT number FROM messages WHERE unpublish_at < ?", retention.messages)
    let useless = now + (.zero - Attribution.kept)
    attributions = try db.row(
      "SELECT 1 FROM attributions WHERE received_at < ? LIMIT 1", [.time(useless)]
    ) { _ in useless }
    uploads = try db.rows(
      """
      SELECT name FROM uploads WHERE created_at < ?
      AND NOT EXISTS (SELECT 1 FROM upload_uses WHERE upload = name) LIMIT ?
      """, [.time(now + (.zero - retention.uploads)), .integer(Int64(limit))]
    ) { $0.text(0) }
    // The log has the order of time.
    let oldest = try db.rows(
      "SELECT number, at FROM audit ORDER BY number LIMIT ?", [.integer(Int64(limit))]
    ) { (number: $0.integer(0), at: $0.time(1)) }
    audit = oldest.prefix { $0.at + retention.audit < now }.last?.number
    let logs = try db.rows("SELECT number FROM apps", []) { $0.integer(0) }
    for app in logs {
      func end(_ order: String) throws -> Int64 {
        try db.row(
          "SELECT sequence FROM changes WHERE app = ? ORDER BY sequence \(order) LIMIT 1",
          [.integer(app)]
        ) { $0.integer(0) } ?? 0
      }
      let (first, last) = (try end("ASC"), try end("DESC") - Int64(retention.changes))
      if first <= last, first > 0 { changes.append((app, min(last, first + Int64(limit) - 1))) }
    }
  }

  var isEmpty: Bool {
    receipts.isEmpty && outcomes.isEmpty && keys.isEmpty && messages.isEmpty && uploads.isEmpty
      && audit == nil && attributions == nil && changes.isEmpty
  }

  /// At most so many rows of each send; the next time there are fewer.
  func remove(limit: Int, _ db: any SQLConnection) throws {
    let limit = SQLValue.integer(Int64(limit))
    if let send = receipts.first {
      try db.run(
        """
        DELETE FROM receipts WHERE (app, id) IN (
          SELECT app, id FROM receipts WHERE send = ? LIMIT ?)
        """, [.integer(send), limit])
    }
    if let send = outcomes.first {
      try db.run(
        "DELETE FROM batches WHERE id IN (SELECT id FROM batches WHERE send = ? LIMIT ?)",
        [.integer(send), limit])
    }
    for send in keys {
      try db.run(
        "UPDATE sends SET idempotency_key = NULL, fingerprint = NULL WHERE number = ?",
        [.integer(send)])
    }
    for message in messages {
      try db.run("DELETE FROM messages WHERE number = ?", [.integer(message)])
    }
    if let attributions {
      try db.run(
        """
        DELETE FROM attributions WHERE (app, device) IN (
          SELECT app, device FROM attributions WHERE received_at < ? LIMIT ?)
        """, [.time(attributions), limit])
    }
    for upload in uploads {
      try db.run(
        """
        DELETE FROM uploads WHERE name = ?
        AND NOT EXISTS (SELECT 1 FROM upload_uses WHERE upload = name)
        """, [.text(upload)])
    }
    if let audit { try db.run("DELETE FROM audit WHERE number <= ?", [.integer(audit)]) }
    for (app, last) in changes {
      try db.run(
        "DELETE FROM changes WHERE app = ? AND sequence <= ?", [.integer(app), .integer(last)])
    }
  }
}
