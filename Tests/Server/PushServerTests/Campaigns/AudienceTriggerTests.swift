import Markup
import PushModel
import PushPayload
import PushStore
import Testing
import _SQLite

@testable import PushServer

@Suite("Campaigns that an audience or the app's server triggers", .timeLimit(.minutes(10)))
struct AudienceTriggerTests {
  private static let oneVariant: JSONValue = [
    ["key": "a", "payload": ["alert": "Hello {{ event.name | default: 'you' }}"]]
  ]

  /// Saves the audience of the tag `gold`, and starts a campaign for who enters or leaves it.
  private func start(
    _ all: CampaignFixture, _ entry: String, _ more: [String: JSONValue] = [:],
    of target: JSONValue = [["name": "tags", "criteria": ["gold"]]]
  ) async throws -> String {
    let answer = await all.post(
      "audiences",
      ["audience": ["name": "Gold", "to": target]])
    let audience = try #require(answer.json["audience"]?["id"]?.string, "\(answer.text)")
    let when = [entry: JSONValue.string(audience)].merging(more) { $1 }
    return try await all.start(["when": .object(when), "variants": Self.oneVariant]).campaign
  }

  private func tag(_ all: CampaignFixture, _ devices: [String], _ tags: [String]) async throws {
    for device in devices { try await all.fixture.register(device) { $0.tags = .set(tags) } }
  }

  private func pass(_ all: CampaignFixture, after time: Duration = .zero) async throws {
    all.fixture.clock.advance(by: time)
    try await all.runner.runDue()
    await all.deliver()
  }

  private func tokens(_ devices: [String]) -> [String] {
    devices.map { Fixture.token($0) }.sorted()
  }

  @Test("who enters the audience after the start gets the message, within a minute and the delay")
  func enters() async throws {
    let all = try await CampaignFixture(devices: 4)
    try await tag(all, ["d0"], ["gold"])
    _ = try await start(all, "enters", ["after": "PT1H"])
    try await pass(all)
    try await tag(all, ["d1", "d2"], ["gold"])
    try await pass(all, after: .seconds(60))
    try await pass(all, after: .seconds(3600))
    #expect(all.received.keys.sorted() == tokens(["d1", "d2"]))
    try await pass(all, after: .seconds(3600))
    #expect(all.received.values.allSatisfy { $0.count == 1 })
  }

  @Test("who enters or leaves the audience during a pause gets nothing when it is resumed")
  func pause() async throws {
    for (entry, before, during) in [("enters", [], ["gold"]), ("leaves", ["gold"], [])] {
      let all = try await CampaignFixture(devices: 3)
      try await tag(all, ["d0", "d1"], before)
      let campaign = try await start(all, entry)
      try await pass(all)
      _ = await all.post("campaigns/\(campaign)/pause")
      try await tag(all, ["d0"], during)
      try await pass(all, after: .seconds(3600))
      _ = await all.post("campaigns/\(campaign)/resume")
      try await pass(all, after: .seconds(60))
      #expect(all.received.isEmpty, "\(entry)")
      try await tag(all, ["d1"], during)
      try await pass(all, after: .seconds(60))
      #expect(all.received.keys.sorted() == tokens(["d1"]), "\(entry)")
    }
  }

  @Test("with current, a pause before the first look leaves nobody out")
  func pauseAtOnce() async throws {
    let all = try await CampaignFixture(devices: 2)
    try await tag(all, ["d0"], ["gold"])
    let campaign = try await start(all, "enters", ["current": true])
    _ = await all.post("campaigns/\(campaign)/pause")
    _ = await all.post("campaigns/\(campaign)/resume")
    try await pass(all)
    #expect(all.received.keys.sorted() == tokens(["d0"]))
  }

  @Test("an import has the audience looked at before the minute is over")
  func imports() async throws {
    let all = try await CampaignFixture(devices: 1)
    let plan: JSONValue = [["name": "custom.string.plan", "criteria": ["gold"]]]
    _ = try await start(all, "enters", of: plan)
    try await pass(all)
    let answer = await all.fixture.request(
      "POST", "/v6/devices/import", role: .admin,
      body: "token,os_name,custom.string.plan\n\(Fixture.token("new")),iOS,gold\n",
      headers: [("Content-Type", "text/csv")])
    #expect(answer.status == 200, "\(answer.text)")
    try await pass(all, after: .seconds(5))
    #expect(all.received.keys.sorted() == tokens(["new"]))
  }

