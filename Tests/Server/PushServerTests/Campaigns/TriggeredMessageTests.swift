import PushModel
import PushPayload
import PushStore
import TestSupport
import Testing
import _SQLite

@testable import PushServer

@Suite("Triggered campaigns of in-app messages", .timeLimit(.minutes(10)))
struct TriggeredMessageTests {
  private static let document: [String: JSONValue] = [
    "name": "Welcome",
    "to": [["name": "platform", "criteria": ["iOS"]]],
    "when": ["trigger": ["event": "cart"], "exit_on": [["event": "bought"]], "again_after": "P1D"],
    "steps": [
      [
        "after": "PT1H",
        "variants": [
          ["key": "a", "share": 45, "message": ["title": "One a", "unpublish_after": "P1D"]],
          ["key": "b", "share": 45, "message": ["title": "One b", "unpublish_after": "P1D"]],
          ["key": "control", "share": 10],
        ],
      ],
      [
        "after": "PT2H",
        "variants": [
          ["key": "a", "share": 90, "message": ["title": "Two"]], ["key": "control", "share": 10],
        ],
      ],
    ],
  ]

  private func start(
    _ all: CampaignFixture, _ members: [String: JSONValue] = [:]
  ) async throws -> String {
    let document = Self.document.merging(members) { $1 }
    let answer = await all.post("campaigns", ["campaign": .object(document)])
    let id = try #require(answer.json["campaign"]?["id"]?.string, "\(answer.text)")
    #expect(await all.post("campaigns/\(id)/start").status == 200)
    return id
  }

  private func pass(_ all: CampaignFixture, after time: Duration) async throws {
    all.fixture.clock.advance(by: time)
    try await all.runner.runDue()
  }

  /// The titles in the inbox of a device, the last one first.
  private func inbox(
    _ device: String, _ store: any PushStore, app: String, at now: Timestamp
  ) async throws -> [String] {
    try await store.inbox(device: device, app: app, at: now, after: nil, limit: 9)
      .elements.map(\.message.title)
  }

  private func inbox(_ device: String, _ all: CampaignFixture) async throws -> [String] {
    try await inbox(
      device, all.fixture.store, app: all.fixture.app.id, at: all.fixture.clock.now)
  }

  /// A campaign of one message without a control.
  private static let single: [String: JSONValue] = [
    "steps": [["after": "PT1H", "variants": [["key": "a", "message": ["title": "Hello"]]]]]
  ]

