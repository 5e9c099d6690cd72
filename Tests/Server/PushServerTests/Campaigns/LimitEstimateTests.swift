import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("What limits would hold back, and what a push waits for", .timeLimit(.minutes(10)))
struct LimitEstimateTests {
  private static let now = Timestamp(milliseconds: 1_700_000_000_000)
  private static let night: JSONValue = ["from": "22:00", "to": "08:00"]
  private static let variants: JSONValue = [["key": "a", "payload": ["alert": "Hello"]]]

  /// The clock of the tests shows 23:13 in Berlin, 17:13 in New York and 22:13 in UTC.
  private static func fixture() async throws -> CampaignFixture {
    let all = try await CampaignFixture(devices: 0)
    for (number, zone) in ["Europe/Berlin", "America/New_York", nil].enumerated() {
      try await all.fixture.register("d\(number)") { if let zone { $0.timeZone = .set(zone) } }
    }
    return all
  }

  @Test(
    "the preview of a notification counts the devices that are in their quiet hours when it is due",
    arguments: [
      (["limits": ["quiet": "obey"]], 2), ([:], 0),
      (["limits": ["quiet": ["from": "17:00", "to": "18:00"]]], 1),
      (["limits": ["quiet": "obey"], "scheduled_at": "2023-11-15T15:00:00Z"], 0),
      (
        [
          "limits": ["quiet": "obey"], "scheduled_at": "2023-11-15T23:00:00", "local_time": true,
        ], 3
      ),
      (
        [
          "limits": ["quiet": "obey"],
          "payload": ["alert": "Now", "interruption_level": "time-sensitive"],
        ], 0
      ),
    ] as [([String: JSONValue], Int64)])
  func notification(members: [String: JSONValue], quiet: Int64) async throws {
    let all = try await Self.fixture()
    try await all.limit(["quiet": Self.night])
    let base: [String: JSONValue] = ["to": "*", "payload": ["alert": "Hello"]]
    let answer = await all.post(
      "notifications/preview", ["notification": .object(base.merging(members) { $1 })])
    #expect(answer.json["quiet"] == .integer(quiet), "\(answer.text)")
    #expect(answer.json["device_count"] == 3 && answer.json["capped"] == 0)
  }

  @Test(
    "a device whose time zone is not known counts as quiet where its clock decides",
    arguments: [
      ([:], 0), (["limits": ["quiet": "obey"]], 3),
      (["scheduled_at": "2023-11-15T15:00:00", "local_time": true], 1),
      (["limits": ["quiet": "obey"], "scheduled_at": "2023-11-15T15:00:00Z"], 1),
    ] as [([String: JSONValue], Int64)])
  func unknownZone(members: [String: JSONValue], quiet: Int64) async throws {
    let all = try await Self.fixture()
    try await all.fixture.register("d3") { $0.timeZone = .set("Moon/Base") }
    try await all.limit(["quiet": Self.night])
    let base: [String: JSONValue] = ["to": "*", "payload": ["alert": "Hello"]]
    let answer = await all.post(
      "notifications/preview", ["notification": .object(base.merging(members) { $1 })])
    #expect(answer.json["quiet"] == .integer(quiet), "\(answer.text)")
  }

  @Test("the preview of a campaign and its review name quiet hours and caps with the devices")
  func campaign() async throws {
    let all = try await Self.fixture()
    try await all.limit(["quiet": Self.night, "caps": [["most": 1, "within": "P7D"]]])
    // The only one that is awake gets a push, and has had enough then.
    _ = try await all.start(["variants": Self.variants])
    await all.deliver()
    let id = try await all.create(["variants": Self.variants])
    let preview = await all.post("campaigns/\(id)/preview").json
    #expect(preview["quiet"] == 2 && preview["capped"] == 1, "\(preview)")
    let client = try await DashboardClient.signedIn(all.fixture)
    let page = await client.get(client.path("sends/campaigns/\(id)")).text
    #expect(
      page.contains("2 devices would be in them at that time, and get it at their end, the last at")
    )
    #expect(
      page.contains("At most 1 push in 7 days. What is more is not sent. 1 device had as many"))
  }

  @Test("who waits for the end of quiet hours is told until when")
  func waiting() async throws {
    let all = try await Self.fixture()
    try await all.limit(["quiet": Self.night])
    let (_, run) = try await all.start(["variants": Self.variants])
    await all.deliver()
    func explanation(_ device: String) async -> JSONValue? {
      await all.get("runs/\(run)/explanations/\(device)")["explanation"]
    }
    let asleep = await explanation("d0")
    #expect(asleep?["code"] == "waiting")
    #expect(
      asleep?["message"]
        == "it is in its quiet hours (quiet) until 2023-11-15T07:00:00.000Z, when its push is sent")
    #expect(await explanation("d1")?["code"] == "accepted")
  }

  @Test("who waits for a time of its own is told when it is due, and which cap would hold it back")
  func due() async throws {
    let all = try await Self.fixture()
    try await all.limit(["caps": [["most": 1, "within": "P7D"]]])
    _ = try await all.start(["variants": Self.variants])
    await all.deliver()
    let answer = await all.post(
      "notifications",
      [
        "notification": [
          "to": "*", "payload": ["alert": "Later"], "scheduled_at": "2023-11-15T15:00:00Z",
          "limits": ["caps": "obey"],
        ]
      ])
    let id = try #require(answer.json["notification"]?["id"]?.string, "\(answer.text)")
    let told = await all.get("notifications/\(id)/explanations/d1")["explanation"]
    let message = told?["message"]?.string ?? ""
    #expect(told?["code"] == "waiting")
    #expect(message.hasPrefix("its push is due at 2023-11-15T15:00:00.000Z; as of now it would be"))
    #expect(message.contains("(capped): the app allows a device 1 push in P7D"))
  }

  @Test("a push that quiet hours drop is told to be dropped where it is due in them")
  func dropped() throws {
    var facts = DeliveryFacts(device: Device(id: "d", createdAt: Self.now), at: Self.now)
    facts.send = Send(
      id: "s", messageID: "m", app: "a", audience: "x", payload: [:], createdAt: Self.now)
    let end = Self.now + .seconds(60)
    facts.waiting = WaitingPush(
      dueAt: end, quiet: QuietWindows([Self.now..<end], otherwise: .drop))
    #expect(facts.reason.code == .waiting)
    #expect(facts.reason.message.hasSuffix("and the push is not sent if it is due before"))
    facts.now = end
    #expect(facts.reason.message == "its push is not sent yet")
  }
}
