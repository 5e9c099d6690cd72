/// A node's work that cannot go on because one of its rows is damaged.
package enum DamagedWork: Hashable, Sendable {
  case send(SendKey)
  case run(app: Int64, id: String)
  case trigger(app: Int64, number: Int64)
  case webhookCall(app: Int64, number: Int64)
}

/// The handling of work with a row that cannot be read.
///
/// The work is stopped. Otherwise it would be retried forever, and later work would wait behind it.
extension SQLPushStore {
  package func stop(
    _ work: DamagedWork, because reason: String, at now: Timestamp
  ) async throws(StoreError) {
    try await write(repeatable: true) { db in
      // This must not read the damaged rows.
      switch work {
      case .send(let send):
        try db.queue(
          """
          UPDATE sends SET state = ?3, failure = ?4, completed_at = ?5, ends_at = NULL
          WHERE app = ?1 AND number = ?2 AND state NOT IN ('complete', 'canceled', 'failed')
          """,
          send.values + [.text(Send.State.failed.rawValue), .text(reason), .time(now)])
        for table in ["batches", "segments"] {
          try db.queue(
            """
            UPDATE \(table) SET due_at = NULL, waits = FALSE
            WHERE app = ? AND send = ? AND due_at IS NOT NULL
            """, send.values)
        }
      case .run(let app, let id):
        try db.queue(
          """
          UPDATE runs SET state = ?, due_at = NULL, waits = FALSE, settled_at = ?, reason = ?
          WHERE app = ? AND id = ?
          """,
          [
            .text(RunLifecycle.State.canceled.rawValue), .time(now), .text(reason), .integer(app),
            .text(id),
          ])
      case .trigger(let app, let number):
        try db.queue(
          "UPDATE triggers SET state = ? WHERE app = ? AND number = ?",
          [.text(TriggerState.damaged), .integer(app), .integer(number)])
        // A trigger has no column for the reason, but its steps are runs, which have one.
        try db.queue(
          """
          UPDATE runs SET reason = ?3 WHERE app = ?1 AND \(Self.isNotOver)
          AND campaign = (SELECT campaign FROM triggers WHERE app = ?1 AND number = ?2)
          """, [.integer(app), .integer(number), .text(reason)])
        try Self.changeTriggers(of: app, db)
      case .webhookCall(let app, let number):
        // The call stays for a newer version or a restored webhook, but is never due.
        try db.queue(
          "UPDATE webhook_calls SET due_at = ?, owner = NULL WHERE app = ? AND number = ?",
          [.integer(.max), .integer(app), .integer(number)])
      }
    }
  }

  package func stop(
    _ batch: Batch, because reason: String, at now: Timestamp
  ) async throws(StoreError) {
    let number = try await readFewRows { db in
      try db.row(
        "SELECT number FROM sends WHERE app = ? AND id = ?",
        [.integer(batch.appNumber), .text(batch.send.id)]
      ) { try $0.integer("number") }
    }
    guard let number else { return }
    let send = SendKey(app: batch.appNumber, number: number)
    try await stop(.send(send), because: reason, at: now)
  }

  /// Runs a body that reads rows of some work, and names the work in its errors.
  static func reading<T>(_ work: DamagedWork, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch var error as StoreError where error.code == .damaged {
      error.work = work
      throw error
    }
  }
}