  @Test("all devices of a person get each message when it is due, also those that allow no pushes")
  func wholeWay() async throws {
    let all = try await CampaignFixture(devices: 3)
    for (device, isPushEnabled) in [("phone", true), ("tablet", false)] {
      try await all.fixture.register(device) {
        $0.userID = .set("ada")
        $0.isPushEnabled = .set(isPushEnabled)
      }
    }
    let step: ([String: JSONValue]) -> JSONValue = { message in
      ["after": "PT1H", "variants": [["key": "a", "message": .object(message)]]]
    }
    let campaign = try await start(
      all, ["steps": [step(["title": "One", "unpublish_after": "PT2H"]), step(["title": "Two"])]])
    await all.happen("cart", on: "phone")
    try await pass(all, after: .seconds(3600 - 5))
    #expect(try await inbox("phone", all).isEmpty)
    await all.happen("cart", on: "d1")
    try await pass(all, after: .seconds(5))
    for device in ["phone", "tablet"] { #expect(try await inbox(device, all) == ["One"]) }
    for device in ["d0", "d1"] { #expect(try await inbox(device, all).isEmpty) }
    try await pass(all, after: .seconds(3600))
    for device in ["phone", "tablet"] { #expect(try await inbox(device, all) == ["Two", "One"]) }
    #expect(try await inbox("d1", all) == ["One"])

    let counts = try await all.counts(of: campaign)
    #expect(counts.ended == [2: [.done: 1]] && counts.waiting == [2: 1])
    let told = await all.get("campaigns/\(campaign)/explanations/tablet")["explanation"]
    #expect(told?["code"] == "published" && told?["variant"] == "a")
    let id = try #require(told?["message_id"]?.string)
    #expect(await all.get("messages/\(id)")["message"]?["title"] == "Two")
    let other = await all.get("campaigns/\(campaign)/explanations/d0")["explanation"]
    #expect(other?["code"] == "not_enrolled" && other?["message_id"] == .null)
    // Nothing of it is a push.
    await all.deliver()
    #expect(all.received.isEmpty)
  }

  @Test("variants, control and the report are those of pushes, with what inboxes have shown")
  func report() async throws {
    let all = try await CampaignFixture(devices: 60)
    let (store, app) = (all.fixture.store, all.fixture.app.id)
    let campaign = try await start(all)
    for device in 0..<60 {
      await all.happen("cart", on: "d\(device)")
      // People who are due at other times get a message of their own.
      if device == 29 { all.fixture.clock.advance(by: .seconds(10)) }
    }
    try await pass(all, after: .seconds(3600 - 10))
    try await pass(all, after: .seconds(10))
    let run = try #require(try await store.runs(ofCampaign: campaign, app: app, limit: 2).last)
    let published = try await store.messages(ofRun: run.id, app: app).map(\.message)
    #expect(published.count == 4 && Set(published.map(\.title)) == ["One a", "One b"])
    let control = try await all.counts(of: campaign).count(.control)
    #expect(published.reduce(0) { $0 + $1.targeted } == 60 - control)
    let first = try #require(published.first { $0.origin?.variant == "b" })
    let devices = try await store.devices(ofMessage: first.id, app: app)
    #expect(devices.count == first.targeted && devices.count > 3)
    for device in try await store.devices(app: app, numbers: DeviceNumbers(devices.prefix(3))) {
      for impression in [Message.Impression.inApp, .stream, .detail] {
        try await store.record(
          impression, of: first.id, device: device.id, app: app, at: all.fixture.clock.now)
      }
    }
    let report = await all.get("campaigns/\(campaign)/report")["report"]
    let variants = report?["steps"]?.array?[0]["variants"]?.array ?? []
    let targeted = variants.map { $0["targeted"]?.integer ?? 0 }
    #expect(targeted.reduce(0, +) == Int64(60 - control) && variants.map { $0["sent"] } == [0, 0])
    #expect(variants.map { $0["listed"] } == [0, 3])
    #expect(variants.map { $0["shown_in_app"] } == [0, 3])
    #expect(variants.map { $0["opens"]?["count"] } == [0, 3])
    #expect(variants.map { $0["opens"]?["of"] } == targeted.map { .integer($0) })

    let client = try await DashboardClient.signedIn(all.fixture)
    let page = await client.get(client.path("sends/campaigns/\(campaign)")).text
    for words in ["In inboxes", "Listed", "One a", "One b", "Two"] {
      #expect(page.contains(words), "\(words)")
    }
    #expect(!page.contains("Accepted by APNs"))
    // The list of messages would be long, so they are left out of it.
    let list = await client.get(client.path("sends/messages")).text
    #expect(list.contains("Not in this list: 4 of triggered campaigns"))
    #expect(!list.contains(first.id))
    let whole = await client.get(client.path("sends/messages?triggered=1")).text
    #expect(whole.contains("4 of 4 messages") && whole.contains(first.id))
    #expect(await all.get("messages")["meta"]?["total"] == 4, "the API has all of them")
  }

  @Test("the end of the campaign takes its messages out of inboxes, as their own end does")
  func ends() async throws {
    let all = try await CampaignFixture(devices: 2)
    let campaign = try await start(all, Self.single)
    await all.happen("cart", on: "d0")
    try await pass(all, after: .seconds(3600))
    await all.happen("cart", on: "d1")
    #expect(try await inbox("d0", all) == ["Hello"])
    #expect(await all.post("campaigns/\(campaign)/end").status == 200)
    #expect(try await inbox("d0", all).isEmpty)
    let told = await all.get("campaigns/\(campaign)/explanations/d0")["explanation"]
    #expect(told?["code"] == "unpublished")
    try await pass(all, after: .seconds(3600))
    #expect(try await inbox("d1", all).isEmpty)
    let waiting = await all.get("campaigns/\(campaign)/explanations/d1")["explanation"]
    #expect(waiting?["code"] == "campaign_ended")
  }

  @Test("who left, is not in the audience any more or was erased gets no message")
  func leavesOut() async throws {
    let all = try await CampaignFixture(devices: 1)
    for device in ["left", "moved", "erased", "stays"] {
      try await all.fixture.register(device) { $0.tags = .set(["sale"]) }
    }
    let to: JSONValue = [["name": "tags", "criteria": ["sale"]]]
    let campaign = try await start(all, Self.single.merging(["to": to]) { $1 })
    for device in ["left", "moved", "erased", "stays", "d0"] {
      await all.happen("cart", on: device)
    }
    await all.happen("bought", on: "left")
    try await all.fixture.register("moved") { $0.tags = .set([]) }
    let erased = await all.fixture.request("DELETE", "/v6/devices/erased")
    #expect(erased.status == 200, "\(erased.text)")
    try await pass(all, after: .seconds(3600))
    #expect(try await inbox("stays", all) == ["Hello"])
    for device in ["left", "moved", "erased", "d0"] {
      #expect(try await inbox(device, all).isEmpty, "\(device)")
    }
    let counts = try await all.counts(of: campaign)
    #expect(counts.count(.done) == 1 && counts.count(.exited) == 1)
    #expect(counts.count(.notInAudience) == 2)
  }

  @Test(
    "a step that dies before any of its writes has published nothing, and is done once afterwards",
    arguments: [
      ("INSERT", "audiences"), ("INSERT", "messages"), ("INSERT", "message_devices"),
      ("UPDATE", "enrollments"), ("UPDATE", "triggers"),
    ])
  func dies(kind: String, table: String) async throws {
    let all = try await CampaignFixture(devices: 60)
    let store = all.fixture.store
    let campaign = try await start(all)
    for device in 0..<60 { await all.happen("cart", on: "d\(device)") }
    for step in 1...2 {
      all.fixture.clock.advance(by: .seconds(3600 * Int64(step)))
      let before = try await all.counts(of: campaign)
      try await store.writer.read { db in
        try db.execute(
          """
          CREATE TRIGGER failing BEFORE \(kind) ON \(table)
          BEGIN SELECT RAISE(ABORT, 'a node died here'); END
          """)
      }
      try await all.runner.runDue()
      // Only the first step has a new audience.
      if table != "audiences" || step == 1 {
        #expect(try await all.counts(of: campaign) == before)
      }
      try await store.writer.read { try $0.execute("DROP TRIGGER failing") }
      // A lease that was not ended lapses.
      try await pass(all, after: EnrollmentRunner.lease)
      let control = try await all.counts(of: campaign).count(.control)
      var inboxes: [[String]] = []
      for device in 0..<60 { inboxes.append(try await inbox("d\(device)", all)) }
      #expect(inboxes.filter(\.isEmpty).count == control)
      #expect(inboxes.allSatisfy { $0.isEmpty || $0.count == step })
    }
  }

  @Test(
    "three nodes over PostgreSQL that publish while people leave do so once for each person and step",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func nodes() async throws {
    try await PostgreSQLCluster().use { cluster in
      let nodes = try await CampaignNodes(url: cluster.url, devices: 60)
      let (stores, app, clock) = (nodes.stores, nodes.app, nodes.clock)
      var campaign = Campaign(
        id: Identifiers.makeObjectID(), app: app, name: "Welcome",
        document: .object(Self.document), createdAt: clock.now)
      campaign.kind = .triggered
      try await stores[0].save(campaign)
      let plan = try CampaignPlan(stored: campaign.document, at: clock.now)
      _ = try await stores[0].apply(
        .start, toCampaign: campaign.id, app: app, start: plan.start(of: campaign, at: clock.now),
        at: clock.now)
      for device in 0..<60 {
        try await stores[device % 3].record(
          [DeviceEvent(name: "cart")], device: "d\(device)", app: app, at: clock.now)
      }
      for step in 1...2 {
        clock.advance(by: .seconds(3600 * Int64(step)))
        try await withThrowingTaskGroup(of: Void.self) { group in
          for (place, store) in stores.enumerated() {
            group.addTask {
              for _ in 0..<2 { try await nodes.runner(of: place).runDue() }
              try await store.record(
                [DeviceEvent(name: "bought")], device: "d\(10 * step + place)", app: app,
                at: clock.now)
            }
          }
          try await group.waitForAll()
        }
        clock.advance(by: EnrollmentRunner.lease)
        try await nodes.runner(of: 0).runDue()
      }
      let counts = try #require(
        try await stores[1].enrollmentCounts(ofCampaign: campaign.id, app: app))
      #expect(counts.total == 60 && counts.waiting.isEmpty)
      var inboxes: [[String]] = []
      for device in 0..<60 {
        inboxes.append(try await inbox("d\(device)", stores[2], app: app, at: clock.now))
      }
      #expect(inboxes.allSatisfy { $0.isEmpty || $0.count == 1 || $0.first == "Two" })
      #expect(inboxes.filter { $0.count == 2 }.count == counts.count(.done))
      #expect(inboxes.filter { $0.count == 1 }.count == counts.ended[2]?[.exited] ?? 0)
      #expect(inboxes.allSatisfy { $0.count <= 2 })
    }
  }
}
