import APNs
import Foundation
import Markup
import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The home page", .timeLimit(.minutes(10)))
struct HomePagesTests {
  @Test("an app without devices gets the first three steps, and one with a device does not")
  func firstSteps() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture)
    let empty = await client.get(client.path("home")).text
    #expect(empty.contains("the first three steps"))
    #expect(empty.contains("<a href=\"\(client.path("people"))/import\">import those of"))
    #expect(empty.contains("<a href=\"\(client.path("settings"))\">a device key</a>"))
    let push = try await DashboardClient.signedIn(fixture, as: .push)
    let author = await push.get(push.path("home")).text
    #expect(author.contains("a device key, from an admin"))
    #expect(author.contains("an admin imports those of") && !author.contains("people/import"))
    try await fixture.register("d1")
    #expect(await !client.get(client.path("home")).text.contains("the first three steps"))
  }

  @Test("it has what needs a decision, what runs, what goes out next, and what failed")
  func work() async throws {
    let all = try await CampaignFixture(devices: 40)
    let fixture = all.fixture
    let client = try await DashboardClient.signedIn(fixture)
    func section(_ title: String) async throws -> String {
      let text = await client.get(client.path("home")).text
      let start = try #require(text.range(of: "<h2>\(title)</h2>"))
      return text[start.upperBound...].components(separatedBy: "</section>")[0]
    }
    for title in ["Needs a decision", "Running", "Goes out next"] {
      #expect(try await section(title).contains("Nothing "), "\(title)")
    }
    let later = try await all.create([
      "name": "Later", "when": ["at": "2023-11-16T09:00:00Z"],
      "variants": [["key": "a", "payload": ["alert": "Later"]]],
    ])
    #expect(await all.post("campaigns/\(later)/start").status == 200)
    let body =
      #"{"notification": {"to": "*", "payload": {"title": "Sooner <b>", "alert": "x"}, "scheduled_at": "2023-11-15T09:00:00Z"}}"#
    let sooner = await fixture.request("POST", "/v6/notifications", body: body)
    #expect(sooner.status == 201, "\(sooner.text)")
    let next = try await section("Goes out next")
    let places = try ["Sooner &lt;b&gt;", "Later"].map {
      try #require(next.range(of: $0)).lowerBound
    }
    #expect(places[0] < places[1])

    // What is paused does not go out, and the list of campaigns says so too.
    #expect(await all.post("campaigns/\(later)/pause").status == 200)
    #expect(try await !section("Goes out next").contains("Later"))
    #expect(try await section("Needs a decision").contains("Later"))
    let list = await client.get(client.path("sends/campaigns")).text
    #expect(list.contains("once it is resumed"))
    let page = await client.get(client.path("sends/campaigns/\(later)")).text
    #expect(page.contains("Nothing of it goes out until it is resumed."))
    #expect(await all.post("campaigns/\(later)/resume").status == 200)

    let test = try await all.start(["name": "By hand", "test": ["sample": 50, "metric": "opens"]])
    #expect(try await section("Needs a decision").contains("The test runs until somebody chooses"))
    _ = await all.post("runs/\(test.run)/decide", ["variant": .null])
    #expect(try await !section("Needs a decision").contains("By hand"))

    let submitted = try await all.create(["name": "Wanted"])
    _ = await all.post("campaigns/\(submitted)/submit", ["version": 1])
    #expect(try await section("Needs a decision").contains("Wanted"))

    let id = sooner.json["notification"]?["id"]?.string ?? ""
    _ = await fixture.request("POST", "/v6/notifications/\(id)/pause")
    #expect(try await section("Needs a decision").contains("Sooner"))

    fixture.apple.answer { push in
      .init(kind: .answered, status: 400, reason: .badDeviceToken, apnsID: push.id)
    }
    _ = try await fixture.complete(["alert": "To nobody"])
    let failed = try await section("Failed in the last 7 days")
    #expect(failed.contains("To nobody") && failed.contains("40 of 40 devices failed"))
    fixture.clock.advance(by: .seconds(7 * 86_400 + 1))
    await client.signIn(fixture.keys[.admin] ?? "")
    #expect(try await !section("Failed in the last 7 days").contains("To nobody"))
  }

  @Test("the last seven whole days stand beside the seven before")
  func week() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    for (opens, days) in [(2, 1), (3, 6), (1, 1)] {
      for _ in 0..<opens {
        try await fixture.store.recordOpen(device: "d1", app: fixture.app.id, at: fixture.clock.now)
      }
      fixture.clock.advance(by: .seconds(Int64(days) * 86_400))
    }
    // Eight, seven and one days ago.
    let client = try await DashboardClient.signedIn(fixture, as: .analytics)
    let page = await client.get(client.path("home")).text.withPlainNumbers
    let opens = "<dt>App opens</dt><dd>4<small class=\"note-line\">+100.0 % from 2</small></dd>"
    #expect(page.contains(opens))
    #expect(!page.contains("Needs a decision") && !page.contains("Compose"))
  }
}
