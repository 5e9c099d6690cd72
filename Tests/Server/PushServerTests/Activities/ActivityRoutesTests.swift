import APNs
import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Pushes to Live Activities over the API", .timeLimit(.minutes(10)))
struct ActivityRoutesTests {
  private static let error = "$.activity"

  @Test(
    "an activity that is not valid is refused with its path, and nothing is stored",
    arguments: [
      (["event": "stop"], 422, ".event must be one of start, update, end"),
      (["event": .null], 422, ".event is missing"),
      (["content_state": .null], 422, ".content_state is missing"),
      (["content_state": "x"], 400, ".content_state must be an object, not a string"),
      (["priority": 1], 422, ".priority must be 5 or 10"),
      (["priority": 11], 422, ".priority must be a whole number, 1 to 10"),
      (["timestamp": "soon"], 422, ".timestamp must be UNIX seconds or an ISO 8601 date"),
      (["timestamp": -1], 422, ".timestamp must be a whole number, 0 to 253402300799"),
      (["timestamp": 1_700_000_061], 422, ".timestamp must not be more than a minute in the"),
      (["stale_date": true], 400, ".stale_date must be a whole number, not"),
      (["dismissal_date": 5], 422, ".dismissal_date is for the event end"),
      (["relevance_score": "1"], 400, ".relevance_score must be a number, not a string"),
      (["alert": ["body": "b"]], 422, ".alert.title is missing"),
      (["alert": ["title": ""]], 422, ".alert.title must not be empty"),
      (["alert": ["title": ["loc-args": ["a"]]]], 422, ".alert.title.loc-key is missing"),
      (["alert": ["title": 5]], 400, ".alert.title must be a string, or an object with loc-key"),
      (["alert": ["title": "t", "sound": 1]], 400, ".alert.sound must be a string, not a number"),
      (["type": "T"], 422, ".type is for the event start"),
      (["attributes": [:]], 422, ".attributes is for the event start"),
      (["devices": ["phone"]], 422, ".devices is for the event start"),
      (["targets": "*"], 422, ".targets is for the event start"),
      (["channel_id": "none"], 404, ".channel_id names no channel of this app"),
      (["state": [:]], 422, ".state is not known"),
    ] as [([String: JSONValue], Int, String)])
  func refusedUpdate(members: [String: JSONValue], status: Int, error: String) async throws {
    try await expectRefusal(ActivityWorld.update.with(members), status: status, error: error)
  }

  @Test(
    "a start that is not valid is refused with its path, and nothing is stored",
    arguments: [
      (["type": .null], 422, ".type is missing"),
      (["type": "a b"], 422, ".type must be the name of a Swift type"),
      (["attributes": .null], 422, ".attributes is missing"),
      (["attributes": ["martlet": 1]], 422, ".attributes.martlet is added by the server"),
      (["alert": .null], 422, ".alert is missing"),
      (["devices": .null], 422, ".devices or targets must name the phones of a start"),
      (["targets": "*"], 422, ".targets cannot stand beside devices"),
      (["devices": []], 422, ".devices must have 1 to 1000 ids"),
      (["devices": ["a b"]], 422, ".devices[0] must be 1 to 64 letters"),
      (["devices": .null, "targets": "none"], 404, ".targets names no audience of this app"),
      (["dismissal_date": 5], 422, ".dismissal_date is for the event end"),
      (["content_state": .null], 422, ".content_state is missing"),
    ] as [([String: JSONValue], Int, String)])
  func refusedStart(members: [String: JSONValue], status: Int, error: String) async throws {
    try await expectRefusal(ActivityWorld.start.with(members), status: status, error: error)
  }

  private func expectRefusal(_ activity: JSONValue, status: Int, error: String) async throws {
    let world = try await ActivityWorld()
    try await world.follow("order-1", token: "aa")
    let answer = await world.push(activity)
    #expect(answer.status == status)
    #expect(answer.error.hasPrefix(Self.error + error), "\(answer.error)")
    #expect(await world.activity()["last_event"] == .null)
    await world.deliver()
    #expect(world.fixture.apple.taken.isEmpty)
  }

