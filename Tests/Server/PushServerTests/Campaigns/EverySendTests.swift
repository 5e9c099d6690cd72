import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Sends that need an approval", .timeLimit(.minutes(10)))
struct EverySendTests {
  private static let document: [String: JSONValue] = [
    "variants": [["key": "a", "share": 100, "payload": ["alert": "Hi"]]]
  ]

  private func require(_ approval: AppLimits.Approval, _ fixture: Fixture) async throws {
    var limits = AppLimits()
    limits.approval = approval
    try await fixture.store.setLimits(limits, app: fixture.app.id, replacing: nil)
  }

  private static let sends: [(path: String, body: String)] = [
    ("/v6/notifications", #"{"notification": {"to": "*", "payload": {"alert": "Hi"}}}"#),
    (
      "/v6/messages",
      #"{"message": {"to": "*", "title": "Hi", "unpublish_at": "2099-01-01T00:00:00Z"}}"#
    ),
    (
      "/v6/transactional/notifications",
      #"{"group": "orders", "to": {"field": "device_id", "value": "none"}, "notification": {"payload": {"alert": "Hi"}}}"#
    ),
  ]

  @Test(
    "no key sends past a campaign where every send needs an approval", arguments: sends)
  func keys(path: String, body: String) async throws {
    let fixture = try await Fixture()
    for role in [APIKey.Role.push, .admin] {
      try await require(.required, fixture)
      // The answer of a transactional send waits for delivery.
      if !path.contains("transactional") {
        let taken = await fixture.request("POST", path, role: role, body: body)
        #expect(taken.status == 201, "\(taken.text)")
      }
      try await require(.everySend, fixture)
      let refused = await fixture.request("POST", path, role: role, body: body)
      #expect(refused.status == 403 && refused.text.contains("every send of this app"))
    }
  }

  @Test("no person sends past a campaign, and a message that is out is not changed")
  func people() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let (path, body) = Self.sends[1]
    let made = await fixture.request("POST", path, body: body)
    let id = try #require(made.json["id"]?.string)
    try await require(.everySend, fixture)
    let changed = await fixture.request(
      "PUT", "\(path)/\(id)", body: #"{"message": {"title": "Another"}}"#)
    #expect(changed.status == 403)
    let ended = await fixture.request("POST", "\(path)/\(id)/unpublish")
    #expect(ended.status == 200, "what is out can be ended")
    let admin = try await DashboardClient.person("ada@example.com", .admin, fixture)
    _ = await admin.get(admin.path("compose"))
    for action in ["review", "send"] {
      let answer = await admin.post(
        admin.path("compose"),
        ["action": action, "to": "*", "text": "Hi there", "confirm": fixture.app.name])
      #expect(answer.status == 403, "\(action)")
      #expect(answer.text.contains("every send of this app needs an approval"))
      #expect(answer.text.contains("Hi there"), "what was written is still there")
    }
    // Nothing offers what is refused.
    let form = await admin.get(admin.path("compose")).text
    #expect(!form.contains("Review and send…") && form.contains("submit it for approval"))
  }

  private func test(_ id: String, by client: DashboardClient) async -> Int {
    let path = client.path("sends/campaigns/\(id)")
    _ = await client.get(path)
    return await client.post(
      path, ["action": "test", "variant": "1/a", "test_device": "tests"]
    ).status
  }

  @Test("an author's tests have a budget of an hour, which another API object knows too")
  func budget() async throws {
    let all = try await CampaignFixture(devices: TestBudget.devicesPerTest)
    let id = try await all.create(Self.document)
    var everyone = Audience(
      id: "tests", app: all.fixture.app.id, filters: [], createdAt: all.fixture.clock.now)
    (everyone.name, everyone.isTest) = ("Tests", true)
    try await all.fixture.store.save(everyone)
    let author = try await DashboardClient.person("ada@example.com", .author, all.fixture)
    #expect(await test(id, by: author) == 303)
    #expect(await test(id, by: author) == 303, "at the limit of an hour")
    #expect(await test(id, by: author) == 422)
    // Another server has the same store.
    let elsewhere = DashboardClient(all.fixture)
    #expect(await elsewhere.signIn(email: "ada@example.com").status == 303)
    #expect(await test(id, by: elsewhere) == 422)
    let other = try await DashboardClient.person(
      "grace@example.com", .author, all.fixture, name: "Grace")
    #expect(await test(id, by: other) == 303, "the budget is of one person")
    let admin = try await DashboardClient.person(
      "boss@example.com", .admin, all.fixture, name: "Boss")
    for _ in 1...3 { #expect(await test(id, by: admin) == 303, "who may send has none") }
    all.fixture.clock.advance(by: .seconds(3600))
    #expect(await test(id, by: author) == 303)
  }

  @Test("where every send needs an approval, the tests of admins and keys have the budget too")
  func everybodysBudget() async throws {
    let all = try await CampaignFixture(devices: TestBudget.devicesPerTest + 1)
    let id = try await all.create(Self.document)
    try await require(.everySend, all.fixture)
    func test(_ devices: Int) async -> Fixture.Answer {
      let to = (0..<devices).map { "\"d\($0)\"" }.joined(separator: ", ")
      return await all.fixture.request(
        "POST", "/v6/campaigns/\(id)/test", body: #"{"to": [\#(to)]}"#)
    }
    for _ in 1...5 { #expect(await test(20).status == 201) }
    let refused = await test(1)
    #expect(refused.status == 429)
    let wait = try #require(refused.headers["Retry-After"].flatMap { Int64($0) })
    all.fixture.clock.advance(by: .seconds(wait - 1))
    #expect(await test(1).status == 429)
    all.fixture.clock.advance(by: .seconds(1))
    #expect(await test(1).status == 201)
    var everyone = Audience(
      id: "tests", app: all.fixture.app.id, filters: [], createdAt: all.fixture.clock.now)
    (everyone.name, everyone.isTest) = ("Tests", true)
    try await all.fixture.store.save(everyone)
    let tooMany = await all.fixture.request(
      "POST", "/v6/campaigns/\(id)/test", role: .admin, body: #"{"to": "tests"}"#)
    #expect(tooMany.status == 403 && tooMany.text.contains("50 devices at most"))
  }
}
