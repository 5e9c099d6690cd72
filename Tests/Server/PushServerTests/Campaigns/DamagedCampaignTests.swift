import PushPayload
import PushStore
import Testing

@testable import PushModel
@testable import PushServer
@testable import PushStore

@Suite("A campaign with a damaged row", .timeLimit(.minutes(10)))
struct DamagedCampaignTests {
  private static let variants: JSONValue = [["key": "a", "payload": ["alert": "Good morning"]]]
  /// From the first time of the tests' clock to a second after 9:00 of the next day.
  private static let afterNine = Duration.seconds(10 * 3600 + 46 * 60 + 41)

  static let runs = [
    "UPDATE runs SET state = 'later'", "UPDATE runs SET report = '{'",
    "UPDATE runs SET report = '{}'", "UPDATE runs SET version = 'later'",
  ]

  @Test("a recurring campaign goes on with its next day", arguments: runs)
  func recurring(damage: String) async throws {
    let all = try await CampaignFixture(devices: 2)
    _ = try await all.start([
      "when": ["every": RecurringCampaignTests.daily], "variants": Self.variants,
    ])
    try await run(damage, all)
    all.fixture.clock.advance(by: Self.afterNine)
    for _ in 0..<2 { try await pass(all) }
    #expect(all.received.isEmpty)
    all.fixture.clock.advance(by: .seconds(86_400))
    for _ in 0..<2 { try await pass(all) }
    #expect(all.received.count == 2 && all.received.values.allSatisfy { $0.count == 1 })
  }

  @Test("a recurring campaign that is not understood has no next day, and its page says why")
  func ownRow() async throws {
    let all = try await CampaignFixture(devices: 2)
    let (id, _) = try await all.start([
      "when": ["every": RecurringCampaignTests.daily], "variants": Self.variants,
    ])
    try await run("UPDATE campaigns SET document = '{'", all)
    for time in [Self.afterNine, .seconds(86_400)] {
      all.fixture.clock.advance(by: time)
      try await pass(all)
    }
    #expect(all.received.isEmpty)
    let page = await all.fixture.request("GET", "/v6/campaigns/\(id)")
    #expect(page.status == 500 && page.text.contains("campaigns.document of \(id)"), "\(page.text)")
    let count = try await all.fixture.store.read { db in
      try db.row("SELECT count(*) AS count FROM runs") { try $0.int("count") }
    }
    #expect(count == 1)
  }

  @Test("a campaign that is sent once ends with the run that was stopped")
  func once() async throws {
    let all = try await CampaignFixture(devices: 2)
    let time = all.fixture.clock.now + .seconds(3600)
    let (id, _) = try await all.start(["when": ["at": .string(time.iso8601)]])
    try await run("UPDATE runs SET state = 'later'", all)
    all.fixture.clock.advance(by: .seconds(3601))
    try await pass(all)
    #expect(all.received.isEmpty)
    #expect(await all.get("campaigns/\(id)")["campaign"]?["state"] == "ended")
  }

  @Test("the page of a triggered campaign says why it was stopped, until it goes on")
  func trigger() async throws {
    let all = try await CampaignFixture(devices: 2)
    let (id, _) = try await all.start([
      "when": TriggeredCampaignTests.cart, "variants": Self.variants,
    ])
    let definition = try await all.fixture.store.read { db in
      try db.row("SELECT definition FROM triggers") { try $0.text("definition") }
    }
    try await run("UPDATE triggers SET definition = '{'", all)
    try await pass(all)
    let client = try await DashboardClient.signedIn(all.fixture)
    let path = client.path("sends/campaigns/\(id)")
    let stopped = await client.get(path).text
    #expect(stopped.contains("It was stopped: triggers.definition"), "\(stopped)")
    try await all.fixture.store.write { db in
      _ = try db.run("UPDATE triggers SET definition = \(definition ?? "")")
    }
    for order in ["pause", "resume"] {
      #expect(await all.post("campaigns/\(id)/\(order)").status == 200)
    }
    try await pass(all)
    #expect(await !client.get(path).text.contains("It was stopped"))
    await all.happen("cart", on: "d1")
    all.fixture.clock.advance(by: .seconds(3600))
    try await pass(all)
    #expect(all.received.keys.sorted() == [Fixture.token("d1")])
  }

  /// Takes the steps that are due and sends what they accepted.
  private func pass(_ all: CampaignFixture) async throws {
    try await all.runner.runDue()
    await all.deliver()
  }

  /// Changes rows behind the store's back.
  private func run(_ statement: String, _ all: CampaignFixture) async throws {
    try await all.fixture.store.write { db in
      let changed = try db.run("\(raw: statement)")
      #expect(changed > 0)
    }
  }
}
