import PushModel
import PushPayload
import _HTTPServer

/// The buttons of a campaign's page.
extension CampaignPages {
  /// Performs the action of a button, and shows the campaign.
  static func control(_ request: PageRequest) async throws -> HTTPResponse {
    let campaign = try await campaign(request)
    do {
      return .seeOther(try await perform(request.form["action"] ?? "", on: campaign, request))
    } catch let error as RequestError {
      return try await page(
        try await self.campaign(request), request, status: error.status,
        problem: CampaignProblem(message: error.message, field: error.path))
    } catch let error as StoreError where error.code == .conflict {
      // Another user acted meanwhile.
      return try await page(
        try await self.campaign(request), request, status: 409,
        problem: CampaignProblem(message: error.message))
    }
  }

  /// Performs the action of a button, and returns the path of the page that is shown then.
  private static func perform(
    _ action: String, on campaign: Campaign, _ request: PageRequest
  ) async throws -> String {
    let (actions, actor, id) = (request.actions, request.actor, campaign.id)
    let page = path(of: campaign, request)
    switch action {
    case "start":
      try await checkStart(of: campaign, request)
      try await actions.startCampaign(id, version: campaign.version, by: actor)
    case "pause": try await actions.pauseCampaign(id, by: actor)
    case "resume": try await actions.resumeCampaign(id, by: actor)
    case "end": try await actions.endCampaign(id, by: actor)
    case "discard":
      try await actions.discardCampaign(id, by: actor)
      return request.path(.sends) + path
    case "submit":
      try await actions.submitCampaign(id, version: try version(request), by: actor)
    case "approve":
      try await actions.approveCampaign(id, version: try version(request), by: actor)
    case "reject":
      let note = request.form["note"].map {
        DisplayText.beginning(of: $0, upTo: CampaignApproval.noteLimit)
      }
      try await actions.rejectCampaign(id, version: try version(request), note: note, by: actor)
    case "decide": try await decide(campaign, request)
    case "test":
      switch try await test(campaign, request) {
      case .push(let send): return page + "?tested=\(send.id)"
      case .message(let message): return page + "?published=\(message.id)"
      }
    case "duplicate":
      let copy = try await actions.duplicateCampaign(id, by: actor)
      return path(of: copy, request) + (copy.canBeEdited ? "/edit" : "")
    default:
      throw RequestError(
        .invalid,
        "unknown action; a campaign can be started, paused, resumed, ended or discarded")
    }
    return page
  }

  /// The version that the page has shown.
  private static func version(_ request: PageRequest) throws(RequestError) -> Int {
    guard let version = request.form["version"].flatMap({ Int($0) }) else {
      throw RequestError(.invalid, "the version of the campaign is missing; open its page again")
    }
    return version
  }

  /// Refuses to start a version that the user has not seen, or a campaign to all devices that was not confirmed.
  private static func checkStart(of campaign: Campaign, _ request: PageRequest) async throws {
    guard campaign.state == .draft else { return }
    guard request.form["version"] == String(campaign.version) else {
      throw RequestError(
        .conflict,
        "Somebody else has changed this campaign meanwhile. It is shown as it is now; start it if it is right."
      )
    }
    let plan = try CampaignPlan(stored: campaign.document, at: request.now)
    let review = try await CampaignReview(campaign, plan: plan, request)
    if let obstacle = review.obstacles.first {
      throw RequestError(.invalid, "It was not started: \(obstacle)")
    }
    guard !review.isForEveryone || request.form["confirm"] == request.app.name else {
      throw RequestError(
        .invalid, "Type the app's name, \(request.app.name), to send to all devices.",
        at: "confirm")
    }
  }

  /// Sends a variant to one device or to a test audience, at once.
  private static func test(
    _ campaign: Campaign, _ request: PageRequest
  ) async throws -> TestDelivery {
    let plan = try CampaignPlan(stored: campaign.document, at: request.now)
    let parts = (request.form["variant"] ?? "").split(separator: "/", maxSplits: 1)
    guard parts.count == 2, let step = Int(parts[0]),
      let message = plan.message(step, String(parts[1]))
    else {
      throw RequestError(.invalid, "Choose a variant to test.", at: "variant")
    }
    do {
      let test = try await TestTarget(
        request.form[TestTarget.field] ?? "", app: campaign.app, at: request.now,
        needsPush: !plan.isInApp, request.actions)
      let body: JSONValue = [
        "variant": .string(message.variant.key), "step": .integer(Int64(message.step)),
        "to": test.target, "campaign": .string(campaign.id),
      ]
      return try await request.actions.sendTest(
        of: message, in: campaign, to: test,
        repeating: try ComposeActions.idempotencyKey(for: body, request), by: request.actor)
    } catch let refusal as RequestError where refusal.path == TestTarget.field {
      throw RequestError(.invalid, refusal.message, at: TestTarget.field)
    }
  }

  /// Sends the chosen variant, or nothing, to the rest of the devices.
  private static func decide(_ campaign: Campaign, _ request: PageRequest) async throws {
    guard let choice = request.form["variant"] else {
      throw RequestError(.invalid, "Choose what the rest of the devices gets.", at: "decide")
    }
    // The page shows the rates of this run. Another run may have begun meanwhile.
    guard
      let run = try await request.router.store.run(request.form["run"] ?? "", app: campaign.app),
      run.campaign == campaign.id
    else { throw RequestError.notFound("run of this campaign") }
    let variant: JSONValue = choice == noVariant ? .null : .string(choice)
    try await request.actions.decideRun(
      run.id, BodyValue(["variant": variant]), by: request.actor)
  }
}
