import PushModel
import PushPayload
import _Bitmaps

extension CampaignRunner {
  /// Selects the devices of a run, divides them, and accepts the sends of the variants.
  func start(_ run: CampaignRun, _ plan: CampaignPlan) async throws {
    let now = clock.now()
    guard let campaign = try await store.campaign(run.campaign, app: run.app) else { return }
    let occurrence = plan.occurrence(of: run)
    if plan.schedule != nil, occurrence == nil {
      return try await skip(
        run, plan,
        because: "runs.report of \(run.id) names no day: it is damaged, or a newer version wrote it"
      )
    }
    if let occurrence, occurrence.schedule.isMissed(occurrence.day, at: now) {
      return try await skip(run, plan, because: Self.missed(occurrence, at: now))
    }
    let audience = try await plan.target.audience(app: run.app, at: now, store)
    for variant in plan.variants { _ = try variant.payload?.composed(at: now) }
    var devices = try await referring { () async throws(StoreError) in
      try await planner.devices(of: audience, for: plan, at: now)
    }
    guard !devices.isEmpty else {
      return try await skip(
        run, plan,
        because: plan.isInApp
          ? "the audience has no device" : "no device of the audience can receive pushes")
    }
    let selected = devices.count
    let missed = try await missed(by: devices, of: run, occurrence, at: now)
    devices = DeviceNumbers(devices.bitmap.subtracting(missed.bitmap))
    if let occurrence, devices.isEmpty {
      return try await skip(run, plan, because: Self.missed(occurrence, at: now))
    }
    let limits = try await store.limits(app: run.app)
    let (arms, heldOut) = try await plan.split.divide(
      devices, app: run.app, salt: campaign.id,
      holdout: plan.obeysHoldout ? limits.holdout : nil, store)
    let capped = try await capped(
      DeviceNumbers(devices.bitmap.subtracting(heldOut.bitmap)), of: plan, by: limits,
      app: run.app, at: now
    )
    /// The devices of an arm that the caps allow; those of the rest are checked when the winner is sent.
    func uncapped(_ arm: CampaignSplit.Arm) -> DeviceNumbers {
      DeviceNumbers((arms[arm] ?? DeviceNumbers()).bitmap.subtracting(capped.bitmap))
    }
    let rest = arms[.rest] ?? DeviceNumbers()
    var (started, change) = (run, RunChange())
    change.audience = audience
    change.groups = [
      .control: uncapped(.control), .heldOut: heldOut, .rest: rest, .missed: missed,
      .capped: DeviceNumbers(capped.bitmap.subtracting(rest.bitmap)),
    ]
    change.next = plan.next(after: run, at: now)
    let phase = plan.test == nil ? CampaignRun.Phase.rollout : .test
    let parts = plan.variants.map { (variant: $0, devices: uncapped(.variant($0.key))) }
    let total = max(1, parts.reduce(0) { $0 + $1.devices.count })
    var quiet = DeviceNumbers()
    for (variant, devices) in parts {
      let new = try await deliver(
        variant, of: run, campaign: campaign, plan: plan, phase: phase, to: audience,
        devices: devices, share: Double(devices.count) / Double(total), limits: limits, at: now,
        in: &change)
      quiet = quiet.union(new)
    }
    change.groups[.quiet] = quiet
    var lifecycle = RunLifecycle(state: run.state)
    guard lifecycle.on(.started(tests: plan.test != nil)) else { return }
    started.state = lifecycle.state
    started.startedAt = now
    var report = RunReport(run.report)
    report.selected = selected
    report.groups = change.groups.mapValues(\.count)
    // Some pushes are due late, because of quiet hours or because each device has a time of its own.
    let last = max(now, change.sends.flatMap(\.segments).map(\.dueAt).max() ?? now)
    report.lastDueAt = last
    started.report = report.json
    if let test = plan.test {
      started.dueAt = test.decideAfter.map { last + $0 }
    } else {
      started.dueAt = now + Self.pause
    }
    if try await store.advance(started, from: run, with: change, at: now) != nil {
      wakeDelivery()
    }
  }

  /// The devices on whose clocks the time of a recurring campaign was too long ago.
  private func missed(
    by devices: DeviceNumbers, of run: CampaignRun,
    _ occurrence: (schedule: CampaignSchedule, day: CalendarDay)?, at now: Timestamp
  ) async throws -> DeviceNumbers {
    guard let (schedule, day) = occurrence, schedule.zone == .device else { return DeviceNumbers() }
    let zones = try await planner.audiences.byTimeZone(devices, app: run.app)
    return LocalTime.segments(of: zones, at: schedule.wall(of: day))
      .filter { schedule.isMissed($0.dueAt, at: now) }
      .reduce(DeviceNumbers()) { $0.union($1.devices) }
  }

  /// The reason for skipping a run that begins too late.
  private static func missed(
    _ occurrence: (schedule: CampaignSchedule, day: CalendarDay), at now: Timestamp
  ) -> String {
    let others = occurrence.schedule.next(after: occurrence.day, at: now).missed
    return "its time was over: no server ran then, or the campaign was paused"
      + (others > 0 ? "; so were \(others) that followed" : "")
  }

  /// The devices that have got as many pushes as the app allows; empty if the campaign ignores the caps.
  func capped(
    _ devices: DeviceNumbers, of plan: CampaignPlan, by limits: AppLimits, app: String,
    at now: Timestamp
  ) async throws -> DeviceNumbers {
    guard plan.limits.capping.contains(.obeys), !plan.isInApp else { return DeviceNumbers() }
    return try await store.capped(devices, by: limits.caps, app: app, at: now)
  }

  /// Adds the notification or the in-app message of a variant to a change.
  ///
  /// - Returns: The devices that are left out because of their quiet hours.
  func deliver(
    _ variant: CampaignPlan.Variant, of run: CampaignRun, campaign: Campaign,
    plan: CampaignPlan, phase: CampaignRun.Phase, to audience: Audience,
    devices: DeviceNumbers, share: Double, limits: AppLimits, at now: Timestamp,
    in change: inout RunChange
  ) async throws -> DeviceNumbers {
    let payload: BodyValue
    switch variant.content {
    case .message(let content):
      guard !devices.isEmpty else { return DeviceNumbers() }
      var message = content.message(
        as: run.origin(of: variant.key, phase), in: run.app, for: audience, at: now)
      message.targeted = devices.count
      change.messages.append((message, devices))
      return DeviceNumbers()
    case .push(let content, _): payload = content
    }
    var send = plan.send(
      payload, as: variant, of: run, in: campaign, phase: phase, to: audience, share: share,
      at: now)
    send.idempotencyKey = run.key(of: phase, variant: variant.key)
    if let time = plan.localTime(of: run) { (send.scheduledAt, send.isLocalTime) = (time, true) }
    try await planner.applyAppDefaults(to: &send)
    let hours = plan.limits.quietHours(for: payload, of: limits)
    send.quietHours = hours
    let segments = try await
      (plan.isBestTime
      ? planner.bestTimeSegments(of: send, to: devices, quiet: hours)
      : planner.segments(of: send, to: devices, quiet: hours))
      .filter { !$0.devices.isEmpty }
    let dropped = segments.filter { segment in
      segment.quiet?.otherwise == .drop && segment.quiet?.end(at: max(segment.dueAt, now)) != nil
    }
    change.sends.append((send, segments.filter { !dropped.contains($0) }))
    return dropped.reduce(DeviceNumbers()) { $0.union($1.devices) }
  }
}
