import APNs
import Foundation
import PushModel
import PushPayload
import Synchronization
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import PushServer

/// schemathesis reads the API's document and makes up requests by it, good and bad ones.
@Suite(
  "The live server agrees with its own document",
  .timeLimit(.minutes(Tier.isWhole ? 120 : 40)))
struct SchemathesisTests {
  /// The roles and versions of the API to test: older versions with the push role, which has half of
  /// the API.
  static let parts: [(role: APIKey.Role, apiVersion: String)] =
    [
      (.push, "v6"), (.push, "v4"), (.analytics, "v6"), (.device, "v6"), (.admin, "v6"),
      (.server, "v6"),
    ] + (Tier.isWhole ? [(.push, "v5")] : [])

  @Test("as schemathesis sees it, with a key of each role", arguments: parts)
  func conformance(role: APIKey.Role, apiVersion: String) async throws {
    let fixture = try await Fixture()
    let ids = try await Self.seed(fixture)
    if role == .device {
      // The hook shows this secret with every request of a device key.
      for id in ids["device_id"] ?? [] { try await fixture.bind(id, to: Self.secret) }
    }
    let key = try #require(fixture.keys[role])
    let known = try #require(await fixture.store.key(hash: Identifiers.hash(ofKey: key)))
    let configuration = try fixture.directory.write(
      Self.configuration(key: key, id: known.id, ids: ids), to: "st.toml")
    // Months pass on this clock, in which what was made for the run stays.
    var settings = PushServer.Configuration()
    for period in [\Retention.outcomes, \.receipts, \.messages, \.activities, \.enrollments] {
      settings.retention[keyPath: period] = .days(10_000)
    }
    let metrics = ServerMetrics()
    let server = try PushServer.started(
      settings, store: fixture.store, secretKey: fixture.secretKey, sender: fixture.apple,
      metrics: metrics, clock: fixture.clock.serverClock,
      // A second passes with each request, so that no caller comes too often.
      requests: { [clock = fixture.clock] _ in clock.advance(by: .seconds(1)) }
    ) { _ in }
    // And while the server lets a caller wait, who makes no other request meanwhile.
    let passing = Task { [clock = fixture.clock] in
      while (try? await Task.sleep(for: .milliseconds(200))) != nil {
        clock.advance(by: .seconds(1))
      }
    }
    defer { passing.cancel() }
    let operations = Self.operations(for: role).filter { $0.route.apiVersion == apiVersion }
    let phases =
      Tier.isWhole
      // Of version 5 it refuses a schema with `not` in this phase.
      ? ["examples", "coverage", "fuzzing"]
        + (Self.areLinked(operations) && apiVersion != "v5" ? ["stateful"] : [])
      : ["examples", "fuzzing"]
    var unanswered = operations
    // Eight requests at random may all be ones to refuse; an operation without a success gets more.
    for examples in Tier.isWhole ? [50] : [8, 50] where !unanswered.isEmpty {
      let run = await runProgram(
        Self.root.appending(path: ".build/python/bin/st").path(),
        [
          "--no-color", "--config-file", configuration, "run", "--phases",
          phases.joined(separator: ","), "--max-examples", "\(examples)",
          // A busy machine is no finding.
          "--suppress-health-check", "too_slow",
        ]
          + unanswered.flatMap { ["--include-operation-id", $0.id] }
          + ["http://127.0.0.1:\(server.port)/\(apiVersion)/openapi.json"])
      if run.status != 0 { Issue.record("\(Self.failures(in: run.output))") }
      let answered = MetricsPage(version: "0").text(metrics).text
      unanswered = operations.filter { _, route in
        !answered.contains("{method=\"\(route.method)\",route=\"\(route.path)\",status=\"2")
      }
    }
    await server.stop()
    #expect(unanswered.map(\.id) == [], "these operations never succeeded")
  }

  /// The secret of the devices, as in `schemathesis_hooks.py`.
  private static let secret = String(repeating: "A", count: 43)

