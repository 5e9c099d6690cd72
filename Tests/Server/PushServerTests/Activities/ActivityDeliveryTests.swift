import APNs
import PushModel
import PushPayload
import PushStore
import Testing

@testable import PushServer

@Suite("Delivery to Live Activities", .timeLimit(.minutes(10)))
struct ActivityDeliveryTests {
  private static let bundleID = "com.example.weather"

  @Test("a start, updates and an end are Apple's pushes, and the end removes the tokens")
  func life() async throws {
    let world = try await ActivityWorld()
    let apple = world.fixture.apple
    let now = world.fixture.clock.now.milliseconds / 1000
    try await world.offer(token: "aa")
    #expect(await world.push(ActivityWorld.start).status == 201)
    await world.deliver()
    let start = try #require(apple.taken.last)
    #expect(start.push.deviceToken == "aa" && start.push.pushType == .liveActivity)
    #expect(start.push.topic == Self.bundleID + ".push-type.liveactivity")
    #expect(start.push.priority == 10 && start.push.collapseID == nil)
    #expect(start.push.expiration?.seconds == now + 8 * 3600)
    #expect(
      start.payload == [
        "aps": [
          "event": "start", "timestamp": .integer(now), "attributes-type": "OrderAttributes",
          "attributes": ["number": 7, "martlet": ["activity_id": "order-1"]],
          "content-state": ["status": "cooking"], "input-push-token": 1,
          "alert": [
            "title": "Your order", "body": "The kitchen has begun", "sound": "ding.caf",
          ],
        ]
      ])

