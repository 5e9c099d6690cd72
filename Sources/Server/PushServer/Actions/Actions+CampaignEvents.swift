import PushModel
import PushPayload

/// The start, the pauses and the end of campaigns.
extension Actions {
  /// Starts a draft; a person who sends only what another one has submitted approves it by starting it.
  ///
  /// - Parameters:
  ///   - id: The id of the campaign.
  ///   - version: The version that the actor has seen, and the only one that may start; `nil` starts any version.
  ///   - actor: Who starts it.
  /// - Returns: The campaign as it is after the start.
  /// - Throws: ``RequestError`` `.forbidden` if somebody else has to start the campaign.
  @discardableResult
  func startCampaign(
    _ id: String, version: Int? = nil, by actor: Actor
  ) async throws -> Campaign {
    try actor.require(.write, to: "start a campaign")
    let campaign = try await campaign(id, app: try actor.ownApp())
    try await approveStart(of: campaign, version: version ?? campaign.version, by: actor)
    let now = clock.now()
    let plan =
      campaign.state == .draft
      ? try CampaignPlan(BodyValue(campaign.document, at: "$.campaign"), at: now)
      : try CampaignPlan(stored: campaign.document, at: now)
    var start = plan.start(of: campaign, at: now)
    start.seen = try await seen(plan, app: campaign.app, at: now)
    // It may be rejected until the store has it.
    start.needsApproval = !actor.may(.send)
    // The store refuses a run whose version is not the stored one.
    for place in start.runs.indices {
      start.runs[place].version = version ?? start.runs[place].version
    }
    let started = try await apply(.start, as: "start", to: id, start: start, by: actor)
    // A run that is due now begins at once. If this fails, the runner tries again and reports the failure.
    if plan.rule == nil, let run = start.runs.first, run.plannedAt <= now,
      let stored = try await store.run(run.id, app: run.app)
    {
      try? await campaignRunner.advance(stored)
    }
    return started
  }

  @discardableResult
  func pauseCampaign(_ id: String, by actor: Actor) async throws -> Campaign {
    try actor.require(.stop, to: "pause a campaign")
    return try await apply(.pause, as: "pause", to: id, by: actor)
  }

  @discardableResult
  func resumeCampaign(_ id: String, by actor: Actor) async throws -> Campaign {
    try actor.require(.approve, to: "resume a campaign")
    let campaign = try await campaign(id, app: try actor.ownApp())
    var resumed = CampaignStart(runs: [])
    resumed.seen = try await membersAtResume(of: campaign)
    return try await apply(.resume, as: "resume", to: id, start: resumed, by: actor)
  }

  @discardableResult
  func endCampaign(_ id: String, by actor: Actor) async throws -> Campaign {
    try actor.require(.stop, to: "end a campaign")
    return try await apply(.end, as: "end", to: id, by: actor)
  }

  @discardableResult
  func discardCampaign(_ id: String, by actor: Actor) async throws -> Campaign {
    try actor.require(.write, to: "discard a campaign")
    return try await apply(.discard, as: "discard", to: id, by: actor)
  }

  private func apply(
    _ event: CampaignLifecycle.Event, as action: String, to id: String,
    start: CampaignStart? = nil, by actor: Actor
  ) async throws -> Campaign {
    guard
      let campaign = try await store(for: actor, "campaign.\(action)", id).apply(
        event, toCampaign: id, app: try actor.ownApp(), start: start, at: clock.now())
    else { throw RequestError.notFound("campaign with this id") }
    wakeDelivery()
    return campaign
  }

  /// The members of the audience that people enter or leave, so that who did so during a pause is not enrolled by it.
  ///
  /// - Returns: The members; `nil` without an audience, or if nothing can be said about it.
  private func membersAtResume(of campaign: Campaign) async throws -> DeviceNumbers? {
    let now = clock.now()
    guard campaign.kind == .triggered, campaign.state == .paused,
      let rule = try? CampaignPlan(stored: campaign.document, at: now).rule
    else { return nil }
    switch rule.entry {
    case .event, .call: return nil
    case .enters(let id), .leaves(let id):
      guard let audience = try await store.audience(id, app: campaign.app) else { return nil }
      do throws(StoreError) {
        return try await audiences.members(of: audience, at: now)
      } catch {
        // It names an audience that was deleted, or a notification whose outcomes were removed.
        guard error.code == .conflict else { throw error }
        return nil
      }
    }
  }

  /// The devices that are in the trigger's audience at the start and do not enter by it; `nil` without an audience.
  private func seen(
    _ plan: CampaignPlan, app: String, at now: Timestamp
  ) async throws -> DeviceNumbers? {
    guard let rule = plan.rule else { return nil }
    switch rule.entry {
    case .event, .call: return nil
    case .enters where rule.includesCurrent: return DeviceNumbers()
    case .enters(let id), .leaves(let id):
      guard let audience = try await store.audience(id, app: app) else {
        throw RequestError(.conflict, "the audience \(id) was deleted; name another one")
      }
      return try await audiences.members(of: audience, at: now)
    }
  }
}