  /// Makes objects of every kind, so that the ids in the document exist: more than the run
  /// removes.
  private static func seed(_ fixture: Fixture) async throws -> [String: [String]] {
    let (store, app, now) = (fixture.store, fixture.app.id, fixture.clock.now)
    var ids: [String: [String]] = ["app": [app]]
    let phones = (0..<600).map { "phone-\($0)" }
    let reached = Array(phones.prefix(50))
    try await store.importDevices(
      phones.map { name in
        var patch = DevicePatch()
        patch.tags = .set(["gold"])
        patch.userID = .set(reached.prefix(20).contains(name) ? "ada" : name)
        // The others have no token, so that no send takes long.
        patch.isPushEnabled = .set(reached.contains(name))
        return ImportedDevice(id: name, token: Fixture.token(name), patch: patch)
      }, app: app, at: now)
    // Nothing erases these, with their user or alone, so that a long run can read their outcomes to its end.
    let kept = phones[20..<30]
    ids["device_id"] = phones.filter { !kept.contains($0) }
    ids["reached_device"] = Array(kept)
    ids["user_id"] = ["ada"]
    ids["group"] = ["SALES"]
    ids["to"] = ["*"]
    try await seedActivities(fixture, phones: reached, &ids)
    try await seedCampaigns(fixture, &ids)
    let pem = OpenSSLCrypto.makeP256KeyPEM()
    ids["private_key"] = [pem]
    ids["public_key"] = [try OpenSSLCrypto.publicKeyPEM(ofPrivateKeyPEM: pem)]
    let identity = try OpenSSLCrypto.publicKeyPEM(ofPrivateKeyPEM: OpenSSLCrypto.makeP256KeyPEM())
    let identityKey = try IdentityKey.make(pem: identity, app: app, at: now)
    try await store.add(identityKey)
    ids["identity_key"] = [identityKey.id]
    for number in 0..<200 {
      // An app that only the server key deletes.
      let spare = try Fixture.newApp("com.example.spare-\(number)")
        .make(at: now, sealedWith: fixture.secretKey)
      try await store.add(spare.app, keys: spare.records)
      ids["spare_app", default: []].append(spare.app.id)
      var audience = Audience(id: id(1, number), app: app, filters: [], createdAt: now)
      audience.name = "Audience \(number)"
      try await store.save(audience)
      ids["audience_id", default: []].append(audience.id)
      let hook = Webhook(
        id: id(2, number), app: app, url: "https://example.com/", events: ["device.erase"],
        sealedSecret: [], createdAt: now)
      // An app can have 20, and the run creates more.
      if number < 10 {
        try await store.add(hook)
        ids["webhook_id", default: []].append(hook.id)
      }
      let key = APIKey.make(role: .push, app: app, at: now).record
      try await store.add(key)
      ids["key_id", default: []].append(key.id)
      let send = Send(
        id: id(3, number), messageID: id(4, number), app: app, audience: audience.id,
        payload: ["alert": "Hi"], createdAt: now)
      // Half of the sends are complete, so that there are outcomes; the others wait.
      let due = Segment(
        dueAt: number % 2 == 0 ? now : now + .seconds(1_000_000_000),
        devices: DeviceNumbers(Array(1...UInt32(reached.count))))
      _ = try await store.accept(send, to: audience, segments: [due])
      ids["notification_id", default: []].append(send.id)
      if number % 2 == 0 { ids["sent_notification", default: []].append(send.id) }
      let message = Message(
        id: id(5, number), app: app, audience: audience.id, title: "Hi",
        content: ["text": "Hi"], createdAt: now, unpublishAt: now + .seconds(1_000_000_000))
      try await store.add(message)
      ids["message_id", default: []].append(message.id)
    }
    // Some devices were rejected by no fault of theirs, so that there is something to replay.
    let refused = Set(reached.suffix(10).map(Fixture.token))
    fixture.apple.answer { push in
      refused.contains(push.deviceToken)
        ? APNsOutcome(kind: .answered, status: 400, reason: .topicDisallowed, apnsID: push.id)
        : APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
    }
    _ = await fixture.dispatcher().sendDueBatches()
    return ids
  }

