import PushModel
import PushPayload
import PushStore
import Testing
import _SQLite

@testable import PushServer

@Suite("Campaigns of in-app messages", .timeLimit(.minutes(10)))
struct CampaignMessageTests {
  private static func variants(_ members: [String: JSONValue] = [:]) -> JSONValue {
    let control: JSONValue = ["key": "control", "share": 10]
    let own = ["a", "b"].map { key -> JSONValue in
      let message: [String: JSONValue] = [
        "title": .string("Title \(key)"), "text": "Text", "url": "https://shop.example/sale",
      ]
      return [
        "key": .string(key), "share": 45, "message": .object(message.merging(members) { $1 }),
      ]
    }
    return .array(own + [control])
  }

  /// The titles in the inbox of each device that has any.
  private func inboxes(_ all: CampaignFixture, devices: Int) async throws -> [String: [String]] {
    var found: [String: [String]] = [:]
    for number in 0..<devices {
      let inbox = try await all.fixture.store.inbox(
        device: "d\(number)", app: all.fixture.app.id, at: all.fixture.clock.now, after: nil,
        limit: 9)
      if !inbox.elements.isEmpty { found["d\(number)"] = inbox.elements.map(\.message.title) }
    }
    return found
  }

  private func open(_ count: Int, of variant: String, run: String, _ all: CampaignFixture)
    async throws
  {
    let (store, app) = (all.fixture.store, all.fixture.app.id)
    let published = try await store.messages(ofRun: run, app: app)
    let message = try #require(published.first { $0.message.origin?.variant == variant }).message
    let numbers = try await store.devices(ofMessage: message.id, app: app)
    for device in try await store.devices(app: app, numbers: DeviceNumbers(numbers.prefix(count))) {
      for impression in [Message.Impression.stream, .detail] {
        try await store.record(
          impression, of: message.id, device: device.id, app: app, at: all.fixture.clock.now)
      }
    }
  }

