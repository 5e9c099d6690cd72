import PushPayload
import PushStore
import _HTTPServer

/// `/runs`: the report, the decision and the end of one occurrence of a campaign.
enum RunRoutes {
  static let all: [Route] = [
    Route(
      "GET", "/v6/runs/:run_id", access: .app([.push, .analytics]), operation: .readRun,
      handler: { call, api in try await answer(try await run(call, api), api) }),
    Route(
      "POST", "/v6/runs/:run_id/decide", access: .app([.push]), body: "application/json",
      operation: .decideRun, handler: decide),
    Route(
      "POST", "/v6/runs/:run_id/cancel", access: .app([.push]), operation: .cancelRun,
      handler: cancel),
  ]

  static func run(_ call: Call, _ api: API) async throws -> CampaignRun {
    guard let run = try await api.store.run(call.parameter("run_id"), app: call.app()) else {
      throw RequestError.notFound("run with this id")
    }
    return run
  }

  private static func answer(_ run: CampaignRun, _ api: API) async throws -> HTTPResponse {
    let plan = try await api.actions.campaignRunner.plan(of: run)
    // A step has a notification for every few seconds. The report of the campaign sums them up.
    guard plan.rule == nil else {
      throw RequestError(
        .conflict,
        "the run is a step of a triggered campaign; read /campaigns/\(run.campaign)/report")
    }
    let deliveries = try await RunDeliveries(of: run, api.store)
    return .json(["run": RunResults(run: run, plan: plan, deliveries: deliveries).json])
  }

  static func decide(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let run = try await run(call, api)
    let field = try call.json()
    guard try field.object().keys.contains("variant") else {
      throw RequestError.missing(field.path(to: "variant"))
    }
    let variant = try field["variant"]?.string()
    let runner = api.actions.campaignRunner
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
    let comparison = try await runner.comparison(of: run, plan, test)
    let decision = RunReport.Decision(
      variant: variant, by: call.key?.id ?? "",
      isSignificant: variant != nil && comparison.winner == variant,
      at: api.clock.now(), comparison: comparison)
    let store = api.actions.store(for: call.actor, "run.decide", run.id)
    guard let decided = try await runner.decide(run, by: plan, as: decision, through: store) else {
      throw RequestError(
        .conflict, "the run was decided meanwhile, or its campaign is paused; read the run again")
    }
    return try await answer(decided, api)
  }

  private static func cancel(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (run, now) = (try await run(call, api), api.clock.now())
    var (canceled, change) = (run, RunChange())
    var lifecycle = RunLifecycle(state: run.state)
    guard run.state != .canceled else { return try await answer(run, api) }
    let plan = try await api.actions.campaignRunner.plan(of: run)
    guard plan.rule == nil else {
      throw RequestError(
        .conflict, "a step of a triggered campaign is not canceled alone; end the campaign")
    }
    guard lifecycle.on(.cancel) else {
      throw RequestError(
        .conflict,
        "the run is \(run.state.rawValue) and cannot be canceled; end the campaign to have no later run"
      )
    }
    (canceled.state, canceled.dueAt, canceled.settledAt) = (lifecycle.state, nil, now)
    if run.state == .planned { change.next = plan.next(after: run, at: now) }
    let store = api.actions.store(for: call.actor, "run.cancel", run.id)
    guard let stored = try await store.advance(canceled, from: run, with: change, at: now)
    else {
      throw RequestError(
        .conflict, "the run has changed meanwhile, or its campaign is paused; read it again")
    }
    api.wakeDelivery()
    return try await answer(stored, api)
  }
}

extension CampaignRun {
  /// The run in a list.
  var members: [String: JSONValue] {
    [
      "id": .string(id), "campaign": .string(campaign), "number": .integer(Int64(number)),
      "version": .integer(Int64(version)), "state": .string(state.rawValue),
      "day": .optional(RunReport(report).day?.text),
      "planned_at": .string(plannedAt.iso8601), "started_at": .optional(startedAt?.iso8601),
      "settled_at": .optional(settledAt?.iso8601), "reason": .optional(reason),
    ]
  }
}
