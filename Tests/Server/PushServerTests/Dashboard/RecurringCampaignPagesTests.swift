import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The page of a recurring campaign", .timeLimit(.minutes(10)))
struct RecurringCampaignPagesTests {
  private static let variants: JSONValue = [["key": "a", "payload": ["alert": "Good morning"]]]

  @Test("a recurring campaign says when it is sent, and what became of each day")
  func days() async throws {
    let all = try await CampaignFixture(devices: 20)
    let id = try await all.create([
      "when": ["every": ["unit": "day", "time": "09:00", "zone": "UTC"]],
      "variants": Self.variants,
    ])
    let client = try await DashboardClient.signedIn(all.fixture)
    let path = client.path("sends/campaigns") + "/" + id
    let draft = await client.get(path).text
    #expect(draft.contains("every day at 09:00, UTC"))
    #expect(draft.contains(">Schedule campaign</button>"))
    let start = [("action", "start"), ("version", "1"), ("confirm", all.fixture.app.name)]
    #expect(await client.post(path, start).status == 303)
    let planned = await client.get(path).text
    #expect(planned.contains("<th scope=\"row\">2023-11-15</th><td>planned for"))
    // From 22:13:20 of the day before.
    all.fixture.clock.advance(by: .seconds(10 * 3600 + 46 * 60 + 40))
    try await all.runner.runDue()
    await all.deliver()
    let begun = await client.get(path).text
    #expect(begun.contains("<th scope=\"row\">2023-11-16</th><td>planned for"))
    #expect(begun.contains("<th scope=\"row\">2023-11-15</th><td>being sent</td><td>20</td>"))
    #expect(begun.contains("Openings of each variant"), "the report is of the day that was sent")
  }

  @Test(
    "a schedule is said as people say it",
    arguments: [
      (
        ["unit": "week", "days": ["fri", "mon"], "time": "18:05", "zone": "Europe/Berlin"],
        "every Monday, Friday at 18:05, Europe/Berlin"
      ),
      (
        ["unit": "month", "day": 28, "time": "00:00", "zone": "UTC"],
        "on day 28 of every month at 00:00, UTC"
      ),
      (
        ["unit": "month", "day": 31, "time": "00:00", "zone": "device"],
        "on day 31 of every month, or its last day at 00:00, in each device's local time"
      ),
    ] as [(JSONValue, String)])
  func words(every: JSONValue, words: String) throws {
    let document = CampaignFixture.document(["when": ["every": every], "variants": Self.variants])
    let campaign = try #require(document["campaign"])
    let plan = try CampaignPlan(stored: campaign, at: Timestamp(milliseconds: 0))
    #expect(plan.schedule?.words == words)
  }
}
