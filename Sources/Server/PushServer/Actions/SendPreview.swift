import PushModel
import PushPayload

/// A preview of a notification that is not sent: its devices, its payload for one of them, and the findings in it.
struct SendPreview: Sendable {
  var deviceCount: Int
  /// The payload for the first device, or for a device without attributes if there is none.
  var payload: [UInt8]
  var findings: JSONValue
  var limits: LimitEstimate
}

extension Actions {
  /// Previews the `notification` of a request; it stores nothing and sends nothing.
  func preview(_ field: BodyValue, app: String) async throws -> SendPreview {
    let now = clock.now()
    let new = try NewNotification(field, at: now, isJudged: false)
    let audience = try await new.target.audience(app: app, at: now, store)
    let devices = try await audiences.devices(of: audience, at: now)
    let sample = try await sample(of: new.payload, among: devices, app: app, at: now)
    let limits = try await store.limits(app: app)
    let estimate = try await planner.estimate(
      of: new.send(app: app, to: audience, at: now), to: devices,
      quiet: new.limits.quietHours(for: new.payload, of: limits), limits: limits)
    return SendPreview(
      deviceCount: devices.count, payload: sample.sample,
      findings: try await findings(
        in: new.payload, composed: sample, for: devices, app: app),
      limits: estimate)
  }

  /// Composes a payload for the first of the devices, or for a device without attributes if there are no devices.
  private func sample(
    of payload: BodyValue, among devices: DeviceNumbers, app: String, at now: Timestamp
  ) async throws -> (composer: Composer, sample: [UInt8]) {
    let (composer, common) = try payload.composed(at: now, paddingMultiple: site.paddingMultiple)
    let first = DeviceNumbers(devices.prefix(1))
    guard let device = try await store.devices(app: app, numbers: first).first else {
      return (composer, common)
    }
    do throws(ComposeError) {
      return (composer, try composer.payload(for: Recipient(device)))
    } catch { throw error.requestError }
  }
}
