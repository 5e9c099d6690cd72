import PushModel
import PushPayload
import _Bitmaps

/// The actions on Live Activities that the server keeps.
extension Actions {
  var keeperRunner: KeeperRunner {
    KeeperRunner(
      store: store, clock: clock, metrics: metrics, sender: sender, turns: activityTurns,
      wakeDelivery: wakeDelivery)
  }

  /// Keeps an activity, or changes what is wanted of it; `field` is the `activity` of a request.
  ///
  /// - Throws: ``RequestError`` `.conflict` if the activity has ended.
  func keepActivity(_ field: BodyValue, id: String, by actor: Actor) async throws -> KeptActivity {
    try actor.requireSending()
    let app = try actor.ownApp()
    try await checkSendsDirectly(app: app)
    return try await changeKept(id, app: app, in: store(for: actor, "activity.keep", id)) { kept in
      let now = self.clock.now()
      let change = try KeptActivityChange(field, to: kept, id: id, at: now)
      if let kept, kept.keeper.wanted.isOver {
        guard change.wanted == kept.keeper.wanted, change.content == kept.content else {
          throw RequestError(
            .conflict, "the activity \(id) has ended; take another id for another activity")
        }
        return (kept, [])
      }
      let isNamed = ActivityFollowers(stored: change.content) == .named
      var new =
        kept
        ?? KeptActivity(
          id: id, app: app, type: change.type, content: change.content,
          keeper: ActivityKeeper(change.wanted, named: isNamed ? DeviceNumbers() : nil),
          createdAt: now)
      new.content = change.content
      var named = DeviceNumbers()
      if let target = change.target {
        let audience = try await target.audience(app: app, at: now, self.store)
        named = try await self.audiences.members(of: audience, at: now)
      }
      // A repeated request shows it to nobody who has unfollowed.
      let others = named.subtracting(DeviceNumbers(new.keeper.phones.keys))
      let follows = try await self.following(others, new, at: change.path)
      return (new, [.wants(change.wanted), .names(named)] + follows)
    }
  }

  /// Shows a kept activity on a device, or no more; the caller has admitted the device.
  ///
  /// - Throws: ``RequestError`` `.forbidden` if only named devices may follow, and this one is not named.
  /// - Returns: The channel that the app is to begin the activity on; `nil` if the server starts it by a push.
  func follow(
    _ follows: Bool, activity id: String, device: String, by actor: Actor
  ) async throws -> String? {
    let app = try actor.ownApp()
    guard let device = try await store.device(device, app: app) else {
      throw RequestError.notFound("device with this id")
    }
    // An erased device shows nothing, so there is nothing to end.
    guard device.erasedAt == nil || !follows else {
      throw RequestError(.erased, "the device \(device.id) was erased")
    }
    let number = DeviceNumbers(CollectionOfOne(device.number))
    let kept = try await changeKept(id, app: app, in: store) { kept in
      guard let kept, !kept.keeper.wanted.isOver || !follows else {
        throw RequestError.notFound("kept activity with this id")
      }
      try kept.admit(device)
      if !follows { return (kept, [.follows([device.number], false)]) }
      if kept.keeper.isStarted(device.number) { return (kept, []) }
      if kept.keeper.channel?.stage == .open { return (kept, [.joins(device.number)]) }
      let events = try await self.following(number, kept, at: "$")
      let isByToken = events.contains { if case .follows = $0 { true } else { false } }
      let asked: [ActivityKeeper.Event] = isByToken ? [.asks(device.number)] : []
      return (kept, [.comesBack(device.number)] + events + asked)
    }
    guard follows, !kept.keeper.isStarted(device.number), let channel = kept.keeper.channel else {
      return nil
    }
    guard channel.stage == .open, let id = channel.id else {
      // No push can start it there, and the app can only once Apple has made the channel.
      throw RequestError(
        .unavailable, "the channel of the activity is being made; ask again", wait: 1)
    }
    return id
  }

  /// The events by which phones get an activity: by their tokens, or on a channel if there are too many.
  private func following(
    _ devices: DeviceNumbers, _ kept: KeptActivity, at path: String
  ) async throws -> [ActivityKeeper.Event] {
    guard !devices.isEmpty else { return [] }
    let rule = KeptChannelRule(stored: kept.content)
    let known = DeviceNumbers(kept.keeper.phones.keys)
    let count = known.union(devices).count
    if kept.keeper.channel != nil || count > rule.above ?? KeptChannelRule.phoneLimit {
      guard rule.above != nil else {
        throw RequestError.refused(
          path, "reaches \(count) phones; more than \(KeptChannelRule.phoneLimit) need channel")
      }
      guard kept.content["attributes"] != nil else { return [.usesChannel(DeviceNumbers())] }
      let starters = try await store.devices(with: .start(type: kept.type), app: kept.app)
      let others = devices.bitmap.subtracting(known.bitmap)
      return [.usesChannel(DeviceNumbers(others & starters.bitmap))]
    }
    return [.follows(Array(devices), true)]
  }

  /// Changes a kept activity in one transaction, anew if another change came first.
  private func changeKept(
    _ id: String, app: String, in store: any PushStore,
    _ change: (KeptActivity?) async throws -> (KeptActivity, [ActivityKeeper.Event])
  ) async throws -> KeptActivity {
    try await activityTurns.run(id, app: app) {
      // Only other nodes, new tokens and answers of APNs come first.
      for _ in 0..<40 {
        let (kept, events) = try await change(try await self.store.keptActivity(id, app: app))
        if let changed = try await keeperRunner.change(kept, by: events, in: store) {
          return changed
        }
      }
      throw RequestError(.unavailable, "the activity \(id) changes too often at once", wait: 1)
    }
  }
}

extension KeptActivity {
  /// Refuses a device that may not follow the activity.
  func admit(_ device: Device) throws(RequestError) {
    guard keeper.admits(device.number) else {
      throw RequestError(
        .forbidden,
        "the activity \(id) is followed by named devices only; name the device \(device.id) in devices or targets"
      )
    }
  }
}
