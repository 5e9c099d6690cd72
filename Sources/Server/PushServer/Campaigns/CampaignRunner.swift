import PushModel
import PushPayload
import _Bitmaps

/// Takes the due steps of campaign runs: selects their devices, decides tests, and ends them.
///
/// Every step is one transaction of the store, which changes the run only from the state in which the step began.
/// So a node that dies has taken the step completely or not at all. If two nodes take the same step, one of them
/// changes nothing.
struct CampaignRunner: Sendable {
  let planner: SendPlanner
  /// Wakes the delivery workers, after a step has accepted sends.
  let wakeDelivery: @Sendable () -> Void

  var store: any PushStore { planner.store }
  var clock: ServerClock { planner.clock }

  /// The time between two checks of a run whose sends are under way.
  static let pause = Duration.seconds(15)
  /// The longest time between two checks of a run whose messages are in inboxes.
  static let messagePause = Duration.seconds(3600)
  /// The number of runs that are read at a time.
  private static let pageSize = 64

  /// Takes the steps that are due, until the task is cancelled.
  ///
  /// `log` is called with each failure of a step, which remains due.
  func run(
    every pause: Duration = .seconds(1), log: @escaping @Sendable (String) -> Void = { _ in }
  ) async {
    while (try? await clock.sleep(pause)) != nil {
      // Other users of the store report that it is out of reach.
      try? await runDue(log: log)
    }
  }

  /// Takes one step of each run that is due.
  func runDue(log: @Sendable (String) -> Void = { _ in }) async throws {
    let runs = try await stoppingDamaged(else: [], log: log) { () async throws(StoreError) in
      try await store.dueRuns(at: clock.now(), limit: Self.pageSize)
    }
    for run in runs {
      if Task.isCancelled { return }
      do {
        try await advance(run)
      } catch {
        log("a step of the campaign \(run.campaign) failed and is tried again: \(error)")
      }
    }
    let triggers = try await stoppingDamaged(else: [], log: log) { () async throws(StoreError) in
      try await store.liveTriggers()
    }
    try await EnrollmentRunner(planner: planner, wakeDelivery: wakeDelivery)
      .runDue(of: triggers, log: log)
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
      try await store.stop(work, because: error.message, at: clock.now())
      try await goOn(after: work, log: log)
      return nothing
    }
  }

  /// Plans the next run of a recurring campaign after one that was stopped; a campaign without one ends.
  ///
  /// A campaign whose own rows are damaged has no next run. Its page says which rows.
  private func goOn(after work: DamagedWork, log: (String) -> Void) async throws(StoreError) {
    let now = clock.now()
    do throws(StoreError) {
      guard let found = try await store.campaign(ofStopped: work) else { return }
      let plan = try? CampaignPlan(stored: found.campaign.document, at: now)
      let next = plan?.next(afterRun: found.lastRun, of: found.campaign, at: now)
      try await store.goOn(found.campaign, with: next, at: now)
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
    } catch {
      guard let reason = Self.reason(toSkipAfter: error) else { throw error }
      try await skip(run, known, because: reason)
    }
  }

  /// The reason for which a run is skipped after an error; `nil` if its step may succeed the next time.
  static func reason(toSkipAfter error: any Error) -> String? {
    switch error {
    case let error as RequestError where error.isPermanent: error.message
    case let error as StoreError where error.code == .damaged: error.message
    default: nil
    }
  }

  /// Runs a body whose conflict is permanent, because the campaign refers to something that was deleted.
  ///
  /// Other conflicts of the store, such as an id that is taken, may not occur the next time.
  func referring<T>(
    _ body: () async throws(StoreError) -> T
  ) async throws -> T {
    do {
      return try await body()
    } catch let error where error.code == .conflict {
      throw RequestError(error)
    }
  }

  func plan(of run: CampaignRun) async throws -> CampaignPlan {
    let document = try await store.document(
      ofCampaign: run.campaign, version: run.version, app: run.app)
    guard let document else { throw RequestError.notFound("version of the campaign") }
    return try CampaignPlan(stored: document, at: clock.now())
  }

  /// Ends a run that cannot be sent, or lets it wait for a person if its test was already sent.
  ///
  /// A recurring campaign goes on with its next run, unless its `plan` cannot be read.
  func skip(
    _ run: CampaignRun, _ plan: CampaignPlan?, because reason: String
  ) async throws {
    var (ended, change) = (run, RunChange())
    var lifecycle = RunLifecycle(state: run.state)
    ended.reason = reason
    if lifecycle.on(.skip) {
      ended.settledAt = clock.now()
      change.next = plan?.next(after: run, at: clock.now())
    } else if lifecycle.on(.ended) {
      ended.settledAt = clock.now()
    } else {
      _ = lifecycle.on(.waitsForDecision)
    }
    (ended.state, ended.dueAt) = (lifecycle.state, nil)
    _ = try await store.advance(ended, from: run, with: change, at: clock.now())
  }
}
