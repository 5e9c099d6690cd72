import PushModel
import PushPayload
import _HTTPServer

/// `/runs`: the report, the decision and the end of one occurrence of a campaign.
enum RunRoutes {
  static let all: [Route] = [
    Route(
      "GET", "/v6/runs/:run_id", access: .app([.push, .analytics]), operation: .readRun,
      handler: { call, router in try await answer(try await run(call, router), router) }),
    Route(
      "POST", "/v6/runs/:run_id/decide", access: .app([.push]), body: "application/json",
      operation: .decideRun,
      handler: { call, router in
        let run = try await router.actions.decideRun(
          call.parameter("run_id"), try call.json(), by: call.actor)
        return try await answer(run, router)
      }),
    Route(
      "POST", "/v6/runs/:run_id/cancel", access: .app([.push]), operation: .cancelRun,
      handler: { call, router in
        let run = try await router.actions.cancelRun(call.parameter("run_id"), by: call.actor)
        return try await answer(run, router)
      }),
  ]

  static func run(_ call: KeyedRequest, _ router: Router) async throws -> CampaignRun {
    try await router.actions.run(call.parameter("run_id"), app: call.app())
  }

  private static func answer(_ run: CampaignRun, _ router: Router) async throws -> HTTPResponse {
    let plan = try await router.actions.campaignRunner.plan(of: run)
    // A step has a notification for every few seconds. The report of the campaign sums them up.
    guard plan.rule == nil else {
      throw RequestError(
        .conflict,
        "the run is a step of a triggered campaign; read /campaigns/\(run.campaign)/report")
    }
    let deliveries = try await RunDeliveries(of: run, router.store)
    return .json(["run": RunResults(run: run, plan: plan, deliveries: deliveries).json])
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
