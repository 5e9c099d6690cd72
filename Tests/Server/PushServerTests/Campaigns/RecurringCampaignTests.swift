import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Recurring campaigns", .timeLimit(.minutes(10)))
struct RecurringCampaignTests {
  /// The clock of the tests shows 22:13:20 UTC on Tuesday, 14 November 2023.
  static let daily: JSONValue = ["unit": "day", "time": "09:00", "zone": "UTC"]
  private static let oneVariant: JSONValue = [["key": "a", "payload": ["alert": "Good morning"]]]
  private static let day = Duration.seconds(86_400)
  /// From the clock's first time to 9:00 of the next day.
  private static let untilNine = Duration.seconds(10 * 3600 + 46 * 60 + 40)

  private func start(
    _ all: CampaignFixture, _ when: [String: JSONValue] = [:], _ more: [String: JSONValue] = [:]
  ) async throws -> (campaign: String, run: String) {
    let when = ["every": Self.daily].merging(when) { $1 }
    return try await all.start(
      ["when": .object(when), "variants": Self.oneVariant].merging(more) { $1 })
  }

  /// Takes the steps that are due and sends what they accepted.
  private func pass(_ all: CampaignFixture) async throws {
    try await all.runner.runDue()
    await all.deliver()
  }

  @Test("each day of the schedule is a run, which is sent at its time, and the last day ends it")
  func days() async throws {
    let all = try await CampaignFixture(devices: 10)
    let (campaign, first) = try await start(all, ["until": "2023-11-16"])
    #expect(await all.get("campaigns/\(campaign)")["campaign"]?["kind"] == "recurring")
    let planned = await all.run(first)
    #expect(planned["state"] == "planned" && planned["day"] == "2023-11-15")
    #expect(planned["planned_at"] == "2023-11-15T09:00:00.000Z")
    all.fixture.clock.advance(by: Self.untilNine + .milliseconds(-1))
    try await pass(all)
    #expect(all.received.isEmpty)
    all.fixture.clock.advance(by: .milliseconds(1))
    try await pass(all)
    #expect(all.received.count == 10 && all.received.values.allSatisfy { $0.count == 1 })
    #expect(await all.days(of: campaign) == ["2023-11-15 rolling", "2023-11-16 planned"])
    all.fixture.clock.advance(by: CampaignRunner.pause)
    try await pass(all)
    #expect(await all.days(of: campaign) == ["2023-11-15 settled", "2023-11-16 planned"])
    #expect(await all.state(of: campaign) == "live")
    all.fixture.clock.advance(by: Self.day)
    try await pass(all)
    all.fixture.clock.advance(by: CampaignRunner.pause)
    try await pass(all)
    #expect(all.received.values.allSatisfy { $0.count == 2 })
    #expect(await all.days(of: campaign) == ["2023-11-15 settled", "2023-11-16 settled"])
    #expect(await all.state(of: campaign) == "ended")
  }

  @Test("a person gets the same variant on every day")
  func variants() async throws {
    let all = try await CampaignFixture(devices: 60)
    _ = try await start(all, [:], ["variants": CampaignFixture.twoVariants])
    all.fixture.clock.advance(by: Self.untilNine)
    for _ in 0..<3 {
      try await pass(all)
      all.fixture.clock.advance(by: Self.day)
    }
    #expect(all.received.values.allSatisfy { $0.count == 3 && Set($0).count == 1 })
    #expect(Set(all.received.values.joined()).count == 2)
  }

  @Test("each day has a test and a winner of its own")
  func tests() async throws {
    let all = try await CampaignFixture(devices: 80)
    let (campaign, first) = try await start(
      all, ["until": "2023-11-16"],
      ["variants": CampaignFixture.twoVariants, "test": CampaignFixture.test])
    all.fixture.clock.advance(by: Self.untilNine)
    try await pass(all)
    try await all.open(3, of: "a", run: first)
    all.fixture.clock.advance(by: .seconds(4 * 3600))
    try await pass(all)
    let decided = await all.run(first)
    #expect(decided["decision"]?["variant"] == "a")
    let control = Int(decided["devices"]?["control"]?.integer ?? 0)
    #expect(all.received.count == 80 - control)
    all.fixture.clock.advance(by: Self.day + .seconds(-4 * 3600))
    try await pass(all)
    #expect(await all.days(of: campaign) == ["2023-11-15 settled", "2023-11-16 testing"])
    let second = try #require(await all.runs(of: campaign).last?["id"]?.string)
    #expect(await all.post("runs/\(second)/decide", ["variant": "b"]).status == 200)
    await all.deliver()
    #expect(all.received.values.allSatisfy { $0.count == 2 })
    #expect(all.received.count == 80 - control)
  }

