import PushModel
import PushPayload
import Testing

private let order = ActivityToken.Subject.activity("order-1")

private func token(
  _ subject: ActivityToken.Subject, _ device: String, _ token: String, type: String = "Order"
) -> ActivityToken {
  ActivityToken(subject, device: device, type: type, token: token)
}

extension StoreFixture {
  fileprivate func devices(_ subject: ActivityToken.Subject) async throws -> [UInt32] {
    Array(try await store.devices(with: subject, app: app))
  }

  fileprivate func activity(_ id: String = "order-1") async throws -> Activity? {
    try await store.activity(id, app: app, at: Sample.now)
  }

  /// Accepts a push to an activity's tokens, or to its channel; its id begins with the app's.
  @discardableResult
  fileprivate func push(
    _ id: String, _ event: ActivityPush.Event = .update, at now: Timestamp = Sample.now,
    _ edit: (inout Send) -> Void = { _ in }
  ) async throws -> Send {
    var send = Sample.send("\(app)-\(id)", app: app, audience: "\(app)-all", at: now)
    send.activity = ActivityPush(
      id: "order-1", event: event, type: event == .start ? "Order" : nil, priority: 10)
    edit(&send)
    let push = try #require(send.activity)
    let devices =
      push.broadcastChannel == nil
      ? try await store.devices(with: push.subject, app: app)
      : DeviceNumbers([ActivityPush.channelNumber])
    return try await store.accept(
      send, to: Sample.audience("\(app)-all", app: app),
      segments: [Segment(dueAt: now, devices: devices)])
  }

  fileprivate func pushed(_ id: String) async throws -> Send? {
    try await store.send("\(app)-\(id)", app: app)
  }

  /// Registers devices, and a token of each for the activity: `a0`, `a1`, …
  fileprivate func follow(_ count: Int) async throws {
    try await register(count)
    for number in 0..<count {
      let new = token(order, "\(app)-\(number)", "a\(number)")
      #expect(try await store.register(new, app: app, at: Sample.now))
    }
  }
}

