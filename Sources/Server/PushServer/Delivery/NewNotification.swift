import PushModel
import PushPayload

/// The `notification` of a request, checked: its target, payload, timing and name.
struct NewNotification: Sendable {
  var target: Target
  var payload: BodyValue
  var timing: SendTiming
  var naming: SendNaming
  var limits: SendLimits
  /// Whether the payload is sent although `martlet lint` calls it an error.
  var isForced: Bool

  /// Reads and checks a request; `isJudged` refuses what `martlet lint` calls an error.
  init(_ field: BodyValue, at now: Timestamp, isJudged: Bool = true) throws(RequestError) {
    target = try Target(try field.required("to"))
    payload = try field.required("payload")
    isForced = try field["force"]?.bool() ?? false
    try payload.judged(at: now, isForced: isForced || !isJudged)
    timing = try SendTiming(field, scheduledIn: field, at: now)
    naming = try SendNaming(field)
    // A single notification may be anything, such as a receipt that a person waits for. So it obeys no
    // limits by default.
    limits = try SendLimits(field["limits"], isObedient: false)
  }

  /// Takes the limits of the scheduled send that this notification replaces, because the form shows none of them.
  mutating func takeLimits(of replaced: Send) {
    limits.quiet = replaced.quietHours.map(SendLimits.Quiet.own) ?? .ignore
    limits.capping = replaced.capping
  }

  /// The hours in which devices get nothing of the notification; `nil` if it has no such hours.
  func quietHours(app: String, _ store: any PushStore) async throws -> QuietHours? {
    limits.quietHours(for: payload, of: try await store.limits(app: app))
  }

  /// Makes the send of an app to an audience.
  func send(app: String, to audience: Audience, at now: Timestamp) -> Send {
    var send = Send(
      id: Identifiers.makeObjectID(), messageID: Identifiers.makeObjectID(), app: app,
      audience: audience.id,
      payload: payload.value, createdAt: now)
    send.apply(timing)
    send.capping = limits.capping
    (send.name, send.labels) = (naming.name, naming.labels)
    return send
  }
}
