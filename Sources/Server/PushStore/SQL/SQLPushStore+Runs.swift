import PushModel
import PushPayload

extension SQLPushStore {
  package func run(_ id: String, app: String) async throws(StoreError) -> CampaignRun? {
    try await read { db in
      guard let number = try Self.number(of: app, db) else { return nil }
      return try Self.runs(where: "id = \(id)", app: app, number: number, db).first
    }
  }

  package func runs(
    ofCampaign id: String, app: String, before last: Int?, limit: Int
  ) async throws(StoreError) -> [CampaignRun] {
    try await read { db in
      guard let number = try Self.number(of: app, db) else { return [] }
      return try Self.runs(
        where: """
          campaign = \(id) AND number < \(last ?? .max) ORDER BY number DESC LIMIT \(limit)
          """, app: app, number: number, db)
    }
  }

  package func lastRuns(
    ofCampaigns ids: [String], app: String
  ) async throws(StoreError) -> [CampaignRun] {
    guard !ids.isEmpty else { return [] }
    return try await read { db in
      guard let number = try Self.number(of: app, db) else { return [] }
      return try Self.runs(
        where: """
          id IN (SELECT r.id FROM campaigns c JOIN runs r ON r.app = c.app AND r.campaign = c.id
            AND r.number >= (SELECT max(number) FROM runs WHERE app = c.app AND campaign = c.id) - 1
            WHERE c.app = \(number) AND c.id \(db.dialect.among(ids)))
          """, app: app, number: number, db)
    }
  }

  package func sends(ofRuns ids: [String], app: String) async throws(StoreError) -> [Send] {
    guard !ids.isEmpty else { return [] }
    return try await read { db in
      guard let app = try Self.number(of: app, db) else { return [] }
      return try db.rows(
        """
        SELECT \(Send.selection) FROM sends WHERE app = \(app) AND run \(db.dialect.among(ids))
        ORDER BY number
        """, map: Send.init(row:))
    }
  }

