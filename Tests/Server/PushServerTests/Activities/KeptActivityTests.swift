import APNs
import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Live Activities that the server keeps", .timeLimit(.minutes(10)))
struct KeptActivityTests {
  private static let wish: JSONValue = [
    "type": "OrderAttributes", "devices": ["phone"], "attributes": ["number": 7],
    "content_state": ["status": "cooking"],
    "alert": ["title": "Your order", "body": "The kitchen has begun", "sound": "ding.caf"],
  ]

  private func keep(
    _ world: ActivityWorld, _ activity: JSONValue, id: String = "order-1"
  ) async -> Fixture.Answer {
    await world.request("PUT", "/v6/activities/\(id)", ["activity": activity])
  }

  /// Handles what is due for the keepers, and delivers.
  private func settle(_ world: ActivityWorld) async throws {
    for _ in 0..<3 {
      try await world.router.actions.keeperRunner.runDue { Issue.record("\($0)") }
      await world.deliver()
    }
  }

  private func events(_ world: ActivityWorld) -> [String?] {
    world.fixture.apple.taken.map { $0.payload["aps"]?["event"]?.string }
  }

  @Test(
    "one start until the token comes, then the last state only, and an end until the token is gone")
  func life() async throws {
    let world = try await ActivityWorld()
    let apple = world.fixture.apple
    try await world.offer(token: "aa")
    #expect(await keep(world, Self.wish).status == 200)
    try await settle(world)
    #expect(events(world) == ["start"])
    #expect(
      apple.taken.last?.push.expiration?.seconds == world.fixture.clock.now.milliseconds / 1000
        + 900)
    for status in ["baking", "packed", "on its way"] {
      world.fixture.clock.advance(by: .seconds(60))
      let answer = await keep(world, ["content_state": ["status": .string(status)]])
      #expect(answer.json["activity"]?["kept"]?["phones"]?["starting"] == 1)
      try await settle(world)
    }
    #expect(events(world) == ["start"], "no second start, and no update without a token")

    try await world.follow("order-1", token: "bb")
    try await settle(world)
    #expect(events(world) == ["start", "update"])
    let update = try #require(apple.taken.last)
    #expect(update.push.deviceToken == "bb" && update.push.priority == 10)
    #expect(update.payload["aps"]?["content-state"] == ["status": "on its way"])
    #expect(update.payload["aps"]?["alert"] == nil, "the start had the alert")

