import APNs
import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The approval of campaigns by people", .timeLimit(.minutes(10)))
struct PersonApprovalTests {
  private static let document: [String: JSONValue] = [
    "variants": [["key": "a", "share": 100, "payload": ["alert": "Hi"]]]
  ]

  private func press(
    _ client: DashboardClient, _ path: String, _ action: String, version: Int = 1
  ) async -> Fixture.Answer {
    _ = await client.get(path)
    return await client.post(
      path,
      ["action": action, "version": String(version), "confirm": client.fixture.app.name])
  }

  private func world() async throws -> (
    all: CampaignFixture, path: String, id: String, author: DashboardClient,
    approver: DashboardClient
  ) {
    let all = try await CampaignFixture(devices: 5)
    let id = try await all.create(Self.document)
    let author = try await DashboardClient.person("ada@example.com", .author, all.fixture)
    let approver = try await DashboardClient.person(
      "grace@example.com", .approver, all.fixture, name: "Grace Hopper")
    return (all, author.path("sends/campaigns/\(id)"), id, author, approver)
  }

  @Test("what one person submits, another one starts")
  func approved() async throws {
    let (all, path, id, author, approver) = try await world()
    #expect(await author.get(path).text.contains("value=\"submit\""))
    #expect(await !author.get(path).text.contains("value=\"start\""))
    for client in [author, approver] {
      let early = await press(client, path, "start")
      #expect(early.status == 403 && early.text.contains("ubmit"))
    }
    #expect(await press(author, path, "submit").status == 303)
    let waiting = await author.get(path).text
    #expect(waiting.contains("submitted by you") && waiting.contains("waits for approval"))
    #expect(await press(author, path, "start").status == 403)
    let shown = await approver.get(path).text
    #expect(shown.contains("submitted by Ada Lovelace") && shown.contains("value=\"start\""))
    #expect(await press(approver, path, "start").status == 303)
    #expect(try await all.fixture.store.campaign(id, app: all.fixture.app.id)?.state == .live)
    await all.deliver()
    #expect(all.fixture.apple.taken.count == 5)
    let names = try await ["campaign.submit", "campaign.approve", "campaign.start"].asyncMap {
      try await author.auditEntries($0).first?.name
    }
    #expect(names == ["Ada Lovelace", "Grace Hopper", "Grace Hopper"])
  }

  @Test("nobody approves the own submission, whatever the role but admin's")
  func ownSubmission() async throws {
    let (all, path, _, _, approver) = try await world()
    #expect(await press(approver, path, "submit").status == 303)
    let own = await press(approver, path, "start")
    #expect(own.status == 403 && own.text.contains("approved by another person"))
    let second = try await DashboardClient.person(
      "joan@example.com", .approver, all.fixture, name: "Joan Clarke")
    #expect(await press(second, path, "start").status == 303)
  }

  @Test("an admin starts without approval")
  func admin() async throws {
    let (all, path, _, _, _) = try await world()
    let admin = try await DashboardClient.person(
      "boss@example.com", .admin, all.fixture, name: "Boss")
    #expect(await press(admin, path, "start").status == 303)
  }

  @Test("a draft that was changed after it was submitted has to be submitted again")
  func changed() async throws {
    let (all, path, id, author, approver) = try await world()
    #expect(await press(author, path, "submit").status == 303)
    var draft = try #require(try await all.fixture.store.campaign(id, app: all.fixture.app.id))
    draft.version = 2
    try await all.fixture.store.save(draft)
    #expect(await press(approver, path, "start", version: 1).status == 409)
    #expect(await press(approver, path, "start", version: 2).status == 403)
    #expect(await press(author, path, "submit", version: 1).status == 409)
    #expect(await press(author, path, "submit", version: 2).status == 303)
    #expect(await press(approver, path, "start", version: 1).status == 409)
    #expect(await press(approver, path, "start", version: 2).status == 303)
  }

  @Test("a submission is withdrawn by its author, or rejected by an approver and nobody else")
  func sentBack() async throws {
    let (all, path, _, author, approver) = try await world()
    let other = try await DashboardClient.person(
      "joan@example.com", .author, all.fixture, name: "Joan Clarke")
    #expect(await press(author, path, "submit").status == 303)
    #expect(await press(other, path, "reject").status == 403)
    #expect(await press(other, path, "approve").status == 403)
    for client in [author, approver] {
      #expect(await press(author, path, "submit").status == 303)
      #expect(await press(client, path, "reject").status == 303)
      #expect(await press(approver, path, "start").status == 403)
    }
  }

