import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Campaigns", .timeLimit(.minutes(10)))
struct CampaignTests {
  @Test("a sample is tested, the winner goes to the rest, and the control gets nothing")
  func wholeWay() async throws {
    let all = try await CampaignFixture(devices: 400)
    let (campaign, id) = try await all.start(["test": CampaignFixture.test])
    #expect(await all.run(id)["state"] == "testing")
    await all.deliver()
    let tested = all.received
    #expect(tested.values.allSatisfy { $0.count == 1 })
    #expect((130...230).contains(tested.count), "\(tested.count)")
    try await all.open(40, of: "a", run: id)
    try await all.open(4, of: "b", run: id)
    all.fixture.clock.advance(by: .seconds(4 * 3600 - 1))
    try await all.runner.runDue()
    #expect(await all.run(id)["state"] == "testing")
    all.fixture.clock.advance(by: .seconds(1))
    try await all.runner.runDue()
    let decided = await all.run(id)
    #expect(decided["state"] == "rolling")
    #expect(decided["decision"]?["variant"] == "a" && decided["decision"]?["by"] == "clock")
    #expect(decided["decision"]?["significant"] == true)
    await all.deliver()
    let received = all.received
    #expect(received.values.allSatisfy { $0.count == 1 })
    let control = decided["devices"]?["control"]?.integer ?? 0
    #expect(received.count == 400 - Int(control) && (12...75).contains(control))
    let later = received.filter { tested[$0.key] == nil }
    #expect(later.values.allSatisfy { $0 == ["Variant A"] } && !later.isEmpty)
    all.fixture.clock.advance(by: CampaignRunner.pause)
    try await all.runner.runDue()
    #expect(await all.run(id)["state"] == "settled")
    #expect(await all.get("campaigns/\(campaign)")["campaign"]?["state"] == "ended")
    let variants = await all.run(id)["variants"]?.array ?? []
    #expect(variants.map { $0["opens"]?["count"] } == [40, 4])
    #expect(await all.run(id)["comparison"]?["winner"] == "a")
    #expect(await all.run(id)["split"]?["as_planned"]?.bool != nil)
    // The notifications are found by the campaign's name and label, and name the campaign.
    let list = await all.get("notifications?label=sale&q=autumn")
    #expect(list["meta"]?["total"] == 3)
    #expect(list["notifications"]?.array?.first?["campaign"]?["id"] == .string(campaign))
    #expect(list["notifications"]?.array?.first?["campaign"]?["phase"] == "rollout")
  }

  @Test("without a test each variant goes to its share at once")
  func withoutTest() async throws {
    let all = try await CampaignFixture(devices: 200)
    let (_, id) = try await all.start()
    await all.deliver()
    #expect(await all.run(id)["state"] == "rolling")
    let texts = all.received.values.flatMap(\.self)
    #expect(Set(texts) == ["Variant A", "Variant B"] && texts.count == all.received.count)
    let control = await all.run(id)["devices"]?["control"]?.integer ?? 0
    #expect(texts.count == 200 - Int(control) && control > 0)
  }

  @Test("the variants share the campaign's rate, and the winner has all of it")
  func rate() async throws {
    let all = try await CampaignFixture(devices: 200)
    let limits: JSONValue = ["per_second": 100]
    let (whole, _) = try await all.start(["limits": limits])
    let rates = try await all.sends(of: whole).compactMap(\.throttlePerSecond)
    #expect(rates.count == 2 && (98...100).contains(rates.reduce(0, +)), "\(rates)")
    // Each has one push a second at least.
    let (slow, _) = try await all.start(["limits": ["per_second": 1]])
    #expect(try await all.sends(of: slow).compactMap(\.throttlePerSecond) == [1, 1])
    let (tested, run) = try await all.start(["limits": limits, "test": ["sample": 50]])
    _ = await all.post("runs/\(run)/decide", ["variant": "b"])
    let last = try await all.sends(of: tested).last
    #expect(last?.origin?.phase == .rollout && last?.throttlePerSecond == 100)
  }

