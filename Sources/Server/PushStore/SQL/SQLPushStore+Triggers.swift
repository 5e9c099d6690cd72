import PushModel
import PushPayload

/// The states of a row of `triggers`: those of its campaign, `ending` while people still leave, and `damaged`.
enum TriggerState {
  static let live = CampaignLifecycle.State.live.rawValue
  static let ended = CampaignLifecycle.State.ended.rawValue
  static let ending = "ending"
  /// The definition cannot be read, so nobody enters and no step is taken.
  static let damaged = "damaged"
}

extension SQLPushStore {
  package func liveTriggers() async throws(StoreError) -> [LiveTrigger] {
    try await read { db in
      // Two queries, because a divided database cannot join tables over all apps.
      let found = try db.rows(
        """
        SELECT app, number, campaign, state, definition, look_at, looks FROM triggers
        WHERE state IN ('\(raw: TriggerState.live)', '\(raw: TriggerState.ending)')
        ORDER BY app, number
        """
      ) { row in
        let (app, number) = try (row.integer("app"), row.integer("number"))
        do throws(StoredValueError) {
          return try (
            app: app, number: number, campaign: row.text("campaign"), state: row.text("state"),
            trigger: row.value("definition", CampaignTrigger.init(json:)),
            lookAt: row.optionalTime("look_at"), looks: row.integer("looks")
          )
        } catch {
          throw error.of(.trigger(app: app, number: number))
        }
      }
      guard !found.isEmpty else { return [] }
      let apps = Dictionary(
        try db.rows("SELECT number, id FROM apps") {
          try ($0.integer("number"), $0.text("id"))
        },
        uniquingKeysWith: { $1 })
      return found.compactMap { row in
        apps[row.app].map { app in
          LiveTrigger(
            app: app, campaign: row.campaign, number: row.number,
            trigger: row.trigger, work: .trigger(app: row.app, number: row.number),
            isEnding: row.state == TriggerState.ending, lookAt: row.lookAt, looks: row.looks)
        }
      }
    }
  }

  /// Stores the trigger of a campaign that starts.
  static func insert(
    _ trigger: CampaignTrigger, of campaign: Campaign, seen: DeviceNumbers?, app: Int64,
    at now: Timestamp, _ db: any SQLConnection
  ) throws {
    // The app is locked first, so that two campaigns that start at once get different numbers.
    try changeTriggers(of: app, db)
    let last = try db.row(
      "SELECT number FROM triggers WHERE app = \(app) ORDER BY number DESC LIMIT 1"
    ) { try $0.integer("number") }
    let looksAt: Timestamp? =
      switch trigger.entry {
      case .enters, .leaves: now
      case .event, .call: nil
      }
    try db.queue(
      """
      INSERT INTO triggers (
        app, number, campaign, state, definition, leased_until, look_at, looks, seen, removed)
      VALUES (\(app), \((last ?? 0) + 1), \(campaign.id), \(TriggerState.live), \(trigger.json), 0,
        \(looksAt), 0, \(seen?.packed), '{}')
      """)
  }

  /// Copies the state of a campaign to its trigger.
  static func updateTrigger(
    of campaign: Campaign, app: Int64, _ db: any SQLConnection
  ) throws {
    let state = campaign.state.isOver ? TriggerState.ending : campaign.state.rawValue
    let changed = try db.run(
      """
      UPDATE triggers SET state = \(state) WHERE app = \(app) AND campaign = \(campaign.id)
      AND state <> $1
      AND state <> '\(raw: TriggerState.ended)'
      """)
    guard changed > 0 else { return }
    if campaign.state == .live {
      // Stopped runs are tried again.
      try db.queue(
        """
        UPDATE runs SET reason = NULL WHERE app = \(app) AND campaign = \(campaign.id)
        AND reason IS NOT NULL
        """)
    }
    try changeTriggers(of: app, db)
  }

  /// Changes the version by which every node sees that an app's triggers have changed.
  ///
  /// It is random, because a later app may get the number of a deleted one, whose triggers a node may still know.
  static func changeTriggers(of app: Int64, _ db: any SQLConnection) throws {
    let version = Int64.random(in: 1..<Int64.max / 2)
    _ = try db.run("UPDATE apps SET triggers = \(version) WHERE number = \(app)")
  }

  /// Ends a trigger in which nobody waits any more.
  static func finish(_ trigger: LiveTrigger, app: Int64, _ db: any SQLConnection) throws {
    try db.queue(
      """
      UPDATE triggers SET state = \(TriggerState.ended), seen = NULL WHERE app = \(app)
      AND number = \(trigger.number) AND state = \(TriggerState.ending)
      """)
  }
}
