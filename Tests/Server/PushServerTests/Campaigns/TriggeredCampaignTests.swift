import PushModel
import PushPayload
import PushStore
import Testing

@testable import PushServer

@Suite("Triggered campaigns", .timeLimit(.minutes(10)))
struct TriggeredCampaignTests {
  static let cart: JSONValue = [
    "trigger": ["event": "cart"], "after": "PT1H", "exit_on": [["event": "bought"]],
  ]
  private static let oneVariant: JSONValue = [
    ["key": "a", "payload": ["alert": "You left {{ event.what | default: 'things' }}"]]
  ]
  private static let hour = Duration.seconds(3600)

  private func start(
    _ all: CampaignFixture, _ when: [String: JSONValue] = [:], _ more: [String: JSONValue] = [:]
  ) async throws -> String {
    let when = (Self.cart.object ?? [:]).merging(when) { $1 }
    return try await all.start(
      ["when": .object(when), "variants": Self.oneVariant].merging(more) { $1 }
    ).campaign
  }

  /// Takes the steps that are due and sends what they accepted.
  private func pass(_ all: CampaignFixture, after time: Duration = .zero) async throws {
    all.fixture.clock.advance(by: time)
    try await all.runner.runDue()
    await all.deliver()
  }

  @Test(
    "an event enrolls its person, who gets the message after the delay, with what the event said")
  func event() async throws {
    let all = try await CampaignFixture(devices: 20)
    let campaign = try await start(all)
    #expect(await all.get("campaigns/\(campaign)")["campaign"]?["kind"] == "triggered")
    for device in ["d3", "d5"] {
      await all.happen("cart", on: device, ["data": ["what": .string("a \(device)")]])
    }
    await all.happen("play", on: "d7")
    try await pass(all, after: Self.hour + .milliseconds(-1))
    #expect(all.received.isEmpty)
    try await pass(all, after: .milliseconds(1))
    #expect(
      all.received == [
        Fixture.token("d3"): ["You left a d3"], Fixture.token("d5"): ["You left a d5"],
      ])
    // One notification for both.
    #expect(try await all.sends(of: campaign).count == 1)
    try await pass(all, after: Self.hour)
    #expect(all.received.count == 2 && all.received.values.allSatisfy { $0.count == 1 })
  }

  @Test("a step whose time is quiet waits for the end of the quiet hours")
  func quiet() async throws {
    let all = try await CampaignFixture(devices: 2)
    let due = all.fixture.clock.now.milliseconds + 3_600_000
    func clock(_ hours: Int64) -> JSONValue {
      let minutes = (due / 60_000 + hours * 60) % 1440
      let text = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
      return .string(text.joined(separator: ":"))
    }
    // From an hour before the step is due until two hours after it.
    try await all.limit(["quiet": ["from": clock(-1), "to": clock(2)]])
    _ = try await start(all)
    await all.happen("cart", on: "d1")
    try await pass(all, after: Self.hour)
    try await pass(all, after: Self.hour)
    #expect(all.received.isEmpty)
    try await pass(all, after: Self.hour)
    #expect(all.received.keys.sorted() == [Fixture.token("d1")])
  }

  @Test("the messages of triggered campaigns obey frequency caps, unless the campaign ignores them")
  func caps() async throws {
    let all = try await CampaignFixture(devices: 1)
    try await all.limit(["caps": [["most": 1, "within": "P1D"]]])
    let campaigns = [try await start(all), try await start(all)]
    await all.happen("cart", on: "d0")
    try await pass(all, after: Self.hour)
    #expect(all.received[Fixture.token("d0")]?.count == 1)
    var capped: [JSONValue?] = []
    for campaign in campaigns {
      let report = await all.get("campaigns/\(campaign)/report")["report"]
      capped.append(report?["steps"]?.array?[0]["variants"]?.array?[0]["capped"])
    }
    #expect(Set(capped) == [.integer(0), .integer(1)])
    _ = try await start(all, [:], ["limits": ["caps": "ignore"]])
    await all.happen("cart", on: "d0")
    try await pass(all, after: Self.hour)
    #expect(all.received[Fixture.token("d0")]?.count == 2)
  }

  @Test("people whose step is due within the same five seconds get one notification")
  func rhythm() async throws {
    let all = try await CampaignFixture(devices: 10)
    let campaign = try await start(all)
    for device in 0..<5 {
      await all.happen("cart", on: "d\(device)")
      all.fixture.clock.advance(by: .milliseconds(900))
    }
    await all.happen("cart", on: "d9")
    all.fixture.clock.advance(by: .seconds(1))
    await all.happen("cart", on: "d8")
    // They came in seconds 0 to 4.5, and the last one in second 5.5.
    try await pass(all, after: .milliseconds(3_594_500))
    #expect(all.received.count == 1)
    try await pass(all, after: .milliseconds(4999))
    #expect(all.received.count == 1)
    try await pass(all, after: .milliseconds(1))
    #expect(all.received.count == 6)
    try await pass(all, after: .seconds(5))
    #expect(all.received.count == 7 && all.received.values.allSatisfy { $0.count == 1 })
    #expect(try await all.sends(of: campaign).map(\.counts.targeted).sorted() == [1, 1, 5])
  }

  @Test("an event of exit_on ends the wait, and the next event begins another")
  func exits() async throws {
    let all = try await CampaignFixture(devices: 3)
    let campaign = try await start(all)
    await all.happen("cart", on: "d0")
    all.fixture.clock.advance(by: .seconds(600))
    await all.happen("bought", on: "d0")
    try await pass(all, after: Self.hour)
    #expect(all.received.isEmpty)
    #expect(try await all.counts(of: campaign).count(.exited) == 1)
    // Source: Braze documentation, "Action-based delivery": who did not receive the message because of
    // an exception event is still eligible.
    await all.happen("cart", on: "d0")
    try await pass(all, after: Self.hour)
    #expect(all.received.count == 1)
    #expect(try await all.counts(of: campaign).count(.done) == 1)
  }

  @Test("events of one request count in their order, also where one ends what another began")
  func order() async throws {
    let all = try await CampaignFixture(devices: 2)
    let campaign = try await start(all)
    await all.happen(["cart", "bought"], on: "d0")
    await all.happen(["bought", "cart"], on: "d1")
    try await pass(all, after: Self.hour)
    #expect(all.received.keys.sorted() == [Fixture.token("d1")])
    #expect(try await all.counts(of: campaign).count(.exited) == 1)
  }

  /// Source: Braze documentation, "Campaign and Canvas re-eligibility": a person gets a campaign once
  /// unless it says otherwise, and the time counts in seconds from the last message.
  @Test(
    "a person enters once, or again once again_after is over since the last message",
    arguments: [(nil, 10, 1), ("PT3H", 10, 3), ("P1D", 10, 1)] as [(String?, Int, Int)])
  func again(_ pause: String?, hours: Int, messages: Int) async throws {
    let all = try await CampaignFixture(devices: 1)
    _ = try await start(all, ["again_after": .optional(pause)])
    for _ in 0..<hours {
      await all.happen("cart", on: "d0")
      try await pass(all, after: Self.hour)
    }
    #expect(all.received.values.map(\.count) == [messages])
  }

  @Test("again_after ends to the second")
  func againLimit() async throws {
    let all = try await CampaignFixture(devices: 1)
    _ = try await start(all, ["again_after": "PT3H"])
    await all.happen("cart", on: "d0")
    try await pass(all, after: Self.hour)
    all.fixture.clock.advance(by: .seconds(3 * 3600) + .milliseconds(-1))
    await all.happen("cart", on: "d0")
    try await pass(all, after: Self.hour)
    #expect(all.received.values.map(\.count) == [1])
    all.fixture.clock.advance(by: .milliseconds(1))
    await all.happen("cart", on: "d0")
    try await pass(all, after: Self.hour)
    #expect(all.received.values.map(\.count) == [2])
  }

  /// Source: OneSignal documentation, "Journey settings": with an event as entry a person may be in a
  /// journey more than once at a time. Here the first event counts until it is over.
  @Test("a person who waits is not enrolled again, and keeps what the first event said")
  func waits() async throws {
    let all = try await CampaignFixture(devices: 1)
    _ = try await start(all, ["again_after": "PT1M"])
    await all.happen("cart", on: "d0", ["data": ["what": "shoes"]])
    all.fixture.clock.advance(by: .seconds(1800))
    await all.happen("cart", on: "d0", ["data": ["what": "hats"]])
    try await pass(all, after: .seconds(1800))
    try await pass(all, after: Self.hour)
    #expect(all.received.values.map(\.self) == [["You left shoes"]])
  }

  @Test(
    "where tells apart the events that enroll",
    arguments: [
      ([["name": "total", "criteria": [["gte": 100, "lt": 200]]]], ["d1"]),
      ([["name": "total", "criteria": [50, 150]]], ["d0", "d1"]),
      ([["name": "total", "criteria": [50], "not_filter": true]], ["d1", "d2", "d3"]),
      ([["name": "colour", "criteria": ["red"]]], ["d1"]),
      ([["name": "colour", "criteria": ["blue"]], ["name": "total", "criteria": [150]]], ["d1"]),
      ([["name": "items", "criteria": [["gte": 2]]]], ["d3"]),
      ([["name": "gift", "criteria": [true]]], ["d2"]),
    ] as [(JSONValue, [String])])
  func conditions(conditions: JSONValue, devices: [String]) async throws {
    let all = try await CampaignFixture(devices: 4)
    _ = try await start(all, ["trigger": ["event": "cart", "where": conditions]])
    await all.happen("cart", on: "d0", ["data": ["total": 50]])
    await all.happen("cart", on: "d1", ["data": ["total": 150.0, "colour": ["red", "blue"]]])
    await all.happen("cart", on: "d2", ["data": ["total": 200, "gift": true]])
    let item: JSONValue = ["name": "shoe", "price": 100]
    await all.happen("cart", on: "d3", ["items": [item, item]])
    try await pass(all, after: Self.hour)
    #expect(all.received.keys.sorted() == devices.map { Fixture.token($0) }.sorted())
  }

  @Test("a person's devices are one: one enrollment, and the message on each of them")
  func people() async throws {
    let all = try await CampaignFixture(devices: 1)
    for device in ["phone", "tablet"] {
      try await all.fixture.register(device) { $0.userID = .set("ada") }
    }
    let campaign = try await start(all)
    await all.happen("cart", on: "phone")
    await all.happen("cart", on: "tablet")
    let answer = await all.post("users/ada/events", ["events": [["name": "cart"]]])
    #expect(answer.status == 202)
    try await pass(all, after: Self.hour)
    #expect(all.received.count == 2 && all.received.values.allSatisfy { $0.count == 1 })
    #expect(try await all.counts(of: campaign).total == 1)
  }

  @Test(
    "who logs in while the device waits is not enrolled twice, and leaves by an event of the user")
  func login() async throws {
    let all = try await CampaignFixture(devices: 2)
    let campaign = try await start(all)
    await all.happen("cart", on: "d0")
    await all.happen("cart", on: "d1")
    for device in ["d0", "d1"] {
      try await all.fixture.register(device) { $0.userID = .set("user-\(device)") }
      await all.happen("cart", on: device)
    }
    _ = await all.post("users/user-d1/events", ["events": [["name": "bought"]]])
    try await pass(all, after: Self.hour)
    #expect(all.received == [Fixture.token("d0"): ["You left things"]])
    #expect(try await all.counts(of: campaign).total == 2)
  }

  /// Source: Braze documentation, "Race conditions": in one request attributes are processed before
  /// events, and a trigger that is also a filter is checked after it.
  @Test("the audience is checked when the message is sent")
  func audienceAtSend() async throws {
    let all = try await CampaignFixture(devices: 3)
    let campaign = try await start(
      all, [:], ["to": [["name": "tags", "criteria": ["gold"]]]])
    for device in ["d0", "d1", "d2"] { await all.happen("cart", on: device) }
    all.fixture.clock.advance(by: .seconds(1800))
    for device in ["d0", "d1"] {
      try await all.fixture.register(device) { $0.tags = .set(["gold"]) }
    }
    try await all.fixture.register("d1") { $0.isPushEnabled = .set(false) }
    try await pass(all, after: .seconds(1800))
    #expect(all.received.keys.sorted() == [Fixture.token("d0")])
    let counts = try await all.counts(of: campaign)
    #expect(counts.ended == [1: [.done: 1, .unreachable: 1, .notInAudience: 1]])
  }

  @Test("without check_at_send the audience is checked at entry alone")
  func audienceAtEntry() async throws {
    let all = try await CampaignFixture(devices: 2)
    let campaign = try await start(
      all, ["check_at_send": false], ["to": [["name": "tags", "criteria": ["gold"]]]])
    try await all.fixture.register("d0") { $0.tags = .set(["gold"]) }
    for device in ["d0", "d1"] { await all.happen("cart", on: device) }
    try await pass(all)
    #expect(try await all.counts(of: campaign).waiting == [1: 1])
    try await all.fixture.register("d0") { $0.tags = .set([]) }
    try await all.fixture.register("d1") { $0.tags = .set(["gold"]) }
    try await pass(all, after: Self.hour)
    #expect(all.received.keys.sorted() == [Fixture.token("d0")])
    #expect(try await all.counts(of: campaign).ended == [0: [.notInAudience: 1], 1: [.done: 1]])
  }

  @Test("the control and the holdout get nothing, and enter again when the others do")
  func control() async throws {
    let all = try await CampaignFixture(devices: 200)
    _ = await all.fixture.request(
      "PUT", "/v6/limits", role: .admin, body: #"{"limits": {"holdout": {"percent": 15}}}"#)
    let campaign = try await start(
      all, ["again_after": "P1D"], ["variants": CampaignFixture.twoVariants])
    for _ in 0..<2 {
      for device in 0..<200 { await all.happen("cart", on: "d\(device)") }
      try await pass(all, after: Self.hour)
    }
    let counts = try await all.counts(of: campaign)
    let (control, held) = (counts.count(.control), counts.count(.heldOut))
    #expect((1...40).contains(control) && (10...60).contains(held))
    #expect(counts.total == 200 && all.received.count == 200 - control - held)
    #expect(Set(all.received.values.joined()) == ["Variant A", "Variant B"])
    let sums = try await all.fixture.store.runs(
      ofCampaign: campaign, app: all.fixture.app.id, limit: 1)
    let variants = try await all.fixture.store.counts(
      ofRun: try #require(sums.first).id, app: all.fixture.app.id)
    #expect(variants.values.reduce(0) { $0 + $1.sent } == all.received.count)
    #expect(variants.count == 2)
  }

  /// Source: Mautic issue 3340: a campaign that was unpublished for weeks sent all missed steps at once.
  @Test(
    "a pause holds the messages and takes nobody; what is late by more than 12 hours is left out")
  func pause() async throws {
    let all = try await CampaignFixture(devices: 5)
    let campaign = try await start(all)
    await all.happen("cart", on: "d0")
    await all.happen("cart", on: "d1")
    _ = await all.post("campaigns/\(campaign)/pause")
    await all.happen("cart", on: "d2")
    await all.happen("bought", on: "d1")
    try await pass(all, after: .seconds(13 * 3600))
    #expect(all.received.isEmpty)
    _ = await all.post("campaigns/\(campaign)/resume")
    await all.happen("cart", on: "d3")
    // d0 was due 12 hours ago, to the second.
    try await pass(all)
    #expect(all.received.keys.sorted() == [Fixture.token("d0")])
    _ = await all.post("campaigns/\(campaign)/pause")
    all.fixture.clock.advance(by: .seconds(13 * 3600) + .milliseconds(1))
    _ = await all.post("campaigns/\(campaign)/resume")
    try await pass(all)
    #expect(all.received.count == 1)
    let counts = try await all.counts(of: campaign)
    #expect(counts.ended == [1: [.done: 1, .exited: 1, .missed: 1]] && counts.waiting.isEmpty)
  }

  @Test("the end of a campaign ends every wait, and its events enroll nobody any more")
  func end() async throws {
    let all = try await CampaignFixture(devices: 3)
    let campaign = try await start(all)
    await all.happen("cart", on: "d0")
    _ = await all.post("campaigns/\(campaign)/end")
    await all.happen("cart", on: "d1")
    try await pass(all, after: Self.hour)
    #expect(all.received.isEmpty)
    let counts = try await all.counts(of: campaign)
    #expect(counts.ended == [1: [.campaignEnded: 1]] && counts.waiting.isEmpty)
    #expect(try await all.fixture.store.liveTriggers().isEmpty)
  }

  /// Source: Braze documentation, "Action-based delivery": events from before the launch never count.
  @Test(
    "an event that happened before the start enrolls nobody, and one of the time of the start does")
  func before() async throws {
    let all = try await CampaignFixture(devices: 3)
    let start = all.fixture.clock.now
    await all.happen("cart", on: "d0")
    _ = try await self.start(all)
    let earlier = start + .milliseconds(-1)
    await all.happen("cart", on: "d1", ["date": .string(earlier.iso8601)])
    await all.happen("cart", on: "d2", ["date": .string(start.iso8601)])
    try await pass(all, after: Self.hour)
    #expect(all.received.keys.sorted() == [Fixture.token("d2")])
  }

  @Test("an event with an id enrolls once, however often it is sent")
  func repeated() async throws {
    let all = try await CampaignFixture(devices: 1)
    let campaign = try await start(all, ["again_after": "PT1M"])
    for _ in 0..<3 {
      await all.happen("cart", on: "d0", ["id": "order-1"])
      try await pass(all, after: Self.hour)
    }
    #expect(all.received.values.map(\.count) == [1])
    #expect(try await all.counts(of: campaign).total == 1)
  }

  @Test("steps follow each other, each with its variants, until the last one or an exit")
  func steps() async throws {
    let all = try await CampaignFixture(devices: 4)
    func step(_ text: String, after: String?) -> JSONValue {
      [
        "after": .optional(after),
        "variants": [["key": "a", "payload": ["alert": .string(text)]]],
      ]
    }
    let campaign = try await start(
      all, ["after": .null],
      [
        "variants": .null,
        "steps": [
          step("one", after: nil), step("two", after: "P1D"), step("three", after: "PT2H"),
        ],
      ])
    await all.happen("cart", on: "d0")
    await all.happen("cart", on: "d1")
    try await pass(all)
    #expect(all.received.values.allSatisfy { $0 == ["one"] } && all.received.count == 2)
    try await pass(all, after: .seconds(86_400 - 5))
    #expect(all.received.values.allSatisfy { $0 == ["one"] })
    try await pass(all, after: .seconds(5))
    #expect(all.received.values.allSatisfy { $0 == ["one", "two"] })
    #expect(try await all.counts(of: campaign).waiting == [3: 2])
    await all.happen("bought", on: "d1")
    try await pass(all, after: .seconds(7200))
    #expect(all.received[Fixture.token("d0")] == ["one", "two", "three"])
    #expect(all.received[Fixture.token("d1")] == ["one", "two"])
    #expect(try await all.counts(of: campaign).ended == [3: [.done: 1, .exited: 1]])
    let runs = try await all.fixture.store.runs(
      ofCampaign: campaign, app: all.fixture.app.id, limit: 9)
    #expect(runs.map(\.number) == [3, 2, 1])
  }

  @Test("a node enrolls by what another node has started, paused and ended")
  func nodes() async throws {
    let all = try await CampaignFixture(devices: 9)
    let other = Router(
      Actions(
        store: try SQLitePushStore(path: all.fixture.store.path), secretKey: all.fixture.secretKey,
        clock: all.fixture.clock.serverClock))
    func happen(_ device: String) async {
      await all.happen("cart", on: device, to: other)
    }
    await happen("d0")
    let campaign = try await start(all)
    await happen("d1")
    _ = await all.post("campaigns/\(campaign)/pause")
    await happen("d2")
    _ = await all.post("campaigns/\(campaign)/resume")
    await happen("d3")
    #expect(try await all.counts(of: campaign).total == 2)
    _ = await all.post("campaigns/\(campaign)/end")
    await happen("d4")
    #expect(try await all.counts(of: campaign).total == 2)
  }

  @Test(
    "a document that cannot be meant is refused with the path of what is wrong",
    arguments: [
      (["trigger": [:]], nil, "$.campaign.when.trigger.event"),
      (["trigger": "mail"], nil, "$.campaign.when.trigger"),
      (["trigger": ["event": "cart"], "enters": "x"], nil, "$.campaign.when.enters"),
      (["trigger": ["event": "cart"], "at": "now"], nil, "$.campaign.when"),
      (["trigger": ["event": "cart"], "after": "PT59S"], nil, "$.campaign.when.after"),
      (["trigger": ["event": "cart"], "after": "P31D"], nil, "$.campaign.when.after"),
      (["trigger": ["event": "cart"], "again_after": "P721D"], nil, "$.campaign.when.again_after"),
      (
        ["trigger": ["event": "cart"], "exit_on": [["event": "cart"]]], nil,
        "$.campaign.when.exit_on[0]"
      ),
      (
        ["trigger": ["event": "cart", "where": [["name": "a", "criteria": [["gte": "x"]]]]]], nil,
        "$.campaign.when.trigger.where[0].criteria[0]"
      ),
      (["leaves": "x", "current": true], nil, "$.campaign.when.current"),
      (["trigger": ["event": "cart"]], ["test": CampaignFixture.test], "$.campaign.test"),
      (["trigger": ["event": "cart"]], ["goals": [["event": "x"]]], "$.campaign.goals"),
      (["trigger": ["event": "cart"]], ["steps": []], "$.campaign.variants"),
      (
        ["trigger": ["event": "cart"], "after": "PT1H"],
        ["variants": .null, "steps": [["variants": CampaignFixture.twoVariants]]],
        "$.campaign.when.after"
      ),
      (["at": "now"], ["steps": [["variants": CampaignFixture.twoVariants]]], "$.campaign.steps"),
      (
        ["trigger": "api"],
        [
          "variants": .null,
          "steps": [
            ["variants": CampaignFixture.twoVariants], ["variants": CampaignFixture.twoVariants],
          ],
        ], "$.campaign.steps[1].after"
      ),
    ] as [([String: JSONValue], [String: JSONValue]?, String)])
  func refused(_ when: [String: JSONValue], _ more: [String: JSONValue]?, path: String) async throws
  {
    let all = try await CampaignFixture(devices: 1)
    let body = CampaignFixture.document(
      ["when": .object(when)].merging(more ?? [:]) { $1 })
    let answer = await all.post("campaigns", body)
    #expect(answer.status == 422, "\(answer.text)")
    #expect(answer.error.contains(path), "\(answer.error)")
  }

  @Test("what an event says is at most 2048 bytes of JSON", arguments: [(2036, 202), (2037, 422)])
  func data(length: Int, status: Int) async throws {
    let all = try await CampaignFixture(devices: 1)
    // {"text":"…"} has 11 bytes beside the text.
    let text = String(repeating: "x", count: length + 1)
    let answer = await all.post(
      "devices/d0/events", ["events": [["name": "cart", "data": ["text": .string(text)]]]])
    #expect(answer.status == status)
  }
}