let activityBehaviours = [
  StoreBehaviour("a token replaces the device's older one, and belongs to who registered it last") {
    store in
    let fixture = try await StoreFixture(store, "activity-tokens")
    try await fixture.register(2)
    let (one, two) = ("activity-tokens-0", "activity-tokens-1")
    func register(_ new: ActivityToken) async throws -> Bool {
      try await store.register(new, app: fixture.app, at: Sample.now)
    }
    #expect(try await register(token(order, one, "aa")))
    #expect(try await register(token(order, one, "bb")))
    #expect(try await register(token(order, two, "cc")))
    #expect(try await register(token(.start(type: "Order"), one, "dd")))
    #expect(try await fixture.devices(order) == [1, 2])
    #expect(try await fixture.devices(.start(type: "Order")) == [1])
    #expect(try await fixture.devices(.start(type: "order-1")).isEmpty)
    try await fixture.push("first")
    let batch = try #require(try await fixture.lease())
    #expect(batch.targets.map(\.token) == ["bb", "cc"])
    #expect(batch.targets.map(\.id) == [one, two])
    try await fixture.finish(batch)
    // The same phone under another id, and the same token of another activity.
    #expect(try await register(token(order, two, "bb")))
    #expect(try await fixture.devices(order) == [2])
    #expect(try await register(token(.activity("order-2"), two, "bb")))
    #expect(try await fixture.devices(order).isEmpty)
    #expect(try await fixture.devices(.activity("order-2")) == [2])
    #expect(try await register(token(order, "unknown", "ee")) == false)
    #expect(
      try await store.register(token(order, one, "ee"), app: "no app", at: Sample.now) == false)
    #expect(try await store.devices(with: order, app: "no app").isEmpty)
  },
  StoreBehaviour("a device has twenty tokens of each kind, and the oldest gives way") { store in
    let fixture = try await StoreFixture(store, "activity-limit")
    try await fixture.register(1)
    for number in 0...ActivityToken.limit {
      let now = Sample.now + .seconds(number)
      for subject in [ActivityToken.Subject.activity("a\(number)"), .start(type: "T\(number)")] {
        let new = token(subject, "activity-limit-0", "\(subject)".utf8.map { "\($0)" }.joined())
        _ = try await store.register(new, app: fixture.app, at: now)
      }
      let isFull = number == ActivityToken.limit
      #expect(try await fixture.devices(.activity("a0")) == (isFull ? [] : [1]))
      #expect(try await fixture.devices(.start(type: "T0")) == (isFull ? [] : [1]))
    }
    for number in 1...ActivityToken.limit {
      #expect(try await fixture.devices(.activity("a\(number)")) == [1])
      #expect(try await fixture.devices(.start(type: "T\(number)")) == [1])
    }
  },
  StoreBehaviour("a token is removed alone, and an older one does not take the newer with it") {
    store in
    let fixture = try await StoreFixture(store, "activity-removal")
    try await fixture.follow(2)
    func remove(_ device: String, only token: String?) async throws {
      try await store.removeToken(for: order, device: device, only: token, app: fixture.app)
    }
    try await remove("activity-removal-0", only: "a9")
    try await remove("unknown", only: nil)
    try await store.removeToken(
      for: order, device: "activity-removal-0", only: nil, app: "no app")
    #expect(try await fixture.devices(order) == [1, 2])
    try await remove("activity-removal-0", only: "a0")
    #expect(try await fixture.devices(order) == [2])
    try await remove("activity-removal-1", only: nil)
    #expect(try await fixture.devices(order).isEmpty)
  },
  StoreBehaviour("an erased device and an uninstalled one lose their tokens") { store in
    let fixture = try await StoreFixture(store, "activity-erasure")
    try await fixture.follow(3)
    for number in 0..<3 {
      let start = token(.start(type: "Order"), "activity-erasure-\(number)", "b\(number)")
      _ = try await store.register(start, app: fixture.app, at: Sample.now)
    }
    _ = try await store.erase(device: "activity-erasure-0", app: fixture.app, at: Sample.now)
    await expect(.erased) {
      _ = try await store.register(
        token(order, "activity-erasure-0", "c0"), app: fixture.app, at: Sample.now)
    }
    try await fixture.accept("activity-erasure-alert")
    let batch = try #require(try await fixture.lease())
    try await fixture.finish(
      batch,
      batch.targets.map { StoreFixture.outcome($0, $0.number == 2 ? .uninstalled : .sent) })
    #expect(try await fixture.devices(order) == [3])
    #expect(try await fixture.devices(.start(type: "Order")) == [3])
  },
  StoreBehaviour("timestamps of an activity ascend, and one that is older is refused") { store in
    let fixture = try await StoreFixture(store, "activity-times")
    try await fixture.follow(1)
    let second = Sample.now.milliseconds / 1000
    func stamp(_ id: String, _ wanted: Int64? = nil, at now: Timestamp) async throws -> Int64? {
      let send = try await fixture.push(id, at: now) { $0.activity?.timestamp = wanted }
      return send.activity?.timestamp
    }
    #expect(try await stamp("1", at: Sample.now) == second)
    #expect(try await stamp("2", at: Sample.now) == second + 1)
    // The clock was set back.
    #expect(try await stamp("3", at: Sample.now + .seconds(-60)) == second + 2)
    #expect(try await stamp("4", second + 2, at: Sample.now) == second + 2)
    await expect(.conflict) { _ = try await stamp("5", second + 1, at: Sample.now) }
    #expect(try await fixture.pushed("5") == nil)
    #expect(try await stamp("6", at: Sample.now + .seconds(60)) == second + 60)
    #expect(try await fixture.pushed("6")?.activity?.timestamp == second + 60)
    #expect(try await fixture.activity()?.last?.timestamp == second + 60)
    // A repeat is the first push, and changes nothing.
    let first = try await fixture.push("7", at: Sample.now) { $0.idempotencyKey = "k" }
    let again = try await fixture.push("8", at: Sample.now) { $0.idempotencyKey = "k" }
    #expect(again.id == first.id && again.activity == first.activity)
    #expect(try await fixture.activity()?.last?.timestamp == second + 61)
    try await fixture.drain(at: Sample.now + .seconds(60))
  },
  StoreBehaviour("refused tokens are removed, and with an end those that it reached") { store in
    let fixture = try await StoreFixture(store, "activity-outcomes")
    try await fixture.follow(6)
    try await fixture.push("update")
    let batch = try #require(try await fixture.lease())
    // Registered again while the push was in flight.
    let newer = token(order, "activity-outcomes-3", "b3")
    _ = try await store.register(newer, app: fixture.app, at: Sample.now + .seconds(1))
    let outcomes = batch.targets.map { target -> Outcome in
      switch target.number {
      case 1, 4: return StoreFixture.outcome(target, .uninstalled)
      case 2: return StoreFixture.outcome(target, .rejected)
      case 3:
        var outcome = StoreFixture.outcome(target, .uninstalled)
        // Before the token was registered.
        outcome.goneSince = Sample.now + .seconds(-1)
        return outcome
      case 5:
        var outcome = StoreFixture.outcome(target, .rejected)
        outcome.reason = "TopicDisallowed"
        return outcome
      default: return StoreFixture.outcome(target)
      }
    }
    try await fixture.finish(batch, outcomes)
    #expect(try await fixture.devices(order) == [3, 4, 5, 6])
    // The devices themselves are as they were, and nobody doubts so many refusals.
    #expect(try await store.device("activity-outcomes-0", app: fixture.app)?.uninstalledAt == nil)
    let sent = try #require(try await fixture.pushed("update"))
    #expect(sent.state == .complete && sent.suspicion == .none)
    #expect(
      (sent.counts.targeted, sent.counts.sent, sent.counts.rejected, sent.counts.uninstalled)
        == (6, 1, 2, 3))
    var activity = try #require(try await fixture.activity())
    #expect(activity.failures == ["Unregistered": 3, "BadDeviceToken": 1, "TopicDisallowed": 1])
    #expect(activity.removed == 2 && activity.phones == 4 && activity.type == "Order")

    try await fixture.push("end", .end, at: Sample.now + .seconds(1))
    let end = try #require(try await fixture.lease(at: Sample.now + .seconds(1)))
    try await fixture.finish(
      end,
      end.targets.map { target in
        guard target.number == 6 else { return StoreFixture.outcome(target) }
        var outcome = StoreFixture.outcome(target, .rejected)
        outcome.reason = "TopicDisallowed"
        return outcome
      }, at: Sample.now + .seconds(1))
    #expect(try await fixture.devices(order) == [6])
    activity = try #require(try await fixture.activity())
    #expect(activity.removed == 5 && activity.last?.event == .end)
    #expect(activity.counts.targeted == 10 && activity.counts.sent == 4)
    #expect(activity.recentPushes == 2 && activity.recentUrgentPushes == 2)
    let later = try await store.activity(
      "order-1", app: fixture.app, at: Sample.now + .seconds(3601))
    #expect(later?.recentPushes == 0)
  },
  StoreBehaviour("a push to an activity is no notification of the list, and tells no webhook") {
    store in
    let fixture = try await StoreFixture(store, "activity-list")
    try await fixture.follow(1)
    try await store.add(
      Webhook(
        id: "activity-hook", app: fixture.app, url: "https://example.com",
        events: ["notification.sending", "notification.complete"], sealedSecret: [1],
        createdAt: Sample.now))
    try await fixture.push("push")
    try await fixture.drain()
    try await fixture.push("nobody", .end) { $0.activity?.id = "order-9" }
    #expect(try await store.sends(app: fixture.app, after: nil, limit: 10).total == 0)
    #expect(try await store.sends(app: fixture.app, after: nil, limit: 10).sends.isEmpty)
    #expect(
      try await store.leaseWebhookCall(
        owner: "o", at: Sample.now + .seconds(60), until: Sample.now + .seconds(61)) == nil)
    #expect(try await fixture.pushed("push")?.activity?.event == .update)
    let list = try await store.activities(app: fixture.app, at: Sample.now, limit: 10)
    #expect(Set(list.map(\.id)) == ["order-1", "order-9"])
    #expect(try await store.activities(app: fixture.app, at: Sample.now, limit: 1).count == 1)
    #expect(try await fixture.activity("order-2") == nil)
    #expect(try await store.activity("order-1", app: "no app", at: Sample.now) == nil)
  },
  StoreBehaviour("a broadcast is one target, and none once its channel is deleted") { store in
    let fixture = try await StoreFixture(store, "activity-channels")
    func channel(_ id: String, development: Bool = false) -> Channel {
      Channel(
        id: id, app: fixture.app, storage: development ? .mostRecent : .none,
        isDevelopment: development, createdAt: Sample.now)
    }
    for id in ["one", "two"] { try await store.add(channel(id)) }
    try await store.add(channel("three", development: true))
    try await store.add(channel("three", development: true))
    await expect(.notFound) {
      try await store.add(
        Channel(
          id: "x", app: "no app", storage: .none, isDevelopment: false, createdAt: Sample.now))
    }
    let page = try await store.channels(app: fixture.app, after: nil, limit: 2)
    #expect(page.elements.map(\.id) == ["three", "two"] && page.total == 3)
    #expect(page.elements.first == channel("three", development: true))
    let rest = try await store.channels(app: fixture.app, after: page.cursor, limit: 2)
    #expect(rest.elements.map(\.id) == ["one"] && rest.cursor == nil)
    await expect(.expiredCursor) {
      _ = try await store.channels(app: fixture.app, after: "x", limit: 2)
    }
    #expect(try await store.channel("one", app: "no app") == nil)

    try await fixture.push("push") { $0.activity?.channel = "three" }
    let batch = try #require(try await fixture.lease())
    #expect(batch.targets.map(\.token) == ["three"] && batch.targets[0].isDevelopment)
    try await fixture.finish(batch)
    #expect(try await fixture.pushed("push")?.counts.sent == 1)
    #expect(try await store.removeChannel("one", app: fixture.app))
    #expect(try await store.removeChannel("one", app: fixture.app) == false)
    #expect(try await store.removeChannel("two", app: "no app") == false)
    try await fixture.push("late", .end) { $0.activity?.channel = "one" }
    let late = try #require(try await fixture.lease())
    #expect(late.targets.map(\.token) == [nil])
    try await fixture.finish(late)
  },
  StoreBehaviour("tokens expire after fourteen days, and so do activities with their sends") {
    store in
    let fixture = try await StoreFixture(store, "activity-retention")
    try await fixture.follow(1)
    let start = token(.start(type: "Order"), "activity-retention-0", "b0")
    _ = try await store.register(start, app: fixture.app, at: Sample.now)
    for number in 0..<5 { try await fixture.push("p\(number)") }
    try await fixture.drain()
    func remove(at time: Timestamp) async throws -> Int {
      var count = 0
      while try await store.removeOutdated(Retention(), at: time, limit: 2) { count += 1 }
      return count
    }
    let end = Sample.now + ActivityToken.life
    _ = try await remove(at: end)
    #expect(try await fixture.devices(order) == [1])
    #expect(try await fixture.activity()?.counts.sent == 5)
    #expect(try await remove(at: end + .milliseconds(1)) > 1, "a bounded number at a time")
    #expect(try await fixture.devices(order).isEmpty)
    #expect(try await fixture.devices(.start(type: "Order")) == [1])
    #expect(try await fixture.activity() == nil)
    #expect(try await fixture.pushed("p0") == nil)
  },
]