  @Test("a payload of 4096 bytes is sent, a broadcast of 5120, and one byte more is refused")
  func sizes() async throws {
    let world = try await ActivityWorld()
    try await world.follow("order-1", token: "aa")
    let made = await world.request(
      "POST", "/v6/apps/\(world.fixture.app.id)/channels", ["channel": ["storage": "none"]])
    let channel = try #require(made.json["channel"]?["id"])
    let cases: [([String: JSONValue], Int)] = [([:], 4096), (["channel_id": channel], 5120)]
    for (members, limit) in cases {
      func push(_ count: Int) async -> Fixture.Answer {
        let text = JSONValue.string(String(repeating: "x", count: count))
        return await world.push(
          ActivityWorld.update.with(members).with(["content_state": ["s": text]]))
      }
      #expect(await push(1).status == 201)
      await world.deliver()
      let taken = world.fixture.apple.taken.last?.push.payload
      let sent = limit == 4096 ? taken : world.fixture.apple.broadcasts.last?.broadcast.payload
      let frame = try #require(sent).count - 1
      #expect(await push(limit - frame).status == 201)
      let refused = await push(limit - frame + 1)
      #expect(refused.status == 422)
      #expect(
        refused.error.hasPrefix("$.activity is \(limit + 1) bytes when composed"),
        "\(refused.error)")
    }
  }

  @Test("a timestamp is up to a minute ahead, and never before the last")
  func timestamps() async throws {
    let world = try await ActivityWorld()
    try await world.follow("order-1", token: "aa")
    let now = world.fixture.clock.now.milliseconds / 1000
    func push(_ timestamp: JSONValue) async -> Fixture.Answer {
      await world.push(ActivityWorld.update.with(["timestamp": timestamp]))
    }
    let first = await push(.null)
    #expect(first.json["notification"]?["timestamp"] == .integer(now))
    #expect(await push(.null).json["notification"]?["timestamp"] == .integer(now + 1))
    let ahead = await push(.string((world.fixture.clock.now + .seconds(60)).iso8601))
    #expect(ahead.json["notification"]?["timestamp"] == .integer(now + 60), "\(ahead.text)")
    let old = await push(.integer(now + 59))
    #expect(old.status == 409 && old.error.contains("phones ignore an older one"))
    #expect(await push(.null).json["notification"]?["timestamp"] == .integer(now + 61))
  }

  @Test("a repeated request is one push, and another one with its key is refused")
  func idempotent() async throws {
    let world = try await ActivityWorld()
    try await world.follow("order-1", token: "aa")
    let first = await world.push(ActivityWorld.update, key: "k")
    world.fixture.clock.advance(by: .seconds(90))
    let again = await world.push(ActivityWorld.update, key: "k")
    #expect(first.status == 201 && again.json == first.json)
    let end: JSONValue = ["event": "end"]
    #expect(await world.push(end, key: "k").status == 422)
    #expect(await world.push(ActivityWorld.update, to: "order-2", key: "k").status == 404)
    try await world.follow("order-2", token: "bb")
    #expect(await world.push(ActivityWorld.update, to: "order-2", key: "k").status == 422)
    await world.deliver()
    #expect(world.fixture.apple.taken.count == 1)
    let text = MetricsPage(version: "0").text(world.metrics).text
    #expect(
      text.contains(#"martlet_activity_pushes_total{event="update",priority="10"} 1"#))
  }

  @Test("an activity of which nobody knows is 404, and one without phones has no targets")
  func unknown() async throws {
    let world = try await ActivityWorld()
    #expect(await world.request("GET", "/v6/activities/order-1").status == 404)
    #expect(await world.push(ActivityWorld.update).status == 404)
    // The phone has been asked to start, and has not registered its token yet.
    try await world.offer(token: "aa")
    #expect(await world.push(ActivityWorld.start).status == 201)
    let early = await world.push(ActivityWorld.update)
    #expect(early.status == 201)
    #expect(early.json["notification"]?["state"] == "complete")
    #expect(early.json["notification"]?["counts"]?["targeted"] == 0)
    // Other apps know nothing of it.
    let other = try await world.fixture.makeOtherApp()
    let key = try #require(other.keys.first { $0.role == .push }?.key)
    let answer = await world.fixture.request(
      "GET", "/v6/activities/order-1", role: nil,
      headers: [("Authorization", Fixture.basic(":" + key))], to: world.router)
    #expect(answer.status == 404)
  }

  @Test("a start goes to the chosen phones with a start token of its type, with alerts or without")
  func starts() async throws {
    let world = try await ActivityWorld(phones: ["phone", "quiet", "other", "none"])
    for (phone, token) in [("phone", "aa"), ("quiet", "bb"), ("other", "cc")] {
      try await world.offer(phone, token: token)
    }
    _ = await world.request("PUT", "/v6/devices/quiet", ["device": ["push_enabled": false]])
    _ = await world.request("PUT", "/v6/devices/other", ["device": ["tags": ["gold"]]])
    func targeted(_ members: [String: JSONValue]) async -> JSONValue? {
      let answer = await world.push(ActivityWorld.start.with(members))
      return answer.json["notification"]?["counts"]?["targeted"]
    }
    #expect(await targeted(["devices": ["phone", "quiet", "none", "unknown"]]) == 2)
    #expect(await targeted(["devices": .null, "targets": "*"]) == 3)
    let gold: JSONValue = [["name": "tags", "criteria": ["gold"]]]
    #expect(await targeted(["devices": .null, "targets": gold]) == 1)
    #expect(await targeted(["type": "RideAttributes"]) == 0)
    #expect(await targeted(["devices": .array((0..<1000).map { .string("d\($0)") })]) == 0)
    let many = await world.push(
      ActivityWorld.start.with(["devices": .array((0...1000).map { .string("d\($0)") })]))
    #expect(many.status == 422)
  }

  @Test("a push is read, canceled and reported by its id, and is not in the list")
  func byID() async throws {
    let world = try await ActivityWorld()
    try await world.follow("order-1", token: "aa")
    let id = try #require(
      await world.push(ActivityWorld.update).json["notification"]?["id"]?.string)
    let list = await world.request("GET", "/v6/notifications").json
    #expect(list["notifications"] == [] && list["meta"]?["total"] == 0)
    let path = "/v6/notifications/\(id)"
    #expect(await world.request("GET", path).json["counts"]?["targeted"] == 1)
    #expect(await world.request("DELETE", path).json["state"] == "canceled")
    let replay = await world.request("POST", path + "/replay")
    #expect(replay.status == 409 && replay.error.contains("Live Activity"))
    await world.deliver()
    #expect(world.fixture.apple.taken.isEmpty)
    let entries = await world.request("GET", "/v6/audit", role: .admin).json["entries"]?.array
    #expect(
      entries?.compactMap { $0["action"]?.string } == ["notification.cancel", "activity.update"])
  }
}
