import APNs
import PushModel
import PushPayload
import _Bitmaps

/// The actions on widgets and controls: their push tokens, and the pushes that reload them.
extension Actions {
  /// Replaces a device's tokens of a type; the caller has admitted the device.
  ///
  /// - Throws: ``RequestError`` `.notFound` if the app has no such device.
  func setReloadTokens(
    _ tokens: [ReloadToken], of type: ReloadType, device: String, by actor: Actor
  ) async throws {
    guard
      try await store.setReloadTokens(
        tokens, of: type, device: device, app: try actor.ownApp(), at: clock.now())
    else { throw RequestError.notFound("device with this id") }
  }

  /// Has WidgetKit reload the widgets or controls of devices, and waits for the answers of APNs.
  ///
  /// `field` is the `reload` of a request. The pushes are counted in one transaction with the audit entry before
  /// any of them is sent, so that no crash exceeds the budget of a device.
  ///
  /// - Throws: ``RequestError`` `.invalid` if the request reaches too many devices, `.conflict` if the app's key
  ///   cannot be used.
  func sendReload(_ field: BodyValue, by actor: Actor) async throws -> [ReloadOutcome] {
    try actor.requireSending()
    let (app, now) = (try await app(of: actor), clock.now())
    let new = try NewReload(field)
    guard let sender else {
      throw RequestError(.unavailable, "this server sends no pushes", wait: 60)
    }
    let audience = try await new.target.audience(app: app.id, at: now, store)
    // A reload shows no alert, so it does not depend on whether alerts are allowed.
    let members = try await audiences.members(of: audience, at: now)
    let registered = try await store.devices(
      withReloads: new.type, kinds: new.kinds, app: app.id)
    let devices = DeviceNumbers(registered.bitmap & members.bitmap)
    guard devices.count <= NewReload.deviceLimit else {
      throw RequestError.refused(
        field.path(to: "targets"),
        "reaches \(devices.count) devices with \(new.type.rawValue); reload at most"
          + " \(NewReload.deviceLimit) at once")
    }
    let targets = try await self.store(for: actor, "reload.send", new.type.rawValue)
      .countReloads(new.type, kinds: new.kinds, of: devices, app: app.id, at: now)
    let outcomes: [ReloadOutcome]
    do {
      outcomes = try await ReloadSender(sender: sender, app: app, type: new.type).send(targets)
    } catch {
      let failed = targets.filter { !$0.isHeld }.map { ReloadOutcome($0, .failed) }
      try await store.finishReloads(failed, of: new.type, app: app.id)
      guard error is APNsError else { throw error }
      throw RequestError(.conflict, "the app's key cannot be used: \(error)")
    }
    try await store.finishReloads(outcomes, of: new.type, app: app.id)
    return outcomes
  }
}
