import PushModel
import PushPayload
import _HTTPServer

/// The pages of campaigns: the list, one campaign from its review to its end, and its report.
enum CampaignPages {
  static let path = "/campaigns"
  /// The choice of sending nothing to the rest, which is not the key of any variant.
  static let noVariant = "-none-"

  static let all: [Route] = [
    .page("GET", .sends, at: path, handler: list),
    .page("GET", .sends, at: path + "/:campaign", handler: show),
    .page("GET", .sends, at: path + "/:campaign/variants/:variant/card.png", handler: card),
    .page("POST", .sends, at: path + "/:campaign", handler: control),
    .page("GET", .reports, at: path + "/:campaign", handler: report),
  ]

  private static let pageSize = 50

  static func path(of campaign: Campaign, _ request: PageRequest) -> String {
    "\(request.path(.sends))\(path)/\(campaign.id)"
  }

  static func campaign(_ request: PageRequest) async throws -> Campaign {
    try await request.actions.campaign(
      request.call.parameter("campaign"), app: request.app.id)
  }

  private static func list(_ request: PageRequest) async throws -> HTTPResponse {
    let after = request.call.query("after")
    if let after, try await request.router.store.campaign(after, app: request.app.id) == nil {
      return .seeOther(request.path(.sends) + path)
    }
    let search = ListSearch.campaigns(request)
    let page = try await request.router.store.campaigns(
      app: request.app.id, matching: CampaignQuery(search), after: after, limit: pageSize)
    let view = CampaignList(
      request: request, page: page, search: search, isFirst: after == nil,
      numbers: try await CampaignNumbers(of: page.elements, request))
    return WebPage(title: "Campaigns", section: .sends, main: view.html).response(for: request)
  }

  // MARK: One campaign

  private static func show(_ request: PageRequest) async throws -> HTTPResponse {
    try await page(try await campaign(request), request)
  }

  static func page(
    _ campaign: Campaign, _ request: PageRequest, status: Int = 200,
    problem: CampaignProblem? = nil
  ) async throws -> HTTPResponse {
    let (store, plan) = (
      request.router.store, try CampaignPlan(stored: campaign.document, at: request.now)
    )
    var view = CampaignView(request: request, campaign: campaign, plan: plan, problem: problem)
    if campaign.state == .draft {
      do {
        view.review = CampaignReviewView(
          request: request, campaign: campaign, plan: plan,
          review: try await CampaignReview(campaign, plan: plan, request),
          testProblem: problem?.field == TestTarget.field ? problem?.message : nil,
          isNameWrong: problem?.field == "confirm")
      } catch let error as RequestError where error.isPermanent {
        view.problem = problem ?? CampaignProblem(message: words(error))
      } catch let error as StoreError where error.code == .conflict {
        view.problem = problem ?? CampaignProblem(message: words(RequestError(error)))
      }
    } else if plan.rule != nil {
      view.people =
        EnrollmentReportView(
          report: try await EnrollmentReport(
            of: campaign, at: request.now, request.router.store), plan: plan,
          audience: try await plan.entryAudience(request)
        ).html
    } else {
      let runs = try await runs(of: campaign, request)
      view.report = try await report(of: runs, plan, request)
      view.days = plan.schedule.flatMap { _ in CampaignDays(request: request, runs: runs).html }
    }
    if campaign.state != .draft {
      for message in plan.messages {
        view.inboxes.append(try await CampaignMessage.preview(message.variant.message, request))
      }
    }
    if let id = request.call.query("published") {
      view.testMessage = try await store.message(id, app: campaign.app)
    }
    if let id = request.call.query("tested") {
      view.test = try await store.send(id, app: campaign.app)
    }
    let response = WebPage(title: campaign.name, section: .sends, main: view.html)
      .response(status: status, for: request)
    return request.http.method == "POST" ? response.keptForBack : response
  }

  /// The message for an audience that was deleted or can no longer be selected.
  private static func words(_ error: RequestError) -> String {
    error.code == .notFound
      ? "The campaign cannot be started: an audience or a send that it names has been deleted. Edit it."
      : "The campaign cannot be started: \(error.message)"
  }

  /// The last runs of a campaign, the newest first.
  static func runs(of campaign: Campaign, _ request: PageRequest) async throws -> [CampaignRun] {
    try await request.router.store.runs(
      ofCampaign: campaign.id, app: campaign.app, limit: CampaignDays.limit)
  }

  /// The report of the run that the page shows; `nil` if the campaign has no run yet.
  private static func report(
    of runs: [CampaignRun], _ plan: CampaignPlan, _ request: PageRequest
  ) async throws -> CampaignReport? {
    let store = request.router.store
    guard let run = CampaignDays.shown(of: runs) else { return nil }
    var report = CampaignReport(
      request: request, plan: plan,
      results: RunResults(
        run: run, plan: plan, deliveries: try await RunDeliveries(of: run, store)))
    if let decision = RunReport(run.report).decision, decision.by != "clock" {
      let keys = try await store.keys(app: run.app) + store.keys(app: nil)
      report.decider = keys.first { $0.id == decision.by }
      report.decidingPerson = try await store.account(decision.by)?.displayName
    }
    return report
  }

  private static func report(_ request: PageRequest) async throws -> HTTPResponse {
    let campaign = try await campaign(request)
    let plan = try CampaignPlan(stored: campaign.document, at: request.now)
    var view = CampaignReportView(request: request, campaign: campaign, plan: plan)
    if plan.rule != nil {
      view.people =
        EnrollmentReportView(
          report: try await EnrollmentReport(
            of: campaign, at: request.now, request.router.store), plan: plan,
          audience: try await plan.entryAudience(request)
        ).html
    } else {
      view.report = try await report(of: try await runs(of: campaign, request), plan, request)
    }
    return WebPage(title: "Report: \(campaign.name)", section: .reports, main: view.html)
      .response(for: request)
  }

  /// A variant as it looks on a device without attributes.
  private static func card(_ request: PageRequest) async throws -> HTTPResponse {
    let campaign = try await campaign(request)
    let plan = try CampaignPlan(stored: campaign.document, at: request.now)
    let key = request.call.parameter("variant")
    let step = request.call.query("step").flatMap { Int($0) } ?? 1
    guard let payload = plan.message(step, key)?.variant.payload else {
      throw RequestError.notFound("push of a variant with this key")
    }
    // The page's URL names the version, so that an edited draft gets another picture.
    return try await request.card(
      of: payload.value, id: campaign.id, at: campaign.updatedAt,
      isCacheable: request.call.query("version") == String(campaign.version))
  }
}
