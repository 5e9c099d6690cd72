import PushModel
import PushPayload
import _Bitmaps

/// The actions on Live Activities: pushes to them, and the tokens by which devices receive these.
extension Actions {
  /// Sends a push to a Live Activity: to the phones of a start, to those that show it, or to its channel.
  ///
  /// `field` is the `activity` of a request, and `id` the id of the activity.
  func sendActivityPush(
    _ field: BodyValue, to id: String, repeating key: IdempotencyKey?, by actor: Actor
  ) async throws -> Send {
    try actor.requireSending()
    let (app, now) = (try actor.ownApp(), clock.now())
    if try await store.keptActivity(id, app: app) != nil {
      throw RequestError(
        .conflict, "the server keeps the activity \(id); change it with PUT /v6/activities/\(id)")
    }
    var new = try NewActivityPush(
      field, activity: id, at: try await firstTime(of: key, app: app) ?? now)
    try await readChannel(of: &new, app: app)
    let audience =
      try await new.target?.audience(app: app, at: now, store)
      ?? Audience(id: Identifiers.everyone(in: app), app: app, filters: [], createdAt: now)
    var send = Send(
      id: Identifiers.makeObjectID(), messageID: Identifiers.makeObjectID(), app: app,
      audience: audience.id, payload: new.payload, createdAt: now)
    send.activity = new.push
    send.expiresAt = now + new.push.life
    let devices = try await devices(of: new, in: audience, at: now)
    let accepted = try await accept(
      send, to: audience, devices: devices, repeating: key,
      auditedAs: "activity.\(new.push.event.rawValue)", by: actor)
    if accepted.id == send.id { metrics.accepted(new.push) }
    return accepted
  }

  private func readChannel(of new: inout NewActivityPush, app: String) async throws {
    guard let id = new.push.channel else { return }
    guard let channel = try await store.channel(id, app: app) else {
      throw RequestError(
        .notFound, "\(new.channelPath) names no channel of this app", at: new.channelPath)
    }
    new.push.isStored = channel.storage == .mostRecent
  }

  /// The phones of a push, or the number that stands for the channel of a broadcast.
  private func devices(
    of new: NewActivityPush, in audience: Audience, at now: Timestamp
  ) async throws -> DeviceNumbers {
    let app = audience.app
    if new.push.broadcastChannel != nil { return DeviceNumbers([ActivityPush.channelNumber]) }
    let registered = try await store.devices(with: new.push.subject, app: app)
    guard new.push.event == .start else {
      if registered.isEmpty, try await store.activity(new.push.id, app: app, at: now) == nil {
        throw RequestError.notFound(
          "activity with this id: no phone has registered a token for it, and nothing was sent to it"
        )
      }
      return registered
    }
    // An activity does not depend on whether alerts are allowed, so all devices that have the app count.
    let members = try await audiences.members(of: audience, at: now)
    return DeviceNumbers(registered.bitmap & members.bitmap)
  }

  // MARK: Tokens

  /// Stores a token; the caller has admitted its device.
  ///
  /// - Throws: ``RequestError`` `.notFound` if the app has no such device, `.forbidden` if it may not follow the kept
  ///   activity, `.invalid` if that is kept on as many other phones as are kept by their tokens.
  func registerActivityToken(_ token: ActivityToken, by actor: Actor) async throws {
    let app = try actor.ownApp()
    try await checkKeeper(of: token, app: app)
    guard try await store.register(token, app: app, at: clock.now()) else {
      throw RequestError.notFound("device with this id")
    }
  }

  /// Refuses the token of a phone that may not follow the kept activity, or for which its keeper has no room.
  private func checkKeeper(of token: ActivityToken, app: String) async throws {
    guard case .activity(let id) = token.subject,
      let kept = try await store.keptActivity(id, app: app),
      let device = try await store.device(token.device, app: app)
    else { return }
    try kept.admit(device)
    let phones = kept.keeper.phones
    guard phones.count < KeptChannelRule.phoneLimit || phones[device.number] != nil else {
      throw RequestError(
        .invalid,
        "the activity \(id) is kept on \(KeptChannelRule.phoneLimit) phones; more need channel")
    }
  }

  /// Removes a device's token, or with `only` the token if it is still that one; the caller has admitted the device.
  ///
  /// A token that does not exist counts as removed.
  func removeActivityToken(
    for subject: ActivityToken.Subject, device: String, only token: String?, by actor: Actor
  ) async throws {
    try await store.removeToken(
      for: subject, device: device, only: token, app: try actor.ownApp())
  }
}
