import PushPayload
import _SQLite

extension SQLitePushStore {
  package func leaseBatch(
    owner: String, at now: Timestamp, until end: Timestamp
  ) async throws(StoreError) -> Batch? {
    // Workers ask often and mostly in vain; that costs a read, not a sync of the disk.
    guard let next = try await nextBatchTime(), next <= now else { return nil }
    return try await writer.write { db in
      let leased = try db.row(
        """
        UPDATE batches SET owner = ?, due_at = ?, lease = lease + 1
        WHERE id = (SELECT id FROM batches WHERE due_at <= ? ORDER BY due_at, id LIMIT 1)
        RETURNING id, send, lease, fruitless
        """, [.text(owner), .time(end), .time(now)]
      ) { (id: $0.integer(0), send: $0.integer(1), lease: $0.integer(2), fruitless: $0.integer(3)) }
      guard let leased else { return nil }
      try db.run(
        """
        UPDATE sends SET state = 'sending', started_at = coalesce(started_at, ?)
        WHERE number = ? AND state = 'scheduled'
        """, [.time(now), .integer(leased.send)])
      let send = try db.row(
        "SELECT \(Send.columns) FROM sends WHERE number = ?", [.integer(leased.send)],
        Send.init(row:))
      guard let send else { return nil }
      let targets = try db.rows(
        """
        SELECT element.value, devices.id, devices.token, devices.development,
          devices.uninstalled_at IS NULL AND devices.push_enabled
        FROM batches, json_each(batches.devices) AS element
        LEFT JOIN devices ON devices.number = element.value
        WHERE batches.id = ? AND NOT EXISTS (
          SELECT 1 FROM outcomes WHERE outcomes.send = ? AND outcomes.device = element.value)
        """, [.integer(leased.id), .integer(leased.send)]
      ) { row in
        Batch.Target(
          number: row.integer(0), id: row.text(1), token: row.bool(4) ? row.optionalText(2) : nil,
          isDevelopment: row.bool(3))
      }
      return Batch(
        id: leased.id, lease: leased.lease, fruitlessAttempts: Int(leased.fruitless), send: send,
        targets: targets)
    }
  }

  package func finish(
    _ batch: Batch, outcomes: [Outcome], retryAt: Timestamp, at now: Timestamp
  ) async throws(StoreError) {
    try await writer.write { db in
      let number = try db.row("SELECT number FROM sends WHERE id = ?", [.text(batch.send.id)]) {
        $0.integer(0)
      }
      // A send that was deleted has no one to tell.
      guard let number else { return }
      try Self.record(outcomes, send: number, db)
      try Self.end(
        batch, left: batch.targets.count - outcomes.count, retryAt: retryAt,
        isFruitless: outcomes.isEmpty, db)
      try db.run(
        """
        UPDATE sends SET state = 'complete', completed_at = ?1 WHERE number = ?2
        AND state <> 'complete' AND NOT EXISTS (SELECT 1 FROM batches WHERE send = ?2)
        """, [.time(now), .integer(number)])
    }
  }

  /// The first outcome of a device stands; only that one is counted.
  private static func record(
    _ outcomes: [Outcome], send: Int64, _ db: SQLiteConnection
  ) throws {
    var counted: [Outcome.Result: Int64] = [:]
    for outcome in outcomes {
      let inserted = try db.run(
        """
        INSERT OR IGNORE INTO outcomes (send, device, result, status, reason, apns_id, time)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        [
          .integer(send), .integer(outcome.device), .text(outcome.result.rawValue),
          .optional(outcome.status.map { Int64($0) }), .optional(outcome.reason),
          .text(outcome.apnsID), .time(outcome.time),
        ])
      counted[outcome.result, default: 0] += Int64(inserted)
      if outcome.result == .uninstalled { try Self.uninstall(outcome, db) }
    }
    try db.run(
      """
      UPDATE sends SET sent = sent + ?, rejected = rejected + ?, uninstalled = uninstalled + ?
      WHERE number = ?
      """,
      [
        .integer(counted[.sent] ?? 0), .integer(counted[.rejected] ?? 0),
        .integer(counted[.uninstalled] ?? 0), .integer(send),
      ])
  }

  /// Unless the app has registered the token again since Apple saw it gone.
  private static func uninstall(_ outcome: Outcome, _ db: SQLiteConnection) throws {
    try db.run(
      """
      UPDATE devices SET uninstalled_at = ?1
      WHERE number = ?2 AND token = ?3 AND (?4 IS NULL OR token_at IS NULL OR token_at <= ?4)
      """,
      [
        .time(outcome.time), .integer(outcome.device), .optional(outcome.token),
        .time(outcome.goneSince),
      ])
  }

  private static func end(
    _ batch: Batch, left: Int, retryAt: Timestamp, isFruitless: Bool, _ db: SQLiteConnection
  ) throws {
    guard left > 0 else {
      // Every device has an outcome, whoever holds the lease now.
      try db.run("DELETE FROM batches WHERE id = ?", [.integer(batch.id)])
      return
    }
    try db.run(
      """
      UPDATE batches SET due_at = ?, owner = NULL, fruitless = ? WHERE id = ? AND lease = ?
      """,
      [
        .time(retryAt), .integer(isFruitless ? Int64(batch.fruitlessAttempts + 1) : 0),
        .integer(batch.id), .integer(batch.lease),
      ])
  }

  package func releaseBatches(owner: String) async throws(StoreError) {
    try await writer.write { db in
      _ = try db.run(
        "UPDATE batches SET due_at = 0, owner = NULL WHERE owner = ?", [.text(owner)])
    }
  }

  package func nextBatchTime() async throws(StoreError) -> Timestamp? {
    try await reader.read { db in
      try db.row("SELECT min(due_at) FROM batches") { $0.optionalTime(0) } ?? nil
    }
  }
}
