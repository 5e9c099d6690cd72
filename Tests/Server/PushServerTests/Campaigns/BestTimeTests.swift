import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Campaigns at each device's best time", .timeLimit(.minutes(10)))
struct BestTimeTests {
  /// Devices that have opened the app at an hour, the clock then being at 10:30.
  private func fixture(_ hours: [Int?]) async throws -> CampaignFixture {
    let all = try await CampaignFixture(devices: hours.count)
    let clock = all.fixture.clock
    let day: Int64 = 86_400_000
    func advance(toHour hour: Int, minutes: Int = 0) {
      let now = clock.now.milliseconds
      let time = Int64(hour * 60 + minutes) * 60_000
      let next = now - now % day + time + (now % day < time ? 0 : day)
      clock.advance(by: Timestamp(milliseconds: next).since(clock.now))
    }
    for _ in 0..<OpenHours.needed {
      for hour in 0..<24 {
        let own = hours.indices.filter { hours[$0] == hour }
        guard !own.isEmpty else { continue }
        advance(toHour: hour, minutes: 5)
        for number in own {
          try await all.fixture.store.recordOpen(
            device: "d\(number)", app: all.fixture.app.id, at: clock.now)
        }
      }
    }
    advance(toHour: 10, minutes: 30)
    return all
  }

  private static let one: JSONValue = [["key": "a", "payload": ["alert": "Hello"]]]

  @Test("each device gets it in the hour in which its app is opened most, within 24 hours")
  func hours() async throws {
    // d0 to d3 have an hour; d4 has none, and gets it when most of the others open the app.
    let all = try await fixture([8, 10, 20, 20, nil])
    let start = all.fixture.clock.now
    _ = try await all.start(["variants": Self.one, "when": ["at": "now", "best_time": true]])
    var got: [(hours: Int, devices: Set<String>)] = []
    func collect(after hours: Int) async {
      await all.deliver()
      let seen = Set(got.flatMap(\.devices))
      let new = Set(all.received.keys).subtracting(seen)
      if !new.isEmpty { got.append((hours, new)) }
    }
    await collect(after: 0)
    // 10:30 to the beginning of the next hours.
    all.fixture.clock.advance(by: .seconds(1800))
    for hour in 1...23 {
      await collect(after: hour)
      all.fixture.clock.advance(by: .seconds(3600))
    }
    let tokens = (0..<5).map { Fixture.token("d\($0)") }
    #expect(got.map(\.hours) == [0, 10, 22])
    #expect(
      got.map(\.devices) == [[tokens[1]], [tokens[2], tokens[3], tokens[4]], [tokens[0]]])
    #expect(all.received.values.allSatisfy { $0.count == 1 })
    #expect(all.fixture.clock.now.since(start) <= .seconds(86_400))
  }

  @Test("without any known opening all get it at once")
  func nothingKnown() async throws {
    let all = try await CampaignFixture(devices: 3)
    _ = try await all.start(["variants": Self.one, "when": ["at": "now", "best_time": true]])
    await all.deliver()
    #expect(all.received.count == 3)
  }

  @Test("a duplicate keeps the best time, and begins now if its time is over")
  func duplicate() async throws {
    let all = try await CampaignFixture(devices: 1)
    let (campaign, _) = try await all.start([
      "variants": Self.one, "when": ["at": "2023-11-14T23:00:00Z", "best_time": true],
    ])
    all.fixture.clock.advance(by: .seconds(3600))
    let copy = await all.post("campaigns/\(campaign)/duplicate")
    #expect(
      copy.json["campaign"]?["when"] == ["at": "now", "best_time": true], "\(copy.text)")
  }

  @Test("quiet hours hold at the best time too")
  func quiet() async throws {
    let all = try await fixture([23])
    let document: [String: JSONValue] = [
      "variants": Self.one, "when": ["at": "now", "best_time": true],
      "limits": ["quiet": ["from": "22:00", "to": "07:00", "else": "wait"]],
    ]
    _ = try await all.start(document)
    all.fixture.clock.advance(by: .seconds(13 * 3600))
    await all.deliver()
    #expect(all.received.isEmpty)
    all.fixture.clock.advance(by: .seconds(8 * 3600))
    await all.deliver()
    #expect(all.received.count == 1)
  }

  @Test("an erased device has no hours any more")
  func erased() async throws {
    let all = try await fixture([8])
    let (store, app) = (all.fixture.store, all.fixture.app.id)
    let device = try #require(try await store.device("d0", app: app))
    let numbers = DeviceNumbers([device.number])
    #expect(try await store.openHours(app: app, numbers: numbers).first?.hours.best == 8)
    _ = try await store.erase(device: "d0", app: app, at: all.fixture.clock.now)
    let left = try await store.openHours(app: app, numbers: numbers)
    #expect(left.allSatisfy { $0.hours == OpenHours() })
  }

  static let refused: [(members: [String: JSONValue], error: String)] = [
    (
      ["when": ["at": "2100-01-01T00:00:00Z", "best_time": true, "local_time": true]],
      "$.campaign.when.best_time must not be with local_time, which is another time"
    ),
    (
      ["when": ["at": "now", "best_time": true], "test": CampaignFixture.test],
      "$.campaign.test cannot be with the time of each device: a test would end before the last of them were sent to"
    ),
    (
      [
        "when": ["at": "now", "best_time": true],
        "variants": [["key": "a", "message": ["title": "T"]]],
      ],
      "$.campaign.when cannot be the time of each device: all inboxes show a message from the same moment"
    ),
  ]

  @Test("a best time is refused where another time or a test is", arguments: refused)
  func refuses(members: [String: JSONValue], error: String) async throws {
    let all = try await CampaignFixture(devices: 1)
    let answer = await all.post("campaigns", CampaignFixture.document(members))
    #expect(answer.status == 422 && answer.error == error)
  }

  @Test("the form has it, and the review says how many devices have a best time")
  func dashboard() async throws {
    let all = try await fixture([8, 20, nil])
    let id = try await all.create([
      "variants": Self.one, "when": ["at": "now", "best_time": true],
    ])
    let client = try await DashboardClient.signedIn(all.fixture, as: .push)
    let page = await client.get(client.path("sends/campaigns/\(id)")).text
    #expect(page.contains("when you start it, at each device's best time within 24 hours"))
    #expect(page.contains("2 devices have one. The others get it at 08:00 UTC"))
    let campaign = try #require(
      try await all.fixture.store.campaign(id, app: all.fixture.app.id))
    let form = try CampaignForm(campaign, at: all.fixture.clock.now)
    #expect(try form.document()["when"] == ["at": "now", "best_time": true])
  }

  static let moments: [(hour: Int, start: String, due: String)] = [
    (10, "2026-11-27T10:30:00.000Z", "2026-11-27T10:30:00.000Z"),
    (11, "2026-11-27T10:30:00.000Z", "2026-11-27T11:00:00.000Z"),
    (9, "2026-11-27T10:30:00.000Z", "2026-11-28T09:00:00.000Z"),
    (0, "2026-12-31T23:59:59.999Z", "2027-01-01T00:00:00.000Z"),
  ]

  @Test("the moment is the next beginning of the hour, or now within it", arguments: moments)
  func moment(hour: Int, start: String, due: String) throws {
    let start = try #require(Timestamp(iso8601: start))
    #expect(BestTime.moment(of: hour, from: start).iso8601 == due)
  }
}
