import PushModel
import PushPayload

extension SQLPushStore {
  package func apply(
    _ event: CampaignApproval.Event, toCampaign id: String, app: String
  ) async throws(StoreError) -> Campaign? {
    try await write { db in
      guard let number = try Self.number(of: app, db),
        var campaign = try Self.campaign(
          id, app: app, number: number, lock: db.dialect.forUpdate, db)
      else { return nil }
      let approval = try CampaignApproval.after(event, of: campaign)
      guard approval != campaign.approval else { return campaign }
      campaign.approval = approval
      try db.queue(
        "UPDATE campaigns SET approval = \(approval.stored) WHERE app = \(number) AND id = \(id)")
      return campaign
    }
  }

  /// - Throws: ``StoreError/Code/conflict`` if the app's campaigns, or this one, need an approval and this one was not
  ///   approved.
  static func checkApproval(
    of campaign: Campaign, forced: Bool, app: Int64, _ db: any SQLConnection
  ) throws {
    let needed = try limits(of: app, db).approval
    guard forced || needed != .none else { return }
    guard campaign.isApproved else {
      throw StoreError(
        .conflict,
        "the campaign \(campaign.id) needs an approval of version \(campaign.version); submit it, and"
          + " have another \(needed == .required ? "key or person" : "person") approve it")
    }
    guard needed == .everySend else { return }
    // A holder of two keys could approve their own campaign, so keys do not count.
    for actor in [campaign.approval?.submittedBy, campaign.approval?.decidedBy] {
      guard let actor, try account(where: "id = \(actor)", db) != nil else {
        throw StoreError(
          .conflict,
          "the campaign \(campaign.id) needs an approval by two people of the dashboard: one submits"
            + " it, and another one approves it; reject it, and have them do so")
      }
    }
  }

  package func create(
    _ campaign: Campaign, with call: CampaignCall?
  ) async throws(StoreError) -> (campaign: Campaign, fingerprint: [UInt8])? {
    guard let call else {
      try await save(campaign)
      return nil
    }
    return try await write { db in
      guard let app = try Self.lockedNumber(of: campaign.app, db) else {
        throw Self.noApp(campaign.app)
      }
      if let first = try Self.campaign(addedWith: call.key, app: campaign.app, number: app, db) {
        return first
      }
      try Self.save(campaign, app: app, db)
      try db.queue(
        """
        INSERT INTO campaign_calls (app, key, fingerprint, campaign, at)
        VALUES (\(app), \(call.key), \(call.fingerprint), \(campaign.id), \(campaign.createdAt))
        """)
      return nil
    }
  }

  package func campaign(
    addedWith key: String, app: String
  ) async throws(StoreError) -> (campaign: Campaign, fingerprint: [UInt8])? {
    try await read { db in
      guard let number = try Self.number(of: app, db) else { return nil }
      return try Self.campaign(addedWith: key, app: app, number: number, db)
    }
  }

  private static func campaign(
    addedWith key: String, app: String, number: Int64, _ db: any SQLConnection
  ) throws -> (campaign: Campaign, fingerprint: [UInt8])? {
    let call = try db.row(
      "SELECT campaign, fingerprint FROM campaign_calls WHERE app = \(number) AND key = \(key)"
    ) { try (id: $0.text("campaign"), fingerprint: $0.blob("fingerprint")) }
    guard let call, let campaign = try Self.campaign(call.id, app: app, number: number, db) else {
      return nil
    }
    return (campaign, call.fingerprint)
  }
}
