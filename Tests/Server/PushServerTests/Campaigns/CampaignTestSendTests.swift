import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Tests of campaigns over the API", .timeLimit(.minutes(10)))
struct CampaignTestSendTests {
  private func test(
    _ id: String, _ body: JSONValue, headers: [(String, String)] = [], _ all: CampaignFixture
  ) async -> Fixture.Answer {
    await all.fixture.request(
      "POST", "/v6/campaigns/\(id)/test", body: body.text,
      headers: [("Content-Type", "application/json")] + headers)
  }

  @Test("a variant is sent to devices or to a test audience, and to nobody else")
  func sent() async throws {
    let all = try await CampaignFixture(devices: 5)
    let id = try await all.create()
    let audience = await all.post(
      "audiences",
      [
        "audience": [
          "name": "Team", "test": true, "to": [["name": "device_id", "criteria": ["d4"]]],
        ]
      ])
    let team = try #require(audience.json["audience"]?["id"]?.string, "\(audience.text)")
    for to in [JSONValue.string("d0"), ["d1", "d2"], .string(team)] {
      let answer = await test(id, ["variant": "b", "to": to], all)
      #expect(answer.status == 201, "\(answer.text)")
    }
    await all.deliver()
    let texts = Dictionary(
      uniqueKeysWithValues: [0, 1, 2, 4].map { (Fixture.token("d\($0)"), ["Variant B"]) })
    #expect(all.received == texts)
    #expect(await all.get("campaigns/\(id)")["campaign"]?["state"] == "draft")
    let list = await all.get("notifications")["notifications"]?.array ?? []
    #expect(list.allSatisfy { $0["name"] == "Test of Autumn, Variant B" } && list.count == 3)
  }

  @Test("the dashboard's test is the same notification")
  func dashboard() async throws {
    let all = try await CampaignFixture(devices: 2)
    let id = try await all.create()
    _ = await test(id, ["variant": "a", "to": "d0"], all)
    let client = try await DashboardClient.signedIn(all.fixture, as: .push)
    let path = client.path("sends/campaigns/\(id)")
    _ = await client.get(path)
    let fields: KeyValuePairs = [
      "action": "test", "variant": "1/a", "test_device": "d0", "once": "1",
    ]
    let pressed = await client.post(path, fields)
    #expect(pressed.status == 303)
    // The same button again is the same test.
    #expect(await client.post(path, fields).headers["Location"] == pressed.headers["Location"])
    let sends = try await all.fixture.store.sends(
      app: all.fixture.app.id, matching: SendQuery(), after: nil, limit: 9
    ).sends
    #expect(
      sends.count == 2 && sends[0].payload == sends[1].payload && sends[0].name == sends[1].name)
  }

  @Test("a repeat with the same Idempotency-Key sends nothing more")
  func repeated() async throws {
    let all = try await CampaignFixture(devices: 2)
    let id = try await all.create()
    let key = [("Idempotency-Key", "t-1")]
    let first = await test(id, ["variant": "a", "to": "d0"], headers: key, all)
    #expect(await test(id, ["variant": "a", "to": "d0"], headers: key, all).text == first.text)
    #expect(await test(id, ["variant": "b", "to": "d0"], headers: key, all).status == 422)
    await all.deliver()
    #expect(all.received.values.map(\.count) == [1])
  }

  @Test("a message of a triggered campaign is tested by its number")
  func steps() async throws {
    let all = try await CampaignFixture(devices: 1)
    let steps: JSONValue = [
      ["variants": [["key": "a", "payload": ["alert": "First"]]]],
      ["after": "P1D", "variants": [["key": "a", "payload": ["alert": "Second"]]]],
    ]
    let body: JSONValue = [
      "campaign": ["name": "Cart", "to": "*", "when": ["trigger": "api"], "steps": steps]
    ]
    let id = try #require(await all.post("campaigns", body).json["campaign"]?["id"]?.string)
    #expect(await test(id, ["to": "d0", "step": 2], all).status == 201)
    let refused = await test(id, ["to": "d0", "step": 3], all)
    #expect(refused.error == "$.step is none of the campaign, which has 2")
    await all.deliver()
    #expect(Array(all.received.values) == [["Second"]])
  }

  @Test(
    "a test that would reach nobody is refused",
    arguments: [
      (["variant": "a", "to": "nobody"], 404, "no device has the ID “nobody”"),
      (["variant": "a", "to": ["d0", "off"]], 409, "Its ID is “off”."),
      (["variant": "a", "to": []], 422, "$.to must name a device"),
      (["variant": "a", "to": ""], 422, "Enter the ID"),
      (["to": "d0"], 422, "$.variant is missing"),
      (["variant": "control", "to": "d0"], 422, "$.variant must be one of a, b"),
    ] as [(JSONValue, Int, String)])
  func refused(body: JSONValue, status: Int, words: String) async throws {
    let all = try await CampaignFixture(devices: 1)
    try await all.fixture.register("off") { $0.isPushEnabled = .set(false) }
    let answer = await test(try await all.create(), body, all)
    #expect(answer.status == status && answer.error.contains(words), "\(answer.text)")
  }

  @Test("20 devices are tested with one request, and 21 are refused")
  func many() async throws {
    let all = try await CampaignFixture(devices: 21)
    let id = try await all.create()
    let ids = (0..<21).map { JSONValue.string("d\($0)") }
    #expect(
      await test(id, ["variant": "a", "to": .array(Array(ids.prefix(20)))], all).status == 201)
    #expect(await test(id, ["variant": "a", "to": .array(ids)], all).status == 422)
  }
}
