import PushPayload
import PushStore
import _HTTPServer

/// The actions of a campaign's page, apart from those that only send an event of the API.
enum CampaignActions {
  /// The reason why a button did nothing, with the field that it is about.
  struct Refusal: Error {
    var status = 422
    var problem: CampaignProblem
  }

  /// Refuses to start a version that the user has not seen, or a campaign to all devices that was not confirmed.
  static func checkStart(of campaign: Campaign, _ request: PageRequest) async throws {
    guard campaign.state == .draft else { return }
    guard request.form["version"] == String(campaign.version) else {
      throw Refusal(
        status: 409,
        problem: CampaignProblem(
          message:
            "Somebody else has changed this campaign meanwhile. It is shown as it is now; start it if it is right."
        ))
    }
    let plan = try CampaignPlan(stored: campaign.document, at: request.now)
    let review = try await CampaignReview(campaign, plan: plan, request)
    if let obstacle = review.obstacles.first {
      throw Refusal(problem: CampaignProblem(message: "It was not started: \(obstacle)"))
    }
    guard !review.isForEveryone || request.form["confirm"] == request.app.name else {
      throw Refusal(
        problem: CampaignProblem(
          message: "Type the app's name, \(request.app.name), to send to all devices.",
          field: "confirm"))
    }
  }

  /// Submits, approves or rejects the version that the page has shown.
  static func review(
    _ kind: CampaignApproval.Event.Kind, as action: String, of campaign: Campaign,
    _ request: PageRequest
  ) async throws {
    let call = request.apiCall(
      "POST", "/v6/campaigns/\(campaign.id)/\(action)", parameters: ["campaign_id": campaign.id])
    guard let version = request.form["version"].flatMap({ Int($0) }) else {
      throw RequestError(.invalid, "the version of the campaign is missing; open its page again")
    }
    _ = try await CampaignRoutes.apply(
      kind, version: version, as: action, call: call, api: request.api)
  }

  /// Sends a variant to one device or to a test audience, at once.
  static func test(
    _ campaign: Campaign, _ request: PageRequest
  ) async throws -> CampaignRoutes.TestDelivery {
    let plan = try CampaignPlan(stored: campaign.document, at: request.now)
    let parts = (request.form["variant"] ?? "").split(separator: "/", maxSplits: 1)
    guard parts.count == 2, let step = Int(parts[0]),
      let message = plan.message(step, String(parts[1]))
    else {
      throw Refusal(
        problem: CampaignProblem(message: "Choose a variant to test.", field: "variant"))
    }
    let test: TestTarget
    do {
      test = try await request.testTarget(
        request.form["test_device"] ?? "", needsPush: !plan.isInApp)
    } catch let refusal as TestTarget.Refusal {
      throw Refusal(problem: CampaignProblem(message: refusal.message, field: "test_device"))
    }
    let body: JSONValue = [
      "variant": .string(message.variant.key), "step": .integer(Int64(message.step)),
      "to": test.target,
    ]
    let key = try ComposeActions.idempotencyKey(for: body, request)
    let call = request.apiCall(
      "POST", "/v6/campaigns/\(campaign.id)/test", body: body,
      headers: key.map { [(name: "Idempotency-Key", value: $0.text)] } ?? [])
    return try await CampaignRoutes.deliver(
      message.variant, titled: message.title, of: campaign, to: test, for: call, request.api)
  }

  /// Sends the chosen variant, or nothing, to the rest of the devices.
  static func decide(_ campaign: Campaign, _ request: PageRequest) async throws {
    guard let choice = request.form["variant"] else {
      throw Refusal(
        problem: CampaignProblem(
          message: "Choose what the rest of the devices gets.", field: "decide"))
    }
    // The page shows the rates of this run. Another run may have begun meanwhile.
    guard let run = try await request.api.store.run(request.form["run"] ?? "", app: campaign.app),
      run.campaign == campaign.id
    else { throw RequestError.notFound("run of this campaign") }
    let variant: JSONValue = choice == CampaignPages.noVariant ? .null : .string(choice)
    let call = request.apiCall(
      "POST", "/v6/runs/\(run.id)/decide", body: ["variant": variant],
      parameters: ["run_id": run.id])
    _ = try await RunRoutes.decide(call, request.api)
  }
}
