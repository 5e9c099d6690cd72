import PushModel
import PushPayload

/// The runs of campaigns.
extension Actions {
  /// The run with an id.
  ///
  /// - Throws: ``RequestError`` `.notFound` if the app has no such run.
  func run(_ id: String, app: String) async throws -> CampaignRun {
    guard let run = try await store.run(id, app: app) else {
      throw RequestError.notFound("run with this id")
    }
    return run
  }

  /// Decides a test: the rest of the devices gets the `variant` of a request, or nothing if it is `null`.
  @discardableResult
  func decideRun(_ id: String, _ field: BodyValue, by actor: Actor) async throws -> CampaignRun {
    try actor.require(.approve, to: "decide a test")
    let run = try await run(id, app: try actor.ownApp())
    guard try field.object().keys.contains("variant") else {
      throw RequestError.missing(field.path(to: "variant"))
    }
    let variant = try field["variant"]?.string()
    let runner = campaignRunner
    let plan = try await runner.plan(of: run)
    guard let test = plan.test, run.state == .testing || run.state == .deciding else {
      throw RequestError(
        .conflict, "the run is \(run.state.rawValue), and only a test that is under way is decided")
    }
    guard variant.map({ key in plan.variants.contains { $0.key == key } }) ?? true else {
      let keys = plan.variants.map(\.key).joined(separator: ", ")
      throw RequestError.refused(
        field.path(to: "variant"), "must be one of \(keys), or null for none")
    }
    let comparison: VariantComparison
    do {
      comparison = try await runner.comparison(of: run, plan, test)
    } catch let error as RequestError where error.code == .conflict {
      // What a person decides needs no numbers, which may have been removed.
      comparison = VariantComparison([])
    }
    let decision = RunReport.Decision(
      variant: variant, by: actor.id,
      isSignificant: variant != nil && comparison.winner == variant,
      at: clock.now(), comparison: comparison)
    let recording = store(for: actor, "run.decide", run.id)
    guard let decided = try await runner.decide(run, by: plan, as: decision, through: recording)
    else {
      throw RequestError(
        .conflict, "the run was decided meanwhile, or its campaign is paused; read the run again")
    }
    return decided
  }

  /// Cancels a run; a recurring campaign goes on with its next day.
  func cancelRun(_ id: String, by actor: Actor) async throws -> CampaignRun {
    try actor.require(.stop, to: "cancel a run")
    let (run, now) = (try await run(id, app: try actor.ownApp()), clock.now())
    guard run.state != .canceled else { return run }
    let plan = try await campaignRunner.plan(of: run)
    guard plan.rule == nil else {
      throw RequestError(
        .conflict, "a step of a triggered campaign is not canceled alone; end the campaign")
    }
    var (canceled, change) = (run, RunChange())
    var lifecycle = RunLifecycle(state: run.state)
    guard lifecycle.on(.cancel) else {
      throw RequestError(
        .conflict,
        "the run is \(run.state.rawValue) and cannot be canceled; end the campaign to have no later run"
      )
    }
    (canceled.state, canceled.dueAt, canceled.settledAt) = (lifecycle.state, nil, now)
    if run.state == .planned { change.next = plan.next(after: run, at: now) }
    let recording = store(for: actor, "run.cancel", run.id)
    guard let stored = try await recording.advance(canceled, from: run, with: change, at: now)
    else {
      throw RequestError(
        .conflict, "the run has changed meanwhile, or its campaign is paused; read it again")
    }
    wakeDelivery()
    return stored
  }
}
