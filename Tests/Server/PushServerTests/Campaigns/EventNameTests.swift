import PushPayload
import Testing

@testable import PushServer

@Suite("Names of events in triggered campaigns", .timeLimit(.minutes(10)))
struct EventNameTests {
  @Test(
    "an event enrolls and ends the wait whichever version of the API records it",
    arguments: ["v4", "v5", "v6"], ["", "Public Api:"])
  func versions(_ version: String, _ prefix: String) async throws {
    let all = try await CampaignFixture(devices: 2)
    _ = try await all.start([
      "when": [
        "trigger": ["event": .string(prefix + "cart")], "after": "PT1H",
        "exit_on": [["event": .string(prefix + "bought")]],
      ],
      "variants": [["key": "a", "payload": ["alert": "Your cart"]]],
    ])
    for (device, event) in [("d0", "cart"), ("d1", "cart"), ("d1", "bought")] {
      let body: JSONValue = ["events": [["name": .string(event)]]]
      let answer = await all.fixture.request(
        "POST", "/\(version)/devices/\(device)/events", body: body.text)
      #expect(answer.status == 202, "\(answer.text)")
    }
    all.fixture.clock.advance(by: .seconds(3600))
    try await all.runner.runDue()
    await all.deliver()
    #expect(all.received == [Fixture.token("d0"): ["Your cart"]])
  }

  @Test("an event with the prefix of the oldest version does not enroll whom it would exit")
  func sameEvent() async throws {
    let all = try await CampaignFixture(devices: 1)
    let document = CampaignFixture.document([
      "when": ["trigger": ["event": "cart"], "exit_on": [["event": "Public Api:cart"]]],
      "variants": [["key": "a", "payload": ["alert": "Your cart"]]],
    ])
    let answer = await all.post("campaigns", document)
    #expect(answer.status == 422, "\(answer.text)")
    #expect(answer.error.hasPrefix("$.campaign.when.exit_on[0] is the event that enrolls people"))
  }
}
