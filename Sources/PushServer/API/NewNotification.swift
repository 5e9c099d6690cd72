import PushPayload
import PushStore

/// The `notification` of a request, checked: its target, payload and timing.
struct NewNotification: Sendable {
  var target: Target
  var payload: BodyValue
  var timing: SendTiming

  init(_ field: BodyValue, at now: Timestamp) throws(APIError) {
    target = try Target(try field.required("to"))
    payload = try field.required("payload")
    _ = try payload.composed(at: now)
    timing = try SendTiming(field, scheduledIn: field, at: now)
  }

  /// Makes the send of an app to an audience.
  func send(app: String, to audience: Audience, at now: Timestamp) -> Send {
    var send = Send(
      id: Identifiers.makeObjectID(), messageID: Identifiers.makeObjectID(), app: app,
      audience: audience.id,
      payload: payload.value, createdAt: now)
    send.apply(timing)
    return send
  }
}