  @Test("a viewer reads the draft, and neither submits nor starts it")
  func viewer() async throws {
    let (all, path, _, author, _) = try await world()
    let viewer = try await DashboardClient.person(
      "vera@example.com", .viewer, all.fixture, name: "Vera")
    #expect(await press(author, path, "submit").status == 303)
    let page = await viewer.get(path)
    #expect(page.status == 200 && !page.text.contains("<button name=\"action\""))
    for action in ["submit", "approve", "reject", "start", "discard", "test", "duplicate"] {
      #expect(await press(viewer, path, action).status == 403, "\(action)")
    }
  }

  @Test("an author stops what is being sent, and an approver resumes it")
  func stopping() async throws {
    let (_, path, _, author, approver) = try await world()
    #expect(await press(author, path, "submit").status == 303)
    #expect(await press(approver, path, "start").status == 303)
    #expect(await press(author, path, "pause").status == 303)
    #expect(await press(author, path, "resume").status == 403)
    #expect(await press(approver, path, "resume").status == 303)
    #expect(await press(author, path, "end").status == 303)
  }

  @Test("an author tests on fifty devices at most, since any audience can be one for tests")
  func tests() async throws {
    let all = try await CampaignFixture(devices: TestBudget.devicesPerTest + 1)
    let id = try await all.create(Self.document)
    let author = try await DashboardClient.person("ada@example.com", .author, all.fixture)
    let path = author.path("sends/campaigns/\(id)")
    var everyone = Audience(
      id: "tests", app: all.fixture.app.id, filters: [], createdAt: all.fixture.clock.now)
    (everyone.name, everyone.isTest) = ("Tests", true)
    try await all.fixture.store.save(everyone)
    func test() async -> Fixture.Answer {
      _ = await author.get(path)
      return await author.post(
        path, ["action": "test", "variant": "1/a", "test_device": "tests", "once": "1"])
    }
    let refused = await test()
    #expect(
      refused.status == 422 && refused.text.contains("50 devices at most; this audience has 51"))
    try await all.fixture.register("d0") { $0.isPushEnabled = .set(false) }
    #expect(await test().status == 303)
  }

  @Test("a test reaches the devices that were counted, whatever its audience is meanwhile")
  func countedDevices() async throws {
    let all = try await CampaignFixture(devices: TestBudget.devicesPerTest + 1)
    let (actions, store) = (all.fixture.router.actions, all.fixture.store)
    let (app, now) = (all.fixture.app.id, all.fixture.clock.now)
    let key = APIKey(id: "key", app: app, role: .push, hash: [], createdAt: now)
    let author = Actor(
      identity: .key(key), app: app, permissions: Account.Role.author.permissions,
      address: "127.0.0.1")
    let one = Filter(field: .builtIn(.deviceID), criteria: [.equals(.string("d0"))])
    var named = Audience(id: "named", app: app, filters: [one], createdAt: now)
    named.name = "Named"
    var tests = Audience(id: "tests", app: app, filters: [], createdAt: now)
    (tests.name, tests.isTest, tests.any) = ("Tests", true, [.audience("named")])
    for audience in [named, tests] { try await store.save(audience) }
    let push = try await TestTarget("tests", app: app, at: now, actions)
    let message = try await TestTarget("tests", app: app, at: now, needsPush: false, actions)
    #expect(push.reached == 1 && message.reached == 1)
    named.filters = []
    try await store.save(named)

    _ = try await actions.sendNotification(
      BodyValue(["to": "*", "payload": ["alert": "Hi"]]), asTest: push, by: author)
    let inApp: [String: JSONValue] = ["variants": [["key": "a", "message": ["title": "Hi"]]]]
    for (document, target) in [(Self.document, push), (inApp, message)] {
      let id = try await all.create(document)
      let campaign = try await actions.campaign(id, app: app)
      let plan = try CampaignPlan(stored: campaign.document, at: now)
      _ = try await actions.sendTest(
        of: plan.messages[0], in: campaign, to: target, repeating: nil, by: author)
    }
    await all.deliver()
    let token = Fixture.token("d0")
    #expect(all.fixture.apple.taken.map(\.push.deviceToken) == [token, token])
    for (device, count) in [("d0", 1), ("d1", 0)] {
      let inbox = try await store.inbox(device: device, app: app, at: now, after: nil, limit: 9)
      #expect(inbox.elements.count == count, "\(device)")
    }
  }

  @Test("a key starts drafts as before, and submits them where somebody shall read them")
  func keys() async throws {
    let (all, path, _, _, _) = try await world()
    let key = try await DashboardClient.signedIn(all.fixture, as: .push)
    #expect(await press(key, path, "submit").status == 303)
    #expect(await press(key, path, "start").status == 303)
  }
}

extension [String] {
  fileprivate func asyncMap<T>(_ body: (String) async throws -> T) async throws -> [T] {
    var all: [T] = []
    for element in self { all.append(try await body(element)) }
    return all
  }
}