  /// Makes campaigns in every state, and runs whose tests are under way: more than the run ends.
  private static func seedCampaigns(
    _ fixture: Fixture, _ ids: inout [String: [String]]
  ) async throws {
    let (store, app, now) = (fixture.store, fixture.app.id, fixture.clock.now)
    let document: JSONValue = [
      "to": "*", "test": ["sample": 50],
      "variants": [
        ["key": "a", "share": 50, "payload": ["alert": "A"]],
        ["key": "b", "share": 50, "payload": ["alert": "B"]],
      ],
    ]
    ids["variant"] = ["a", "b"]
    ids["template_version"] = ["1"]
    // More than the run deletes.
    for number in 0..<200 {
      let template = StoredTemplate(
        app: app, name: "template-\(number)", version: 0, payload: ["alert": "A"], savedAt: now)
      _ = try await store.save(template, after: nil)
      ids["template", default: []].append(template.name)
    }
    for number in 0..<600 {
      let campaign = Campaign(
        id: id(6, number), app: app, name: "Campaign \(number)", document: document, createdAt: now)
      try await store.save(campaign)
      let group = ["draft_campaign", "live_campaign", "paused_campaign"][number % 3]
      ids[group, default: []].append(campaign.id)
      if number % 6 == 0 {
        let submission = CampaignApproval.Event(.submit, version: 1, by: "ada", at: now)
        _ = try await store.apply(submission, toCampaign: campaign.id, app: app)
        ids["submitted_campaign", default: []].append(campaign.id)
      }
      guard number % 3 > 0 else { continue }
      let run = CampaignRun(
        id: id(7, number), app: app, campaign: campaign.id, number: 1, version: 1, plannedAt: now)
      _ = try await store.apply(.start, toCampaign: campaign.id, app: app, run: run, at: now)
      guard number % 3 == 1 else {
        _ = try await store.apply(.pause, toCampaign: campaign.id, app: app, run: nil, at: now)
        continue
      }
      var (tested, change) = (run, RunChange())
      (tested.state, tested.dueAt, tested.startedAt) = (.testing, nil, now)
      let audience = Audience(id: id(8, number), app: app, filters: [], createdAt: now)
      change.audience = audience
      var send = Send(
        id: id(9, number), messageID: id(10, number), app: app, audience: audience.id,
        payload: ["alert": "A"], createdAt: now)
      send.origin = Send.RunOrigin(
        campaign: campaign.id, run: run.id, phase: .test, variant: "a")
      change.sends = [(send, [])]
      let planned = try #require(try await store.run(run.id, app: app))
      _ = try #require(try await store.advance(tested, from: planned, with: change, at: now))
      ids["testing_run", default: []].append(run.id)
    }
    let triggered: JSONValue = [
      "campaign": [
        "name": "Cart", "to": "*", "when": ["trigger": ["event": "cart"]],
        "variants": [["key": "a", "payload": ["alert": "A"]]],
      ]
    ]
    for _ in 0..<10 {
      let created = await fixture.request(
        "POST", "/v6/campaigns", role: .admin, body: triggered.text)
      let id = try #require(created.json["campaign"]?["id"]?.string, "\(created.text)")
      let started = await fixture.request(
        "POST", "/v6/campaigns/\(id)/start", role: .admin, body: "{}")
      try #require(started.status == 200, "\(started.text)")
      ids["triggered_campaign", default: []].append(id)
    }
  }

