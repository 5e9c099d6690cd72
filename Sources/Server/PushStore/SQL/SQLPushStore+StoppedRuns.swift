import PushModel
import PushPayload

/// The handling of a campaign after one of its runs was stopped because of a damaged row.
extension SQLPushStore {
  package func campaign(
    ofStopped work: DamagedWork
  ) async throws(StoreError) -> (campaign: Campaign, lastRun: Int)? {
    guard case .run(let number, let run) = work else { return nil }
    return try await read { db in
      let app = try db.row("SELECT id FROM apps WHERE number = \(number)") {
        try $0.text("id")
      }
      let id = try db.row(
        "SELECT campaign FROM runs WHERE app = \(number) AND id = \(run)"
      ) { try $0.text("campaign") }
      guard let app, let id, let campaign = try Self.campaign(id, app: app, number: number, db),
        campaign.state == .live, try !Self.goesOn(id, app: number, db)
      else { return nil }
      let last = try db.row(
        """
        SELECT number FROM runs WHERE app = \(number) AND campaign = \(id) ORDER BY number DESC
        LIMIT 1
        """
      ) { try $0.int("number") }
      return last.map { (campaign, $0) }
    }
  }

  package func goOn(
    _ campaign: Campaign, with next: CampaignRun?, at now: Timestamp
  ) async throws(StoreError) {
    try await write { db in
      guard let number = try Self.number(of: campaign.app, db),
        let stored = try Self.campaign(
          campaign.id, app: campaign.app, number: number, lock: db.dialect.forUpdate, db),
        stored.state == .live, try !Self.goesOn(campaign.id, app: number, db)
      else { return }
      if let next {
        try Self.insert(next, app: number, db)
      } else {
        try Self.finish(stored, number: number, at: now, db)
      }
    }
    announce()
  }

  /// Ends a campaign whose runs are all over.
  static func finish(
    _ campaign: Campaign, number: Int64, at now: Timestamp, _ db: any SQLConnection
  ) throws {
    var (campaign, lifecycle) = (campaign, CampaignLifecycle(state: campaign.state))
    guard lifecycle.on(.finished) != .refuse else { return }
    (campaign.state, campaign.updatedAt) = (lifecycle.state, now)
    try update(campaign, number: number, db)
  }
}