  @Test("with current, who is in the audience at the start gets the message too")
  func current() async throws {
    let all = try await CampaignFixture(devices: 4)
    try await tag(all, ["d0", "d1"], ["gold"])
    _ = try await start(all, "enters", ["current": true])
    try await pass(all)
    #expect(all.received.keys.sorted() == tokens(["d0", "d1"]))
  }

  @Test("who leaves the audience gets the message, whoever was in it at the start included")
  func leaves() async throws {
    let all = try await CampaignFixture(devices: 3)
    try await tag(all, ["d0", "d1"], ["gold"])
    _ = try await start(all, "leaves")
    try await tag(all, ["d0"], [])
    try await tag(all, ["d2"], ["gold"])
    try await pass(all)
    #expect(all.received.keys.sorted() == tokens(["d0"]))
    try await tag(all, ["d2"], [])
    try await pass(all, after: .seconds(60))
    #expect(all.received.keys.sorted() == tokens(["d0", "d2"]))
  }

  /// Source: OneSignal documentation, "Journey settings": with "future additions only" whoever was in the
  /// segment at the start never enters. Here leaving and entering again is entering.
  @Test("who was in the audience at the start enters by leaving and entering it again")
  func returns() async throws {
    let all = try await CampaignFixture(devices: 1)
    try await tag(all, ["d0"], ["gold"])
    _ = try await start(all, "enters")
    try await pass(all)
    try await tag(all, ["d0"], [])
    try await pass(all, after: .seconds(60))
    try await tag(all, ["d0"], ["gold"])
    try await pass(all, after: .seconds(60))
    #expect(all.received.values.map(\.count) == [1])
  }

  @Test("who comes and goes gets the message as often as again_after allows")
  func flaps() async throws {
    let all = try await CampaignFixture(devices: 1)
    _ = try await start(all, "enters", ["again_after": "PT10M"])
    for _ in 0..<10 {
      try await tag(all, ["d0"], ["gold"])
      try await pass(all, after: .seconds(60))
      try await tag(all, ["d0"], [])
      try await pass(all, after: .seconds(60))
    }
    // At minutes 1 and 11 of 20.
    #expect(all.received.values.map(\.count) == [2])
  }

  @Test("an audience that was deleted enrolls nobody")
  func deleted() async throws {
    let all = try await CampaignFixture(devices: 2)
    try await tag(all, ["d0"], ["gold"])
    let campaign = try await start(all, "leaves")
    let document = await all.get("campaigns/\(campaign)")["campaign"]?["when"]
    let audience = try #require(document?["leaves"]?.string)
    #expect(await all.fixture.request("DELETE", "/v6/audiences/\(audience)").status < 300)
    try await pass(all, after: .seconds(60))
    #expect(all.received.isEmpty)
    let answer = await all.post(
      "campaigns",
      CampaignFixture.document(["when": ["enters": .string(audience)]]))
    #expect(answer.status == 404)
  }

  @Test("an audience that can no longer be counted enrolls nobody, and keeps nobody waiting")
  func uncountable() async throws {
    let all = try await CampaignFixture(devices: 3)
    let staff = await all.post(
      "audiences",
      ["audience": ["name": "Staff", "to": [["name": "tags", "criteria": ["staff"]]]]])
    let id = try #require(staff.json["audience"]?["id"]?.string)
    let campaign = try await start(
      all, "enters", ["after": "PT1H"],
      of: ["all": [["name": "tags", "criteria": ["gold"]]], "except": [.string(id)]])
    try await tag(all, ["d1"], ["gold"])
    try await pass(all)
    #expect(await all.fixture.request("DELETE", "/v6/audiences/\(id)").status < 300)
    try await tag(all, ["d2"], ["gold"])
    try await pass(all, after: .seconds(60))
    #expect(try await all.counts(of: campaign).waiting == [1: 1])
    try await pass(all, after: .seconds(3600))
    #expect(all.received.keys.sorted() == tokens(["d1"]))
    #expect(try await all.counts(of: campaign).total == 1)
  }

