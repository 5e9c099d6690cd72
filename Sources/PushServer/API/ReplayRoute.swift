import PushPayload
import PushStore
import _Bitmaps
import _HTTPServer

/// `/notifications/:id/replay`: the same again, to those devices for which it was refused.
///
/// That is for what was not the devices' fault and has been mended: a wrong key, a topic that was not
/// allowed. Who got it gets nothing; who is gone stays so.
enum ReplayRoute {
  static let all: [Route] = [
    Route(
      "POST", "/v6/notifications/:notification_id/replay", .app([.push]), .replayNotification,
      replay)
  ]

  private static func replay(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (old, now) = (try await NotificationRoutes.send(call, api), api.clock.now())
    guard old.state.isOver else {
      throw APIError(409, "the notification is not over yet; what is left of it comes by itself")
    }
    guard old.expiresAt.map({ $0 > now }) ?? true else {
      throw APIError(409, "the notification has expired")
    }
    guard let audience = try await api.store.audience(old.audience, app: old.app) else {
      throw APIError(409, "the notification's audience was deleted; send it to another one")
    }
    let devices = try await refused(old, at: now, api)
    guard !devices.isEmpty else {
      throw APIError(409, "no device for which it was refused can be reached now")
    }
    var send = Send(
      id: Identifiers.makeObjectID(), messageID: Identifiers.makeObjectID(), app: old.app,
      audience: old.audience, payload: old.payload, createdAt: now)
    send.expiresAt = old.expiresAt
    send.throttlePerSecond = old.throttlePerSecond
    send.group = old.group
    // Asked for twice, it is sent once: what is refused again is the new one's to replay.
    let accepted = try await api.accept(
      send, to: audience, devices: devices, key: "replay/\(old.id)", for: call)
    return .json(status: 201, .object(accepted.creationMembers))
  }

  private static func refused(
    _ send: Send, at now: Timestamp, _ api: API
  ) async throws -> DeviceNumbers {
    var refused = DeviceNumbers()
    var cursor: String?
    repeat {
      let page = try await api.store.outcomes(of: send.id, app: send.app, after: cursor)
      for outcome in page.elements where outcome.result == .rejected {
        refused.append(outcome.device)
      }
      cursor = page.cursor
    } while cursor != nil
    let everyone = Audience(id: "", app: send.app, filters: [], createdAt: now)
    let reached = try await api.audiences.devices(of: everyone, at: now)
    return DeviceNumbers(refused.bitmap & reached.bitmap)
  }
}
