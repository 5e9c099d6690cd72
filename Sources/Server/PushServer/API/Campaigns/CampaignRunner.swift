import PushPayload
import PushStore
import _Bitmaps

/// Takes the due steps of campaign runs: selects their devices, decides tests, and ends them.
///
/// Every step is one transaction of the store, which changes the run only from the state in which the step began.
/// So a node that dies has taken the step completely or not at all. If two nodes take the same step, one of them
/// changes nothing.
package struct CampaignRunner: Sendable {
  let api: API

  package init(_ api: API) { self.api = api }

  /// The time between two checks of a run whose sends are under way.
  static let pause = Duration.seconds(15)
  /// The number of runs that are read at a time.
  private static let pageSize = 64

  /// Takes the steps that are due, until the task is cancelled.
  ///
  /// `log` is called with each failure of a step, which remains due.
  package func run(
    every pause: Duration = .seconds(1), log: @escaping @Sendable (String) -> Void = { _ in }
  ) async {
    while (try? await api.clock.sleep(pause)) != nil {
      // Other users of the store report that it is out of reach.
      try? await runDue(log: log)
    }
  }

  /// Takes one step of each run that is due.
  package func runDue(log: @Sendable (String) -> Void = { _ in }) async throws {
    let runs = try await stoppingDamaged(else: [], log: log) { () async throws(StoreError) in
      try await api.store.dueRuns(at: api.clock.now(), limit: Self.pageSize)
    }
    for run in runs {
      if Task.isCancelled { return }
      do {
        try await advance(run)
      } catch {
        log("a step of the campaign \(run.campaign) failed and is tried again: \(error)")
      }
    }
    try await EnrollmentRunner(api).runDue(log: log)
  }

  /// Runs a query for due work; stops a campaign whose rows are damaged, so that the rest is due the next time.
  func stoppingDamaged<T>(
    else nothing: T, log: (String) -> Void, _ body: () async throws(StoreError) -> T
  ) async throws(StoreError) -> T {
    do {
      return try await body()
    } catch {
      guard let work = error.work else { throw error }
      log("a campaign is stopped: \(error.message)")
      try await api.store.stop(work, because: error.message, at: api.clock.now())
      try await goOn(after: work, log: log)
      return nothing
    }
  }

  /// Plans the next run of a recurring campaign after one that was stopped; a campaign without one ends.
  ///
  /// A campaign whose own rows are damaged has no next run. Its page says which rows.
  private func goOn(after work: DamagedWork, log: (String) -> Void) async throws(StoreError) {
    let now = api.clock.now()
    do throws(StoreError) {
      guard let found = try await api.store.campaign(ofStopped: work) else { return }
      let plan = try? CampaignPlan(stored: found.campaign.document, at: now)
      let next = plan?.next(afterRun: found.lastRun, of: found.campaign, at: now)
      try await api.store.goOn(found.campaign, with: next, at: now)
    } catch {
      guard error.code == .damaged else { throw error }
      log("a campaign has no next run: \(error.message)")
    }
  }

  /// Takes the step of a run that is due.
  func advance(_ run: CampaignRun) async throws {
    var known: CampaignPlan?
    do {
      let plan = try await plan(of: run)
      known = plan
      switch run.state {
      case .planned: try await start(run, plan)
      case .testing: try await decideByClock(run, plan)
      case .rolling: try await settle(run, plan)
      case .deciding, .settled, .skipped, .canceled: break
      }
    } catch let error as APIError where error.status < 500 {
      try await skip(run, known, because: error.message)
    } catch let error as StoreError where error.code == .damaged {
      try await skip(run, known, because: error.message)
    }
  }

  /// Runs a body whose conflict is permanent, because the campaign refers to something that was deleted.
  ///
  /// Other conflicts of the store, such as an id that is taken, may not occur the next time.
  private func referring<T>(
    _ body: () async throws(StoreError) -> T
  ) async throws -> T {
    do {
      return try await body()
    } catch let error where error.code == .conflict {
      throw APIError(error)
    }
  }

  func plan(of run: CampaignRun) async throws -> CampaignPlan {
    let document = try await api.store.document(
      ofCampaign: run.campaign, version: run.version, app: run.app)
    guard let document else { throw APIError.notFound("version of the campaign") }
    return try CampaignPlan(stored: document, at: api.clock.now())
  }

  /// Ends a run that cannot be sent, or lets it wait for a person if its test was already sent.
  ///
  /// A recurring campaign goes on with its next run, unless its `plan` cannot be read.
  private func skip(
    _ run: CampaignRun, _ plan: CampaignPlan?, because reason: String
  ) async throws {
    var (ended, change) = (run, RunChange())
    var lifecycle = RunLifecycle(state: run.state)
    ended.reason = reason
    if lifecycle.on(.skip) {
      ended.settledAt = api.clock.now()
      change.next = plan?.next(after: run, at: api.clock.now())
    } else if lifecycle.on(.ended) {
      ended.settledAt = api.clock.now()
    } else {
      _ = lifecycle.on(.waitsForDecision)
    }
    (ended.state, ended.dueAt) = (lifecycle.state, nil)
    _ = try await api.store.advance(ended, from: run, with: change, at: api.clock.now())
  }

  // MARK: Start

  /// Selects the devices of a run, divides them, and accepts the sends of the variants.
  private func start(_ run: CampaignRun, _ plan: CampaignPlan) async throws {
    let (store, now) = (api.store, api.clock.now())
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
      try await api.devices(of: audience, for: plan, at: now)
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
    var quiet = DeviceNumbers()
    for variant in plan.variants {
      let new = try await deliver(
        variant, of: run, campaign: campaign, plan: plan, phase: phase, to: audience,
        devices: uncapped(.variant(variant.key)), limits: limits, at: now, in: &change)
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
    started.report = report.json
    if let test = plan.test {
      // The time of the test counts from its last send, which may be late because of quiet hours.
      let last = change.sends.flatMap(\.segments).map(\.dueAt).max() ?? now
      started.dueAt = test.decideAfter.map { max(now, last) + $0 }
    } else {
      started.dueAt = now + Self.pause
    }
    if try await store.advance(started, from: run, with: change, at: now) != nil {
      api.wakeDelivery()
    }
  }

  /// The devices on whose clocks the time of a recurring campaign was too long ago.
  private func missed(
    by devices: DeviceNumbers, of run: CampaignRun,
    _ occurrence: (schedule: CampaignSchedule, day: CalendarDay)?, at now: Timestamp
  ) async throws -> DeviceNumbers {
    guard let (schedule, day) = occurrence, schedule.zone == .device else { return DeviceNumbers() }
    let zones = try await api.audiences.byTimeZone(devices, app: run.app)
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
  private func capped(
    _ devices: DeviceNumbers, of plan: CampaignPlan, by limits: AppLimits, app: String,
    at now: Timestamp
  ) async throws -> DeviceNumbers {
    guard plan.limits.capping.contains(.obeys), !plan.isInApp else { return DeviceNumbers() }
    return try await api.store.capped(devices, by: limits.caps, app: app, at: now)
  }

  /// Adds the notification or the in-app message of a variant to a change.
  ///
  /// - Returns: The devices that are left out because of their quiet hours.
  private func deliver(
    _ variant: CampaignPlan.Variant, of run: CampaignRun, campaign: Campaign,
    plan: CampaignPlan, phase: CampaignRun.Phase, to audience: Audience,
    devices: DeviceNumbers, limits: AppLimits, at now: Timestamp, in change: inout RunChange
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
      payload, as: variant, of: run, in: campaign, phase: phase, to: audience, at: now)
    send.idempotencyKey = run.key(of: phase, variant: variant.key)
    if let time = plan.localTime(of: run) { (send.scheduledAt, send.isLocalTime) = (time, true) }
    try await api.applyAppRate(to: &send)
    let hours = plan.limits.quietHours(for: payload, of: limits)
    let segments = try await
      (plan.isBestTime
      ? api.bestTimeSegments(of: send, to: devices, quiet: hours)
      : api.segments(of: send, to: devices, quiet: hours))
      .filter { !$0.devices.isEmpty }
    let dropped = segments.filter { segment in
      segment.quiet?.otherwise == .drop && segment.quiet?.end(at: max(segment.dueAt, now)) != nil
    }
    change.sends.append((send, segments.filter { !dropped.contains($0) }))
    return dropped.reduce(DeviceNumbers()) { $0.union($1.devices) }
  }

  // MARK: Decision

  private func decideByClock(_ run: CampaignRun, _ plan: CampaignPlan) async throws {
    guard let test = plan.test else { return }
    let comparison = try await comparison(of: run, plan, test)
    var waiting: String?
    if comparison.arms.contains(where: { $0.result.trials == 0 }) {
      waiting =
        plan.isInApp
        ? "a variant is in no inbox"
        : "a variant has not been accepted by APNs for any device yet"
    } else if test.metric == .opens, comparison.arms.allSatisfy({ $0.result.successes == 0 }) {
      waiting =
        "no device of the test has reported that it opened the "
        + (plan.isInApp ? "message" : "notification")
    }
    if let waiting {
      var (changed, lifecycle) = (run, RunLifecycle(state: run.state))
      guard lifecycle.on(.waitsForDecision) else { return }
      (changed.state, changed.dueAt) = (lifecycle.state, nil)
      changed.reason = waiting + "; choose a variant yourself"
      _ = try await api.store.advance(
        changed, from: run, with: RunChange(), at: api.clock.now())
      return
    }
    let fallback: String? =
      switch test.noWinner {
      case .best: comparison.best?.key
      case .default: plan.variants.first?.key
      case .none: nil
      }
    let decision = RunReport.Decision(
      variant: comparison.winner ?? fallback, by: "clock", isSignificant: comparison.winner != nil,
      at: api.clock.now(), comparison: comparison)
    _ = try await decide(run, by: plan, as: decision, through: api.store)
  }

  /// Sends the chosen variant to the rest of the devices; without a variant the run sends nothing more.
  ///
  /// `store` records who has decided.
  ///
  /// - Returns: The run; `nil` if it was decided otherwise meanwhile, or its campaign is paused.
  func decide(
    _ run: CampaignRun, by plan: CampaignPlan, as decision: RunReport.Decision,
    through store: any PushStore
  ) async throws -> CampaignRun? {
    let now = api.clock.now()
    var (decided, change) = (run, RunChange())
    var report = RunReport(run.report)
    var lifecycle = RunLifecycle(state: run.state)
    guard lifecycle.on(.decided),
      let campaign = try await store.campaign(run.campaign, app: run.app)
    else { return nil }
    if let variant = plan.variants.first(where: { $0.key == decision.variant }) {
      let everyone = Audience(id: "", app: run.app, filters: [], createdAt: now)
      let reached = try await api.devices(of: everyone, for: plan, at: now)
      let rest = try await store.devices(.rest, ofRun: run.id, app: run.app)
      guard let first = try await RunDeliveries(of: run, store).audience else { return nil }
      // The audience of the test. If it was deleted, an audience without devices takes its place, so that a target
      // that names it selects nobody.
      var nobody = Audience(id: first, app: run.app, filters: [], createdAt: now)
      nobody.except = [.filters([])]
      let audience = try await store.audience(first, app: run.app) ?? nobody
      change.audience = audience
      let limits = try await store.limits(app: run.app)
      let devices = DeviceNumbers(rest.bitmap & reached.bitmap)
      let capped = try await capped(devices, of: plan, by: limits, app: run.app, at: now)
      let newQuiet = try await deliver(
        variant, of: run, campaign: campaign, plan: plan, phase: .rollout, to: audience,
        devices: DeviceNumbers(devices.bitmap.subtracting(capped.bitmap)), limits: limits, at: now,
        in: &change)
      change.groups[.rest] = DeviceNumbers()
      let quiet = try await store.devices(.quiet, ofRun: run.id, app: run.app)
      change.groups[.quiet] = quiet.union(newQuiet)
      let before = try await store.devices(.capped, ofRun: run.id, app: run.app)
      change.groups[.capped] = before.union(capped)
      // Each device is counted in one group.
      report.groups[.quiet, default: 0] += newQuiet.count
      report.groups[.capped, default: 0] += capped.count
      report.groups[.rest, default: 0] -= newQuiet.count + capped.count
    }
    report.decision = decision
    decided.report = report.json
    (decided.state, decided.reason) = (lifecycle.state, nil)
    decided.dueAt = now + Self.pause
    let stored = try await store.advance(decided, from: run, with: change, at: now)
    if stored != nil { api.wakeDelivery() }
    return stored
  }

  /// The comparison of a test's variants, by the metric that decides it.
  func comparison(
    of run: CampaignRun, _ plan: CampaignPlan, _ test: CampaignPlan.Test
  ) async throws -> VariantComparison {
    let deliveries = try await RunDeliveries(of: run, api.store)
    var arms: [VariantComparison.Arm] = []
    for variant in plan.variants {
      var result = deliveries.opens(of: variant.key, .test)
      if test.metric == .conversions, let goal = plan.goals.first {
        result = try await reached(
          goal, by: deliveries.sends(of: variant.key, .test),
          deliveries.messages(of: variant.key, .test), of: run)
      }
      arms.append(VariantComparison.Arm(key: variant.key, result: result))
    }
    return VariantComparison(arms)
  }

  // MARK: Goals and end

  /// The devices that got some notifications or messages, as trials, and those of them on which a goal's
  /// event has happened since the run started, as successes.
  private func reached(
    _ goal: CampaignPlan.Goal, by sends: [Send], _ messages: [PublishedMessage],
    of run: CampaignRun
  ) async throws -> Proportion {
    var devices = DeviceNumbers()
    for send in sends where send.counts.sent > 0 {
      let accepted = try await referring { () async throws(StoreError) in
        try await api.store.received(send.id, app: run.app, opened: nil)
      }
      devices = devices.union(accepted ?? DeviceNumbers())
    }
    for published in messages {
      devices = devices.union(
        try await api.store.devices(ofMessage: published.message.id, app: run.app))
    }
    return try await reached(goal, among: devices, of: run)
  }

  private func reached(
    _ goal: CampaignPlan.Goal, among devices: DeviceNumbers, of run: CampaignRun
  ) async throws -> Proportion {
    var (successes, rank) = (0, 0)
    while rank < devices.count {
      let page = devices.slice(from: rank, limit: 10_000)
      rank += page.count
      successes += try await api.store.devices(
        withEvent: goal.event, since: run.startedAt ?? run.plannedAt, among: page, app: run.app
      ).count
    }
    return Proportion(successes: successes, trials: devices.count)
  }

  /// Measures the goals whose time is over, and ends a run whose sends have ended.
  private func settle(_ run: CampaignRun, _ plan: CampaignPlan) async throws {
    let (store, now) = (api.store, api.clock.now())
    var changed = run
    var report = RunReport(run.report)
    let deliveries = try await RunDeliveries(of: run, store)
    let start = run.startedAt ?? run.plannedAt
    for goal in plan.goals where start + goal.within <= now && report.goals[goal.event] == nil {
      var arms: [String: Proportion] = [:]
      for variant in plan.variants {
        arms[variant.key] = try await reached(
          goal, by: deliveries.sends(of: variant.key), deliveries.messages(of: variant.key), of: run
        )
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
        let times = plan.goals.filter { report.goals[$0.event] == nil }.map { start + $0.within }
        changed.dueAt = times.min() ?? max(end, now + Self.pause)
      }
    }
    _ = try await store.advance(changed, from: run, with: RunChange(), at: now)
  }
}