  package func devices(
    _ group: CampaignRun.Group, ofRun id: String, app: String
  ) async throws(StoreError) -> DeviceNumbers {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return DeviceNumbers() }
      return try db.row(
        """
        SELECT devices FROM run_devices WHERE app = \(app) AND run = \(id)
        AND kind = \(group.rawValue)
        """
      ) { try $0.devices("devices") } ?? DeviceNumbers()
    }
  }

  package func dueRuns(
    at now: Timestamp, limit: Int
  ) async throws(StoreError) -> [CampaignRun] {
    try await read { db in
      // Two queries, because a divided database cannot join tables over all apps, and only this query
      // reads all apps.
      let due = try db.rows(
        """
        SELECT app, id, campaign FROM runs WHERE waits AND due_at <= \(now) ORDER BY due_at, app, id
        LIMIT \(limit)
        """
      ) { try (app: $0.integer("app"), id: $0.text("id"), campaign: $0.text("campaign")) }
      return try due.compactMap { row in
        let app = try db.row("SELECT id FROM apps WHERE number = \(row.app)") {
          try $0.text("id")
        }
        guard let app else { return nil }
        return try Self.reading(.run(app: row.app, id: row.id)) {
          let campaign = try Self.campaign(row.campaign, app: app, number: row.app, db)
          guard campaign?.state == .live else { return nil }
          return try Self.runs(where: "id = \(row.id)", app: app, number: row.app, db)
            .first
        }
      }
    }
  }

  package func advance(
    _ run: CampaignRun, from old: CampaignRun, with change: RunChange, at now: Timestamp
  ) async throws(StoreError) -> CampaignRun? {
    // Packed before the transaction, because other writes wait for it.
    let sends = change.audience.map { audience in
      change.sends.map { NewSend($0.send, to: audience, segments: $0.segments) }
    }
    let groups = change.groups.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { (group: $0.key.rawValue, packed: $0.value.isEmpty ? nil : $0.value.packed) }
    let next = change.next
    let advanced: CampaignRun? = try await write { db in
      guard let number = try Self.number(of: run.app, db),
        // The campaign is locked first, because orders to a campaign also lock it before its runs.
        let campaign = try Self.campaign(
          run.campaign, app: run.app, number: number, lock: db.dialect.forUpdate, db),
        campaign.state == .live,
        let stored = try Self.runs(
          where: "id = \(run.id)\(db.dialect.forUpdate)", app: run.app, number: number, db
        ).first, stored.state == old.state, stored.dueAt == old.dueAt, stored.report == old.report
      else { return nil }
      for send in sends ?? [] { _ = try self.insert(send, app: number, db) }
      if let audience = change.audience, !change.messages.isEmpty {
        try Self.insert(audience, app: number, conflict: "ON CONFLICT (app, id) DO NOTHING", db)
      }
      for (message, devices) in change.messages {
        try Self.insert(message, for: devices, app: number, db)
      }
      for (group, packed) in groups {
        try db.queue(
          "DELETE FROM run_devices WHERE app = \(number) AND run = \(run.id) AND kind = \(group)")
        guard let packed else { continue }
        try db.queue(
          """
          INSERT INTO run_devices (app, run, kind, devices)
          VALUES (\(number), \(run.id), \(group), \(packed))
          """)
      }
      if run.state == .canceled {
        try Self.order(.cancel, sendsOf: run.id, app: number, at: now, db)
      }
      try Self.update(run, app: number, db)
      if let next { try Self.insert(next, app: number, db) }
      if run.state.isOver, try !Self.goesOn(campaign.id, app: number, db) {
        try Self.finish(campaign, number: number, at: now, db)
      }
      return run
    }
    announce()
    return advanced
  }

  package func people(
    app: String, numbers: DeviceNumbers
  ) async throws(StoreError) -> [(number: UInt32, person: String)] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [] }
      let columns: SQL = "key, COALESCE(user_id, id) AS person"
      return try Self.rows(of: numbers, app: app, columns: columns, db) { row in
        (DeviceKeys.number(of: try row.integer("key")), try row.text("person"))
      }
    }
  }

  package func openHours(
    app: String, numbers: DeviceNumbers
  ) async throws(StoreError) -> [(number: UInt32, hours: OpenHours)] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [] }
      return try Self.rows(of: numbers, app: app, columns: "key, open_hours", db) { row in
        let number = try DeviceKeys.number(of: row.integer("key"))
        return try (
          number, row.optionalPacked("open_hours", OpenHours.init(packed:)) ?? OpenHours()
        )
      }
    }
  }

  package func devices(
    withEvent name: String, since time: Timestamp, among devices: DeviceNumbers, app: String
  ) async throws(StoreError) -> DeviceNumbers {
    let field = Filter.Field.event(recordedAs: name)
    return try await read { db in
      guard let app = try Self.number(of: app, db) else { return DeviceNumbers() }
      let found = try Self.rows(of: devices, app: app, columns: "key, events", db) { row in
        let number = try DeviceKeys.number(of: row.integer("key"))
        let events = try row.events("events")
        let happened = events.contains { recorded, count in
          Filter.Field.event(recordedAs: recorded) == field && count.last >= time
        }
        return happened ? number : nil
      }
      return DeviceNumbers(found.compactMap { $0 })
    }
  }

  // MARK: Rows

  /// The condition for runs that are not over.
  static var isNotOver: SQL {
    let states = RunLifecycle.State.allCases.filter(\.isOver).map { "'\($0.rawValue)'" }
    return "state NOT IN (\(raw: states.joined(separator: ", ")))"
  }

  /// The runs of an app that meet a condition.
  static func runs(
    where condition: SQL, app: String, number: Int64,
    _ db: any SQLConnection
  ) throws -> [CampaignRun] {
    try db.rows(
      "SELECT \(CampaignRun.columns) FROM runs WHERE app = \(number) AND \(condition)"
    ) { try CampaignRun(row: &$0, app: app) }
  }

  /// Whether a campaign has a run that is not over.
  static func goesOn(
    _ campaign: String, app: Int64, _ db: any SQLConnection
  ) throws -> Bool {
    try db.row(
      "SELECT 1 FROM runs WHERE app = \(app) AND campaign = \(campaign) AND \(isNotOver) LIMIT 1"
    ) { _ in true } ?? false
  }

  static func insert(_ run: CampaignRun, app: Int64, _ db: any SQLConnection) throws {
    try db.queue(
      "INSERT INTO runs (app, \(CampaignRun.columns), waits) VALUES (\(app), \(run.values), TRUE)")
  }

  static func update(_ run: CampaignRun, app: Int64, _ db: any SQLConnection) throws {
    try db.queue(
      """
      UPDATE runs SET state = \(run.state.rawValue), due_at = \(run.dueAt),
        waits = \(run.dueAt != nil), started_at = \(run.startedAt), settled_at = \(run.settledAt),
        reason = \(run.reason),
        report = \(run.report)
      WHERE app = \(app) AND id = \(run.id)
      """)
  }
}

extension CampaignRun {
  fileprivate static let columns: SQL = """
    id, campaign, number, version, state, planned_at, due_at, started_at, settled_at, reason, report
    """

  /// The values of ``columns``.
  fileprivate var values: [SQLValue] {
    [
      .text(id), .text(campaign), .integer(Int64(number)), .integer(Int64(version)),
      .text(state.rawValue), .time(plannedAt), .time(dueAt), .time(startedAt), .time(settledAt),
      .optional(reason), .json(report),
    ]
  }

  fileprivate init(row: inout SQLRow, app: String) throws {
    let (id, campaign) = try (row.text("id"), row.text("campaign"))
    let (number, version) = try (row.int("number"), row.int("version"))
    let state: RunLifecycle.State = try row.word("state")
    self.init(
      id: id, app: app, campaign: campaign, number: number, version: version,
      plannedAt: try row.time("planned_at"))
    self.state = state
    dueAt = try row.optionalTime("due_at")
    startedAt = try row.optionalTime("started_at")
    settledAt = try row.optionalTime("settled_at")
    reason = try row.optionalText("reason")
    report = try row.json("report")
  }
}
