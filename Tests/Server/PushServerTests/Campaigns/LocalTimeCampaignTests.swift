import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Campaigns in each device's local time", .timeLimit(.minutes(10)))
struct LocalTimeCampaignTests {
  private static let one: JSONValue = [["key": "a", "payload": ["alert": "Hello"]]]

  private static func time(_ text: String) throws -> Timestamp {
    try #require(Timestamp(iso8601: text))
  }

  /// Advances the clock, which begins at 22:13:20 UTC on 14 November 2023.
  private func advance(_ all: CampaignFixture, to text: String) throws {
    all.fixture.clock.advance(by: try Self.time(text).since(all.fixture.clock.now))
  }

  private static func plan(
    at: String, now: String = "2023-11-14T22:13:20Z"
  ) throws -> CampaignPlan {
    let document = CampaignFixture.document([
      "variants": one, "when": ["at": .string(at), "local_time": true],
    ])
    return try CampaignPlan(
      BodyValue(try #require(document["campaign"]), at: "$.campaign"), at: try time(now))
  }

  @Test("the devices are selected when the first clocks show the time, and not at the start")
  func selection() async throws {
    let all = try await CampaignFixture(devices: 1)
    let (_, id) = try await all.start([
      "variants": Self.one, "when": ["at": "2023-11-17T09:00:00", "local_time": true],
    ])
    let planned = await all.run(id)
    #expect(planned["state"] == "planned", "\(planned.text)")
    #expect(planned["planned_at"] == "2023-11-16T19:00:00.000Z")
    try advance(all, to: "2023-11-16T18:59:59Z")
    try await all.fixture.register("new") { $0.timeZone = .set("Pacific/Kiritimati") }
    try await all.runner.runDue()
    #expect(await all.run(id)["state"] == "planned")
    try advance(all, to: "2023-11-16T19:00:00Z")
    try await all.runner.runDue()
    await all.deliver()
    #expect(Set(all.received.keys) == [Fixture.token("new")])
    try advance(all, to: "2023-11-17T09:00:00Z")
    await all.deliver()
    #expect(all.received.count == 2 && all.received.values.allSatisfy { $0.count == 1 })
  }

  static let lateTimes: [[String: JSONValue]] = [
    ["when": ["at": "2023-11-17T09:00:00", "local_time": true]],
    [
      "when": ["at": "2023-11-16T19:00:00Z"],
      "limits": ["quiet": ["from": "18:00", "to": "09:00", "else": "wait"]],
    ],
  ]

  @Test(
    "a goal counts until its time is over for the device that is due last", arguments: lateTimes)
  func goal(_ members: [String: JSONValue]) async throws {
    let all = try await CampaignFixture(devices: 2)
    let (_, id) = try await all.start(
      ["variants": Self.one, "goals": [["event": "bought", "within": "PT1H"]]]
        .merging(members) { $1 })
    try advance(all, to: "2023-11-16T19:00:00Z")
    try await all.runner.runDue()
    #expect(await all.run(id)["goals"]?.array?[0]["until"] == "2023-11-17T10:00:00.000Z")
    try advance(all, to: "2023-11-16T20:00:00Z")
    try await all.runner.runDue()
    #expect(await all.run(id)["goals"]?.array?[0]["measured_at"] == .null)
    try advance(all, to: "2023-11-17T09:00:00Z")
    await all.deliver()
    await all.happen("bought", on: "d0")
    try advance(all, to: "2023-11-17T10:00:00Z")
    try await all.runner.runDue()
    let run = await all.run(id)
    let result = run["goals"]?.array?[0]["variants"]?.array?[0]["result"]
    #expect(result?["count"] == 1 && result?["of"] == 2, "\(run.text)")
    #expect(run["state"] == "settled")
  }

  @Test(
    "the offset of the time does not count",
    arguments: ["2023-11-17T09:00:00", "2023-11-17T09:00:00Z", "2023-11-17T09:00:00+05:30"])
  func offset(_ text: String) throws {
    #expect(try Self.plan(at: text).at == Self.time("2023-11-17T09:00:00Z"))
  }

  @Test("a time that the last clocks are still to show is accepted, and one that is over is not")
  func over() throws {
    let at = "2023-11-15T09:00:00"
    _ = try Self.plan(at: at, now: "2023-11-15T21:01:00Z")
    let refusal = #expect(throws: RequestError.self) {
      try Self.plan(at: at, now: "2023-11-15T21:01:01Z")
    }
    #expect(refusal?.path == "$.campaign.when.at")
  }
}
