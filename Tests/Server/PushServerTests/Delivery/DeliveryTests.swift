import APNs
import PushCrypto
import PushModel
import PushPayload
import PushStore
import Synchronization
import Testing
import _OpenSSLCrypto

@testable import PushServer

@Suite("Delivery to each device", .timeLimit(.minutes(10)))
struct DeliveryTests {
  private static let refused: @Sendable (String) -> APNsOutcome = {
    APNsOutcome(kind: .answered, status: 400, reason: .badDeviceToken, apnsID: $0)
  }
  private static let taken: @Sendable (String) -> APNsOutcome = {
    APNsOutcome(kind: .answered, status: 200, apnsID: $0)
  }

  private func id(_ answer: Fixture.Answer) -> String {
    answer.json["notification"]?["id"]?.string ?? ""
  }

  @Test("each device gets its own text and badge, and an increment adds to the badge sent before")
  func personal() async throws {
    let fixture = try await Fixture()
    try await fixture.register("a") { patch in
      patch.attributes["first_name"] = Attribute(kind: .string, value: "Anna")
      patch.badge = .set(4)
    }
    try await fixture.register("b")
    let payload: JSONValue = [
      "alert": "Hi {{ custom.first_name | default: 'there' }}", "badge": "+1",
    ]
    for step in 1...2 {
      _ = await fixture.send(payload)
      #expect(await fixture.dispatcher().sendDueBatches() == nil)
      let taken = fixture.apple.taken.suffix(2)
      let byToken = Dictionary(
        uniqueKeysWithValues: taken.map { ($0.push.deviceToken, $0.payload) })
      let (a, b) = (byToken[Fixture.token("a")]?["aps"], byToken[Fixture.token("b")]?["aps"])
      #expect(a == ["alert": "Hi Anna", "badge": .integer(Int64(4 + step))])
      #expect(b == ["alert": "Hi there", "badge": .integer(Int64(step))])
    }
    // The next increment adds to an absolute badge.
    _ = await fixture.send(["badge": 9])
    #expect(await fixture.dispatcher().sendDueBatches() == nil)
    #expect(try await fixture.store.device("b", app: fixture.app.id)?.badge == 9)
  }

  @Test("the badge of a push that was not accepted is not counted")
  func unsentBadge() async throws {
    let fixture = try await Fixture()
    try await fixture.register("a")
    fixture.apple.answer { APNsOutcome(kind: .answered, status: 413, apnsID: $0.id) }
    _ = await fixture.send(["badge": "+1"])
    #expect(await fixture.dispatcher().sendDueBatches() == nil)
    #expect(try await fixture.store.device("a", app: fixture.app.id)?.badge == nil)
  }

