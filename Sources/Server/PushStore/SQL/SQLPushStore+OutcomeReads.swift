import PushModel
import PushPayload

extension SQLPushStore {
  package func outcome(
    of send: String, app: String, device number: UInt32
  ) async throws(StoreError) -> Outcome? {
    try await read { db in
      guard let send = try Self.key(ofSend: send, app: app, db) else { return nil }
      // At most one batch of each segment has a range that includes this number.
      let rows = try db.rows(
        """
        SELECT devices, outcomes FROM batches
        WHERE app = \(send.app) AND send = \(send.number) AND first <= \(number) AND last >= $3
        AND outcomes IS NOT NULL
        """
      ) { try $0.outcomes() }
      for outcomes in rows {
        if let outcome = outcomes.outcome(of: number) { return outcome }
      }
      return nil
    }
  }

  package func isTargeted(
    _ device: UInt32, by send: String, app: String
  ) async throws(StoreError) -> Bool? {
    try await read { db in
      guard let app = try Self.number(of: app, db),
        let found = try Self.send(where: "id = \(send)", app: app, db)
      else { return nil }
      let segments = try db.rows(
        "SELECT devices FROM segments WHERE app = \(found.key.app) AND send = \(found.key.number)"
      ) { try $0.devices("devices") }
      for devices in segments where devices.contains(device) { return true }
      return segments.isEmpty && found.send.counts.targeted > 0 ? nil : false
    }
  }

  package func waitingPush(
    to device: UInt32, of send: String, app: String
  ) async throws(StoreError) -> WaitingPush? {
    try await read { db in
      guard let app = try Self.number(of: app, db),
        let found = try Self.send(where: "id = \(send)", app: app, db)
      else { return nil }
      let segments = try db.rows(
        """
        SELECT devices, due_at, quiet FROM segments WHERE app = \(found.key.app)
        AND send = \(found.key.number)
        """
      ) { row in
        try (
          devices: row.devices("devices"), due: row.optionalTime("due_at"),
          quiet: row.optionalParsed("quiet", QuietWindows.init(text:))
        )
      }
      guard let segment = segments.first(where: { $0.devices.contains(device) }) else { return nil }
      let retries = try db.rows(
        """
        SELECT retries FROM batches
        WHERE app = \(found.key.app) AND send = \(found.key.number) AND first <= \(device)
        AND last >= $3 AND retries IS NOT NULL
        """
      ) { try $0.optionalPacked("retries", Retries.init(packed:)) }
      let retry = retries.lazy.compactMap { $0?.retry(of: device) }.first
      return WaitingPush(dueAt: segment.due, quiet: segment.quiet, retry: retry)
    }
  }

  package func outcomes(
    of send: String, app: String, after cursor: String?
  ) async throws(StoreError) -> Page<Outcome> {
    try await read { db in
      guard let app = try Self.number(of: app, db),
        let found = try Self.send(where: "id = \(send)", app: app, db)
      else { return Page([], cursor: nil, total: 0) }
      guard let place = OutcomePlace(cursor ?? "0") else { throw Self.expired(cursor ?? "") }
      let rows = try db.rows(
        """
        SELECT number, devices, outcomes FROM batches
        WHERE app = \(found.key.app) AND send = \(found.key.number)
        AND number > \(place.device == nil ? place.batch : place.batch - 1) AND outcomes IS NOT NULL
        ORDER BY number LIMIT 2
        """
      ) { row in
        try (number: row.integer("number"), outcomes: row.outcomes())
      }
      let counts = found.send.counts
      let total = counts.sent + counts.rejected + counts.uninstalled
      guard let row = rows.first else { return Page([], cursor: nil, total: total) }
      var rest = row.outcomes.outcomes[...]
      if row.number == place.batch, let last = place.device {
        rest = rest.drop { $0.device <= last }
      }
      let shown = Array(rest.prefix(Outcome.pageSize))
      let next: OutcomePlace? =
        if shown.count < rest.count {
          OutcomePlace(batch: row.number, device: shown.last?.device)
        } else if rows.count > 1 { OutcomePlace(batch: row.number) } else { nil }
      return Page(shown, cursor: next?.cursor, total: total)
    }
  }

  package func reasons(
    of send: String, app: String
  ) async throws(StoreError) -> [OutcomeReason: Int] {
    try await read { db in
      guard let send = try Self.key(ofSend: send, app: app, db) else { return [:] }
      var counts: [OutcomeReason: Int] = [:]
      // The table at the beginning is nearly always short, but the rest has bytes for each device.
      let rows = try db.rows(
        """
        SELECT number, substr(outcomes, 1, 128) AS first FROM batches
        WHERE app = \(send.app) AND send = \(send.number) AND outcomes IS NOT NULL
        """
      ) { try ($0.integer("number"), PackedOutcomes.reasons(inFirst: $0.blob("first"))) }
      for (_, reasons) in rows { counts.merge(reasons ?? [:], uniquingKeysWith: +) }
      let long = rows.compactMap { number, reasons in reasons == nil ? number : nil }
      guard !long.isEmpty else { return counts }
      let others = try db.rows(
        "SELECT outcomes FROM batches WHERE app = \(send.app) AND number \(db.dialect.among(long))"
      ) { try $0.packed("outcomes", PackedOutcomes.reasons(inPacked:)) }
      for reasons in others { counts.merge(reasons, uniquingKeysWith: +) }
      return counts
    }
  }
}