    try await world.follow("order-1", token: "bb")
    let update = ActivityWorld.update.with([
      "stale_date": "2023-11-15T00:00:00Z", "relevance_score": 75.5, "priority": 5,
      "alert": ["title": ["loc-key": "T", "loc-args": ["a"]], "body": "B"],
    ])
    #expect(await world.push(update).status == 201)
    await world.deliver()
    let updated = try #require(apple.taken.last)
    #expect(updated.push.deviceToken == "bb" && updated.push.priority == 5)
    #expect(updated.push.expiration?.seconds == now + 12 * 3600)
    #expect(
      updated.payload["aps"] == [
        "event": "update", "timestamp": .integer(now + 1), "content-state": ["status": "baking"],
        "stale-date": 1_700_006_400, "relevance-score": 75.5,
        "alert": ["title": ["loc-key": "T", "loc-args": ["a"]], "body": "B"],
      ])

    #expect(await world.push(["event": "end", "dismissal_date": 5]).status == 201)
    await world.deliver()
    #expect(apple.taken.count == 3)
    #expect(
      apple.taken.last?.payload["aps"] == [
        "event": "end", "timestamp": .integer(now + 2), "dismissal-date": 5,
      ])
    let activity = await world.activity()
    #expect(activity["phones"] == 0 && activity["type"] == "OrderAttributes")
    #expect(activity["last_event"] == "end" && activity["last_timestamp"] == .integer(now + 2))
    #expect(
      activity["counts"] == ["targeted": 3, "sent": 3, "failed": 0, "tokens_removed": 1])
    #expect(activity["last_hour"] == ["pushes": 3, "urgent": 2])
    // Nothing is left to be told.
    let late = await world.push(ActivityWorld.update)
    #expect(late.json["notification"]?["counts"]?["targeted"] == 0)
  }

  @Test("a start on a channel asks for no token, but for the channel")
  func startOnChannel() async throws {
    let world = try await ActivityWorld()
    try await world.offer(token: "aa")
    let channel = try await makeChannel(world, storage: "most_recent")
    #expect(await world.push(ActivityWorld.start.with(["channel_id": channel])).status == 201)
    await world.deliver()
    let aps = world.fixture.apple.taken.last?.payload["aps"]
    #expect(aps?["input-push-channel"] == channel && aps?["input-push-token"] == nil)
  }

  private func makeChannel(
    _ world: ActivityWorld, storage: String, development: Bool = false
  ) async throws -> JSONValue {
    let answer = await world.request(
      "POST", "/v6/apps/\(world.fixture.app.id)/channels",
      ["channel": ["storage": .string(storage), "development": .bool(development)]])
    return try #require(answer.json["channel"]?["id"])
  }

  @Test(
    "a broadcast is one push to the channel in its environment",
    arguments: ["none", "most_recent"],
    [false, true])
  func broadcast(storage: String, development: Bool) async throws {
    let world = try await ActivityWorld()
    let channel = try await makeChannel(world, storage: storage, development: development)
    let update = ActivityWorld.update.with(["channel_id": channel, "priority": 5])
    let id = try #require(await world.push(update).json["notification"]?["id"]?.string)
    await world.deliver()
    #expect(world.fixture.apple.taken.isEmpty)
    let sent = try #require(world.fixture.apple.broadcasts.first)
    #expect(sent.isDevelopment == development && .string(sent.broadcast.channel.id) == channel)
    #expect(sent.broadcast.priority == 5)
    let now = world.fixture.clock.now.milliseconds / 1000
    #expect(sent.broadcast.expiration.seconds == (storage == "none" ? 0 : now + 8 * 3600))
    let payload = try JSONValue(parsing: String(decoding: sent.broadcast.payload, as: UTF8.self))
    #expect(payload["aps"]?["event"] == "update")
    let send = await world.request("GET", "/v6/notifications/\(id)").json
    #expect(send["state"] == "complete" && send["counts"]?["sent"] == 1)
    let start = await world.push(["event": "end", "channel_id": channel], to: "order-2")
    #expect(start.status == 201)
    await world.deliver()
    #expect(world.fixture.apple.broadcasts.count == 2)
  }

  @Test("an update to a deleted channel fails, and the channel is no more")
  func deletedChannel() async throws {
    let world = try await ActivityWorld()
    let channel = try await makeChannel(world, storage: "none")
    let update = ActivityWorld.update.with(["channel_id": channel])
    #expect(await world.push(update).status == 201)
    let path = "/v6/apps/\(world.fixture.app.id)/channels"
    #expect(await world.request("GET", path).json["channels"]?.array?.count == 1)
    let deleted = await world.request("DELETE", path + "/" + (channel.string ?? ""))
    #expect(deleted.status == 200 && deleted.json["channel"]?["id"] == channel)
    let again = await world.request("DELETE", path + "/" + (channel.string ?? ""))
    #expect(again.status == 404)
    #expect(await world.request("GET", path).json["meta"]?["total"] == 0)
    await world.deliver()
    #expect(world.fixture.apple.broadcasts.isEmpty)
    #expect(await world.activity()["failures"] == ["ChannelNotRegistered": 1])
    #expect(await world.push(update).status == 404)
    let entries = await world.request("GET", "/v6/audit", role: .admin).json["entries"]?.array
    #expect(
      entries?.compactMap { $0["action"]?.string }
        == ["channel.delete", "activity.update", "channel.create"])
  }

  @Test("a token that Apple refuses is removed, and the device stays as it is")
  func refusedToken() async throws {
    let world = try await ActivityWorld(phones: ["phone", "gone", "bad"])
    for (phone, token) in [("phone", "aa"), ("gone", "bb"), ("bad", "cc")] {
      try await world.follow("order-1", on: phone, token: token)
    }
    world.fixture.apple.answer { push in
      switch push.deviceToken {
      case "bb":
        APNsOutcome(kind: .answered, status: 410, reason: .unregistered, apnsID: push.id)
      case "cc":
        APNsOutcome(kind: .answered, status: 400, reason: .badDeviceToken, apnsID: push.id)
      default: APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
      }
    }
    #expect(await world.push(ActivityWorld.update).status == 201)
    await world.deliver()
    let activity = await world.activity()
    #expect(activity["phones"] == 1)
    #expect(activity["failures"] == ["Unregistered": 1, "BadDeviceToken": 1])
    #expect(
      activity["counts"] == ["targeted": 3, "sent": 1, "failed": 2, "tokens_removed": 2])
    let gone = try await world.fixture.store.device("gone", app: world.fixture.app.id)
    #expect(gone?.uninstalledAt == nil)
    #expect(await world.push(ActivityWorld.update).status == 201)
    await world.deliver()
    #expect(world.fixture.apple.taken.last?.push.deviceToken == "aa")
  }

  @Test("a token of Apple's other environment is found there, and the device is known to be of it")
  func otherHost() async throws {
    let world = try await ActivityWorld()
    try await world.follow("order-1", token: "aa")
    let hosts = TwoHosts { push, development in
      development
        ? APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
        : APNsOutcome(kind: .answered, status: 400, reason: .badDeviceToken, apnsID: push.id)
    }
    #expect(await world.push(ActivityWorld.update).status == 201)
    await world.deliver(hosts)
    #expect(hosts.asked.map(\.development) == [false, true])
    let device = try await world.fixture.store.device("phone", app: world.fixture.app.id)
    #expect(device?.isDevelopment == true)
    #expect(await world.activity()["phones"] == 1)
  }

  @Test("a token is kept where the host that may know it cannot be asked")
  func doubtedToken() async throws {
    let world = try await ActivityWorld()
    try await world.follow("order-1", token: "aa")
    let hosts = TwoHosts { push, development in
      development
        ? APNsOutcome(kind: .neverSent, apnsID: push.id)
        : APNsOutcome(kind: .answered, status: 400, reason: .badDeviceToken, apnsID: push.id)
    }
    #expect(await world.push(ActivityWorld.update).status == 201)
    await world.deliver(hosts)
    let activity = await world.activity()
    #expect(activity["phones"] == 1 && activity["failures"] == ["BadDeviceToken": 1])
  }

  @Test("an update without an answer is repeated, and a start is not")
  func unanswered() async throws {
    let world = try await ActivityWorld()
    try await world.offer(token: "aa")
    try await world.follow("order-1", token: "bb")
    let apple = world.fixture.apple
    for (activity, pushes) in [(ActivityWorld.start, 1), (ActivityWorld.update, 2)] {
      let before = apple.taken.count
      apple.answer { APNsOutcome(kind: .maybeSent, apnsID: $0.id) }
      #expect(await world.push(activity).status == 201)
      let wait = await world.fixture.dispatcher().sendDueBatches()
      apple.answer { APNsOutcome(kind: .answered, status: 200, apnsID: $0.id) }
      if let wait { world.fixture.clock.advance(by: wait) }
      await world.deliver()
      let taken = apple.taken.dropFirst(before)
      #expect(taken.count == pushes)
      #expect(Set(taken.map(\.push.payload)).count == 1, "a repeat is the same push")
    }
    #expect(await world.activity()["failures"] == ["NoAnswer": 1])
  }

  @Test(
    "a push that cannot be sent in time expires, and one that waits for Apple survives a restart")
  func restart() async throws {
    let world = try await ActivityWorld()
    try await world.follow("order-1", token: "aa")
    let apple = world.fixture.apple
    apple.answer { APNsOutcome(kind: .neverSent, apnsID: $0.id) }
    let id = try #require(
      await world.push(ActivityWorld.update).json["notification"]?["id"]?.string)
    #expect(await world.fixture.dispatcher().sendDueBatches() == .seconds(1))
    // Another process opens the same file.
    let store = try SQLitePushStore(path: world.fixture.store.path)
    apple.answer { APNsOutcome(kind: .answered, status: 200, apnsID: $0.id) }
    world.fixture.clock.advance(by: .seconds(1))
    let next = Dispatcher(store: store, sender: apple, clock: world.fixture.clock.serverClock)
    #expect(await next.sendDueBatches() == nil)
    #expect(apple.taken.count == 2)
    #expect(Set(apple.taken.map(\.push.id)).count == 1)
    #expect(try await store.send(id, app: world.fixture.app.id)?.counts.sent == 1)

    let late = try #require(
      await world.push(ActivityWorld.update).json["notification"]?["id"]?.string)
    world.fixture.clock.advance(by: .seconds(12 * 3600))
    await world.deliver()
    #expect(apple.taken.count == 2)
    #expect(await world.request("GET", "/v6/notifications/\(late)").json["state"] == "complete")
  }

  @Test("an app's rate limit is for notifications, not for activities")
  func unthrottled() async throws {
    let world = try await ActivityWorld()
    var app = world.fixture.app
    app.throttlePerSecond = 1
    _ = try await world.fixture.store.update(app, from: world.fixture.app)
    try await world.follow("order-1", token: "aa")
    let id = try #require(
      await world.push(ActivityWorld.update).json["notification"]?["id"]?.string)
    let send = try await world.fixture.store.send(id, app: app.id)
    #expect(send?.throttlePerSecond == nil)
  }

  @Test(
    "a broadcast that is answered like a push to a device fails with the reason, and is not repeated",
    arguments: [
      (400, APNsReason.badDeviceToken), (410, .badDeviceToken), (410, .unregistered),
      (400, .expiredToken),
    ])
  func oddAnswer(status: Int, reason: APNsReason) async throws {
    let world = try await ActivityWorld()
    world.fixture.apple.answerBroadcasts(
      APNsOutcome(kind: .answered, status: status, reason: reason, apnsID: ""))
    let channel = try await makeChannel(world, storage: "none")
    #expect(await world.push(ActivityWorld.update.with(["channel_id": channel])).status == 201)
    await world.deliver()
    #expect(world.fixture.apple.broadcasts.count == 1 && world.fixture.apple.taken.isEmpty)
    #expect(await world.activity()["failures"] == [reason.rawValue: 1])
  }

  @Test("the environment of an activity's token is not that of a push token which came later")
  func laterPushToken() async throws {
    let world = try await ActivityWorld()
    try await world.follow("order-1", token: "aa")
    world.fixture.clock.advance(by: .seconds(1))
    try await world.fixture.register("phone")
    let hosts = TwoHosts { push, development in
      development
        ? APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
        : APNsOutcome(kind: .answered, status: 400, reason: .badDeviceToken, apnsID: push.id)
    }
    #expect(await world.push(ActivityWorld.update).status == 201)
    await world.deliver(hosts)
    #expect(hosts.asked.map(\.development) == [false, true])
    let device = try await world.fixture.store.device("phone", app: world.fixture.app.id)
    #expect(device?.isDevelopment == false)
  }
}
