import PushModel
import PushPayload
import _Bitmaps

extension CampaignRunner {
  func decideByClock(_ run: CampaignRun, _ plan: CampaignPlan) async throws {
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
      _ = try await store.advance(
        changed, from: run, with: RunChange(), at: clock.now())
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
      at: clock.now(), comparison: comparison)
    _ = try await decide(run, by: plan, as: decision, through: store)
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
    let now = clock.now()
    var (decided, change) = (run, RunChange())
    var report = RunReport(run.report)
    var lifecycle = RunLifecycle(state: run.state)
    guard lifecycle.on(.decided),
      let campaign = try await store.campaign(run.campaign, app: run.app)
    else { return nil }
    if let variant = plan.variants.first(where: { $0.key == decision.variant }) {
      let everyone = Audience(id: "", app: run.app, filters: [], createdAt: now)
      let reached = try await planner.devices(of: everyone, for: plan, at: now)
      let rest = try await store.devices(.rest, ofRun: run.id, app: run.app)
      let audience = try await testAudience(of: run, plan, at: now)
      change.audience = audience
      let limits = try await store.limits(app: run.app)
      let devices = DeviceNumbers(rest.bitmap & reached.bitmap)
      let capped = try await capped(devices, of: plan, by: limits, app: run.app, at: now)
      let newQuiet = try await deliver(
        variant, of: run, campaign: campaign, plan: plan, phase: .rollout, to: audience,
        devices: DeviceNumbers(devices.bitmap.subtracting(capped.bitmap)), share: 1,
        limits: limits, at: now, in: &change)
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
    if stored != nil { wakeDelivery() }
    return stored
  }

  /// The audience of a run's test.
  ///
  /// If it was deleted, an audience without devices takes its place, so that a target that names it selects nobody.
  private func testAudience(
    of run: CampaignRun, _ plan: CampaignPlan, at now: Timestamp
  ) async throws -> Audience {
    let id = try await RunDeliveries(of: run, store).audience
    var nobody = Audience(
      id: id ?? Identifiers.makeObjectID(), app: run.app, filters: [], createdAt: now)
    nobody.except = [.filters([])]
    if let id { return try await store.audience(id, app: run.app) ?? nobody }
    // A test whose samples were empty has published nothing.
    do {
      return try await plan.target.audience(app: run.app, at: now, store)
    } catch let error as RequestError where error.code == .notFound {
      return nobody
    }
  }

  /// The comparison of a test's variants, by the metric that decides it.
  func comparison(
    of run: CampaignRun, _ plan: CampaignPlan, _ test: CampaignPlan.Test
  ) async throws -> VariantComparison {
    let deliveries = try await RunDeliveries(of: run, store)
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
}
