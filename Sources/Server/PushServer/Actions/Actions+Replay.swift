import PushModel
import _Bitmaps
import _OpenSSLCrypto

extension Actions {
  /// Sends a notification again, to the devices for which Apple refused it and that can be reached now.
  ///
  /// A second replay returns the first: devices that are refused again are replayed from the new send.
  ///
  /// - Throws: ``RequestError`` `.notFound` if there is no such send, `.conflict` if it cannot be replayed.
  func replayNotification(
    _ id: String, repeating key: IdempotencyKey?, by actor: Actor
  ) async throws -> Send {
    try actor.requireSending()
    let (old, now) = (try await notification(id, app: try actor.ownApp()), clock.now())
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
    if let origin = old.origin,
      try await store.campaign(origin.campaign, app: old.app)?.kind == .triggered
    {
      throw RequestError(
        .conflict,
        "a notification of a triggered campaign is not replayed, because it answers an event")
    }
    guard !old.hasExpired(at: now) else {
      throw RequestError(.conflict, "the notification has expired")
    }
    guard let audience = try await store.audience(old.audience, app: old.app) else {
      throw RequestError(
        .conflict,
        "the notification's audience was deleted; send a new notification to another audience")
    }
    let devices = try await refusedDevices(of: old, at: now)
    guard !devices.isEmpty else {
      throw RequestError(.conflict, "no device for which it was rejected can be reached now")
    }
    var send = Send(
      id: Identifiers.makeObjectID(), messageID: Identifiers.makeObjectID(), app: old.app,
      audience: old.audience, payload: old.payload, createdAt: now)
    send.expiresAt = old.expiresAt
    send.throttlePerSecond = old.throttlePerSecond
    send.group = old.group
    (send.namedClass, send.capping) = (old.namedClass, old.capping)
    // The fingerprint is that of a request without a body.
    let own = IdempotencyKey(
      text: "replay/\(old.id)",
      fingerprint: OpenSSLCrypto.sha256(Array("notifications/\(old.id)/replay\0".utf8)))
    return try await accept(
      send, to: audience, devices: devices, quiet: old.quietHours, repeating: key ?? own, by: actor)
  }

  private func refusedDevices(of send: Send, at now: Timestamp) async throws -> DeviceNumbers {
    var refused = DeviceNumbers()
    var cursor: String?
    repeat {
      let page = try await store.outcomes(of: send.id, app: send.app, after: cursor)
      for outcome in page.elements where outcome.result == .rejected && outcome.limit == nil {
        refused.append(outcome.device)
      }
      cursor = page.cursor
    } while cursor != nil
    let everyone = Audience(id: "", app: send.app, filters: [], createdAt: now)
    let reached = try await audiences.devices(of: everyone, at: now)
    return DeviceNumbers(refused.bitmap & reached.bitmap)
  }
}
