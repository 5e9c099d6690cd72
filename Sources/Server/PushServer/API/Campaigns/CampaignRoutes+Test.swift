import PushPayload
import PushStore
import _HTTPServer

/// Tests of a campaign's variants, which reach only test devices.
extension CampaignRoutes {
  /// The notification or the in-app message of a test.
  enum TestDelivery: Sendable {
    case push(Send)
    case message(Message)
  }

  /// Sends a variant to some devices or to a test audience, at once.
  static func test(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (campaign, now) = (try await campaign(call, api), api.clock.now())
    let body = try call.json()
    let plan = try CampaignPlan(stored: campaign.document, at: now)
    let variant = try variant(body, of: plan)
    let test: TestTarget
    do {
      test = try await target(
        try body.required("to"), of: campaign, at: now, needsPush: !plan.isInApp, api)
      try await api.actions.count(test, app: campaign.app, by: try call.actor.id, maySend: true)
    } catch let refusal as TestTarget.Refusal {
      throw refusal.requestError
    }
    let delivery = try await deliver(
      variant, titled: variant.title, of: campaign, to: test, for: call, api)
    switch delivery {
    case .push(let send): return .json(status: 201, .object(send.creationMembers))
    case .message(let message):
      return .json(status: 201, ["message": .object(message.members)])
    }
  }

  /// Sends a test of a variant, under the campaign's name and without its limits.
  ///
  /// Inboxes show an in-app message of a test as long as one of the campaign.
  static func deliver(
    _ variant: CampaignPlan.Variant, titled title: String, of campaign: Campaign,
    to test: TestTarget, for call: Call, _ api: API
  ) async throws -> TestDelivery {
    let now = api.clock.now()
    let payload: BodyValue
    switch variant.content {
    case .message(let message):
      return .message(try await publish(message, to: test.audience, for: call, api))
    case .push(let content, _): payload = content
    }
    try payload.judged(at: now, isForced: variant.isForced)
    var send = Send(
      id: Identifiers.makeObjectID(), messageID: Identifiers.makeObjectID(), app: campaign.app,
      audience: test.audience.id, payload: payload.value, createdAt: now)
    send.name = String(
      "Test of \(campaign.name), \(title)".prefix(SendNaming.nameLimit))
    return .push(
      try await api.actions.accept(
        send, to: test.audience, isTest: true, repeating: try call.idempotencyKey(),
        by: call.actor))
  }

  private static func publish(
    _ message: CampaignMessage, to audience: Audience, for call: Call, _ api: API
  ) async throws -> Message {
    let (now, key) = (api.clock.now(), try call.idempotencyKey())
    let id =
      key.map { Identifiers.message(madeBy: $0.text, in: audience.app) }
      ?? Identifiers.makeObjectID()
    if try await api.store.audience(audience.id, app: audience.app) == nil {
      try await api.store.save(audience)
    }
    return try await api.actions.addMessage(
      message.message(in: audience.app, for: audience, id: id, at: now),
      for: try await api.audiences.members(of: audience, at: now), isRepeatable: key != nil,
      by: call.actor)
  }

  private static func variant(
    _ body: BodyValue, of plan: CampaignPlan
  ) throws(RequestError) -> CampaignPlan.Variant {
    let step = Int(
      try body["step"]?.integer(in: 1...Int64(CampaignPlan.stepLimit)) ?? 1)
    guard plan.steps.indices.contains(step - 1) else {
      throw .refused(
        body.path(to: "step"), "is none of the campaign, which has \(plan.steps.count)")
    }
    let variants = plan.steps[step - 1].variants
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
    _ field: BodyValue, of campaign: Campaign, at now: Timestamp, needsPush: Bool, _ api: API
  ) async throws -> TestTarget {
    guard field.value.array != nil else {
      return try await TestTarget(
        field.string(), app: campaign.app, at: now, needsPush: needsPush, api.actions)
    }
    let elements = try field.elements(upTo: TestTarget.deviceLimit, of: "devices")
    let ids = try elements.map { element throws(RequestError) in try element.string() }
    guard !ids.isEmpty else { throw RequestError.refused(field.path, "must name a device") }
    return try await TestTarget(
      devices: ids, app: campaign.app, at: now, needsPush: needsPush, api.actions)
  }
}