  @Test(
    "a look that dies before any of its writes has enrolled nobody, and does once afterwards",
    arguments: [("UPDATE", "triggers"), ("INSERT", "enrollments")])
  func lookDies(kind: String, table: String) async throws {
    let all = try await CampaignFixture(devices: 3)
    let campaign = try await start(all, "enters", ["after": "PT1H"])
    try await tag(all, ["d0", "d1"], ["gold"])
    try await all.fixture.store.writer.read { db in
      try db.execute(
        """
        CREATE TRIGGER failing BEFORE \(kind) ON \(table)
        BEGIN SELECT RAISE(ABORT, 'a node died here'); END
        """)
    }
    try await pass(all)
    #expect(try await all.counts(of: campaign).total == 0)
    try await all.fixture.store.writer.read { try $0.execute("DROP TRIGGER failing") }
    try await pass(all)
    #expect(try await all.counts(of: campaign).waiting == [1: 2])
    try await pass(all, after: .seconds(3600))
    #expect(all.received.count == 2)
  }

  @Test("nodes that look at once enroll each person once")
  func nodes() async throws {
    let all = try await CampaignFixture(devices: 30)
    let campaign = try await start(all, "enters", ["again_after": "PT1M"])
    try await tag(all, (0..<20).map { "d\($0)" }, ["gold"])
    let nodes = try (0..<3).map { _ in
      Actions(
        store: try SQLitePushStore(path: all.fixture.store.path), secretKey: all.fixture.secretKey,
        clock: all.fixture.clock.serverClock
      ).campaignRunner
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for node in nodes { group.addTask { try await node.runDue() } }
      try await group.waitForAll()
    }
    all.fixture.clock.advance(by: EnrollmentRunner.lease)
    try await pass(all)
    #expect(all.received.count == 20 && all.received.values.allSatisfy { $0.count == 1 })
    #expect(try await all.counts(of: campaign).total == 20)
  }

  // MARK: The app's server

  @Test("the app's server enrolls people with data, once for an idempotency key")
  func call() async throws {
    let all = try await CampaignFixture(devices: 3)
    let campaign = try await all.start(
      ["when": ["trigger": "api"], "variants": Self.oneVariant]
    ).campaign
    try await all.fixture.register("d2") { $0.userID = .set("ada") }
    let body: JSONValue = ["to": ["user_ids": ["ada"]], "data": ["name": "Ada"]]
    func trigger(_ body: JSONValue, key: String?) async -> Fixture.Answer {
      await all.fixture.request(
        "POST", "/v6/campaigns/\(campaign)/trigger", body: body.text,
        headers: [("Content-Type", "application/json")]
          + (key.map { [("Idempotency-Key", $0)] } ?? []))
    }
    for _ in 0..<2 {
      let answer = await trigger(body, key: "order-1")
      #expect(answer.status == 202 && answer.json == ["enrolled": 1], "\(answer.text)")
    }
    #expect(await trigger(["to": "*"], key: "order-1").status == 422)
    try await pass(all)
    #expect(all.received == [Fixture.token("d2"): ["Hello Ada"]])
    // Without again_after, the user is enrolled once; the other devices are people of their own.
    #expect(await trigger(["to": "*"], key: nil).json == ["enrolled": 2])
    try await pass(all)
    #expect(all.received.count == 3 && all.received.values.allSatisfy { $0.count == 1 })
    _ = await all.post("campaigns/\(campaign)/pause")
    #expect(await trigger(["to": "*"], key: nil).status == 409)
    _ = await all.post("campaigns/\(campaign)/end")
    #expect(await trigger(["to": "*"], key: nil).status == 409)
  }

  @Test("a campaign that is not triggered enrolls nobody, and has no report of people")
  func once() async throws {
    let all = try await CampaignFixture(devices: 1)
    let campaign = try await all.create()
    #expect(await all.post("campaigns/\(campaign)/trigger", ["to": "*"]).status == 409)
    #expect(await all.post("campaigns/none/trigger", ["to": "*"]).status == 404)
    for path in ["report", "explanations/d0"] {
      let answer = await all.fixture.request("GET", "/v6/campaigns/\(campaign)/\(path)")
      #expect(answer.status == 409, "\(answer.text)")
    }
  }

  // MARK: Reports

