import PushModel
import PushPayload
import PushStore
import Testing

@testable import PushServer

@Suite("What stays of triggered campaigns, and what does not", .timeLimit(.minutes(10)))
struct TriggeredUpkeepTests {
  private func start(
    _ all: CampaignFixture, _ when: [String: JSONValue] = [:], _ more: [String: JSONValue] = [:]
  ) async throws -> String {
    let when = (TriggeredCampaignTests.cart.object ?? [:]).merging(when) { $1 }
    let variants: JSONValue = [["key": "a", "payload": ["alert": "You left things"]]]
    return try await all.start(
      ["when": .object(when), "variants": variants].merging(more) { $1 }
    ).campaign
  }

  @Test("an app with the number of a deleted one has triggers of its own")
  func numberAgain() async throws {
    let all = try await CampaignFixture(devices: 1)
    _ = try await start(all)
    await all.happen("cart", on: "d0")
    let (store, app) = (all.fixture.store, all.fixture.app)
    let keys = try await store.keys(app: app.id)
    #expect(try await store.deleteApp(app.id))
    try await store.add(app, keys: keys)
    try await all.fixture.register("d0")
    let campaign = try await start(all, ["trigger": ["event": "signup"], "exit_on": []])
    await all.happen("cart", on: "d0")
    #expect(try await all.counts(of: campaign).total == 0)
    await all.happen("signup", on: "d0")
    #expect(try await all.counts(of: campaign).total == 1)
  }

  @Test(
    "an event on any phone of a user counts for a phone that waits since before it had the user")
  func otherPhone() async throws {
    for (event, texts) in [("bought", 0), ("cart", 1)] {
      let all = try await CampaignFixture(devices: 2)
      let campaign = try await start(all)
      try await all.fixture.register("d1") { $0.userID = .set("ada") }
      await all.happen("cart", on: "d0")
      try await all.fixture.register("d0") { $0.userID = .set("ada") }
      await all.happen(event, on: "d1")
      all.fixture.clock.advance(by: .seconds(3600))
      try await all.runner.runDue()
      await all.deliver()
      #expect(all.received[Fixture.token("d0")]?.count ?? 0 == texts, "\(event)")
      #expect(try await all.counts(of: campaign).total == 1)
    }
  }

  @Test("the upload in its text is kept, although nobody has got it for months")
  func upload() async throws {
    let all = try await CampaignFixture(devices: 1)
    let (store, app, now) = (all.fixture.store, all.fixture.app.id, all.fixture.clock.now)
    let names = ["a", "b"].map { String(repeating: $0, count: 32) + ".png" }
    for name in names {
      try await store.add(Upload(name: name, app: app, createdAt: now), bytes: [1], quota: .max)
    }
    let url = JSONValue.string("https://push.example.com/media/\(names[0])")
    let payload: JSONValue = ["alert": "Hi", "mutable_content": true, "media_url": url]
    _ = try await start(
      all, [:], ["variants": [["key": "a", "payload": payload]]])
    while try await store.removeOutdated(Retention(), at: now + .days(91), limit: 100) {}
    #expect(try await store.upload(names[0]) != nil)
    #expect(try await store.upload(names[1]) == nil)
  }

  @Test("its notifications are not replayed, because each answers an event")
  func notReplayed() async throws {
    let all = try await CampaignFixture(devices: 1)
    let campaign = try await start(all)
    await all.happen("cart", on: "d0")
    all.fixture.clock.advance(by: .seconds(3600))
    try await all.runner.runDue()
    await all.deliver()
    let send = try #require(try await all.sends(of: campaign).first)
    let answer = await all.post("notifications/\(send.id)/replay")
    #expect(answer.status == 409 && answer.error.contains("answers an event"), "\(answer.text)")
  }
}