  @Test("devices with keys get an encrypted payload, and the others share the same bytes")
  func sealed() async throws {
    let fixture = try await Fixture()
    let keys = try DeviceKeys.generate(with: OpenSSLCrypto())
    try await fixture.register("sealed") { patch in
      patch.publicKey = .set(Base64URL.encode(keys.subscription.publicKey))
      patch.authSecret = .set(Base64URL.encode(keys.subscription.authSecret))
    }
    try await fixture.register("open")
    try await fixture.register("broken") { patch in
      patch.publicKey = .set("AAAA")
      patch.authSecret = .set("AAAA")
    }
    let send = id(await fixture.send(["alert": "Secret"]))
    #expect(await fixture.dispatcher().sendDueBatches() == nil)
    let byToken = Dictionary(
      uniqueKeysWithValues: fixture.apple.taken.map { ($0.push.deviceToken, $0.payload) })
    #expect(byToken.count == 2)
    #expect(byToken[Fixture.token("open")]?["aps"] == ["alert": "Secret"])
    let outer = byToken[Fixture.token("sealed")]
    #expect(outer?["aps"]?["mutable-content"] == 1)
    #expect(outer?[EncryptedPayload.payloadKey] != nil)
    #expect(outer?["aps"]?["alert"] != "Secret")
    let reasons = try await fixture.store.reasons(of: send, app: fixture.app.id)
    #expect(
      reasons[OutcomeReason(result: .rejected, status: nil, reason: "BadDeviceKey")] == 1)
  }

  @Test("a dispatcher pads what it encrypts")
  func padded() async throws {
    let fixture = try await Fixture()
    let keys = try DeviceKeys.generate(with: OpenSSLCrypto())
    try await fixture.register("sealed") { patch in
      patch.publicKey = .set(Base64URL.encode(keys.subscription.publicKey))
      patch.authSecret = .set(Base64URL.encode(keys.subscription.authSecret))
    }
    for text in ["Yes", "No, not before next week"] {
      _ = await fixture.send(["alert": .string(text)])
    }
    #expect(await fixture.dispatcher(paddingMultiple: 256).sendDueBatches() == nil)
    let bodies = try fixture.apple.taken.map { push in
      try EncryptedPayload(text: #require(push.payload[EncryptedPayload.payloadKey]?.string))
    }
    #expect(bodies.map(\.body.count) == [256 + WebPush.overhead, 256 + WebPush.overhead])
    for body in bodies { _ = try body.open(with: keys, provider: OpenSSLCrypto()) }
  }

  @Test("a text too long for one device only is that device's outcome")
  func tooLarge() async throws {
    let fixture = try await Fixture()
    try await fixture.register("a") { patch in
      patch.attributes["story"] = Attribute(
        kind: .string, value: .string(String(repeating: "x", count: 5000)))
    }
    try await fixture.register("b")
    let send = id(await fixture.send(["alert": "A {{ custom.story }}"]))
    #expect(await fixture.dispatcher().sendDueBatches() == nil)
    #expect(
      try await fixture.store.reasons(of: send, app: fixture.app.id) == [
        OutcomeReason(result: .sent, status: 200, reason: nil): 1,
        OutcomeReason(result: .rejected, status: nil, reason: "PayloadTooLarge"): 1,
      ])
  }

  @Test(
    "a token that one host does not know is tried once on the other, and the device remembers",
    arguments: [false, true])
  func learned(isDevelopment: Bool) async throws {
    let fixture = try await Fixture()
    try await fixture.register("d") { $0.isDevelopment = .set(isDevelopment) }
    let apple = TwoHosts { push, toDevelopment in
      toDevelopment == isDevelopment ? Self.refused(push.id) : Self.taken(push.id)
    }
    let send = id(await fixture.send(["alert": "Hi"]))
    #expect(await fixture.dispatcher(apple).sendDueBatches() == nil)
    #expect(apple.asked.map(\.development) == [isDevelopment, !isDevelopment])
    #expect(Set(apple.asked.map(\.id)).count == 1)
    #expect(try await fixture.store.send(send, app: fixture.app.id)?.counts.sent == 1)
    let device = try await fixture.store.device("d", app: fixture.app.id)
    #expect(device?.isDevelopment == !isDevelopment)
    // The next send goes to the host that knows the token.
    _ = await fixture.send(["alert": "Hi"])
    #expect(await fixture.dispatcher(apple).sendDueBatches() == nil)
    #expect(apple.asked.map(\.development).dropFirst(2) == [!isDevelopment])
  }

  static let nobody: [APNsOutcome] = [
    APNsOutcome(kind: .answered, status: 400, reason: .badDeviceToken, apnsID: ""),
    APNsOutcome(kind: .answered, status: 400, reason: .deviceTokenNotForTopic, apnsID: ""),
    APNsOutcome(kind: .answered, status: 403, apnsID: ""),
    APNsOutcome(kind: .answered, status: 500, apnsID: ""),
    APNsOutcome(kind: .neverSent, apnsID: ""),
  ]

  @Test("a token that the other host refuses too is rejected", arguments: nobody)
  func nobodys(second: APNsOutcome) async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let apple = TwoHosts { push, toDevelopment in
      toDevelopment ? second : Self.refused(push.id)
    }
    let send = id(await fixture.send(["alert": "Hi"]))
    #expect(await fixture.dispatcher(apple).sendDueBatches() == nil)
    #expect(apple.asked.count == 2)
    let reasons = try await fixture.store.reasons(of: send, app: fixture.app.id)
    #expect(
      reasons == [OutcomeReason(result: .rejected, status: 400, reason: "BadDeviceToken"): 1])
    #expect(try await fixture.store.device("d", app: fixture.app.id)?.isDevelopment == false)
  }

  @Test("a push that the other host has not answered is sent again, since it may have arrived")
  func unanswered() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let tries = Mutex(0)
    let apple = TwoHosts { push, toDevelopment in
      guard toDevelopment else { return Self.refused(push.id) }
      let number = tries.withLock { tries in
        tries += 1
        return tries
      }
      return number == 1 ? APNsOutcome(kind: .maybeSent, apnsID: push.id) : Self.taken(push.id)
    }
    let send = id(await fixture.send(["alert": "Hi"]))
    let wait = await fixture.dispatcher(apple).sendDueBatches()
    fixture.clock.advance(by: try #require(wait))
    #expect(await fixture.dispatcher(apple).sendDueBatches() == nil)
    #expect(apple.asked.map(\.development) == [false, true, false, true])
    #expect(Set(apple.asked.map(\.id)).count == 1)
    #expect(try await fixture.store.send(send, app: fixture.app.id)?.counts.sent == 1)
  }

  @Test("a push has its expiration as a header, and is not sent after it")
  func expiry() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let app = fixture.app.id
    let everyone = Audience(id: "all", app: app, filters: [], createdAt: fixture.clock.now)
    for id in ["first", "second"] {
      var send = Send(
        id: id, messageID: "m-" + id, app: app, audience: "all", payload: ["alert": "Hi"],
        createdAt: fixture.clock.now)
      send.expiresAt = fixture.clock.now + .seconds(10)
      _ = try await fixture.store.accept(send, to: everyone)
      if id == "first" { _ = await fixture.dispatcher().sendDueBatches() }
      fixture.clock.advance(by: .seconds(10))
      if id == "second" { #expect(await fixture.dispatcher().sendDueBatches() == nil) }
    }
    #expect(fixture.apple.taken.map(\.push.expiration) == [1_700_000_010])
    #expect(try await fixture.store.send("second", app: app)?.state == .complete)
  }

  @Test("a send that cannot be composed fails with the reason, and nothing is sent")
  func failing() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let app = fixture.app.id
    try await fixture.store.add(
      Webhook(
        id: "w", app: app, url: "https://e.x", events: ["notification.failed"], sealedSecret: [],
        createdAt: fixture.clock.now))
    // An older version may have accepted such a payload.
    let send = Send(
      id: "old", messageID: "m", app: app, audience: "all", payload: ["alert": "{{"],
      createdAt: fixture.clock.now)
    let everyone = Audience(id: "all", app: app, filters: [], createdAt: fixture.clock.now)
    _ = try await fixture.store.accept(send, to: everyone)
    #expect(await fixture.dispatcher().sendDueBatches() == nil)
    #expect(fixture.apple.taken.isEmpty)
    let failed = try #require(try await fixture.store.send("old", app: app))
    #expect(failed.state == .failed)
    #expect(failed.failure == "$.alert: line 1, column 1: '{{' has no '}}'")
    let now = fixture.clock.now
    let call = try await fixture.store.leaseWebhookCall(
      owner: "o", at: now, until: now + .seconds(1))
    #expect(call?.body["data"]?["reason"]?.string == failed.failure)
  }

  @Test("webhooks are notified once of the start and the completion, and each stage is timed")
  func news() async throws {
    let fixture = try await Fixture()
    for number in 0..<3 { try await fixture.register("d\(number)") }
    let app = fixture.app.id
    let events = ["notification.sending", "notification.complete"]
    try await fixture.store.add(
      Webhook(
        id: "w", app: app, url: "https://e.x", events: events, sealedSecret: [],
        createdAt: fixture.clock.now))
    let metrics = ServerMetrics()
    let dispatcher = Dispatcher(
      store: fixture.store, sender: fixture.apple, clock: fixture.clock.serverClock, workers: 1,
      metrics: metrics)
    var send = Send(
      id: "slow", messageID: "m", app: app, audience: "all", payload: ["alert": "Hi"],
      createdAt: fixture.clock.now)
    send.throttlePerSecond = 1
    let everyone = Audience(id: "all", app: app, filters: [], createdAt: fixture.clock.now)
    _ = try await fixture.store.accept(send, to: everyone)
    while let wait = await dispatcher.sendDueBatches() { fixture.clock.advance(by: wait) }
    var calls: [WebhookCall] = []
    let now = fixture.clock.now
    while let call = try await fixture.store.leaseWebhookCall(
      owner: "o", at: now, until: now + .seconds(1))
    {
      calls.append(call)
      try await fixture.store.finish(call, retryAt: nil, at: now)
    }
    #expect(calls.map(\.event) == events)
    #expect(calls.last?.body["data"]?["counts"]?["sent"] == 3)
    let text = MetricsPage(version: "0").text(metrics).text
    for stage in ServerMetrics.Stage.allCases {
      #expect(
        text.contains(
          "martlet_batch_stage_duration_seconds_count{stage=\"\(stage.rawValue)\"} 3\n"),
        "\(stage)")
    }
  }
}

/// Apple's two hosts, each with its own answers.
final class TwoHosts: PushSender {
  struct Asked: Sendable {
    var id: String
    var development: Bool
  }

  private let answer: @Sendable (APNsNotification, Bool) -> APNsOutcome
  private let pushes = Mutex<[Asked]>([])

  var asked: [Asked] { pushes.withLock(\.self) }

  init(_ answer: @escaping @Sendable (APNsNotification, Bool) -> APNsOutcome) {
    self.answer = answer
  }

  func send(
    _ pushes: [APNsNotification], of sendClass: SendClass, for app: App, development: Bool
  ) async -> [APNsOutcome] {
    self.pushes.withLock {
      $0 += pushes.map { Asked(id: $0.id, development: development) }
    }
    return pushes.map { answer($0, development) }
  }

  func close() async {}
}
