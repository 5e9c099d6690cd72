import PushModel

extension SQLPushStore {
  package func limits(app: String) async throws(StoreError) -> AppLimits {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return AppLimits() }
      return try Self.limits(of: app, db)
    }
  }

  static func limits(of app: Int64, _ db: any SQLConnection) throws -> AppLimits {
    var limits = AppLimits()
    limits.holdout = try db.row(
      "SELECT percent, salt, since FROM holdouts WHERE app = \(app)"
    ) { try Holdout(percent: $0.int("percent"), salt: $0.text("salt"), since: $0.time("since")) }
    _ = try db.row("SELECT quiet, caps, approval, every_send FROM limits WHERE app = \(app)") {
      row in
      limits.quiet = try row.optionalParsed("quiet", QuietHours.init(text:))
      limits.caps =
        try row.optionalParsed("caps") { text in
          text.split(separator: " ").all { FrequencyCap(text: $0) }
        } ?? []
      // A program that does not know `every_send` leaves it unchanged, and sets only `approval`.
      let (isRequired, isForAll) = try (row.bool("approval"), row.bool("every_send"))
      limits.approval = !isRequired ? .none : isForAll ? .everySend : .required
    }
    return limits
  }

  package func setLimits(
    _ limits: AppLimits, app: String, replacing old: AppLimits?
  ) async throws(StoreError) {
    // A repetition would find the limits changed by the first attempt.
    try await write(repeatable: old == nil) { db in
      guard let number = try Self.number(of: app, db) else { throw Self.noApp(app) }
      let app = SQLValue.integer(number)
      if let old {
        // After this, the row exists and is locked, so other changes of the limits wait.
        _ = try db.run(
          """
          INSERT INTO limits (app, quiet, caps) VALUES (\(app), NULL, NULL)
          ON CONFLICT (app) DO UPDATE SET quiet = limits.quiet
          """)
        guard try Self.limits(of: number, db) == old else {
          throw StoreError(
            .conflict, "the limits were changed meanwhile; read them again")
        }
      }
      try db.queue(
        """
        INSERT INTO limits (app, quiet, caps, approval, every_send)
        VALUES (\(app), \(limits.quiet?.text),
          \(limits.caps.isEmpty ? nil : limits.caps.map(\.text).joined(separator: " ")),
          \(limits.approval != .none), \(limits.approval == .everySend))
        ON CONFLICT (app) DO UPDATE SET quiet = excluded.quiet, caps = excluded.caps,
          approval = excluded.approval, every_send = excluded.every_send
        """)
      if limits.caps.isEmpty { try db.queue("DELETE FROM push_ledger WHERE app = \(app)") }
      guard let holdout = limits.holdout else {
        try db.queue("DELETE FROM holdouts WHERE app = \(app)")
        return
      }
      try db.queue(
        """
        INSERT INTO holdouts (app, percent, salt, since)
        VALUES (\(app), \(holdout.percent), \(holdout.salt), \(holdout.since))
        ON CONFLICT (app) DO UPDATE SET percent = excluded.percent, salt = excluded.salt,
          since = excluded.since
        """)
    }
  }
}