  @Test("the report counts people by where they are, and messages by step and variant")
  func report() async throws {
    let all = try await CampaignFixture(devices: 4)
    let campaign = try await all.start([
      "when": ["trigger": ["event": "cart"], "after": "PT1H", "exit_on": [["event": "bought"]]],
      "variants": Self.oneVariant,
    ]).campaign
    for device in ["d0", "d1"] { await all.happen("cart", on: device) }
    await all.happen("bought", on: "d1")
    try await all.fixture.register("d2") { $0.isPushEnabled = .set(false) }
    await all.happen("cart", on: "d2")
    try await pass(all, after: .seconds(3600))
    await all.happen("cart", on: "d3")
    let report = await all.get("campaigns/\(campaign)/report")["report"]
    #expect(report?["enrolled"] == 4 && report?["waiting"] == 1 && report?["done"] == 1)
    #expect(report?["exited"] == ["exited": 1] && report?["left_out"] == ["unreachable": 1])
    let step = report?["steps"]?.array?.first
    #expect(step?["number"] == 1 && step?["waiting"] == 1)
    let variant = step?["variants"]?.array?.first
    #expect(variant?["key"] == "a" && variant?["targeted"] == 1 && variant?["sent"] == 1)
    let run = try #require(step?["run"]?.string)
    #expect(await all.fixture.request("GET", "/v6/runs/\(run)").status == 409)
    #expect(await all.post("runs/\(run)/cancel").status == 409)
  }

  @Test("an explanation says where a device's person is, and why it got nothing")
  func explanations() async throws {
    let all = try await CampaignFixture(devices: 5)
    let campaign = try await all.start([
      "when": ["trigger": ["event": "cart"], "after": "PT1H", "exit_on": [["event": "bought"]]],
      "to": [["name": "tags", "criteria": ["gold"], "not_filter": true]],
      "variants": Self.oneVariant,
    ]).campaign
    func code(_ device: String) async -> JSONValue? {
      await all.get("campaigns/\(campaign)/explanations/\(device)")["explanation"]?["code"]
    }
    for device in ["d0", "d1", "d2"] { await all.happen("cart", on: device) }
    await all.happen("bought", on: "d1")
    try await tag(all, ["d2"], ["gold"])
    #expect(await code("d0") == "waiting")
    #expect(await code("d1") == "exited")
    #expect(await code("d4") == "not_enrolled")
    _ = await all.post("campaigns/\(campaign)/pause")
    #expect(await code("d0") == "paused")
    _ = await all.post("campaigns/\(campaign)/resume")
    all.fixture.clock.advance(by: .seconds(3600))
    try await all.runner.runDue()
    #expect(await code("d0") == "pending")
    await all.deliver()
    let explanation = await all.get("campaigns/\(campaign)/explanations/d0")["explanation"]
    #expect(explanation?["code"] == "accepted" && explanation?["variant"] == "a")
    #expect(explanation?["notification_id"]?.string != nil)
    #expect(await code("d2") == "not_in_audience")
    await all.happen("cart", on: "d3")
    _ = await all.post("campaigns/\(campaign)/end")
    try await all.runner.runDue()
    #expect(await code("d3") == "campaign_ended")
    _ = await all.fixture.request("DELETE", "/v6/devices/d3")
    #expect(await code("d3") == "erased")
  }

  @Test("the page of a triggered campaign shows its rule, its people and its messages")
  func page() async throws {
    let all = try await CampaignFixture(devices: 2)
    let campaign = try await all.start([
      "when": [
        "trigger": ["event": "cart"], "after": "PT1H", "exit_on": [["event": "bought"]],
        "again_after": "P7D",
      ], "variants": Self.oneVariant,
    ]).campaign
    await all.happen("cart", on: "d0")
    await all.happen("cart", on: "d1")
    await all.happen("bought", on: "d1")
    let stored = try #require(
      try await all.fixture.store.campaign(campaign, app: all.fixture.app.id))
    let plan = try CampaignPlan(stored: stored.document, at: all.fixture.clock.now)
    #expect(
      plan.triggerInWords(nil)
        == "Whoever does “cart” enters. After 1 hour. Who does “bought” gets no further message."
        + " Again 7 days after the last message at the earliest."
        + " Only who is in the audience before each message gets it."
    )
    let view = EnrollmentReportView(
      report: try await EnrollmentReport(
        of: stored, at: all.fixture.clock.now, all.fixture.store), plan: plan)
    let html = view.html.markup
    #expect(html.contains("<th scope=\"row\">Enrolled</th><td class=\"number\">2</td>"))
    #expect(html.contains("left by an event</th><td class=\"number\">1</td>"))
  }
}
