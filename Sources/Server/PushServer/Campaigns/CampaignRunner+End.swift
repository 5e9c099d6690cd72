import PushModel
import PushPayload
import _Bitmaps

extension CampaignRunner {
  /// The devices that got some notifications or messages, as trials, and those of them on which a goal's
  /// event has happened since the run started, as successes.
  func reached(
    _ goal: CampaignPlan.Goal, by sends: [Send], _ messages: [PublishedMessage],
    of run: CampaignRun
  ) async throws -> Proportion {
    var devices = DeviceNumbers()
    for send in sends where send.counts.sent > 0 {
      let accepted = try await referring { () async throws(StoreError) in
        try await store.received(send.id, app: run.app, opened: nil)
      }
      devices = devices.union(accepted ?? DeviceNumbers())
    }
    for published in messages {
      devices = devices.union(
        try await store.devices(ofMessage: published.message.id, app: run.app))
    }
    return try await reached(goal, among: devices, of: run)
  }

  func reached(
    _ goal: CampaignPlan.Goal, among devices: DeviceNumbers, of run: CampaignRun
  ) async throws -> Proportion {
    var (successes, rank) = (0, 0)
    while rank < devices.count {
      let page = devices.slice(from: rank, limit: 10_000)
      rank += page.count
      successes += try await store.devices(
        withEvent: goal.event, since: run.startedAt ?? run.plannedAt, among: page, app: run.app
      ).count
    }
    return Proportion(successes: successes, trials: devices.count)
  }

  /// Measures the goals whose time is over, and ends a run whose sends have ended.
  func settle(_ run: CampaignRun, _ plan: CampaignPlan) async throws {
    let now = clock.now()
    var changed = run
    var report = RunReport(run.report)
    let deliveries = try await RunDeliveries(of: run, store)
    for goal in plan.goals where run.end(of: goal) <= now && report.goals[goal.event] == nil {
      // Devices that got a variant after the goal's time could not reach it.
      let isBeforeRollout = report.decision.map { run.end(of: goal) <= $0.at } ?? false
      let phase: CampaignRun.Phase? = isBeforeRollout ? .test : nil
      // Devices that are still to get it are counted too, such as those of a campaign that was paused.
      let sends = deliveries.sends.filter { phase == nil || $0.origin?.phase == phase }
      guard sends.allSatisfy(\.state.isOver) else { continue }
      var arms: [String: Proportion] = [:]
      for variant in plan.variants {
        arms[variant.key] = try await reached(
          goal, by: deliveries.sends(of: variant.key, phase),
          deliveries.messages(of: variant.key, phase), of: run)
      }
      let control = try await store.devices(.control, ofRun: run.id, app: run.app)
      if !control.isEmpty {
        arms[CampaignPlan.controlKey] = try await reached(goal, among: control, of: run)
      }
      report.goals[goal.event] = RunReport.Goal(measuredAt: now, arms: arms)
    }
    changed.report = report.json
    let isMeasured = plan.goals.allSatisfy { report.goals[$0.event] != nil }
    let end = deliveries.end(at: now)
    if isMeasured, let end, end <= now {
      var lifecycle = RunLifecycle(state: run.state)
      guard lifecycle.on(.ended) else { return }
      (changed.state, changed.dueAt, changed.settledAt) = (lifecycle.state, nil, now)
    } else {
      changed.dueAt = now + Self.pause
      // Once all sends have ended, the next change comes when a goal or the messages end.
      if let end {
        let times = plan.goals.filter { report.goals[$0.event] == nil }.map(run.end(of:))
        let next = times.min() ?? max(end, now + Self.pause)
        // A person can end a message before its time, which changes no run.
        changed.dueAt = deliveries.messages.isEmpty ? next : min(next, now + Self.messagePause)
      }
    }
    _ = try await store.advance(changed, from: run, with: RunChange(), at: now)
  }
}
