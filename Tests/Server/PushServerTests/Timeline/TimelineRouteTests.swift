import APNs
import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The timeline of a notification over the API", .timeLimit(.minutes(10)))
struct TimelineRouteTests {
  @Test(
    "a question names one notification, run or campaign, and one device or user",
    arguments: [
      ("notification=ID&device=d", 200), ("notification=ID&user=ada", 200), ("device=d", 422),
      ("notification=ID", 422), ("notification=ID&run=x&device=d", 422),
      ("notification=ID&device=d&user=ada", 422), ("notification=none&device=d", 404),
      ("run=none&device=d", 404), ("campaign=none&device=d", 404),
      ("notification=ID&device=none", 404), ("notification=ID&user=none", 404),
    ])
  func question(query: String, status: Int) async throws {
    var world = try await DeliveryWorld()
    await world.register(["user_id": "ada"])
    await world.send()
    let path = "/v6/explain?" + query.replacing("ID", with: world.id)
    let answer = await world.fixture.request("GET", path)
    #expect(answer.status == status, "\(answer.text)")
    if status == 404 { #expect(answer.error.hasPrefix("there is no "), "\(answer.text)") }
  }

  @Test("a missing device and a missing notification are different refusals")
  func refusals() async throws {
    var world = try await DeliveryWorld()
    await world.register([:])
    await world.send()
    let device = await world.fixture.request(
      "GET", "/v6/explain?notification=\(world.id)&device=none")
    let send = await world.fixture.request("GET", "/v6/explain?notification=none&device=d")
    #expect(device.error == "there is no device with this id")
    #expect(send.error == "there is no notification with this id")
  }

  @Test("the steps of a shown and opened notification are in order, each with its time")
  func whole() async throws {
    var world = try await DeliveryWorld()
    await world.register(["locale": "de"])
    world.payload["alert"] = ["default": "Rain", "de": "Regen"]
    await world.send()
    try await world.deliver()
    let at = world.fixture.clock.now.iso8601
    let receipts: JSONValue = [
      "receipts": .array(
        ["displayed", "opened"].map { event in
          [
            "id": .string("r-\(event)"), "notification_id": .string(world.id), "device_id": "d",
            "event": .string(event), "at": .string(at),
          ]
        })
    ]
    #expect(
      await world.fixture.request("POST", "/v6/receipts", role: .device, body: receipts.text).status
        == 202)
    let answer = await world.explain()
    #expect(answer["verdict"]?["code"] == "shown" && answer["verdict"]?["advice"] == .null)
    let steps = try #require(answer["steps"]?.array)
    #expect(
      steps.map { $0["stage"]?.string } == DeliveryTimeline.Stage.allCases.map(\.rawValue))
    #expect(
      steps.map { $0["code"]?.string } == [
        "called", "selected", "due", "composed", "sent", "accepted", "received", "displayed",
        "opened",
      ])
    #expect(steps.allSatisfy { $0["known"] == true && $0["cause"] == false })
    #expect(steps[0]["text"]?.string?.contains("created the notification") == true)
    #expect(steps[3]["text"]?.string?.contains("its text is that of de") == true)
    #expect(steps[4]["text"]?.string?.contains("apns-id") == true)
    #expect(steps[6]["text"]?.string?.contains("with the dialect martlet") == true)
    #expect(steps[8]["at"]?.string == at)
  }

  @Test("who asked for it and when is said also to a device that was left out")
  func leftOut() async throws {
    var world = try await DeliveryWorld()
    await world.register(["push_enabled": false])
    await world.send()
    let call = await world.explain()["steps"]?.array?.first
    #expect(call?["code"] == "called" && call?["known"] == true)
    #expect(call?["link"]?.string == "/v6/notifications/\(world.id)" && call?["at"] != .null)
  }

  @Test("of a person's devices, the one that the notification got furthest is told whole")
  func user() async throws {
    var world = try await DeliveryWorld()
    await world.register(["user_id": "ada", "push_enabled": false], as: "old")
    await world.register(["user_id": "ada"])
    await world.register(["user_id": "ada", "tags": ["x"]], as: "tablet")
    world.members["to"] = ["except": [[["name": "tags", "criteria": ["x"]]]]]
    await world.send()
    try await world.deliver()
    world.query = "notification=\(world.id)&user=ada"
    let answer = await world.explain()
    #expect(answer["device_id"] == "d" && answer["verdict"]?["code"] == "received")
    let devices = answer["devices"]?.array ?? []
    #expect(devices.first?["device_id"] == "d" && devices.count == 3)
    let verdicts = Dictionary(
      uniqueKeysWithValues: devices.map {
        ($0["device_id"]?.string ?? "", $0["verdict"]?["code"]?.string)
      })
    #expect(verdicts == ["d": "received", "old": "opted_out", "tablet": "excluded"])
  }

  @Test("a push that waits for APNs says how often it was put off, and when it is tried again")
  func retries() async throws {
    var world = try await DeliveryWorld()
    await world.register([:])
    world.reachesPhone = false
    world.fixture.apple.answer { push in
      APNsOutcome(kind: .neverSent, apnsID: push.id, message: "no connection")
    }
    await world.send()
    for words in [
      "its push is not sent yet", "APNs has not answered to its push; the server tries again at 20",
      "APNs has put its push off once; the server", "APNs has put its push off 2 times; the server",
    ] {
      let text = await world.explain()["verdict"]?["text"]?.string ?? ""
      #expect(text.contains(words.dropFirst()), "\(text)")
      world.fixture.clock.advance(by: .seconds(3600))
      try await world.deliver()
      world.refuse(503, "ServiceUnavailable")
    }
  }

  @Test("a push whose key APNs has refused says so, and not that it was put off")
  func keyRefusal() async throws {
    var world = try await DeliveryWorld()
    await world.register([:])
    world.reachesPhone = false
    world.refuse(403, "InvalidProviderToken")
    await world.send()
    try await world.deliver()
    let text = await world.explain()["verdict"]?["text"]?.string ?? ""
    #expect(text.contains("PNs has refused the app's key; the server tries again at 20"), "\(text)")
  }

  @Test("what retention has removed is said, and nothing is guessed")
  func retention() async throws {
    var world = try await DeliveryWorld()
    await world.register([:])
    await world.send()
    try await world.deliver()
    world.fixture.clock.advance(by: .days(400))
    let now = world.fixture.clock.now
    while try await world.fixture.store.removeOutdated(Retention(), at: now, limit: 1000) {}
    let answer = await world.explain()
    #expect(answer["verdict"]?["code"] == "not_known", "\(answer.text)")
    let steps = answer["steps"]?.array ?? []
    #expect(steps.map { $0["code"]?.string } == ["caller_not_stored", "not_stored"])
    #expect(steps.allSatisfy { $0["known"] == false })
  }

  @Test(
    "the audience's condition that keeps a device out is named",
    arguments: [
      ([["name": "tags", "criteria": ["a", "b"]]], "the filter tags is \"a\" or \"b\""),
      (
        [["name": "badge", "criteria": [["gte": 2, "lt": 5]], "not_filter": false]],
        "the filter badge is at least 2 and below 5"
      ),
      (
        [["name": "tags", "criteria": ["old"], "not_filter": true]],
        "the filter tags is not \"old\""
      ),
      (["any": [[["name": "tags", "criteria": ["a"]]]]], "it is in none of the parts of any"),
      (
        ["except": [[["name": "tags", "criteria": ["old"]]]]],
        "except leaves it out, by tags is \"old\""
      ),
    ] as [(JSONValue, String)])
  func condition(target: JSONValue, words: String) async throws {
    var world = try await DeliveryWorld()
    await world.register(["tags": ["old"]])
    world.members["to"] = target
    await world.send()
    let text = await world.explain()["verdict"]?["text"]?.string ?? ""
    #expect(text.contains(words), "\(text)")
  }
}
