import PushModel
import PushPayload
import _HTTPServer

/// `/runs`: the report, the decision and the end of one occurrence of a campaign.
enum RunRoutes {
  static let all: [Route] = [
    Route(
      "GET", "/v6/runs/:run_id", access: .app([.push, .analytics]), operation: .readRun,
      handler: { call, api in try await answer(try await run(call, api), api) }),
    Route(
      "POST", "/v6/runs/:run_id/decide", access: .app([.push]), body: "application/json",
      operation: .decideRun,
      handler: { call, api in
        let run = try await api.actions.decideRun(
          call.parameter("run_id"), try call.json(), by: call.actor)
        return try await answer(run, api)
      }),
    Route(
      "POST", "/v6/runs/:run_id/cancel", access: .app([.push]), operation: .cancelRun,
      handler: { call, api in
        let run = try await api.actions.cancelRun(call.parameter("run_id"), by: call.actor)
        return try await answer(run, api)
      }),
  ]

  static func run(_ call: KeyedRequest, _ api: Router) async throws -> CampaignRun {
    try await api.actions.run(call.parameter("run_id"), app: call.app())
  }

  private static func answer(_ run: CampaignRun, _ api: Router) async throws -> HTTPResponse {
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