  @Test("a day is sent late where no server ran at its time, and skipped where it is too late")
  func missed() async throws {
    let all = try await CampaignFixture(devices: 5)
    let (campaign, first) = try await start(all, ["missed": "late PT2H"])
    all.fixture.clock.advance(by: Self.untilNine + .seconds(2 * 3600))
    try await pass(all)
    #expect(all.received.values.allSatisfy { $0.count == 1 } && all.received.count == 5)
    #expect(await all.run(first)["state"] == "rolling")
    // Three days later, by one millisecond more than two hours.
    all.fixture.clock.advance(by: Self.day * 3 + .milliseconds(1))
    try await pass(all)
    try await pass(all)
    #expect(all.received.values.allSatisfy { $0.count == 1 })
    #expect(
      await all.days(of: campaign) == [
        "2023-11-15 settled", "2023-11-16 skipped", "2023-11-19 planned",
      ])
    let reason = await all.runs(of: campaign)[1]["reason"]?.string
    #expect(
      reason == "its time was over: no server ran then, or the campaign was paused; so were 2 that"
        + " followed")
    all.fixture.clock.advance(by: Self.day + .seconds(-2 * 3600))
    try await pass(all)
    #expect(all.received.values.allSatisfy { $0.count == 2 })
  }

  @Test("without a rule for missed days five minutes are not too late, and more are")
  func skip() async throws {
    for (late, isSent) in [(Duration.seconds(300), true), (.milliseconds(300_001), false)] {
      let all = try await CampaignFixture(devices: 3)
      _ = try await start(all)
      all.fixture.clock.advance(by: Self.untilNine + late)
      try await pass(all)
      #expect(all.received.isEmpty != isSent)
    }
  }

  @Test("a pause holds the days, and those of its time are missed; it goes on with the next one")
  func pause() async throws {
    let all = try await CampaignFixture(devices: 4)
    let (campaign, _) = try await start(all)
    #expect(await all.post("campaigns/\(campaign)/pause").status == 200)
    all.fixture.clock.advance(by: Self.untilNine + Self.day)
    try await pass(all)
    #expect(all.received.isEmpty)
    #expect(await all.days(of: campaign) == ["2023-11-15 planned"])
    all.fixture.clock.advance(by: .seconds(3600))
    #expect(await all.post("campaigns/\(campaign)/resume").status == 200)
    try await pass(all)
    #expect(all.received.isEmpty)
    #expect(await all.days(of: campaign) == ["2023-11-15 skipped", "2023-11-17 planned"])
    all.fixture.clock.advance(by: Self.day + .seconds(-3600))
    try await pass(all)
    #expect(all.received.count == 4)
    #expect(await all.post("campaigns/\(campaign)/end").status == 200)
    all.fixture.clock.advance(by: Self.day)
    try await pass(all)
    #expect(all.received.values.allSatisfy { $0.count == 1 })
    #expect(await all.state(of: campaign) == "ended")
  }

  @Test("a day is canceled or skipped by itself, and the campaign goes on with the next one")
  func oneDay() async throws {
    let all = try await CampaignFixture(devices: 0)
    let (campaign, first) = try await start(all, ["until": "2023-11-17"])
    #expect(await all.post("runs/\(first)/cancel").json["run"]?["state"] == "canceled")
    #expect(await all.days(of: campaign) == ["2023-11-15 canceled", "2023-11-16 planned"])
    all.fixture.clock.advance(by: Self.untilNine + Self.day)
    try await pass(all)
    let second = await all.runs(of: campaign)[1]
    #expect(second["state"] == "skipped")
    #expect(second["reason"] == "no device of the audience can receive pushes")
    #expect(await all.state(of: campaign) == "live")
    let last = try #require(await all.runs(of: campaign).last?["id"]?.string)
    #expect(await all.post("runs/\(last)/cancel").status == 200)
    #expect(await all.runs(of: campaign).count == 3)
    #expect(await all.state(of: campaign) == "ended")
  }

  @Test("with the zone of each device it gets each day at its own time")
  func deviceZones() async throws {
    let all = try await CampaignFixture(devices: 0)
    let zones = [("tonga", "Pacific/Kiritimati"), ("berlin", "Europe/Berlin"), ("none", nil)]
    for (id, zone) in zones { try await all.fixture.register(id) { $0.timeZone = .set(zone) } }
    let (campaign, first) = try await start(
      all, ["every": ["unit": "day", "time": "09:00", "zone": "device"]])
    // Kiritimati shows 9:00 of 16 November at 19:00 UTC of the day before.
    #expect(await all.run(first)["planned_at"] == "2023-11-15T19:00:00.000Z")
    func count(_ id: String) -> Int { all.received[Fixture.token(id)]?.count ?? 0 }
    let clock = all.fixture.clock
    func advance(to time: String) throws {
      let time = try #require(Timestamp(iso8601: time))
      clock.advance(by: time.since(clock.now))
    }
    try advance(to: "2023-11-15T19:00:00Z")
    try await pass(all)
    #expect([count("tonga"), count("berlin"), count("none")] == [1, 0, 0])
    try advance(to: "2023-11-16T08:00:00Z")
    try await pass(all)
    #expect([count("tonga"), count("berlin"), count("none")] == [1, 1, 0])
    try advance(to: "2023-11-16T09:00:00Z")
    try await pass(all)
    #expect([count("tonga"), count("berlin"), count("none")] == [1, 1, 1])
    // The next day begins late: it is missed where its time is over, and counted.
    try advance(to: "2023-11-17T07:00:00Z")
    try await pass(all)
    #expect(await all.days(of: campaign).suffix(2) == ["2023-11-17 rolling", "2023-11-18 planned"])
    let second = await all.runs(of: campaign)[1]["id"]?.string ?? ""
    let devices = await all.run(second)["devices"]
    #expect(devices?["missed"] == 1 && devices?["selected"] == 3)
    try advance(to: "2023-11-17T09:00:00Z")
    try await pass(all)
    #expect([count("tonga"), count("berlin"), count("none")] == [1, 2, 2])
  }

  @Test("the runs of a campaign come in pages of 100, the newest first")
  func pages() async throws {
    let all = try await CampaignFixture(devices: 0)
    let (campaign, _) = try await start(all)
    all.fixture.clock.advance(by: Self.untilNine)
    for _ in 0..<101 {
      try await all.runner.runDue()
      all.fixture.clock.advance(by: Self.day)
    }
    let first = await all.get("campaigns/\(campaign)/runs")
    #expect(first["runs"]?.array?.first?["number"] == 102 && first["runs"]?.array?.count == 100)
    let cursor = try #require(first["meta"]?["cursor"]?.string)
    let second = await all.get("campaigns/\(campaign)/runs?cursor=\(cursor)")
    #expect(second["runs"]?.array?.map { $0["number"] } == [2, 1])
    #expect(second["meta"]?["cursor"] == .null)
  }

  static let refused: [(members: [String: JSONValue], error: String)] = [
    (
      ["when": ["every": daily, "until": "2023-11-14"]],
      "$.campaign.when has no day that is still to come"
    ),
    (
      [
        "when": ["every": ["unit": "day", "time": "09:00", "zone": "device"]],
        "test": CampaignFixture.test,
      ],
      "$.campaign.test cannot be with the time of each device: a test would end before the last"
        + " of them were sent to"
    ),
    (
      ["when": ["every": daily, "untill": "2023-11-20"]],
      "$.campaign.when.untill is not known; did you mean until?"
    ),
  ]

  @Test("what is wrong with a recurring campaign is said with its path", arguments: refused)
  func refusals(members: [String: JSONValue], error: String) async throws {
    let all = try await CampaignFixture(devices: 1)
    let answer = await all.post("campaigns", CampaignFixture.document(members))
    #expect(answer.status == 422 && answer.error == error, "\(answer.text)")
  }

  @Test("a recurring campaign is duplicated as one, and a draft changes its kind with its time")
  func kinds() async throws {
    let all = try await CampaignFixture(devices: 1)
    func kind(_ answer: Fixture.Answer) -> JSONValue? { answer.json["campaign"]?["kind"] }
    let id = try await all.create(["when": ["every": Self.daily]])
    #expect(kind(await all.post("campaigns/\(id)/duplicate")) == "recurring")
    for (when, name) in [(["at": "now"], "once"), (["every": Self.daily], "recurring")]
      as [(JSONValue, JSONValue)]
    {
      let body = CampaignFixture.document(["when": when]).text
      #expect(kind(await all.fixture.request("PUT", "/v6/campaigns/\(id)", body: body)) == name)
      #expect(await all.get("campaigns/\(id)")["campaign"]?["kind"] == name)
    }
  }

  @Test("a draft whose last day is over by now is not started")
  func late() async throws {
    let all = try await CampaignFixture(devices: 1)
    let id = try await all.create(["when": ["every": Self.daily, "until": "2023-11-15"]])
    all.fixture.clock.advance(by: Self.untilNine + .milliseconds(1))
    let answer = await all.post("campaigns/\(id)/start")
    #expect(answer.status == 422)
    #expect(answer.error == "$.campaign.when has no day that is still to come")
    #expect(await all.state(of: id) == "draft")
  }
}

extension CampaignFixture {
  /// The runs of a campaign, the oldest first.
  func runs(of campaign: String) async -> [JSONValue] {
    (await get("campaigns/\(campaign)/runs")["runs"]?.array ?? []).reversed()
  }

  /// The days of a campaign's runs with their states, the first day first.
  func days(of campaign: String) async -> [String] {
    await runs(of: campaign).map { "\($0["day"]?.string ?? "") \($0["state"]?.string ?? "")" }
  }

  func state(of campaign: String) async -> String? {
    await get("campaigns/\(campaign)")["campaign"]?["state"]?.string
  }
}
