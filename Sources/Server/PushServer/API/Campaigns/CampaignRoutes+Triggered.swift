import PushModel
import PushPayload
import _HTTPServer

/// The routes of triggered campaigns.
extension CampaignRoutes {
  /// Enrolls people in a live campaign, as its event does.
  static func trigger(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let body = try call.json()
    let data = try body["data"].map { value throws(RequestError) in try DeviceEvent.data(value) }
    let enrolled = try await router.actions.enrollPeople(
      inCampaign: call.parameter("campaign_id"), to: try body.required("to"), data: data,
      repeating: try call.idempotencyKey(), by: call.actor)
    return .json(status: 202, ["enrolled": .integer(Int64(enrolled))])
  }

  static func report(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let campaign = try await campaign(call, router)
    let report = try await EnrollmentReport(of: campaign, at: router.clock.now(), router.store)
    return .json(["report": report.json])
  }

  /// The reason why a device got the messages of a triggered campaign or did not.
  static func explanation(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let campaign = try await campaign(call, router)
    guard campaign.kind == .triggered else {
      throw RequestError(
        .conflict, "the campaign is not triggered; ask for the explanation of its run")
    }
    guard
      let device = try await router.store.device(call.parameter("device_id"), app: campaign.app)
    else { throw RequestError.notFound("device with this id") }
    let explanation = try await EnrollmentExplanation(
      of: device, in: campaign, at: router.clock.now(), router.store)
    return .json(["explanation": explanation.json])
  }
}