    let end: JSONValue = ["ended": true, "content_state": ["status": "delivered"]]
    #expect(await keep(world, end).json["activity"]?["kept"]?["state"] == "ending")
    try await settle(world)
    #expect(events(world).last == "end" && apple.taken.last?.push.priority == 10)
    #expect(apple.taken.last?.payload["aps"]?["content-state"] == ["status": "delivered"])
    // The end is repeated until APNs knows the token no more.
    apple.answer { push in
      APNsOutcome(kind: .answered, status: 410, reason: .unregistered, apnsID: push.id)
    }
    world.fixture.clock.advance(by: .seconds(6))
    try await settle(world)
    #expect(events(world).suffix(2) == ["end", "end"] && apple.taken.last?.push.priority == 5)
    let activity = await world.activity()
    #expect(activity["kept"]?["state"] == "finished" && activity["phones"] == 0)
    #expect(await keep(world, Self.wish).status == 409)
    let count = apple.taken.count
    world.fixture.clock.advance(by: .seconds(86_400))
    try await settle(world)
    #expect(apple.taken.count == count)
  }

  @Test("before eight hours an activity is ended, and started again when the phone has ended it")
  func renewal() async throws {
    let world = try await ActivityWorld()
    let apple = world.fixture.apple
    try await world.offer(token: "aa")
    _ = await keep(world, Self.wish)
    try await settle(world)
    try await world.follow("order-1", token: "bb")
    try await settle(world)
    world.fixture.clock.advance(by: KeptPhone.renewal)
    try await settle(world)
    #expect(events(world).last == "end")
    #expect(apple.taken.last?.payload["aps"]?["dismissal-date"] == 1)
    let starts = events(world).count { $0 == "start" }
    #expect(starts == 1)
    // The app tells that the activity has ended.
    let gone = await world.ask("DELETE", "/v6/activities/order-1/tokens/phone", ["token": "bb"])
    #expect(gone.status == 204)
    try await settle(world)
    #expect(events(world).last == "start" && events(world).count { $0 == "start" } == 2)
    #expect(apple.taken.last?.payload["aps"]?["alert"]?["sound"] == nil)
    #expect(apple.taken.last?.payload["aps"]?["alert"]?["title"] == "Your order")
  }

  @Test("a heartbeat sends the last state with priority 5 and a later stale date")
  func heartbeat() async throws {
    let world = try await ActivityWorld()
    let apple = world.fixture.apple
    try await world.offer(token: "aa")
    _ = await keep(world, Self.wish.with(["heartbeat": "PT2M", "stale_after": "PT5M"]))
    try await settle(world)
    try await world.follow("order-1", token: "bb")
    try await settle(world)
    var dates: [Int64] = []
    for _ in 0..<8 {
      world.fixture.clock.advance(by: .seconds(120))
      let count = apple.taken.count
      try await settle(world)
      #expect(apple.taken.count == count + 1 && apple.taken.last?.push.priority == 5)
      let now = world.fixture.clock.now.milliseconds / 1000
      let date = try #require(apple.taken.last?.payload["aps"]?["stale-date"]?.integer)
      #expect((now...(now + 300)).contains(date))
      dates.append(date)
    }
    #expect(dates == dates.sorted() && Set(dates).count == 8)
  }

  @Test(
    "above the number of phones a channel is made; it is deleted when Apple keeps nothing of it")
  func channel() async throws {
    let world = try await ActivityWorld(phones: ["phone", "other", "late"])
    let apple = world.fixture.apple
    try await world.offer(token: "aa")
    try await world.offer("other", token: "cc")
    try await world.offer("late", token: "dd")
    let wish = Self.wish.with([
      "devices": ["phone", "other"], "channel": ["above": 1, "storage": "most_recent"],
    ])
    #expect(await keep(world, wish, id: "match-1").status == 200)
    try await settle(world)
    let id = try #require(
      await world.activity("match-1")["kept"]?["channel_id"]?.string)
    #expect(Set(apple.taken.map(\.push.deviceToken)) == ["aa", "cc"])
    #expect(apple.taken.allSatisfy { $0.payload["aps"]?["input-push-channel"]?.string == id })
    // An app that began what a push has started would show two.
    let started = await world.ask("PUT", "/v6/activities/match-1/followers/phone")
    #expect(started.status == 200 && started.json["channel_id"] == .null)
    // Who follows later begins the activity on the channel, and gets no start by a push.
    for _ in 0..<2 {
      let follow = await world.ask("PUT", "/v6/activities/match-1/followers/late")
      #expect(follow.status == 200 && follow.json["channel_id"]?.string == id)
    }
    let state: JSONValue = ["content_state": ["goals": 1], "devices": ["phone", "late"]]
    _ = await keep(world, state, id: "match-1")
    try await settle(world)
    #expect(apple.taken.count == 2 && apple.broadcasts.last?.broadcast.priority == 10)
    _ = await keep(world, ["ended": true], id: "match-1")
    try await settle(world)
    let ends = apple.broadcasts.count
    #expect(ends >= 2)
    world.fixture.clock.advance(by: KeptChannel.storage + .seconds(1))
    try await settle(world)
    let path = "/v6/apps/\(world.fixture.app.id)/channels"
    #expect(await world.request("GET", path).json["meta"]?["total"] == 0)
    #expect(await world.activity("match-1")["kept"]?["state"] == "finished")
  }

  @Test("while the channel is made, who unfollows gets no start, and who needs it asks again")
  func waiting() async throws {
    let world = try await ActivityWorld(phones: ["phone", "other"])
    try await world.offer(token: "aa")
    let wish = Self.wish.with(["devices": .null, "channel": ["above": 0]])
    #expect(await keep(world, wish, id: "match-1").status == 200)
    let path = "/v6/activities/match-1/followers"
    let follow = await world.ask("PUT", "\(path)/phone")
    #expect(follow.status == 200 && follow.json["channel_id"] == .null, "a push will start it")
    let other = await world.ask("PUT", "\(path)/other")
    #expect(other.status == 503 && other.headers["Retry-After"] == "1", "\(other.text)")
    #expect(await world.ask("DELETE", "\(path)/phone").status == 204)
    try await settle(world)
    #expect(events(world) == [])
    let later = await world.ask("PUT", "\(path)/other")
    #expect(later.json["channel_id"]?.string != nil, "\(later.text)")
    // Where no push has started it, the last state is repeated all the same.
    world.fixture.clock.advance(by: .seconds(61))
    try await settle(world)
    #expect(world.fixture.apple.broadcasts.count == 1)
  }

  @Test("all phones that follow a channel at once get it")
  func crowd() async throws {
    let phones = (1...50).map { "phone-\($0)" }
    let world = try await ActivityWorld(phones: phones)
    let wish = Self.wish.with(["devices": .null, "channel": ["above": 0]])
    #expect(await keep(world, wish, id: "match-1").status == 200)
    let path = "/v6/activities/match-1/followers"
    #expect(await world.ask("PUT", "\(path)/phone-1").status == 503)
    try await settle(world)
    let id = try #require(await world.activity("match-1")["kept"]?["channel_id"]?.string)
    let answers = await withTaskGroup(of: String.self) { group in
      for phone in phones {
        group.addTask {
          await world.ask("PUT", "\(path)/\(phone)").json["channel_id"]?.string ?? "none"
        }
      }
      return await group.reduce(into: [String]()) { $0.append($1) }
    }
    #expect(answers == Array(repeating: id, count: 50))
    let app = world.fixture.app.id
    let kept = try await world.fixture.store.keptActivity("match-1", app: app)
    #expect(kept?.keeper.channel?.joined.count == 50)
  }

  @Test(
    "on a channel without attributes each app gets the channel, and no start is sent",
    arguments: [true, false])
  func noAttributes(fromBegin: Bool) async throws {
    let world = try await ActivityWorld(phones: ["phone", "other"])
    try await world.offer(token: "aa")
    var wish = Self.wish.with(["channel": ["above": 0]])
    if fromBegin { wish = wish.with(["attributes": .null]) }
    #expect(await keep(world, wish, id: "match-1").status == 200)
    if !fromBegin {
      #expect(await keep(world, ["attributes": .null], id: "match-1").status == 200)
    }
    let path = "/v6/activities/match-1/followers"
    #expect(await world.ask("PUT", "\(path)/phone").status == 503)
    try await settle(world)
    let id = try #require(await world.activity("match-1")["kept"]?["channel_id"]?.string)
    for phone in ["phone", "other"] {
      let answer = await world.ask("PUT", "\(path)/\(phone)")
      #expect(answer.status == 200 && answer.json["channel_id"]?.string == id, "\(answer.text)")
    }
    try await settle(world)
    #expect(events(world) == [])
  }

  @Test("what fits a token and not a channel is 422")
  func channelSize() async throws {
    let world = try await ActivityWorld()
    func wish(_ size: Int) -> JSONValue {
      let text = JSONValue.string(String(repeating: "a", count: size))
      return Self.wish.with(["attributes": ["text": text]])
    }
    let limit = PushType.liveActivity.payloadLimit
    let large = await keep(world, wish(limit))
    #expect(large.status == 422, "\(large.text)")
    let count = try #require(large.error.split(separator: " ").compactMap { Int($0) }.first)
    let fitting = limit - (count - limit)
    #expect(await keep(world, wish(fitting)).status == 200)
    #expect(await keep(world, wish(fitting + 1), id: "order-2").status == 422)
    let onChannel = wish(fitting).with(["channel": ["above": 0]])
    let answer = await keep(world, onChannel, id: "match-1")
    #expect(answer.status == 422 && answer.error.contains("when composed"), "\(answer.text)")
  }

  @Test("a channel keeps the storage and the host with which it was made")
  func channelRule() async throws {
    let world = try await ActivityWorld()
    let rule: JSONValue = ["above": 0, "storage": "none", "development": true]
    let wish = Self.wish.with(["devices": .null, "channel": rule])
    #expect(await keep(world, wish, id: "match-1").status == 200)
    _ = await world.ask("PUT", "/v6/activities/match-1/followers/phone")
    try await settle(world)
    for other in [["storage": "most_recent"], ["development": false]] as [JSONValue] {
      let answer = await keep(world, ["channel": other], id: "match-1")
      #expect(answer.status == 422 && answer.error.hasPrefix("$.activity.channel is in use"))
    }
    #expect(await keep(world, ["channel": .null], id: "match-1").status == 422)
    // What is left out stays as it was.
    let same = await keep(
      world, ["channel": ["above": 5], "content_state": ["goals": 1]], id: "match-1")
    #expect(same.status == 200, "\(same.text)")
    try await settle(world)
    #expect(world.fixture.apple.broadcasts.last?.broadcast.expiration.seconds == 0)
  }

  @Test("a phone that follows gets a start, and one that unfollows an end")
  func follow() async throws {
    let world = try await ActivityWorld(phones: ["phone", "other"])
    try await world.offer(token: "aa")
    let path = "/v6/activities/order-1/followers/phone"
    #expect(await world.ask("PUT", path).status == 404, "nothing is kept")
    _ = await keep(world, Self.wish.with(["devices": .null]))
    try await settle(world)
    #expect(events(world) == [])
    let answer = await world.ask("PUT", path)
    #expect(answer.status == 200 && answer.json["channel_id"] == .null, "\(answer.text)")
    try await settle(world)
    #expect(events(world) == ["start"])
    try await world.follow("order-1", token: "bb")
    try await settle(world)
    #expect(await world.ask("DELETE", path).status == 204)
    try await settle(world)
    #expect(events(world).last == "end")
    #expect(await world.ask("PUT", path, secret: nil).status == 403)
  }

  @Test("an activity for named devices is followed by no other, and sends nothing to its token")
  func named() async throws {
    let world = try await ActivityWorld(phones: ["phone", "stranger"])
    try await world.offer(token: "aa")
    try await world.offer("stranger", token: "cc")
    // A guess of the id that comes before the activity.
    try await world.follow("order-1", on: "stranger", token: "dd")
    #expect(await keep(world, Self.wish.with(["followers": "named"])).status == 200)
    let (path, token) = ("/v6/activities/order-1/followers", "/v6/activities/order-1/tokens")
    for (method, path, body) in [
      ("PUT", "\(path)/stranger", nil), ("DELETE", "\(path)/stranger", nil),
      ("PUT", "\(token)/stranger", ["token": "dd", "type": "OrderAttributes"]),
    ] as [(String, String, JSONValue?)] {
      let answer = await world.ask(method, path, body)
      #expect(answer.status == 403 && answer.error.contains("named devices only"), "\(method)")
    }
    #expect(await world.ask("PUT", "\(path)/phone").status == 200)
    try await settle(world)
    try await world.follow("order-1", token: "bb")
    _ = await keep(world, ["content_state": ["status": "baking"]])
    try await settle(world)
    #expect(world.fixture.apple.taken.map(\.push.deviceToken) == ["aa", "bb"])
    // Who is named later may follow from then on.
    #expect(await keep(world, ["devices": ["stranger"]]).status == 200)
    #expect(await world.ask("PUT", "\(path)/stranger").status == 200)
    try await settle(world)
    #expect(world.fixture.apple.taken.last?.push.deviceToken == "dd")
    #expect(await keep(world, ["followers": "named"]).status == 200)
    for other in ["anyone", .null] as [JSONValue] {
      let answer = await keep(world, ["followers": other])
      #expect(answer.status == 422 && answer.error.contains("followers cannot change"))
    }
  }

  @Test("only named devices get the channel of an activity for them")
  func namedOnChannel() async throws {
    let world = try await ActivityWorld(phones: ["phone", "stranger"])
    let wish = Self.wish.with(["followers": "named", "channel": ["above": 0]])
    #expect(await keep(world, wish, id: "match-1").status == 200)
    try await settle(world)
    #expect(await world.ask("PUT", "/v6/activities/match-1/followers/stranger").status == 403)
    let answer = await world.ask("PUT", "/v6/activities/match-1/followers/phone")
    #expect(answer.json["channel_id"]?.string != nil, "\(answer.text)")
  }

  @Test("a person who has removed an activity gets it again by following")
  func followAgain() async throws {
    let world = try await ActivityWorld()
    try await world.offer(token: "aa")
    _ = await keep(world, Self.wish)
    try await settle(world)
    try await world.follow("order-1", token: "bb")
    try await settle(world)
    let gone = await world.ask("DELETE", "/v6/activities/order-1/tokens/phone", ["token": "bb"])
    #expect(gone.status == 204)
    try await settle(world)
    // The app's server does not bring it back.
    #expect(
      await keep(world, Self.wish.with(["content_state": ["status": "baking"]])).status == 200)
    try await settle(world)
    #expect(events(world).count { $0 == "start" } == 1)
    let answer = await world.ask("PUT", "/v6/activities/order-1/followers/phone")
    #expect(answer.status == 200 && answer.json["channel_id"] == .null, "\(answer.text)")
    try await settle(world)
    #expect(events(world).last == "start" && events(world).count { $0 == "start" } == 2)
  }

  @Test("a phone that has declined gets no start when all are named later")
  func declined() async throws {
    let world = try await ActivityWorld(phones: ["phone", "other"])
    try await world.offer(token: "aa")
    try await world.offer("other", token: "cc")
    #expect(await keep(world, Self.wish.with(["devices": .null])).status == 200)
    #expect(await world.ask("DELETE", "/v6/activities/order-1/followers/phone").status == 204)
    #expect(await keep(world, ["devices": ["phone", "other"]]).status == 200)
    try await settle(world)
    #expect(world.fixture.apple.taken.map(\.push.deviceToken) == ["cc"])
    // The person may still ask for it.
    #expect(await world.ask("PUT", "/v6/activities/order-1/followers/phone").status == 200)
    try await settle(world)
    #expect(world.fixture.apple.taken.map(\.push.deviceToken) == ["cc", "aa"])
  }

  @Test("of an erased phone a kept activity has nothing")
  func erased() async throws {
    let world = try await ActivityWorld()
    try await world.offer(token: "aa")
    #expect(await keep(world, Self.wish).status == 200)
    try await settle(world)
    try await world.follow("order-1", token: "bb")
    try await settle(world)
    let app = world.fixture.app.id
    var kept = try await world.fixture.store.keptActivity("order-1", app: app)
    #expect(kept?.keeper.phones.values.first?.sight.token != nil)
    #expect(await world.request("DELETE", "/v6/devices/phone").status == 200)
    try await settle(world)
    kept = try await world.fixture.store.keptActivity("order-1", app: app)
    #expect(kept?.keeper.phones.isEmpty == true)
    #expect(events(world) == ["start"])
  }

  @Test("a token of one phone more than are kept by their tokens is refused")
  func tokenLimit() async throws {
    let world = try await ActivityWorld(phones: ["phone", "other"])
    #expect(await keep(world, Self.wish).status == 200)
    let app = world.fixture.app.id
    let kept = try #require(try await world.fixture.store.keptActivity("order-1", app: app))
    let others = (1...UInt32(KeptChannelRule.phoneLimit - 1)).map { $0 + 1000 }
    let changed = try await world.router.actions.keeperRunner.change(
      kept, by: [.follows(others, true)], in: world.fixture.store)
    #expect(changed?.keeper.phones.count == KeptChannelRule.phoneLimit)
    try await world.follow("order-1", token: "bb")
    let refused = await world.ask(
      "PUT", "/v6/activities/order-1/tokens/other", ["token": "cc", "type": "OrderAttributes"])
    #expect(
      refused.status == 422 && refused.error.contains("kept on 1000 phones"), "\(refused.text)")
    try await settle(world)
    let after = try await world.fixture.store.keptActivity("order-1", app: app)
    #expect(after?.keeper.phones.count == KeptChannelRule.phoneLimit)
    // An activity that nobody keeps has no such limit.
    try await world.follow("order-2", on: "other", token: "cc")
  }

  @Test(
    "what cannot be kept is refused with its path",
    arguments: [
      (["type": .null], 422, "$.activity.type is missing"),
      (["content_state": .null], 422, "$.activity.content_state is missing"),
      (["alert": .null], 422, "$.activity.alert is missing"),
      (["priority": 7], 422, "$.activity.priority must be 5 or 10"),
      (["heartbeat": "PT59S"], 422, "$.activity.heartbeat must be from one minute"),
      (["heartbeat": "PT8H1S"], 422, "$.activity.heartbeat must be from one minute"),
      (["stale_after": 5], 400, "$.activity.stale_after must be a string"),
      (["urgent_per_hour": 0], 422, "$.activity.urgent_per_hour must be a whole number, 1 to 240"),
      (
        ["urgent_per_hour": 241], 422, "$.activity.urgent_per_hour must be a whole number, 1 to 240"
      ),
      (
        ["channel": ["above": 1001]], 422,
        "$.activity.channel.above must be a whole number, 0 to 1000"
      ),
      (["channel": ["storage": "all"]], 422, "$.activity.channel.storage must be one of"),
      (["followers": "some"], 422, "$.activity.followers must be one of anyone, named"),
      (["followers": true], 400, "$.activity.followers must be a string"),
      (["event": "start"], 422, "$.activity.event is not known"),
    ] as [([String: JSONValue], Int, String)])
  func refused(members: [String: JSONValue], status: Int, error: String) async throws {
    let world = try await ActivityWorld()
    let answer = await keep(world, Self.wish.with(members))
    #expect(answer.status == status && answer.error.hasPrefix(error), "\(answer.error)")
  }

  @Test("limits are inclusive, and a push by hand to a kept activity is a conflict")
  func accepted() async throws {
    let world = try await ActivityWorld()
    for (place, members) in [
      ["heartbeat": "PT1M"], ["heartbeat": "PT8H"], ["urgent_per_hour": 240],
      ["channel": ["above": 1000]], ["channel": ["above": 0]],
    ].enumerated() as EnumeratedSequence<[[String: JSONValue]]> {
      let answer = await keep(world, Self.wish.with(members), id: "order-\(place)")
      #expect(answer.status == 200, "\(answer.text)")
    }
    let byHand = await world.push(ActivityWorld.update, to: "order-0")
    #expect(byHand.status == 409)
    let changed = await keep(world, ["type": "Other"], id: "order-0")
    #expect(changed.status == 422)
  }
}
