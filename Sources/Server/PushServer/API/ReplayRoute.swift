import PushPayload
import PushStore
import _Bitmaps
import _HTTPServer

/// `/notifications/:id/replay`: sends a notification again, to the devices for which Apple refused
/// it.
///
/// A replay is for refusals that were not the devices' fault, such as a wrong key or a topic that was not allowed,
/// once the cause is corrected. Devices that got the push, uninstalled devices, and devices that a limit of the app
/// has held back get nothing.
enum ReplayRoute {
  static let all: [Route] = [
    Route(
      "POST", "/v6/notifications/:notification_id/replay", access: .app([.push]),
      operation: .replayNotification, handler: replay)
  ]

  private static func replay(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (old, now) = (try await NotificationRoutes.send(call, api), api.clock.now())
    guard old.state.isOver else {
      throw RequestError(
        .conflict,
        "the notification is not complete yet; its remaining devices are still being sent to")
    }
    guard old.activity == nil else {
      throw RequestError(
        .conflict,
        "a push to a Live Activity is not replayed; send the activity's present state instead")
    }
    guard old.expiresAt.map({ $0 > now }) ?? true else {
      throw RequestError(.conflict, "the notification has expired")
    }
    guard let audience = try await api.store.audience(old.audience, app: old.app) else {
      throw RequestError(
        .conflict,
        "the notification's audience was deleted; send a new notification to another audience")
    }
    let devices = try await refused(old, at: now, api)
    guard !devices.isEmpty else {
      throw RequestError(.conflict, "no device for which it was rejected can be reached now")
    }
    var send = Send(
      id: Identifiers.makeObjectID(), messageID: Identifiers.makeObjectID(), app: old.app,
      audience: old.audience, payload: old.payload, createdAt: now)
    send.expiresAt = old.expiresAt
    send.throttlePerSecond = old.throttlePerSecond
    send.group = old.group
    // A second replay returns the first: devices that are refused again are replayed from the new
    // send.
    let accepted = try await api.actions.accept(
      send, to: audience, devices: devices,
      repeating: try call.idempotencyKey(default: "replay/\(old.id)"), by: call.actor)
    return .json(status: 201, .object(accepted.creationMembers))
  }

  private static func refused(
    _ send: Send, at now: Timestamp, _ api: API
  ) async throws -> DeviceNumbers {
    var refused = DeviceNumbers()
    var cursor: String?
    repeat {
      let page = try await api.store.outcomes(of: send.id, app: send.app, after: cursor)
      for outcome in page.elements where outcome.result == .rejected && outcome.limit == nil {
        refused.append(outcome.device)
      }
      cursor = page.cursor
    } while cursor != nil
    let everyone = Audience(id: "", app: send.app, filters: [], createdAt: now)
    let reached = try await api.audiences.devices(of: everyone, at: now)
    return DeviceNumbers(refused.bitmap & reached.bitmap)
  }
}
