import PushPayload
import PushStore
import _HTTPServer

/// The pages of campaigns: the list, and one campaign with the report of its last run.
///
/// A campaign is written over the API; here it is started, watched, decided and ended.
enum CampaignPages {
  static let path = "/campaigns"

  static let all: [Route] = [
    .page("GET", .sends, at: path, handler: list),
    .page("GET", .sends, at: path + "/:campaign", handler: show),
    .page("POST", .sends, at: path + "/:campaign", handler: control),
  ]

  private static let pageSize = 50

  private static func list(_ request: PageRequest) async throws -> HTTPResponse {
    let text = String((request.call.query("q") ?? "").prefix(Call.queryLimit))
    let after = request.call.query("after")
    if let after, try await request.api.store.campaign(after, app: request.app.id) == nil {
      return .seeOther(request.path(.sends) + path)
    }
    let page = try await request.api.store.campaigns(
      app: request.app.id, matching: CampaignQuery(text), after: after, limit: pageSize)
    let view = CampaignList(request: request, page: page, search: text, isFirst: after == nil)
    return WebPage(title: "Campaigns", section: .sends, main: view.html).response(for: request)
  }

  private static func show(_ request: PageRequest) async throws -> HTTPResponse {
    try await self.page(try await campaign(request), request)
  }

  private static func page(
    _ campaign: Campaign, _ request: PageRequest, status: Int = 200, problem: String? = nil
  ) async throws -> HTTPResponse {
    let (store, app) = (request.api.store, request.app.id)
    let plan = try CampaignPlan(stored: campaign.document, at: request.now)
    let run = try await store.runs(ofCampaign: campaign.id, app: app, limit: 1).first
    var report: RunAnswer?
    if let run {
      report = RunAnswer(
        run: run, plan: plan, sends: try await store.sends(ofRun: run.id, app: app))
    }
    let view = CampaignView(
      request: request, campaign: campaign, plan: plan, report: report, problem: problem)
    return WebPage(title: campaign.name, section: .sends, main: view.html)
      .response(status: status, for: request)
  }

  /// Does what a button says by the handler of the API, and shows the campaign.
  private static func control(_ request: PageRequest) async throws -> HTTPResponse {
    let campaign = try await campaign(request)
    let action = request.form["action"] ?? ""
    do {
      if action == "decide" {
        let run = try await request.api.store.runs(
          ofCampaign: campaign.id, app: campaign.app, limit: 1
        ).first
        let body: JSONValue = ["variant": .optional(request.form["variant"])]
        let call = request.apiCall(
          "POST", "/v6/runs/\(run?.id ?? "")/decide", body: body,
          parameters: ["run_id": run?.id ?? ""])
        _ = try await RunRoutes.decide(call, request.api)
      } else {
        let call = request.apiCall(
          "POST", "/v6/campaigns/\(campaign.id)/\(action)",
          parameters: ["campaign_id": campaign.id])
        guard try await CampaignRoutes.perform(action, call: call, api: request.api) != nil else {
          throw APIError(422, "unknown action; a campaign can be started, paused, resumed or ended")
        }
      }
      return .seeOther("\(request.path(.sends))\(path)/\(campaign.id)")
    } catch let error as APIError {
      return try await page(
        try await self.campaign(request), request, status: error.status, problem: error.message)
    } catch let error as StoreError where error.code == .conflict {
      // Another user acted meanwhile.
      return try await page(
        try await self.campaign(request), request, status: 409, problem: error.message)
    }
  }

  private static func campaign(_ request: PageRequest) async throws -> Campaign {
    let id = request.call.parameter("campaign")
    guard let campaign = try await request.api.store.campaign(id, app: request.app.id) else {
      throw APIError.notFound("campaign with this id")
    }
    return campaign
  }
}
