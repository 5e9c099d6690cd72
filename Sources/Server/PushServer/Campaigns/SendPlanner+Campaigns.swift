import PushModel
import PushPayload

/// The sends of campaigns.
extension SendPlanner {
  /// The devices of an audience that a campaign can reach: a push needs a token, a message does not.
  func devices(
    of audience: Audience, for plan: CampaignPlan, at now: Timestamp
  ) async throws(StoreError) -> DeviceNumbers {
    plan.isInApp
      ? try await audiences.members(of: audience, at: now)
      : try await audiences.devices(of: audience, at: now)
  }

  /// The parts of a send, each due at the best time of its devices, counted from the send's creation.
  func bestTimeSegments(
    of send: Send, to devices: DeviceNumbers, quiet: QuietHours?
  ) async throws -> [Segment] {
    let time = try await BestTime(of: devices, app: send.app, from: send.createdAt, store)
    var segments: [Segment] = []
    for group in time.groups {
      var part = send
      part.scheduledAt = group.dueAt
      segments += try await self.segments(of: part, to: group.devices, quiet: quiet)
    }
    return segments.sorted { $0.dueAt < $1.dueAt }
  }

  /// Counts the devices that limits would hold back from the first run of a campaign that starts now.
  ///
  /// For a triggered campaign it counts all devices that would be held back now.
  func estimate(
    of plan: CampaignPlan, _ campaign: Campaign, to devices: DeviceNumbers, limits: AppLimits,
    countsCapped: Bool = true
  ) async throws -> LimitEstimate {
    if plan.isInApp { return LimitEstimate() }
    let run = plan.firstRun(of: campaign, at: clock.now())
    var send = Send(
      id: "", messageID: "", app: campaign.app, audience: "", payload: [:], createdAt: run.plannedAt
    )
    send.scheduledAt = run.plannedAt
    if let time = plan.localTime(of: run) { (send.scheduledAt, send.isLocalTime) = (time, true) }
    send.capping = plan.limits.capping
    // With the best time, each push is due in an hour in which its user is awake, as far as is known.
    let hours =
      plan.isBestTime
      ? nil
      : plan.steps.flatMap(\.variants).lazy.compactMap {
        plan.limits.quietHours(for: $0.payload, of: limits)
      }.first
    return try await estimate(
      of: send, to: devices, quiet: hours, limits: limits, countsCapped: countsCapped)
  }
}
