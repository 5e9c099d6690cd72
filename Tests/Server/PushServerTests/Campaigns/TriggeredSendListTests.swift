import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The list of sends beside a triggered campaign", .timeLimit(.minutes(10)))
struct TriggeredSendListTests {
  private static let reminder: [String: JSONValue] = [
    "name": "Cart reminder", "when": ["trigger": ["event": "cart"], "again_after": "PT1M"],
    "variants": [["key": "a", "payload": ["alert": "Still there"]]],
  ]

  @Test("has the campaign in place of its sends, which are listed where that is asked for")
  func list() async throws {
    let all = try await CampaignFixture(devices: 3)
    let (campaign, _) = try await all.start(Self.reminder)
    let sale = try await all.start([
      "name": "Sale", "variants": [["key": "a", "payload": ["alert": "Sale"]]],
    ])
    for device in ["d0", "d1", "d2"] {
      await all.happen("cart", on: device)
      all.fixture.clock.advance(by: .seconds(10))
      try await all.runner.runDue()
    }
    let own = try await all.sends(of: campaign)
    #expect(own.count == 3, "each a notification of its own")
    let client = try await DashboardClient.signedIn(all.fixture)
    let page = await client.get(client.path("sends")).text
    #expect(page.contains("1 of 1 send"))
    #expect(page.contains("/campaigns/\(campaign)\">Cart reminder</a>"))
    for send in own { #expect(!page.contains(send.id)) }
    let whole = await client.get(client.path("sends?triggered=1")).text
    #expect(whole.contains("4 of 4 sends"))
    for send in own { #expect(whole.contains(send.id)) }
    #expect(await client.get(client.path("sends?q=still")).text.contains("No send matches"))
    #expect(await client.get(client.path("sends?q=still&triggered=1")).text.contains("3 of 3"))
    #expect(await all.get("notifications")["meta"]?["total"] == 4, "the API has all of them")
    _ = sale

    // Who received one can be left out, and reports compare sends: none of them is offered.
    let compose = await client.get(client.path("compose")).text
    let reports = await client.get(client.path("reports")).text
    for send in own { #expect(!compose.contains(send.id) && !reports.contains(send.id)) }
    _ = await all.post("campaigns/\(campaign)/end")
    let after = await client.get(client.path("sends")).text
    #expect(!after.contains("Live triggered campaigns") && after.contains("1 of 1 send"))
  }
}
