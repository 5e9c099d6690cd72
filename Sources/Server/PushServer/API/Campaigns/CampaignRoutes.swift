import PushModel
import PushPayload
import _HTTPServer
import _OpenSSLCrypto

/// `/campaigns`: messages in variants, from a draft to their end.
enum CampaignRoutes {
  static let all: [Route] = [
    Route(
      "GET", "/v6/campaigns", access: .app([.push]), operation: .listCampaigns, handler: list),
    Route(
      "POST", "/v6/campaigns", access: .app([.push]), body: "application/json",
      operation: .createCampaign,
      handler: changing(status: 201) {
        try await $0.createCampaign(
          try $2.json().required("campaign"), repeating: try $2.idempotencyKey(), by: $2.actor)
      }),
    Route(
      "POST", "/v6/campaigns/:campaign_id/test", access: .app([.push]), body: "application/json",
      operation: .testCampaign, handler: test),
    Route(
      "POST", "/v6/campaigns/:campaign_id/submit", access: .app([.push]),
      operation: .submitCampaign,
      handler: changing { try await $0.submitCampaign($1, by: $2.actor) }),
    Route(
      "POST", "/v6/campaigns/:campaign_id/approve", access: .app([.push]),
      body: "application/json", operation: .approveCampaign,
      handler: changing {
        try await $0.approveCampaign($1, version: try version($2.json()), by: $2.actor)
      }),
    Route(
      "POST", "/v6/campaigns/:campaign_id/reject", access: .app([.push]),
      body: "application/json", operation: .rejectCampaign,
      handler: changing {
        let body = try $2.json()
        return try await $0.rejectCampaign(
          $1, version: try version(body), note: try note(body), by: $2.actor)
      }),
    Route(
      "GET", "/v6/campaigns/:campaign_id", access: .app([.push]), operation: .readCampaign,
      handler: { call, router in .json(["campaign": try await campaign(call, router).answer]) }),
    Route(
      "PUT", "/v6/campaigns/:campaign_id", access: .app([.push]), body: "application/json",
      operation: .updateCampaign,
      handler: changing {
        try await $0.updateCampaign($1, to: try $2.json().required("campaign"), by: $2.actor)
      }),
    Route(
      "DELETE", "/v6/campaigns/:campaign_id", access: .app([.push]),
      operation: .discardCampaign,
      handler: changing { try await $0.discardCampaign($1, by: $2.actor) }),
    Route(
      "POST", "/v6/campaigns/:campaign_id/preview", access: .app([.push]),
      operation: .previewCampaign, handler: preview),
    Route(
      "POST", "/v6/campaigns/:campaign_id/start", access: .app([.push]),
      operation: .startCampaign,
      handler: changing { try await $0.startCampaign($1, by: $2.actor) }),
    Route(
      "POST", "/v6/campaigns/:campaign_id/pause", access: .app([.push]),
      operation: .pauseCampaign,
      handler: changing { try await $0.pauseCampaign($1, by: $2.actor) }),
    Route(
      "POST", "/v6/campaigns/:campaign_id/resume", access: .app([.push]),
      operation: .resumeCampaign,
      handler: changing { try await $0.resumeCampaign($1, by: $2.actor) }),
    Route(
      "POST", "/v6/campaigns/:campaign_id/end", access: .app([.push]),
      operation: .endCampaign,
      handler: changing { try await $0.endCampaign($1, by: $2.actor) }),
    Route(
      "POST", "/v6/campaigns/:campaign_id/duplicate", access: .app([.push]),
      operation: .duplicateCampaign,
      handler: changing(status: 201) { try await $0.duplicateCampaign($1, by: $2.actor) }),
    Route(
      "POST", "/v6/campaigns/:campaign_id/trigger", access: .app([.push]),
      body: "application/json", operation: .triggerCampaign, handler: trigger),
    Route(
      "GET", "/v6/campaigns/:campaign_id/report", access: .app([.push, .analytics]),
      operation: .readCampaignReport, handler: report),
    Route(
      "GET", "/v6/campaigns/:campaign_id/explanations/:device_id", access: .app([.push]),
      operation: .readCampaignExplanation, handler: explanation),
    Route(
      "GET", "/v6/campaigns/:campaign_id/runs", access: .app([.push, .analytics]),
      operation: .listRuns, handler: runs),
  ]

  // MARK: Changes

  /// Makes the handler of a route that changes a campaign, or makes one, and answers with it.
  ///
  /// `change` takes the id in the path, which is empty for a new campaign.
  private static func changing(
    status: Int = 200,
    _ change: @escaping @Sendable (Actions, String, KeyedRequest) async throws -> Campaign
  ) -> Route.Handler {
    { call, router in
      let campaign = try await change(router.actions, call.parameter("campaign_id"), call)
      return .json(status: status, ["campaign": campaign.answer])
    }
  }

  /// The version of the draft that the caller has read, and that the decision is about.
  private static func version(_ body: BodyValue) throws(RequestError) -> Int {
    Int(try body.required("version").integer(in: 1...Int64(Int32.max)))
  }

  /// The reason for a rejection.
  private static func note(_ body: BodyValue) throws(RequestError) -> String? {
    guard let field = body["note"] else { return nil }
    let note = try field.string()
    guard note.unicodeScalars.count <= CampaignApproval.noteLimit else {
      throw .refused(field.path, "must be at most \(CampaignApproval.noteLimit) characters")
    }
    return note
  }

  private static let pageSize = 50
  private static let runLimit = 100

  // MARK: Reading

  private static func list(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let (app, now) = (try call.app(), router.clock.now())
    let query = CampaignQuery(
      try call.searchText(), label: call.label,
      state: try call.state(as: CampaignLifecycle.State.self))
    let mark = [query.text, query.label ?? "", query.state?.rawValue ?? ""].joined(separator: "\n")
    let list =
      "campaigns-\(app)-"
      + Identifiers.hex(Array(OpenSSLCrypto.sha256(Array(mark.utf8)).prefix(8)))
    let last = try call.cursor(of: list, at: now)?.position
    let page = try await router.store.campaigns(
      app: app, matching: query, after: last, limit: pageSize)
    return .json([
      "campaigns": .array(page.elements.map(\.listed)),
      "meta": [
        "cursor": Cursor.next(page.cursor, of: list, at: now), "total": .integer(Int64(page.total)),
      ],
    ])
  }

  private static func runs(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let (campaign, now) = (try await campaign(call, router), router.clock.now())
    let list = "runs-\(campaign.id)"
    let last = try call.cursor(of: list, at: now)?.position
    let runs = try await router.store.runs(
      ofCampaign: campaign.id, app: campaign.app, before: last.flatMap { Int($0) },
      limit: runLimit + 1)
    let page = runs.prefix(runLimit)
    let position = runs.count > runLimit ? page.last.map { String($0.number) } : nil
    return .json([
      "runs": .array(page.map { .object($0.members) }),
      "meta": ["cursor": Cursor.next(position, of: list, at: now)],
    ])
  }

  static func campaign(_ call: KeyedRequest, _ router: Router) async throws -> Campaign {
    try await router.actions.campaign(call.parameter("campaign_id"), app: call.app())
  }
}
