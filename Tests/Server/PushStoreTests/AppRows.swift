import PushPayload
import Testing

@testable import PushModel
@testable import PushStore

/// Two apps with a row in every table that has rows of an app, for a test that deletes one of them.
enum AppRows {
  private static let tables = [
    "devices", "changes", "audiences", "sends", "batches", "segments", "receipts", "tallies",
    "send_hours", "attributions", "event_ids", "counters", "active_devices", "messages",
    "impressions", "message_devices", "message_shards", "message_states", "webhooks",
    "webhook_calls", "uploads", "upload_uses", "identity_keys",
    "activity_tokens", "activities", "channels", "send_terms", "campaigns", "campaign_versions",
    "runs", "run_devices", "holdouts", "limits", "push_ledger", "triggers", "enrollments",
    "kept_activities", "activity_expenses", "send_data", "trigger_calls", "campaign_calls",
    "templates", "template_versions", "imports", "import_parts", "reload_tokens",
  ]

  static func fill(_ store: some SQLPushStore) async throws {
    for name in ["kept", "deleted"] {
      let fixture = try await StoreFixture(store, name)
      let upload = String(repeating: name == "kept" ? "a" : "b", count: 32) + ".png"
      try await store.add(
        Upload(name: upload, app: name, createdAt: Sample.now), bytes: [1, 2, 3],
        quota: 3)
      try await store.add(
        Webhook(
          id: "\(name)-hook", app: name, url: "https://example.com",
          events: ["made"], sealedSecret: [1], createdAt: Sample.now))
      try await store.add(
        IdentityKey(id: "k", app: name, pem: "PEM", createdAt: Sample.now))
      try await store.enqueue(
        WebhookNotice(app: name, event: "made", data: .null, at: Sample.now))
      try await fixture.register(2)
      try await fixture.update("\(name)-0") {
        $0.settings = .set(DeviceSettings(stored: ["authorization": "denied"]))
      }
      try await fixture.accept("\(name)-sent") { $0.payload = ["image": .string(upload)] }
      try await fixture.drain()
      try await fixture.accept("\(name)-later") { $0.scheduledAt = Sample.now + .seconds(1000) }
      var receipt = Receipt(
        id: "r", send: "\(name)-sent", device: "\(name)-0", event: .opened, at: Sample.now)
      receipt.media = "failed"
      receipt.reason = "timeout"
      receipt.trace = ReceiptTrace(json: ["decryption": "ok"])
      try await store.record([receipt], app: name, at: Sample.now)
      try await store.record(
        [DeviceEvent(name: "play", id: "e")], device: "\(name)-0", app: name, at: Sample.now)
      let token = ActivityToken(
        .activity("order"), device: "\(name)-1", type: "Order", token: "aa")
      _ = try await store.register(token, app: name, at: Sample.now)
      _ = try await store.setReloadTokens(
        [ReloadToken("cc", kind: "lamp")], of: .controls, device: "\(name)-1", app: name,
        at: Sample.now)
      try await fixture.accept("\(name)-activity") {
        $0.activity = ActivityPush(id: "order", event: .update, priority: 5)
      }
      let kept = KeptActivity(
        id: "kept-order", app: name, type: "Order", content: [:],
        keeper: ActivityKeeper(WantedActivity()), createdAt: Sample.now)
      var budget = PhoneBudget()
      budget.spendStart(at: Sample.now)
      let change = KeeperChange(
        kept, dueAt: Sample.now, sends: [], audience: Sample.audience("a", app: name), before: [:],
        after: [1: budget])
      #expect(try await store.store(change, at: Sample.now))
      try await store.add(
        Channel(
          id: "channel", app: name, storage: .none, isDevelopment: false, createdAt: Sample.now))
      try await store.add(
        Message(
          id: "\(name)-message", app: name, audience: "a", title: "T", content: [:],
          createdAt: Sample.now, unpublishAt: Sample.now + .seconds(100)))
      for (id, count) in [("few", 1), ("many", MessageDevices.listLimit + 1)] {
        try await store.add(
          Message(
            id: "\(name)-\(id)", app: name, audience: "a", title: "T", content: [:],
            createdAt: Sample.now, unpublishAt: Sample.now + .seconds(100)),
          for: DeviceNumbers((1...UInt32(count)).map { $0 }))
      }
      var limits = AppLimits()
      limits.holdout = Holdout(percent: 5, salt: "s", since: Sample.now)
      limits.caps = [FrequencyCap(most: 3, within: .seconds(60))]
      try await store.setLimits(limits, app: name)
      try await fixture.accept("\(name)-counted") { $0.capping = [.obeys, .counts] }
      try await fixture.drain()
      let call = CampaignCall(key: "call", fingerprint: [1])
      _ = try await store.create(fixture.campaign("campaign"), with: call)
      let template = StoredTemplate(
        app: name, name: "template", version: 0, payload: [:], savedAt: Sample.now)
      _ = try await store.save(template, after: nil)
      try await store.add(
        FileImport(id: "\(name)-file", app: name, fileName: "a.csv", createdAt: Sample.now))
      try await store.append([1, 2], as: 0, toImport: "\(name)-file", app: name)
      try await fixture.start("campaign")
      let run = try #require(try await store.run("run-campaign", app: name))
      _ = try await fixture.advance(run, sendID: "\(name)-variant")
      try await fixture.enroll("triggered", ["\(name)-0", "\(name)-1"])
      try await store.record(
        .detail, of: "\(name)-message", device: "\(name)-0", app: name, at: Sample.now)
    }
    for (table, apps) in try await apps(in: store) {
      #expect(apps == [1, 2], "\(table) has no row of one app")
    }
  }

  static func expectDeletion(in store: some SQLPushStore) async throws {
    #expect(try await store.deleteApp("deleted"))
    for (table, apps) in try await apps(in: store) {
      #expect(apps == [1], "\(table) has rows of other apps")
    }
  }

  /// The numbers of the apps of which each table has rows.
  static func apps(in store: some SQLPushStore) async throws -> [String: Set<Int64>] {
    try await store.read { db in
      var apps: [String: Set<Int64>] = [:]
      for table in tables {
        apps[table] = Set(try db.rows("SELECT app FROM \(raw: table)") { try $0.integer("app") })
      }
      return apps
    }
  }
}
