import PushModel
import PushPayload

extension SQLPushStore {
  package func campaign(_ id: String, app: String) async throws(StoreError) -> Campaign? {
    try await read { db in
      guard let number = try Self.number(of: app, db) else { return nil }
      return try Self.campaign(id, app: app, number: number, db)
    }
  }

  package func document(
    ofCampaign id: String, version: Int, app: String
  ) async throws(StoreError) -> JSONValue? {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return nil }
      return try db.row(
        """
        SELECT document FROM campaign_versions WHERE app = \(app) AND campaign = \(id)
        AND version = \(version)
        """
      ) { try $0.json("document") }
    }
  }

  package func campaigns(
    app: String, matching query: CampaignQuery, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Campaign> {
    try await read { db in
      let number = try Self.number(of: app, db) ?? 0
      var condition: SQL = "app = \(number)"
      if let state = query.state { condition = "\(condition) AND state = \(state.rawValue)" }
      if let kind = query.kind { condition = "\(condition) AND kind = \(kind.rawValue)" }
      if query.isSubmitted { condition = "\(condition) AND approval IS NOT NULL" }
      let parts = [query.text.lowercased(), query.label.map(Campaign.searchText) ?? ""]
      for part in parts where !part.isEmpty {
        let pattern = "%\(Self.escaped(part))%"
        condition = "\(condition) AND search LIKE \(pattern) ESCAPE '!'"
      }
      let total = try db.row("SELECT count(*) AS count FROM campaigns WHERE \(condition)") {
        try $0.int("count")
      }
      let key = query.order == .name ? "search" : "created_at"
      let (comparison, direction) = query.order == .newest ? ("<", "DESC") : (">", "ASC")
      if let cursor {
        guard try Self.campaign(cursor, app: app, number: number, db) != nil else {
          throw Self.expired(cursor)
        }
        condition = """
          \(condition) AND (\(raw: key), id) \(raw: comparison) (
            SELECT \(raw: key), id FROM campaigns WHERE app = $1 AND id = \(cursor))
          """
      }
      let found = try db.rows(
        """
        SELECT \(Campaign.columns) FROM campaigns WHERE \(condition)
        ORDER BY \(raw: key) \(raw: direction), id \(raw: direction) LIMIT \(Int64(limit) + 1)
        """
      ) { try Campaign(row: &$0, app: app) }
      let shown = Array(found.prefix(limit))
      return Page(shown, cursor: found.count > limit ? shown.last?.id : nil, total: total ?? 0)
    }
  }

  package func campaigns(
    _ ids: [String], app: String
  ) async throws(StoreError) -> [Campaign] {
    guard !ids.isEmpty else { return [] }
    return try await read { db in
      guard let number = try Self.number(of: app, db) else { return [] }
      return try db.rows(
        """
        SELECT \(Campaign.columns) FROM campaigns WHERE app = \(number)
        AND id \(db.dialect.among(ids))
        """
      ) { try Campaign(row: &$0, app: app) }
    }
  }

  /// A text whose characters are escaped with `!`, so that `LIKE` takes them literally.
  static func escaped(_ text: String) -> String {
    text.replacing("!", with: "!!").replacing("%", with: "!%").replacing("_", with: "!_")
  }

  /// A text with ASCII letters in lower case, as `lower()` of both databases makes them.
  static func asciiLowercased(_ text: String) -> String {
    String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  package func save(_ campaign: Campaign) async throws(StoreError) {
    try await write { db in
      guard let app = try Self.number(of: campaign.app, db) else { throw Self.noApp(campaign.app) }
      try Self.save(campaign, app: app, db)
    }
  }

  static func save(_ campaign: Campaign, app: Int64, _ db: any SQLConnection) throws {
    let changed = try db.run(
      """
      INSERT INTO campaigns (app, \(Campaign.columns), search)
      VALUES (\(app), \(campaign.values), \(campaign.search))
      ON CONFLICT (app, id) DO UPDATE SET name = excluded.name, labels = excluded.labels,
        search = excluded.search, version = excluded.version, document = excluded.document,
        kind = excluded.kind, updated_at = excluded.updated_at
      WHERE campaigns.version = excluded.version - 1
        AND campaigns.state = \(CampaignLifecycle.State.draft.rawValue)
      """)
    guard changed > 0 else {
      throw StoreError(
        .conflict,
        "the campaign \(campaign.id) was changed or started meanwhile; read it again")
    }
    try db.queue(
      """
      INSERT INTO campaign_versions (app, campaign, version, document, created_at)
      VALUES (\(app), \(campaign.id), \(campaign.version), \(campaign.document),
        \(campaign.updatedAt))
      """)
  }

  package func apply(
    _ event: CampaignLifecycle.Event, toCampaign id: String, app: String, start: CampaignStart?,
    at now: Timestamp
  ) async throws(StoreError) -> Campaign? {
    let campaign: Campaign? = try await write { db in
      guard let number = try Self.number(of: app, db),
        var campaign = try Self.campaign(
          id, app: app, number: number, lock: db.dialect.forUpdate, db)
      else { return nil }
      var lifecycle = CampaignLifecycle(state: campaign.state)
      let action = lifecycle.on(event)
      guard action != .refuse else {
        throw StoreError(
          .conflict, "the campaign \(id) \(lifecycle.refusal(of: event))")
      }
      guard lifecycle.state != campaign.state else { return campaign }
      let changedAt = campaign.updatedAt
      campaign.state = lifecycle.state
      campaign.updatedAt = now
      try Self.update(campaign, number: number, db)
      switch action {
      case .plan:
        guard let start, start.runs.allSatisfy({ $0.version == campaign.version }) else {
          throw StoreError(
            .conflict, "the campaign \(id) was changed meanwhile; read it, and start it again")
        }
        try Self.checkApproval(of: campaign, forced: start.needsApproval, app: number, db)
        // Its runs may send long after the upload.
        try Self.keep(Upload.names(in: campaign.document.bytes), app: number, db)
        for run in start.runs { try Self.insert(run, app: number, db) }
        if let trigger = start.trigger {
          try Self.insert(
            trigger, of: campaign, seen: start.seen, app: number, at: now, db)
        }
      case .pause: try Self.order(.pause, runsOf: id, app: app, number: number, at: now, db)
      case .resume:
        try Self.delayTests(of: id, by: now.since(changedAt), app: number, db)
        try Self.order(.resume, runsOf: id, app: app, number: number, at: now, db)
        if let seen = start?.seen {
          // Before the first look those who are to enter at the start have not.
          try db.queue(
            """
            UPDATE triggers SET seen = \(seen.packed), looks = looks + 1, look_at = \(now)
            WHERE app = \(number) AND campaign = \(id) AND looks > 0
            """)
        }
      case .cancel: try Self.order(.cancel, runsOf: id, app: app, number: number, at: now, db)
      case .none, .refuse: break
      }
      if campaign.kind == .triggered, action != .plan {
        try Self.updateTrigger(of: campaign, app: number, db)
      }
      return campaign
    }
    announce()
    return campaign
  }

  /// Postpones the decisions of tests by the length of a pause, in which their sends did not go on.
  private static func delayTests(
    of campaign: String, by pause: Duration, app: Int64, _ db: any SQLConnection
  ) throws {
    try db.queue(
      """
      UPDATE runs SET due_at = due_at + \(max(0, Int64(pause / .milliseconds(1))))
      WHERE app = \(app) AND campaign = \(campaign)
      AND state = \(RunLifecycle.State.testing.rawValue)
      """)
  }

  /// Orders the sends of a campaign's unfinished runs; canceling also ends the runs.
  private static func order(
    _ order: SendLifecycle.Order, runsOf campaign: String, app: String, number: Int64,
    at now: Timestamp, _ db: any SQLConnection
  ) throws {
    let runs = try runs(
      where: "campaign = \(campaign) AND \(isNotOver)", app: app, number: number, db)
    for var run in runs {
      try Self.order(order, sendsOf: run.id, app: number, at: now, db)
      if order == .cancel {
        var lifecycle = RunLifecycle(state: run.state)
        _ = lifecycle.on(.cancel)
        (run.state, run.dueAt, run.settledAt) = (lifecycle.state, nil, now)
        try update(run, app: number, db)
      } else {
        try db.queue(
          """
          UPDATE runs SET waits = \(order == .resume) WHERE app = \(number) AND id = \(run.id)
          AND due_at IS NOT NULL
          """)
      }
    }
  }

  /// Orders the sends of a run; canceling also ends its messages.
  static func order(
    _ order: SendLifecycle.Order, sendsOf run: String, app: Int64, at now: Timestamp,
    _ db: any SQLConnection
  ) throws {
    let keys = try db.rows(
      """
      SELECT number FROM sends WHERE app = \(app) AND run = \(run)
      AND state NOT IN ('complete', 'canceled', 'failed') ORDER BY number
      """
    ) { try SendKey(app: app, number: $0.integer("number")) }
    for key in keys {
      guard var send = try send(key, db), !send.state.isOver else { continue }
      let leased = try work(of: key, db).leased
      if order == .resume { send.failure = nil }
      try apply(event: .order(order), leased: leased, to: &send, key: key, at: now, db)
    }
    if order == .cancel { try unpublish(messagesOf: run, app: app, at: now, db) }
  }

  static func campaign(
    _ id: String, app: String, number: Int64, lock: SQL = "", _ db: any SQLConnection
  ) throws -> Campaign? {
    try db.row(
      "SELECT \(Campaign.columns) FROM campaigns WHERE app = \(number) AND id = \(id)\(lock)"
    ) { try Campaign(row: &$0, app: app) }
  }

  static func update(
    _ campaign: Campaign, number: Int64, _ db: any SQLConnection
  ) throws {
    try db.queue(
      """
      UPDATE campaigns SET state = \(campaign.state.rawValue), updated_at = \(campaign.updatedAt)
      WHERE app = \(number) AND id = \(campaign.id)
      """)
  }
}

extension Campaign {
  fileprivate static let columns: SQL =
    "id, name, labels, kind, state, version, document, created_at, updated_at, approval"

  /// The values of ``columns``.
  fileprivate var values: [SQLValue] {
    [
      .text(id), .text(name),
      labels.isEmpty ? .null : .json(.array(labels.map(JSONValue.string))), .text(kind.rawValue),
      .text(state.rawValue), .integer(Int64(version)), .json(document), .time(createdAt),
      .time(updatedAt), approval.map { .json($0.stored) } ?? .null,
    ]
  }

  /// The form of a label in ``search``, between marks that names do not have.
  static func searchText(_ label: String) -> String { "\u{1}\(label.lowercased())\u{1}" }

  fileprivate var search: String {
    name.lowercased() + labels.map(Self.searchText).joined()
  }

  fileprivate init(row: inout SQLRow, app: String) throws {
    let (id, name) = try (row.text("id"), row.text("name"))
    let labels = try row.optionalValue("labels", \.texts) ?? []
    let kind: Kind = try row.word("kind")
    let state: CampaignLifecycle.State = try row.word("state")
    let version = try row.int("version")
    self.init(
      id: id, app: app, name: name, document: try row.json("document"),
      createdAt: try row.time("created_at"))
    self.labels = labels
    (self.kind, self.state, self.version) = (kind, state, version)
    updatedAt = try row.time("updated_at")
    approval = try row.optionalValue("approval") { CampaignApproval(stored: $0) }
  }
}
