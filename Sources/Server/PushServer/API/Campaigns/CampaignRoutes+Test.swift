import PushModel
import PushPayload
import _HTTPServer

/// Tests of a campaign's variants, which reach only test devices.
extension CampaignRoutes {
  /// Sends a variant to some devices or to a test audience, at once.
  static func test(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let (campaign, now) = (try await campaign(call, router), router.clock.now())
    let body = try call.json()
    let plan = try CampaignPlan(stored: campaign.document, at: now)
    let message = try message(body, of: plan)
    let target = try await target(
      try body.required("to"), of: campaign, at: now, needsPush: !plan.isInApp, router)
    switch try await router.actions.sendTest(
      of: message, in: campaign, to: target, repeating: try call.idempotencyKey(), by: call.actor)
    {
    case .push(let send): return .json(status: 201, .object(send.creationMembers))
    case .message(let message):
      return .json(status: 201, ["message": .object(message.members)])
    }
  }

  /// The message that a request names by its step and variant, with the variant's title.
  private static func message(
    _ body: BodyValue, of plan: CampaignPlan
  ) throws(RequestError) -> CampaignPlan.Message {
    let step = Int(
      try body["step"]?.integer(in: 1...Int64(CampaignPlan.stepLimit)) ?? 1)
    guard plan.steps.indices.contains(step - 1) else {
      throw .refused(
        body.path(to: "step"), "is none of the campaign, which has \(plan.steps.count)")
    }
    let variant = try variant(body, among: plan.steps[step - 1].variants)
    return CampaignPlan.Message(step: step, variant: variant, title: variant.title)
  }

  private static func variant(
    _ body: BodyValue, among variants: [CampaignPlan.Variant]
  ) throws(RequestError) -> CampaignPlan.Variant {
    guard let key = body["variant"] else {
      guard variants.count == 1 else { throw .missing(body.path(to: "variant")) }
      return variants[0]
    }
    let text = try key.string()
    guard let variant = variants.first(where: { $0.key == text }) else {
      throw .refused(
        key.path, "must be one of \(variants.map(\.key).joined(separator: ", "))")
    }
    return variant
  }

  private static func target(
    _ field: BodyValue, of campaign: Campaign, at now: Timestamp, needsPush: Bool, _ router: Router
  ) async throws -> TestTarget {
    guard field.value.array != nil else {
      return try await TestTarget(
        field.string(), app: campaign.app, at: now, needsPush: needsPush, router.actions)
    }
    let elements = try field.elements(upTo: TestTarget.deviceLimit, of: "devices")
    let ids = try elements.map { element throws(RequestError) in try element.string() }
    guard !ids.isEmpty else { throw RequestError.refused(field.path, "must name a device") }
    return try await TestTarget(
      devices: ids, app: campaign.app, at: now, needsPush: needsPush, router.actions)
  }
}