  /// Makes Live Activities that phones follow, and channels.
  private static func seedActivities(
    _ fixture: Fixture, phones: [String], _ ids: inout [String: [String]]
  ) async throws {
    let (store, app, now) = (fixture.store, fixture.app.id, fixture.clock.now)
    ids["activity_type"] = ["OrderAttributes"]
    for (number, phone) in phones.enumerated() {
      let activity = "order-\(number % 10)"
      for subject in [ActivityToken.Subject.activity(activity), .start(type: "OrderAttributes")] {
        let token = Fixture.token("\(subject) \(phone)")
        let new = ActivityToken(subject, device: phone, type: "OrderAttributes", token: token)
        _ = try await store.register(new, app: app, at: now)
      }
      if number < 10 { ids["activity_id", default: []].append(activity) }
      // More than the run deletes.
      for storage in Channel.Storage.allCases {
        let channel = Channel(
          id: "channel-\(number)-\(storage.rawValue)", app: app, storage: storage,
          isDevelopment: false, createdAt: now)
        try await store.add(channel)
        ids["channel_id", default: []].append(channel.id)
      }
    }
    for number in 0..<10 {
      let kept = KeptActivity(
        id: "kept-\(number)", app: app, type: "OrderAttributes", content: ["content_state": [:]],
        keeper: ActivityKeeper(WantedActivity()), createdAt: now)
      let change = KeeperChange(
        kept, dueAt: nil, sends: [],
        audience: Audience(
          id: Identifiers.everyone(in: app), app: app, filters: [], createdAt: now),
        before: [:], after: [:])
      #expect(try await store.store(change, at: now))
      ids["activity_id", default: []].append(kept.id)
    }
  }

  /// An id that is the same in every run, like the seed.
  private static func id(_ kind: Int, _ number: Int) -> String {
    let digits = String(kind * 1000 + number, radix: 16)
    return String(repeating: "5eed", count: 5) + String(repeating: "0", count: 4 - digits.count)
      + digits
  }

  /// The operations that only a key of this role can call; for admin, those that no other role can.
  private static func operations(for role: APIKey.Role) -> [(id: String, route: Route)] {
    // An admin key can call everything of its app, so only its own operations are tested.
    let others: [APIKey.Role] = role == .admin ? [.push, .analytics, .device] : []
    return Router.routes.compactMap { route in
      func admits(_ role: APIKey.Role) -> Bool { route.access?.admits(role) ?? true }
      guard let operation = route.operation, admits(role), !others.contains(where: admits)
      else { return nil }
      return (operation.id, route)
    }
  }

  /// Whether one of the operations has a link to another.
  private static func areLinked(_ operations: [(id: String, route: Route)]) -> Bool {
    let ids = Set(operations.map(\.id))
    return operations.contains { operation in
      operation.route.operation?.links.contains { ids.contains($0.operation) } ?? false
    }
  }

  /// The first lines of what schemathesis found, or the last of what it said.
  private static func failures(in output: String) -> String {
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    let headings = ["= FAILURES =", "= ERRORS =", "= WARNINGS ="]
    let start = lines.firstIndex { line in headings.contains { line.contains($0) } }
    return start.map { lines[$0...].prefix(40) }?.joined(separator: "\n")
      ?? lines.suffix(40).joined(separator: "\n")
  }

  private static let root = Repository.root

  /// The configuration for one role; the part for every role is in `schemathesis.toml`.
  private static func configuration(
    key: String, id: String, ids: [String: [String]]
  ) throws -> String {
    let scripts = root.appending(path: "Tests/Scripts")
    var common = try String(
      contentsOf: scripts.appending(path: "schemathesis.toml"), encoding: .utf8)
    // A few requests may all ask for what is not there.
    if !Tier.isWhole { common.replace(#", "missing_test_data""#, with: "") }
    let dictionaries = ids.keys.sorted().map { name in
      let values = (ids[name] ?? []).map { JSONValue.string($0).text }.joined(separator: ", ")
      return "[dictionaries.\(name)]\nvalues = [\(values)]"
    }
    return """
      hooks = "\(scripts.appending(path: "schemathesis_hooks.py").path())"
      \(common)
      [auth.basic]
      username = "\(id)"
      password = "\(key)"

      \(dictionaries.joined(separator: "\n"))
      """
  }
}
