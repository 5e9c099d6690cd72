import PushModel

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
          UPDATE sends SET state = \(Send.State.failed.rawValue), failure = \(reason),
            completed_at = \(now), ends_at = NULL
          WHERE app = \(send.app) AND number = \(send.number)
          AND state NOT IN ('complete', 'canceled', 'failed')
          """)
        for table in ["batches", "segments"] {
          try db.queue(
            """
            UPDATE \(raw: table) SET due_at = NULL, waits = FALSE
            WHERE app = \(send.app) AND send = \(send.number) AND due_at IS NOT NULL
            """)
        }
      case .run(let app, let id):
        try db.queue(
          """
          UPDATE runs SET state = \(RunLifecycle.State.canceled.rawValue), due_at = NULL,
            waits = FALSE, settled_at = \(now), reason = \(reason)
          WHERE app = \(app) AND id = \(id)
          """)
      case .trigger(let app, let number):
        try db.queue(
          """
          UPDATE triggers SET state = \(TriggerState.damaged) WHERE app = \(app)
          AND number = \(number)
          """)
        // A trigger has no column for the reason, but its steps are runs, which have one.
        try db.queue(
          """
          UPDATE runs SET reason = \(reason) WHERE app = \(app) AND \(Self.isNotOver)
          AND campaign = (SELECT campaign FROM triggers WHERE app = $2 AND number = \(number))
          """)
        try Self.changeTriggers(of: app, db)
      case .webhookCall(let app, let number):
        // The call stays for a newer version or a restored webhook, but is never due.
        try db.queue(
          """
          UPDATE webhook_calls SET due_at = \(Int64.max), owner = NULL
          WHERE app = \(app) AND number = \(number)
          """)
      }
    }
  }

  package func stop(
    _ batch: Batch, because reason: String, at now: Timestamp
  ) async throws(StoreError) {
    let number = try await readFewRows { db in
      try db.row(
        "SELECT number FROM sends WHERE app = \(batch.appNumber) AND id = \(batch.send.id)"
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
