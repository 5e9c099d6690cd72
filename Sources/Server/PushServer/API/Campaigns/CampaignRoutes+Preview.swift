import PushModel
import PushPayload
import _HTTPServer

extension CampaignRoutes {
  /// The devices that each variant would get now, and the payload of each for a sample device.
  static func preview(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let (campaign, now) = (try await campaign(call, router), router.clock.now())
    let plan = try CampaignPlan(stored: campaign.document, at: now)
    let audience = try await plan.target.audience(app: campaign.app, at: now, router.store)
    let devices = try await router.actions.planner.devices(of: audience, for: plan, at: now)
    let limits = try await router.store.limits(app: campaign.app)
    let division = try await CampaignDivision(
      of: devices, by: plan.split, app: campaign.app, salt: campaign.id,
      holdout: plan.obeysHoldout ? limits.holdout : nil, router.store)
    var variants: [JSONValue] = []
    for variant in plan.variants {
      let arm = CampaignSplit.Arm.variant(variant.key)
      var members: [String: JSONValue] = [
        "key": .string(variant.key), "device_count": .integer(Int64(division.counts[arm] ?? 0)),
      ]
      if let payload = variant.payload {
        let (composer, sample) = try payload.composed(at: now)
        members["payload"] =
          (try? JSONValue(parsing: String(decoding: sample, as: UTF8.self))) ?? .null
        members["bytes"] = .integer(Int64(sample.count))
        members["findings"] = try await router.actions.findings(
          in: payload, composed: (composer, sample), for: division.devices(of: arm),
          app: campaign.app)
      }
      if let content = variant.message?.content {
        members["message"] = .object(
          content.members.merging(["title": .string(content.title)]) { $1 })
      }
      variants.append(.object(members))
    }
    let estimate = try await router.actions.planner.estimate(
      of: plan, campaign, to: devices, limits: limits)
    let members: [String: JSONValue] = [
      "device_count": .integer(Int64(devices.count)),
      "control": .integer(Int64(division.counts[.control] ?? 0)),
      "rest": .integer(Int64(division.counts[.rest] ?? 0)),
      "held_out": .integer(Int64(division.heldOut)), "estimated": .bool(!division.isExact),
      "variants": .array(variants),
    ]
    return .json(.object(members.merging(estimate.members) { $1 }))
  }
}
