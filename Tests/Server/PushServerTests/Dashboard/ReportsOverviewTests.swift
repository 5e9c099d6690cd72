import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The overview of reports", .timeLimit(.minutes(10)))
struct ReportsOverviewTests {
  @Test("the counts of the days before are what a change is against")
  func before() async throws {
    let fixture = try await Fixture()
    let body = #"{"device":{"opened":true}}"#
    for _ in 0..<3 {
      _ = await fixture.request("PUT", "/v6/devices/d", role: .device, body: body)
      fixture.clock.advance(by: .seconds(3600))
    }
    fixture.clock.advance(by: .seconds(7 * 86_400))
    for _ in 0..<6 {
      _ = await fixture.request("PUT", "/v6/devices/d", role: .device, body: body)
      fixture.clock.advance(by: .seconds(3600))
    }
    let client = try await DashboardClient.signedIn(fixture, as: .analytics)
    let page = await client.get(client.path("reports?days=7")).text.withPlainNumbers
    // Three opens were in the seven days before, and six in these.
    #expect(page.contains("<p class=\"total\">6<small class=\"note-line\">+100.0 %"))
    let all = await client.get(client.path("reports?days=90")).text
    #expect(all.contains("<p class=\"total\">9</p>"))
  }

  @Test("the overview and its file have the campaigns with their sums, and one that has sent all")
  func campaigns() async throws {
    let all = try await CampaignFixture(devices: 200)
    let (id, run) = try await all.start(["goals": [["event": "bought"]]])
    let client = try await DashboardClient.signedIn(all.fixture, as: .analytics)
    func page() async -> String { await client.get(client.path("reports")).text }
    #expect(await page().contains("<span class=\"tag\">live</span>"))
    await all.deliver()
    try await all.open(7, of: "a", run: run)
    let text = await page()
    #expect(text.contains("<span class=\"tag good\">sent</span>") && !text.contains(">live<"))
    #expect(text.contains("7 opened"))
    let report = await client.get(client.path("reports/campaigns/\(id)")).text
    #expect(report.contains("<span class=\"tag good\">sent</span>"))
    let admin = try await DashboardClient.signedIn(all.fixture)
    let own = await admin.get(admin.path("sends/campaigns/\(id)")).text
    #expect(own.contains("All of it was sent. Its goals are measured at"))
    let file = await client.get(client.path("reports/campaigns.csv")).text
    #expect(file.hasPrefix("\"id\",\"campaign\",\"kind\",\"state\",\"created\",\"notifications\","))
    #expect(file.contains("\"\(id)\",") && file.contains("\"once\",\"sent\","))
    #expect(file.contains("\"7\"\r\n"))
  }

  @Test("a campaign whose test waits for a decision has not sent all")
  func waitingTest() async throws {
    let all = try await CampaignFixture(devices: 200)
    _ = try await all.start(["test": CampaignFixture.test])
    await all.deliver()
    let client = try await DashboardClient.signedIn(all.fixture, as: .analytics)
    #expect(
      await client.get(client.path("reports")).text.contains("<span class=\"tag\">live</span>"))
  }
}