  @Test("a sample gets the variants, the rest the better one, and the control nothing")
  func wholeWay() async throws {
    let all = try await CampaignFixture(devices: 200)
    let (campaign, id) = try await all.start([
      "variants": Self.variants(), "test": CampaignFixture.test,
      "utm": ["source": "martlet"],
    ])
    #expect(await all.run(id)["state"] == "testing")
    let tested = try await inboxes(all, devices: 200)
    #expect((50...130).contains(tested.count) && tested.values.allSatisfy { $0.count == 1 })
    try await open(20, of: "b", run: id, all)
    try await open(1, of: "a", run: id, all)
    all.fixture.clock.advance(by: .seconds(4 * 3600))
    try await all.runner.runDue()
    let run = await all.run(id)
    #expect(run["state"] == "rolling" && run["decision"]?["variant"] == "b")
    #expect(run["decision"]?["significant"] == true)
    let shown = try await inboxes(all, devices: 200)
    let control = Int(run["devices"]?["control"]?.integer ?? 0)
    #expect(shown.count == 200 - control && shown.values.allSatisfy { $0.count == 1 })
    #expect(shown.filter { tested[$0.key] == nil }.values.allSatisfy { $0 == ["Title b"] })
    let variants = run["variants"]?.array ?? []
    #expect(variants.map { $0["opens"]?["count"] } == [1, 20])
    #expect(variants.map { $0["listed"] } == [1, 20] && variants.map { $0["sent"] } == [0, 0])
    #expect(variants.map { $0["messages"]?.array?.count } == [1, 2])
    let targeted = variants.reduce(0) { $0 + Int($1["targeted"]?.integer ?? 0) }
    #expect(targeted == 200 - control && run["split"]?["as_planned"]?.bool != nil)
    // Nothing of it is a push.
    await all.deliver()
    #expect(all.received.isEmpty)
    let message = try #require(variants.first?["messages"]?.array?[0]["id"]?.string)
    #expect(
      await all.get("messages/\(message)")["message"]?["url"]
        == "https://shop.example/sale?utm_source=martlet")
    // It goes on until inboxes stop showing it, 90 days later.
    all.fixture.clock.advance(by: CampaignRunner.pause)
    try await all.runner.runDue()
    #expect(await all.run(id)["state"] == "rolling")
    all.fixture.clock.advance(by: .seconds(90 * 86_400))
    try await all.runner.runDue()
    #expect(await all.run(id)["state"] == "settled")
    #expect(await all.get("campaigns/\(campaign)")["campaign"]?["state"] == "ended")
  }

  @Test("a test in whose samples nobody fell is decided by a person, and reaches everybody")
  func emptySamples() async throws {
    let all = try await CampaignFixture(devices: 0)
    for number in 0..<3 { try await all.fixture.register("d\(number)") }
    var test = try #require(CampaignFixture.test.object)
    test["sample"] = 1
    var found: String?
    // The samples depend on the campaign's id.
    while found == nil {
      let (_, id) = try await all.start([
        "variants": Self.variants(), "test": .object(test),
      ])
      if try await all.fixture.store.messages(ofRun: id, app: all.fixture.app.id).isEmpty {
        found = id
      }
    }
    let id = try #require(found)
    let before = try await inboxes(all, devices: 3)
    all.fixture.clock.advance(by: .seconds(4 * 3600))
    try await all.runner.runDue()
    #expect(await all.run(id)["state"] == "deciding")
    let answer = await all.post("runs/\(id)/decide", ["variant": "b"])
    #expect(answer.status == 200, "\(answer.text)")
    let control = Int(await all.run(id)["devices"]?["control"]?.integer ?? 0)
    let shown = try await inboxes(all, devices: 3).values.joined().filter { $0 == "Title b" }
    let earlier = before.values.joined().filter { $0 == "Title b" }
    #expect(shown.count - earlier.count == 3 - control)
  }

  @Test("a device that allows no pushes gets the message, and its goals count")
  func withoutPush() async throws {
    let all = try await CampaignFixture(devices: 2)
    try await all.fixture.register("off") {
      $0.isPushEnabled = .set(false)
      $0.tags = .set(["off"])
    }
    let (_, id) = try await all.start([
      "to": [["name": "tags", "criteria": ["off"]]],
      "variants": [["key": "a", "message": ["title": "Hello", "unpublish_after": "P1D"]]],
      "goals": [["event": "bought", "within": "PT1H"]],
    ])
    #expect(try await inboxes(all, devices: 2).isEmpty)
    let inbox = try await all.fixture.store.inbox(
      device: "off", app: all.fixture.app.id, at: all.fixture.clock.now, after: nil, limit: 9)
    #expect(inbox.elements.map(\.message.title) == ["Hello"])
    _ = try await all.fixture.store.record(
      [DeviceEvent(name: "bought")], device: "off", app: all.fixture.app.id,
      at: all.fixture.clock.now)
    let told = await all.get("runs/\(id)/explanations/off")["explanation"]
    #expect(told?["code"] == "published" && told?["variant"] == "a")
    #expect(told?["message_id"]?.string == inbox.elements.first?.message.id)
    all.fixture.clock.advance(by: .seconds(3600))
    try await all.runner.runDue()
    #expect(await all.run(id)["goals"]?.array?[0]["variants"]?.array?[0]["result"]?["count"] == 1)
    all.fixture.clock.advance(by: .seconds(86_400))
    try await all.runner.runDue()
    #expect(await all.run(id)["state"] == "settled")
    #expect(await all.get("runs/\(id)/explanations/off")["explanation"]?["code"] == "unpublished")
    let other = await all.get("runs/\(id)/explanations/d0")["explanation"]
    #expect(other?["code"] == "not_in_audience")
  }

  @Test("the end of a campaign takes its messages out of inboxes, and so does that of a run")
  func ends() async throws {
    for path in ["campaigns/C/end", "runs/R/cancel"] {
      let all = try await CampaignFixture(devices: 3)
      let variants: JSONValue = [["key": "a", "message": ["title": "Hello"]]]
      let (campaign, run) = try await all.start(["variants": variants])
      #expect(try await inboxes(all, devices: 3).count == 3)
      let place = path.replacing("C", with: campaign).replacing("R", with: run)
      #expect(await all.post(place).status == 200)
      #expect(try await inboxes(all, devices: 3).isEmpty)
      #expect(await all.get("campaigns/\(campaign)")["campaign"]?["state"] == "ended")
    }
  }

  @Test("each day of a recurring campaign publishes a message of its own")
  func recurring() async throws {
    let all = try await CampaignFixture(devices: 3)
    let every: JSONValue = ["unit": "day", "time": "09:00", "zone": "Europe/Berlin"]
    let (_, id) = try await all.start([
      "when": ["every": every], "variants": [["key": "a", "message": ["title": "Day"]]],
    ])
    let run = try #require(try await all.fixture.store.run(id, app: all.fixture.app.id))
    all.fixture.clock.advance(by: run.plannedAt.since(all.fixture.clock.now))
    for day in 1...2 {
      try await all.runner.runDue()
      let shown = try await inboxes(all, devices: 3)
      #expect(shown.count == 3 && shown.values.allSatisfy { $0.count == day })
      all.fixture.clock.advance(by: .seconds(86_400))
    }
  }

  @Test("a test is published to its device alone, also where it allows no pushes")
  func test() async throws {
    let all = try await CampaignFixture(devices: 2)
    try await all.fixture.register("off") { $0.isPushEnabled = .set(false) }
    let id = try await all.create(["variants": Self.variants()])
    let answer = await all.post("campaigns/\(id)/test", ["variant": "b", "to": ["off"]])
    #expect(answer.status == 201 && answer.json["message"]?["title"] == "Title b", "\(answer.text)")
    let inbox = try await all.fixture.store.inbox(
      device: "off", app: all.fixture.app.id, at: all.fixture.clock.now, after: nil, limit: 9)
    #expect(inbox.elements.count == 1)
    #expect(try await inboxes(all, devices: 2).isEmpty)
    let refused = await all.post("campaigns/\(id)/test", ["variant": "b", "to": ["nobody"]])
    #expect(refused.status == 404)
  }

  @Test("a preview counts the devices of each variant and shows its message")
  func preview() async throws {
    let all = try await CampaignFixture(devices: 40)
    try await all.fixture.register("off") { $0.isPushEnabled = .set(false) }
    let id = try await all.create(["variants": Self.variants()])
    let preview = await all.post("campaigns/\(id)/preview").json
    #expect(preview["device_count"] == 41)
    let first = preview["variants"]?.array?[0]
    #expect(first?["message"]?["title"] == "Title a" && first?["payload"] == nil)
    #expect(preview["quiet"] == 0 && preview["capped"] == 0)
  }

  static let refused: [(members: [String: JSONValue], error: String)] = [
    (
      ["variants": [["key": "a", "message": ["title": "T"], "payload": ["alert": "A"]]]],
      "$.campaign.variants[0].payload must not be with a message, which takes its place"
    ),
    (
      [
        "variants": [
          ["key": "a", "share": 50, "message": ["title": "T"]],
          ["key": "b", "share": 50, "payload": ["alert": "A"]],
        ]
      ],
      "$.campaign.variants must all have a message, as a has, or all a payload"
    ),
    (
      ["variants": [["key": "a", "message": ["title": ""]]]],
      "$.campaign.variants[0].message.title must be 1 to 255 characters"
    ),
    (
      ["variants": [["key": "a", "message": ["title": "T", "unpublish_after": "P91D"]]]],
      "$.campaign.variants[0].message.unpublish_after must be from one minute to 90 days"
    ),
    (
      ["variants": [["key": "a", "message": ["title": "T", "to": "*"]]]],
      "$.campaign.variants[0].message.to is not known"
    ),
    (
      [
        "variants": variants(), "when": ["trigger": ["event": "cart"]],
        "limits": ["quiet": "obey"],
      ],
      "$.campaign.limits.quiet is a limit of pushes, and the campaign has none"
    ),
    (
      ["variants": variants(), "when": ["at": "2100-01-01T00:00:00Z", "local_time": true]],
      "$.campaign.when cannot be the time of each device: all inboxes show a message from the same moment"
    ),
    (
      ["variants": variants(), "limits": ["per_second": 5]],
      "$.campaign.limits.per_second is a limit of pushes, and the campaign has none"
    ),
    (
      ["variants": [["key": "control", "share": 100, "message": ["title": "T"]]]],
      "$.campaign.variants[0].message must not be: the control is sent nothing"
    ),
  ]

  @Test("what only a push has is refused, and variants of both kinds", arguments: refused)
  func refuses(members: [String: JSONValue], error: String) async throws {
    let all = try await CampaignFixture(devices: 1)
    let answer = await all.post("campaigns", CampaignFixture.document(members))
    #expect(answer.status == 422 && answer.error.hasPrefix(error), "\(answer.error)")
  }

  @Test("messages are shown for one minute at least, and for 90 days at most")
  func life() async throws {
    let all = try await CampaignFixture(devices: 1)
    for life in ["PT1M", "P90D"] {
      _ = try await all.create([
        "variants": [["key": "a", "message": ["title": "T", "unpublish_after": .string(life)]]]
      ])
    }
  }

  @Test(
    "a step that dies before any of its writes has published nothing, and is done once afterwards",
    arguments: [
      ("INSERT", "messages"), ("INSERT", "message_devices"), ("INSERT", "audiences"),
      ("INSERT", "run_devices"), ("UPDATE", "runs"),
    ])
  func dies(kind: String, table: String) async throws {
    let all = try await CampaignFixture(devices: 80)
    let (store, app) = (all.fixture.store, all.fixture.app.id)
    let time = all.fixture.clock.now + .seconds(60)
    let (_, id) = try await all.start([
      "variants": Self.variants(), "test": CampaignFixture.test,
      "when": ["at": .string(time.iso8601)],
      "to": [["name": "platform", "criteria": ["iOS"]]],
    ])
    func failOnce() async throws {
      try await store.writer.read { db in
        try db.execute(
          """
          CREATE TRIGGER failing BEFORE \(kind) ON \(table)
          BEGIN SELECT RAISE(ABORT, 'a node died here'); END
          """)
      }
      try await all.runner.runDue()
      try await store.writer.read { try $0.execute("DROP TRIGGER failing") }
    }
    all.fixture.clock.advance(by: .seconds(60))
    try await failOnce()
    #expect(try await store.run(id, app: app)?.state == .planned)
    #expect(try await store.messages(ofRun: id, app: app).isEmpty)
    #expect(try await inboxes(all, devices: 80).isEmpty)
    try await all.runner.runDue()
    #expect(try await store.run(id, app: app)?.state == .testing)
    try await open(3, of: "a", run: id, all)
    all.fixture.clock.advance(by: .seconds(4 * 3600))
    try await failOnce()
    if table.hasPrefix("message") || table == "runs" {
      #expect(try await store.run(id, app: app)?.state == .testing)
      #expect(try await store.messages(ofRun: id, app: app).count == 2)
    }
    try await all.runner.runDue()
    #expect(try await store.run(id, app: app)?.state == .rolling)
    let control = try await store.devices(.control, ofRun: id, app: app)
    let shown = try await inboxes(all, devices: 80)
    #expect(shown.count == 80 - control.count && shown.values.allSatisfy { $0.count == 1 })
  }
}
