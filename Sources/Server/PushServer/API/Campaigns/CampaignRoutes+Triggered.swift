import PushPayload
import PushStore
import _HTTPServer

/// The routes of triggered campaigns.
extension CampaignRoutes {
  /// The largest number of devices in one request that enrolls people.
  static let triggerLimit = 10_000

  /// Enrolls people in a live campaign, as its event does.
  static func trigger(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (campaign, now) = (try await campaign(call, api), api.clock.now())
    let body = try call.json()
    let key = try call.idempotencyKey()
    let target = try Target(try body.required("to"))
    let data = try body["data"].map { value throws(RequestError) in try DeviceEvent.data(value) }
    let audience = try await target.audience(app: campaign.app, at: now, api.store)
    let devices = try await api.audiences.members(of: audience, at: now)
    guard devices.count <= triggerLimit else {
      throw RequestError.refused(
        body.path(to: "to"),
        "has \(devices.count) devices, and at most \(triggerLimit) are enrolled with one request; a"
          + " campaign that is sent once reaches more")
    }
    var request = EnrollmentCall(
      campaign: campaign.id, app: campaign.app, devices: devices, data: data)
    request.key = key?.text
    request.fingerprint = key?.fingerprint ?? []
    let store = api.actions.store(for: call.actor, "campaign.trigger", campaign.id)
    guard let answer = try await store.enroll(request, at: now) else {
      throw RequestError.notFound("campaign with this id")
    }
    if let key, key.fingerprint != answer.fingerprint { throw IdempotencyKey.reused }
    return .json(status: 202, ["enrolled": .integer(Int64(answer.enrolled))])
  }

  static func report(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let campaign = try await campaign(call, api)
    let report = try await EnrollmentReport(of: campaign, at: api.clock.now(), api.store)
    return .json(["report": report.json])
  }

  /// The reason why a device got the messages of a triggered campaign or did not.
  static func explanation(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let campaign = try await campaign(call, api)
    guard campaign.kind == .triggered else {
      throw RequestError(
        .conflict, "the campaign is not triggered; ask for the explanation of its run")
    }
    guard
      let device = try await api.store.device(call.parameter("device_id"), app: campaign.app)
    else { throw RequestError.notFound("device with this id") }
    let explanation = try await EnrollmentExplanation(
      of: device, in: campaign, at: api.clock.now(), api.store)
    return .json(["explanation": explanation.json])
  }
}
