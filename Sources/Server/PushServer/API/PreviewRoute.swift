import PushPayload
import PushStore
import _HTTPServer

/// `/notifications/preview`: the payload that a request would send, and the number of its devices.
///
/// It stores nothing and sends nothing.
enum PreviewRoute {
  static func answer(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (app, now) = (try call.app(), api.clock.now())
    let new = try NewNotification(
      try call.json().required("notification"), at: now, isJudged: false)
    let audience = try await new.target.audience(app: app, at: now, api.store)
    let devices = try await api.audiences.devices(of: audience, at: now)
    let sample = try await sample(of: new.payload, among: devices, app: app, at: now, api)
    let limits = try await api.store.limits(app: app)
    let estimate = try await api.actions.estimate(
      of: new.send(app: app, to: audience, at: now), to: devices,
      quiet: new.limits.quietHours(for: new.payload, of: limits), limits: limits)
    let members: [String: JSONValue] = [
      "device_count": .integer(Int64(devices.count)),
      "payload": (try? JSONValue(parsing: String(decoding: sample.sample, as: UTF8.self))) ?? .null,
      "bytes": .integer(Int64(sample.sample.count)),
      "findings": try await api.actions.findings(
        in: new.payload, composed: sample, for: devices, app: app),
    ]
    return .json(.object(members.merging(estimate.members) { $1 }))
  }

  /// Composes the payload for the first of the devices, or for a device without attributes if there are no devices.
  private static func sample(
    of payload: BodyValue, among devices: DeviceNumbers, app: String, at now: Timestamp, _ api: API
  ) async throws -> (composer: Composer, sample: [UInt8]) {
    let (composer, common) = try payload.composed(
      at: now, paddingMultiple: api.site.paddingMultiple)
    let first = DeviceNumbers(devices.prefix(1))
    guard let device = try await api.store.devices(app: app, numbers: first).first else {
      return (composer, common)
    }
    do throws(ComposeError) {
      return (composer, try composer.payload(for: Recipient(device)))
    } catch { throw error.requestError }
  }
}
