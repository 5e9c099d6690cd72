import PushModel
import PushPayload

/// A reader of what makes facts a timeline: the audit log, and the push as it is composed now.
///
/// The timelines of several devices share what does not depend on the device, and it is read once.
struct TimelineReader {
  private let store: any PushStore
  private let app: String
  /// The audit entries by the id of their object.
  private var entries: [String: [AuditEntry]] = [:]
  /// The composers by the id of their notification; an element is `nil` if the payload cannot be composed.
  private var composers: [String: Composer?] = [:]

  init(of app: String, _ store: any PushStore) { (self.app, self.store) = (app, store) }

  /// Returns the timeline of facts that the reader completes.
  mutating func timeline(of facts: TimelineFacts) async throws -> Actions.DeviceTimeline {
    var facts = facts
    let delivery = facts.delivery
    if let object = facts.audited { facts.entries = try await audit(of: object) }
    if let send = delivery.send, delivery.outcome?.status != nil {
      facts.push = try await push(of: send, for: delivery.device, at: delivery.now)
    }
    return Actions.DeviceTimeline(
      device: delivery.device, send: delivery.send, timeline: facts.timeline)
  }

  private mutating func audit(of object: String) async throws(StoreError) -> [AuditEntry] {
    if let known = entries[object] { return known }
    let read = try await store.audit(of: object, app: app, limit: 20)
    entries[object] = read
    return read
  }

  /// The push of a notification for a device, as it is composed now; `nil` if it cannot be composed.
  private mutating func push(
    of send: Send, for device: Device, at now: Timestamp
  ) async throws(StoreError) -> ComposedPush? {
    guard send.activity == nil, let composer = composer(of: send, at: now) else { return nil }
    var recipient = Recipient(device)
    if send.origin != nil {
      let data = try await store.eventData(
        ofSend: send.id, app: send.app, devices: DeviceNumbers([device.number]))
      recipient.event = data[device.number]
    }
    return try? ComposedPush(composer, for: recipient, at: now)
  }

  private mutating func composer(of send: Send, at now: Timestamp) -> Composer? {
    if let known = composers[send.id] { return known }
    var options = Composer.Options(now: now)
    options.expiresAt = send.expiresAt
    let composer = try? Composer(send.payload, notification: send.id, options: options)
    composers[send.id] = .some(composer)
    return composer
  }
}
