import APNs
import PushPayload
import TestSupport
import Testing

@testable import PushModel
@testable import PushServer
@testable import PushStore

/// What becomes of work, and of a caller, whose row in the database is not understood.
@Suite("Work with a damaged row", .timeLimit(.minutes(10)))
struct DamagedWorkTests {
  static let sends = [
    "UPDATE segments SET devices = substr(devices, 1, length(devices) - 1) WHERE send = 1",
    "UPDATE segments SET quiet = 'later' WHERE send = 1",
    "UPDATE sends SET state = 'later' WHERE number = 1",
    "UPDATE sends SET payload = '{' WHERE number = 1",
    "UPDATE sends SET capping = 8 WHERE number = 1",
    "UPDATE segments SET taken = 2 WHERE send = 1",
    "UPDATE sends SET throttle = -1 WHERE number = 1",
  ]

  @Test("a notification fails with the reason, and the one behind it is sent", arguments: sends)
  func send(damage: String) async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let first = await fixture.send(["alert": "One"]).json["notification"]?["id"]?.string ?? ""
    let second = await fixture.send(["alert": "Two"]).json["notification"]?["id"]?.string ?? ""
    try await run(damage, fixture)
    _ = await fixture.dispatcher().sendDueBatches()
    #expect(
      fixture.apple.taken.map {
        $0.payload["aps"]?["alert"]?["body"] ?? $0.payload["aps"]?["alert"]
      } == ["Two"])
    #expect(try await fixture.store.send(second, app: fixture.app.id)?.state == .complete)
    let (state, failure) = try await stored(first, fixture)
    #expect(state == "failed")
    #expect(
      failure?.contains("it is damaged, or a newer version wrote it") == true, "\(failure ?? "")")
  }

  @Test("a device's damaged row fails the notification that is sent to it")
  func device() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let id = await fixture.send(["alert": "Hi {{ custom.name }}"]).json["notification"]?["id"]?
      .string
    try await run("UPDATE devices SET attributes = '{'", fixture)
    _ = await fixture.dispatcher().sendDueBatches()
    #expect(fixture.apple.taken.isEmpty)
    let (state, failure) = try await stored(id ?? "", fixture)
    #expect(
      state == "failed" && failure?.contains("devices.attributes of d1") == true, "\(failure ?? "")"
    )
  }

  @Test("a notification whose outcomes cannot be stored is stopped, and not sent again")
  func outcomes() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let id = await fixture.send(["alert": "One"]).json["notification"]?["id"]?.string ?? ""
    let sender = DamagingSender(fixture)
    _ = await fixture.dispatcher(sender).sendDueBatches()
    fixture.clock.advance(by: .seconds(3600))
    _ = await fixture.dispatcher(sender).sendDueBatches()
    #expect(fixture.apple.taken.count == 1)
    let (state, failure) = try await stored(id, fixture)
    #expect(state == "failed" && failure?.contains("batches.outcomes") == true, "\(failure ?? "")")
  }

  @Test("a notification that cannot be stopped at once is stopped later, and not sent again")
  func stoppedLater() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let id = await fixture.send(["alert": "One"]).json["notification"]?["id"]?.string ?? ""
    try await fixture.store.write { db in
      _ = try db.run(
        """
        CREATE TRIGGER odd BEFORE UPDATE OF state ON sends WHEN NEW.state = 'failed'
        BEGIN SELECT RAISE(ABORT, 'odd rows'); END
        """)
    }
    let dispatcher = fixture.dispatcher(DamagingSender(fixture))
    let run = Task { await dispatcher.sendDueBatches() }
    try await until { fixture.clock.nextWaking == fixture.clock.now + OutcomeRecorder.firstPause }
    try await fixture.store.write { db in _ = try db.run("DROP TRIGGER odd") }
    fixture.clock.advance(by: OutcomeRecorder.firstPause)
    _ = await run.value
    fixture.clock.advance(by: .seconds(3600))
    #expect(await dispatcher.sendDueBatches() == nil)
    #expect(fixture.apple.taken.count == 1)
    #expect(try await stored(id, fixture).state == "failed")
  }

  @Test("a batch that cannot be composed is due again in a second, not at the end of its lease")
  func notComposed() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    _ = await fixture.send(["alert": "Hi {{ custom.name | default: 'you' }}"])
    try await fixture.store.write { db in
      _ = try db.run("ALTER TABLE devices RENAME COLUMN attributes TO odd")
    }
    let dispatcher = fixture.dispatcher()
    #expect(await dispatcher.sendDueBatches() == .seconds(1))
    let due = fixture.clock.now + .seconds(1)
    #expect(try await fixture.store.nextBatchTime(at: fixture.clock.now) == due)
    try await fixture.store.write { db in
      _ = try db.run("ALTER TABLE devices RENAME COLUMN odd TO attributes")
    }
    fixture.clock.advance(by: .seconds(1))
    #expect(await dispatcher.sendDueBatches() == nil)
    #expect(fixture.apple.taken.count == 1)
  }

  @Test("a damaged webhook gets no call, and keeps back neither notifications nor other webhooks")
  func webhooks() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    for id in ["one", "two"] {
      try await fixture.store.add(
        Webhook(
          id: id, app: fixture.app.id, url: "https://example.com/\(id)",
          events: ["notification.complete"], sealedSecret: [1], createdAt: fixture.clock.now))
    }
    try await run("UPDATE webhooks SET events = '[' WHERE id = 'one'", fixture)
    let id = await fixture.send(["alert": "One"]).json["notification"]?["id"]?.string ?? ""
    _ = await fixture.dispatcher().sendDueBatches()
    #expect(try await stored(id, fixture).state == "complete")
    let now = fixture.clock.now + .seconds(1)
    let call = try await fixture.store.leaseWebhookCall(owner: "a", at: now, until: now)
    #expect(call?.webhook.id == "two")
  }

  @Test("a damaged call of a webhook is held, and the next one is leased")
  func calls() async throws {
    let fixture = try await Fixture()
    try await fixture.store.add(
      Webhook(
        id: "one", app: fixture.app.id, url: "https://example.com", events: ["made"],
        sealedSecret: [1], createdAt: fixture.clock.now))
    for _ in 0..<2 {
      let notice = WebhookNotice(
        app: fixture.app.id, event: "made", data: .null, at: fixture.clock.now)
      #expect(try await fixture.store.enqueue(notice) == 1)
    }
    try await run("UPDATE webhook_calls SET body = '{' WHERE number = 1", fixture)
    let now = fixture.clock.now
    let error = await #expect(throws: StoreError.self) {
      try await fixture.store.leaseWebhookCall(owner: "a", at: now, until: now + .seconds(9))
    }
    let work = try #require(error?.work)
    try await fixture.store.stop(work, because: error?.message ?? "", at: now)
    let call = try await fixture.store.leaseWebhookCall(
      owner: "a", at: now, until: now + .seconds(9))
    #expect(call?.id == 2)
  }

  @Test("a key whose allow list is cut off admits nobody, and says why")
  func key() async throws {
    let fixture = try await Fixture()
    try await run("UPDATE keys SET allow = '['", fixture)
    let answer = await fixture.request("GET", "/v6/notifications")
    #expect(answer.status == 500)
    #expect(answer.text.contains("keys.allow of"), "\(answer.text)")
    #expect(answer.text.contains("restore a backup, or upgrade this node"))
  }

  @Test(
    "an audience whose filters are not understood has no devices",
    arguments: ["[", #"[{"later": 1}]"#])
  func audience(filters: String) async throws {
    let fixture = try await Fixture()
    for id in ["d1", "d2", "d3"] { try await fixture.register(id) }
    let made = await fixture.request(
      "POST", "/v6/audiences",
      body: #"{"audience": {"name": "One", "to": [{"name": "device_id", "criteria": ["d1"]}]}}"#)
    let id = try #require(made.json["audience"]?["id"]?.string)
    try await fixture.store.write { db in
      _ = try db.run("UPDATE audiences SET filters = \(filters) WHERE id = \(id)")
    }
    let answer = await fixture.request(
      "POST", "/v6/notifications",
      body: #"{"notification": {"to": "\#(id)", "payload": {"alert": "Hi"}}}"#)
    #expect(
      answer.status == 500 && answer.text.contains("audiences.filters of \(id)"), "\(answer.text)")
    _ = await fixture.dispatcher().sendDueBatches()
    #expect(fixture.apple.taken.isEmpty)
  }

  static let deletions: [(damage: String, path: String, role: APIKey.Role)] = [
    ("UPDATE audiences SET filters = '[' WHERE id = 'gone'", "audiences/gone", .push),
    ("UPDATE webhooks SET events = '['", "webhooks/gone", .admin),
    ("UPDATE keys SET allow = '[' WHERE role = 'device'", "apps/APP/keys/KEY", .server),
  ]

  @Test("a damaged audience, webhook or key can be deleted, and deleted once", arguments: deletions)
  func deletion(damage: String, path: String, role: APIKey.Role) async throws {
    let fixture = try await Fixture()
    let (app, now) = (fixture.app.id, fixture.clock.now)
    var audience = Audience(id: "gone", app: app, filters: [], createdAt: now)
    audience.name = "Gone"
    try await fixture.store.save(audience)
    try await fixture.store.add(
      Webhook(
        id: "gone", app: app, url: "https://example.com", events: ["made"], sealedSecret: [1],
        createdAt: now))
    let key = try await fixture.store.keys(app: app).first { $0.role == .device }?.id ?? ""
    try await run(damage, fixture)
    let whole = "/v6/" + path.replacing("APP", with: app).replacing("KEY", with: key)
    let answer = await fixture.request("DELETE", whole, role: role)
    #expect(answer.status == 200, "\(answer.text)")
    #expect(await fixture.request("DELETE", whole, role: role).status == 404)
  }

  @Test("a run whose campaign is not understood is stopped, and the next one goes on")
  func run() async throws {
    let all = try await CampaignFixture(devices: 2)
    let first = try await startLater(all)
    _ = try await startLater(all)
    all.fixture.clock.advance(by: .seconds(3601))
    try await run("UPDATE campaigns SET kind = 'later' WHERE id = '\(first.campaign)'", all.fixture)
    for _ in 0..<2 { try await all.runner.runDue() }
    await all.deliver()
    #expect(all.received.count > 0)
    let waits = try await all.fixture.store.read { db in
      try db.row("SELECT reason, waits FROM runs WHERE id = \(first.run)") { row in
        try (reason: row.optionalText("reason"), waits: row.bool("waits"))
      }
    }
    #expect(waits?.waits == false)
    #expect(waits?.reason?.contains("campaigns.kind of") == true, "\(String(describing: waits))")
    let page = await all.fixture.request("GET", "/v6/campaigns/\(first.campaign)")
    #expect(page.status == 500 && page.text.contains("is not understood"), "\(page.text)")
  }

  @Test("a run whose document is damaged is skipped with the reason")
  func document() async throws {
    let all = try await CampaignFixture(devices: 2)
    let run = try await startLater(all).run
    all.fixture.clock.advance(by: .seconds(3601))
    try await self.run("UPDATE campaign_versions SET document = '{'", all.fixture)
    try await all.runner.runDue()
    let skipped = try await all.fixture.store.run(run, app: all.fixture.app.id)
    #expect(skipped?.state == .skipped)
    #expect(skipped?.reason?.contains("is not JSON") == true, "\(skipped?.reason ?? "")")
  }

  /// Starts a campaign whose run is due in an hour.
  private func startLater(_ all: CampaignFixture) async throws -> (campaign: String, run: String) {
    let time = all.fixture.clock.now + .seconds(3600)
    return try await all.start([
      // Without a control, in which both devices would be by chance.
      "variants": [["key": "a", "payload": ["alert": "Hello"]]],
      "when": ["at": .string(time.iso8601)],
    ])
  }

  private func run(_ statement: String, _ fixture: Fixture) async throws {
    try await fixture.store.write { db in
      let changed = try db.run("\(raw: statement)")
      #expect(changed > 0)
    }
  }

  private func stored(
    _ id: String, _ fixture: Fixture
  ) async throws -> (state: String, failure: String?) {
    let row = try await fixture.store.read { db in
      try db.row("SELECT state, failure FROM sends WHERE id = \(id)") { row in
        try (row.text("state"), row.optionalText("failure"))
      }
    }
    return try #require(row)
  }
}

/// Sends, and damages the batch before its outcomes are stored.
private struct DamagingSender: PushSender {
  let fixture: Fixture

  init(_ fixture: Fixture) { self.fixture = fixture }

  func send(
    _ pushes: [APNsNotification], of sendClass: SendClass, for app: App, development: Bool
  ) async throws -> [APNsOutcome] {
    try await fixture.store.write { db in _ = try db.run("UPDATE batches SET outcomes = x'00'")
    }
    return await fixture.apple.send(
      pushes, of: sendClass, for: app, development: development)
  }

  func probe(
    _ push: APNsNotification, for app: App, development: Bool
  ) async throws -> APNsOutcome {
    try await fixture.apple.probe(push, for: app, development: development)
  }

  func close() async {}
}
