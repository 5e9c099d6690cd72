import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The Idempotency-Key of campaigns", .timeLimit(.minutes(10)))
struct CampaignIdempotencyTests {
  private func create(
    _ key: String?, _ members: [String: JSONValue] = [:], in all: CampaignFixture
  ) async -> Fixture.Answer {
    await all.fixture.request(
      "POST", "/v6/campaigns", body: CampaignFixture.document(members).text,
      headers: [("Content-Type", "application/json")]
        + (key.map { [("Idempotency-Key", $0)] } ?? []))
  }

  @Test("a repeated request finds the campaign that the first one has made")
  func repeated() async throws {
    let all = try await CampaignFixture(devices: 1)
    let first = await create("k", in: all)
    let second = await create("k", in: all)
    #expect(first.status == 201 && second.text == first.text)
    #expect(await all.get("campaigns")["meta"]?["total"] == 1)
    let other = await create("k", ["name": "Winter"], in: all)
    #expect(other.status == 422 && other.error == IdempotencyKey.reused.message)
    #expect(await create("l", in: all).json["campaign"]?["id"] != first.json["campaign"]?["id"])
    #expect(await create(nil, in: all).status == 201)
    #expect(await create("with space", in: all).status == 422)
    let entries = try await all.fixture.store.audit(
      app: all.fixture.app.id, after: nil, limit: 9
    ).elements
    #expect(entries.count { $0.action == "campaign.create" } == 3)
  }

  @Test(
    "a repeat is answered when the campaign's time is over, and after it was edited and started")
  func later() async throws {
    let all = try await CampaignFixture(devices: 1)
    let at = all.fixture.clock.now + .seconds(600)
    let members: [String: JSONValue] = ["when": ["at": .string(at.iso8601)]]
    let first = await create("k", members, in: all)
    let id = try #require(first.json["campaign"]?["id"]?.string)
    _ = await all.post("campaigns/\(id)/start")
    all.fixture.clock.advance(by: .seconds(7200))
    let second = await create("k", members, in: all)
    #expect(
      second.json["campaign"]?["id"]?.string == id && second.json["campaign"]?["state"] == "live")
  }

  @Test("of ten requests at once with one key one makes a campaign")
  func together() async throws {
    let all = try await CampaignFixture(devices: 1)
    let ids = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<10 {
        group.addTask { await create("k", in: all).json["campaign"]?["id"]?.string }
      }
      return await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(ids.count == 1 && !ids.contains(nil))
    #expect(await all.get("campaigns")["meta"]?["total"] == 1)
  }
}