  @Test("a person decides a test, once")
  func byHand() async throws {
    let all = try await CampaignFixture(devices: 60)
    let (campaign, id) = try await all.start(["test": ["sample": 40]])
    await all.deliver()
    all.fixture.clock.advance(by: .seconds(30 * 86_400))
    try await all.runner.runDue()
    #expect(await all.run(id)["state"] == "testing")
    let refused = await all.post("runs/\(id)/decide", ["variant": "c"])
    #expect(
      refused.status == 422 && refused.error == "$.variant must be one of a, b, or null for none")
    #expect(await all.post("runs/\(id)/decide", [:]).error == "$.variant is missing")
    _ = await all.post("campaigns/\(campaign)/pause")
    #expect(await all.post("runs/\(id)/decide", ["variant": "b"]).status == 409)
    _ = await all.post("campaigns/\(campaign)/resume")
    let decided = await all.post("runs/\(id)/decide", ["variant": "b"])
    #expect(decided.status == 200 && decided.json["run"]?["decision"]?["variant"] == "b")
    #expect(decided.json["run"]?["decision"]?["by"] != "clock")
    #expect(await all.post("runs/\(id)/decide", ["variant": "a"]).status == 409)
    await all.deliver()
    #expect(all.received.values.allSatisfy { $0.count == 1 })
    let control = await all.run(id)["devices"]?["control"]?.integer ?? 0
    #expect(all.received.count == 60 - Int(control))
  }

  @Test("no variant is sent to the rest where a person chooses none")
  func none() async throws {
    let all = try await CampaignFixture(devices: 60)
    let (_, id) = try await all.start(["test": ["sample": 40]])
    await all.deliver()
    let before = all.received.count
    let decided = await all.post("runs/\(id)/decide", ["variant": .null])
    #expect(decided.json["run"]?["state"] == "rolling")
    #expect(decided.json["run"]?["decision"]?["significant"] == false)
    all.fixture.clock.advance(by: CampaignRunner.pause)
    try await all.runner.runDue()
    await all.deliver()
    #expect(all.received.count == before)
    #expect(await all.run(id)["state"] == "settled")
  }

  @Test("an audience that is deleted during a test has no device when the winner is sent")
  func deletedAudience() async throws {
    let all = try await CampaignFixture(devices: 60)
    let (_, id) = try await all.start(["test": ["sample": 40]])
    await all.deliver()
    let (store, app) = (all.fixture.store, all.fixture.app.id)
    let audience = try #require(try await store.sends(ofRun: id, app: app).first).audience
    #expect(try await store.deleteAudience(audience, app: app))
    #expect(await all.post("runs/\(id)/decide", ["variant": "b"]).status == 200)
    #expect(try await store.audience(audience, app: app)?.except == [.filters([])])
    // The devices of the rest were known before.
    let before = all.received.count
    await all.deliver()
    #expect(all.received.count > before)
  }

  static let fallbacks: [(rule: String, variant: JSONValue)] = [
    ("best", "b"), ("default", "a"), ("none", .null),
  ]

  @Test(
    "where no variant is better by more than chance the document says what is sent",
    arguments: fallbacks)
  func noWinner(rule: String, variant: JSONValue) async throws {
    let all = try await CampaignFixture(devices: 600)
    let (_, id) = try await all.start([
      "test": ["sample": 50, "decide_after": "PT1H", "no_winner": .string(rule)]
    ])
    await all.deliver()
    // So far apart that the chance by which devices come to a variant does not make the other the best.
    try await all.open(2, of: "a", run: id)
    try await all.open(4, of: "b", run: id)
    all.fixture.clock.advance(by: .seconds(3600))
    try await all.runner.runDue()
    let run = await all.run(id)
    let decision = run["decision"]
    #expect(
      decision?["variant"] == variant && decision?["significant"] == false, "\(run.text)")
  }

  @Test("a test without any opening is left to a person, for the app may not report them")
  func noReceipts() async throws {
    let all = try await CampaignFixture(devices: 60)
    let (_, id) = try await all.start(["test": CampaignFixture.test])
    await all.deliver()
    all.fixture.clock.advance(by: .seconds(4 * 3600))
    try await all.runner.runDue()
    let run = await all.run(id)
    #expect(run["state"] == "deciding")
    #expect(run["reason"]?.string?.contains("choose a variant yourself") == true)
    #expect(await all.post("runs/\(id)/decide", ["variant": "a"]).status == 200)
  }

  @Test("a goal whose time was over before the decision is measured on the test alone")
  func earlyGoal() async throws {
    let all = try await CampaignFixture(devices: 200)
    let (_, id) = try await all.start([
      "test": CampaignFixture.test, "goals": [["event": "bought", "within": "PT1H"]],
    ])
    await all.deliver()
    let tested = all.received.count
    try await all.open(1, of: "a", run: id)
    all.fixture.clock.advance(by: .seconds(4 * 3600))
    try await all.runner.runDue()
    let decided = await all.run(id)
    if decided["state"] == "deciding" {
      #expect(await all.post("runs/\(id)/decide", ["variant": "a"]).status == 200)
    }
    await all.deliver()
    #expect(all.received.count > tested)
    all.fixture.clock.advance(by: CampaignRunner.pause)
    try await all.runner.runDue()
    let goal = await all.run(id)["goals"]?.array?.first
    let trials = ["a", "b"].map { key in
      goal?["variants"]?.array?.first { $0["key"]?.string == key }?["result"]?["of"]?.integer ?? 0
    }
    #expect(trials.reduce(0, +) == Int64(tested), "\(goal?.text ?? "no goal")")
  }

  @Test("goals are measured on the variants and on the control when their time is over")
  func goals() async throws {
    let all = try await CampaignFixture(devices: 300)
    let (campaign, id) = try await all.start([
      "goals": [["event": "bought", "within": "P1D"]]
    ])
    await all.deliver()
    let got = Set(all.received.filter { $0.value == ["Variant A"] }.keys)
    all.fixture.clock.advance(by: .seconds(60))
    var buyers = 0
    for number in 0..<300 where got.contains(Fixture.token("d\(number)")) && buyers < 60 {
      _ = try await all.fixture.store.record(
        [DeviceEvent(name: "bought")], device: "d\(number)", app: all.fixture.app.id,
        at: all.fixture.clock.now)
      buyers += 1
    }
    try await all.runner.runDue()
    #expect(await all.run(id)["goals"]?.array?.first?["measured_at"] == .null)
    #expect(await all.run(id)["state"] == "rolling")
    all.fixture.clock.advance(by: .seconds(86_400))
    try await all.runner.runDue()
    let run = await all.run(id)
    #expect(run["state"] == "settled")
    let goal = run["goals"]?.array?.first
    #expect(goal?["variants"]?.array?.first?["result"]?["count"] == .integer(Int64(buyers)))
    #expect(goal?["variants"]?.array?.last?["result"]?["count"] == 0)
    #expect(goal?["control"]?["count"] == 0)
    #expect((goal?["variants"]?.array?.first?["uplift"]?["low"]?.number ?? 0) > 0)
    #expect(await all.get("campaigns/\(campaign)")["campaign"]?["state"] == "ended")
  }

  @Test("a goal whose time is over in a pause is measured once all pushes were sent")
  func goalOfPaused() async throws {
    let all = try await CampaignFixture(devices: 2)
    let (campaign, id) = try await all.start([
      "variants": [["key": "a", "payload": ["alert": "Hello"]]],
      "goals": [["event": "bought", "within": "PT1H"]],
    ])
    #expect(await all.post("campaigns/\(campaign)/pause").status == 200)
    all.fixture.clock.advance(by: .seconds(2 * 3600))
    #expect(await all.post("campaigns/\(campaign)/resume").status == 200)
    try await all.runner.runDue()
    #expect(await all.run(id)["goals"]?.array?[0]["measured_at"] == .null)
    await all.deliver()
    all.fixture.clock.advance(by: CampaignRunner.pause)
    try await all.runner.runDue()
    let goal = await all.run(id)["goals"]?.array?[0]
    #expect(goal?["variants"]?.array?[0]["result"]?["of"] == 2, "\(goal?.text ?? "no goal")")
  }

  @Test(
    "a goal counts an event whichever version of the API has recorded it",
    arguments: ["v4", "v5", "v6"], ["bought", "Public Api:bought"])
  func goalOfOldEvent(version: String, event: String) async throws {
    let all = try await CampaignFixture(devices: 1)
    let (_, id) = try await all.start([
      "variants": [["key": "a", "payload": ["alert": "Hello"]]],
      "goals": [["event": .string(event), "within": "PT1H"]],
    ])
    await all.deliver()
    let recorded = await all.fixture.request(
      "POST", "/\(version)/devices/d0/events", body: #"{"events": [{"name": "bought"}]}"#)
    #expect(recorded.status == 202, "\(recorded.text)")
    all.fixture.clock.advance(by: .seconds(3600))
    try await all.runner.runDue()
    let goal = await all.run(id)["goals"]?.array?[0]
    #expect(goal?["variants"]?.array?[0]["result"]?["count"] == 1, "\(goal?.text ?? "no goal")")
  }

  @Test("people of the holdout get no campaign, unless it ignores the holdout")
  func holdout() async throws {
    let all = try await CampaignFixture(devices: 200)
    let set = await all.fixture.request(
      "PUT", "/v6/limits", role: .admin, body: #"{"limits":{"holdout":{"percent":15}}}"#)
    #expect(set.status == 200 && set.json["limits"]?["holdout"]?["percent"] == 15)
    for percent in ["0", "16"] {
      let body = #"{"limits":{"holdout":{"percent":\#(percent)}}}"#
      #expect(
        await all.fixture.request("PUT", "/v6/limits", role: .admin, body: body).status == 422)
    }
    let (_, first) = try await all.start()
    let held = await all.run(first)["devices"]?["held_out"]?.integer ?? 0
    #expect((10...55).contains(held))
    let (_, second) = try await all.start()
    #expect(await all.run(second)["devices"]?["held_out"] == .integer(held))
    let (_, third) = try await all.start(["limits": ["holdout": "ignore"]])
    #expect(await all.run(third)["devices"]?["held_out"] == 0)
    await all.deliver()
    let everyone = await all.send(to: "*")
    #expect(everyone == 200)
  }

  @Test("a campaign waits for its time, and is skipped where nobody can get it")
  func schedule() async throws {
    let all = try await CampaignFixture(devices: 20)
    let time = all.fixture.clock.now + .seconds(3600)
    let (campaign, id) = try await all.start(["when": ["at": .string(time.iso8601)]])
    #expect(await all.run(id)["state"] == "planned")
    try await all.runner.runDue()
    #expect(await all.run(id)["state"] == "planned")
    all.fixture.clock.advance(by: .seconds(3600))
    try await all.runner.runDue()
    #expect(await all.run(id)["state"] == "rolling")
    let nobody: JSONValue = [["name": "tags", "criteria": ["none"]]]
    let (empty, skipped) = try await all.start(["to": nobody])
    #expect(await all.run(skipped)["state"] == "skipped")
    #expect(await all.run(skipped)["reason"] == "no device of the audience can receive pushes")
    #expect(await all.get("campaigns/\(empty)")["campaign"]?["state"] == "ended")
    #expect(await all.post("campaigns/\(campaign)/start").status == 200)
    #expect(await all.get("campaigns/\(campaign)/runs")["runs"]?.array?.count == 1)
  }

  @Test("a run is canceled with its notifications, and one that is over is not")
  func cancel() async throws {
    let all = try await CampaignFixture(devices: 60)
    let (campaign, id) = try await all.start(["test": CampaignFixture.test])
    let canceled = await all.post("runs/\(id)/cancel")
    #expect(canceled.json["run"]?["state"] == "canceled")
    await all.deliver()
    #expect(all.received.isEmpty)
    #expect(await all.get("campaigns/\(campaign)")["campaign"]?["state"] == "ended")
    #expect(await all.post("runs/\(id)/cancel").status == 200)
    #expect(await all.post("runs/\(id)/decide", ["variant": "a"]).status == 409)
  }

  @Test("a draft is changed, found, previewed, duplicated and discarded; a live one is not changed")
  func drafts() async throws {
    let all = try await CampaignFixture(devices: 40)
    let id = try await all.create()
    let changed = await all.fixture.request(
      "PUT", "/v6/campaigns/\(id)", body: CampaignFixture.document(["name": "Winter"]).text)
    #expect(changed.json["campaign"]?["version"] == 2, "\(changed.text)")
    #expect(await all.get("campaigns?q=wint&label=sale&state=draft")["meta"]?["total"] == 1)
    let preview = await all.post("campaigns/\(id)/preview").json
    let parts = (preview["variants"]?.array ?? []).compactMap { $0["device_count"]?.integer }
    let control = preview["control"]?.integer ?? 0
    #expect(parts.reduce(control, +) == 40 && preview["device_count"] == 40)
    #expect(preview["estimated"] == false)
    let copy = await all.post("campaigns/\(id)/duplicate")
    let copied = try #require(copy.json["campaign"]?["id"]?.string)
    #expect(copied != id && copy.json["campaign"]?["variants"]?.array?.count == 3)
    let discarded = await all.fixture.request("DELETE", "/v6/campaigns/\(copied)")
    #expect(discarded.json["campaign"]?["state"] == "discarded")
    #expect(await all.post("campaigns/\(copied)/start").status == 409)
    _ = await all.post("campaigns/\(id)/start")
    let late = await all.fixture.request(
      "PUT", "/v6/campaigns/\(id)", body: CampaignFixture.document().text)
    #expect(late.status == 409)
    #expect(await all.fixture.request("DELETE", "/v6/campaigns/\(id)").status == 409)
  }

  static let refused: [(members: [String: JSONValue], error: String)] = [
    (["name": .null], "$.campaign.name is missing"),
    (["variants": []], "$.campaign.variants must have 1 to 10 variants, and one for the control"),
    (
      [
        "variants": [
          ["key": "a", "share": 60, "payload": ["alert": "x"]], ["key": "control", "share": 30],
        ]
      ],
      "$.campaign.variants have shares of 90 together, and must have 100"
    ),
    (
      ["variants": [["key": "control", "share": 100]]],
      "$.campaign.variants must have one beside the control"
    ),
    (
      [
        "variants": [
          ["key": "a", "share": 50, "payload": ["alert": "x"]],
          ["key": "a", "share": 50, "payload": ["alert": "y"]],
        ]
      ],
      "$.campaign.variants[1].key is a key of two variants"
    ),
    (
      ["variants": [["key": "control", "share": 50, "payload": ["alert": "x"]]]],
      "$.campaign.variants[0].payload must not be: the control is sent nothing"
    ),
    (
      ["variants": [["key": "A b", "payload": ["alert": "x"]]]],
      "$.campaign.variants[0].key must be 1 to 32 of a-z, 0-9, _ and -"
    ),
    (
      ["when": ["at": "2020-01-01T00:00:00Z"]],
      "$.campaign.when.at is in the past; use \"now\" to send at once"
    ),
    (["when": ["at": "soon"]], "$.campaign.when.at must be \"now\" or an ISO 8601 date"),
    (
      ["when": ["at": "now", "local_time": true]],
      "$.campaign.when.at must be a date with local_time"
    ),
    (["test": ["sample": 100]], "$.campaign.test.sample must be a whole number, 1 to 99"),
    (
      ["test": ["sample": 10, "metric": "conversions"]],
      "$.campaign.test.metric needs a goal, whose event is what is compared"
    ),
    (
      ["test": ["sample": 10, "decide_after": "PT30S"]],
      "$.campaign.test.decide_after must be from one minute to 30 days"
    ),
    (
      ["test": ["sample": 10, "decide_after": "P"]],
      "$.campaign.test.decide_after must be an ISO 8601 duration such as PT4H or P3D"
    ),
    (
      ["test": ["sample": 10], "variants": [["key": "a", "payload": ["alert": "x"]]]],
      "$.campaign.test needs two variants at least"
    ),
    (["goals": [["event": ""]]], "$.campaign.goals[0].event must be the name of an event"),
    (
      ["goals": [["event": "bought"], ["event": "bought", "within": "P7D"]]],
      "$.campaign.goals[1].event must differ from the events of the other goals"
    ),
  ]

  @Test("what is wrong with a campaign is said with its path", arguments: refused)
  func refusals(members: [String: JSONValue], error: String) async throws {
    let all = try await CampaignFixture(devices: 1)
    let answer = await all.post("campaigns", CampaignFixture.document(members))
    #expect(answer.status == 422 && answer.error == error, "\(answer.text)")
  }
}

extension CampaignFixture {
  /// Sends to a target outside of campaigns, and returns how many devices it reaches.
  func send(to target: JSONValue) async -> Int {
    let before = fixture.apple.taken.count
    _ = await fixture.send(["alert": "Hi"], to: target)
    await deliver()
    return fixture.apple.taken.count - before
  }
}
