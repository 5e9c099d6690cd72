import APNs
import Foundation
import PushModel
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import PushServer

@Suite("Transactional notifications and streams over real HTTP", .timeLimit(.minutes(10)))
struct TransactionalTests {
  private func serve(
    _ fixture: Fixture, _ body: (_ url: String) async throws -> Void
  ) async throws {
    let server = try PushServer.started(
      .init(), store: fixture.store, secretKey: fixture.secretKey, sender: fixture.apple
    ) { _ in }
    do {
      try await body("http://127.0.0.1:\(server.port)")
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  @Test("quiet hours do not hold a transactional notification back")
  func quietHours() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d") { $0.userID = .set("u") }
    // A night around the present time of UTC, which the device without a time zone has.
    let minute = Int(ServerClock.system.now().milliseconds / 60_000) % QuietHours.dayLength
    var limits = AppLimits()
    limits.quiet = QuietHours(
      from: (minute + QuietHours.dayLength - 60) % QuietHours.dayLength,
      to: (minute + 60) % QuietHours.dayLength, otherwise: .wait)
    try await fixture.store.setLimits(limits, app: fixture.app.id)
    try await serve(fixture) { url in
      let body = """
        {"to":{"field":"user_id","value":"u"},"group":"codes",
        "notification":{"payload":{"alert":"Your code"}}}
        """
      let answer = try await curl(
        "POST", url + "/v6/transactional/notifications", key: fixture.keys[.push], body: body)
      #expect(answer.json["results"]?["success"] == 1)
    }
  }

  @Test("the answer has the outcome of each device, and the group counts it")
  func results() async throws {
    let fixture = try await Fixture()
    for id in ["good", "gone", "bad", "other"] {
      try await fixture.register(id) { $0.userID = .set(id == "other" ? "v" : "u") }
    }
    let (gone, bad) = (Fixture.token("gone"), Fixture.token("bad"))
    fixture.apple.answer { push in
      switch push.deviceToken {
      case gone:
        APNsOutcome(
          kind: .answered, status: 410, reason: .unregistered, apnsID: push.id,
          timestamp: Date(timeIntervalSince1970: 4_000_000_000))
      case bad: APNsOutcome(kind: .answered, status: 400, reason: .badTopic, apnsID: push.id)
      default: APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
      }
    }
    try await serve(fixture) { url in
      let body = """
        {"to":{"field":"user_id","value":"u"},"group":"promotion-2018-March",
        "notification":{"payload":{"alert":"Your code"}}}
        """
      let answer = try await curl(
        "POST", url + "/v6/transactional/notifications", key: fixture.keys[.push], body: body)
      #expect(answer.status == 200)
      #expect(
        answer.json["results"] == ["success": 1, "uninstalled": 1, "failures": ["bad"]])
      // APNs keeps the push for a device that is offline.
      #expect(fixture.apple.taken.allSatisfy { $0.push.expiration == nil })
      let stats = try await curl(
        "GET", url + "/v6/transactional/notifications/promotion-2018-March/stats",
        key: fixture.keys[.analytics])
      #expect(
        stats.json == [
          "group": "promotion-2018-March", "direct_opens": 0, "indirect_opens": 0,
          "notifications_sent": 1, "event_conversions": [:], "purchase_conversions": [],
        ])
      let narrowed = try await curl(
        "POST", url + "/v6/transactional/notifications", key: fixture.keys[.push],
        body: """
          {"to":{"field":"user_id","value":"u"},"group":"abc",
          "extra_filters":[{"name":"device_id","criteria":["nobody"]}],
          "notification":{"payload":{"alert":"Your code"}}}
          """)
      #expect(
        narrowed.json["results"] == ["success": 0, "uninstalled": 0, "failures": []])
    }
  }

  @Test(
    "the answer waits for pushes in flight, and nothing is sent after it",
    arguments: [
      (APNsOutcome.Kind.answered, 1, [JSONValue](), "complete"),
      (.neverSent, 0, ["d"], "canceled"), (.maybeSent, 0, ["d"], "canceled"),
    ])
  func withdrawn(
    kind: APNsOutcome.Kind, success: Int64, failures: [JSONValue], state: String
  ) async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let apple = LateApple(kind)
    let dispatcher = fixture.dispatcher(apple)
    let time = SleptTime()
    let router = Router(
      Actions(store: fixture.store, secretKey: fixture.secretKey, clock: time.serverClock))
    async let answer = ask(fixture, router)
    try await until { try await fixture.store.nextBatchTime(at: fixture.clock.now) != nil }
    async let delivery = dispatcher.sendDueBatches()
    try await until { apple.count == 1 }
    // The timeout is over, and the push is still in flight.
    time.isTransient(NewTransactional.timeout)
    try await until {
      try await fixture.store.sends(app: fixture.app.id, after: nil, limit: 1).sends.first?
        .state == .pausing
    }
    apple.answer()
    _ = await delivery
    time.isTransient(.seconds(1))
    let result = await answer
    #expect(result.status == 200)
    #expect(
      result.json["results"] == [
        "success": .integer(success), "uninstalled": 0, "failures": .array(failures),
      ])
    let id = result.json["id"]?.string ?? ""
    let send = await fixture.request("GET", "/v6/notifications/\(id)").json
    #expect(send["state"] == .string(state))
    fixture.clock.advance(by: .seconds(3600))
    _ = await dispatcher.sendDueBatches()
    #expect(apple.count == 1)
  }

  private func ask(_ fixture: Fixture, _ router: Router) async -> Fixture.Answer {
    await fixture.request(
      "POST", "/v6/transactional/notifications",
      body: #"""
        {"to":{"field":"device_id","value":"d"},"group":"abc",
        "notification":{"payload":{"alert":"Your code"}}}
        """#, to: router)
  }

  @Test("a device that would be retried later is a failure, and is not retried")
  func busy() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    fixture.apple.answer { APNsOutcome(kind: .answered, status: 429, apnsID: $0.id) }
    let time = SleptTime()
    let router = Router(
      Actions(store: fixture.store, secretKey: fixture.secretKey, clock: time.serverClock))
    async let answer = ask(fixture, router)
    try await until { try await fixture.store.nextBatchTime(at: fixture.clock.now) != nil }
    _ = await fixture.dispatcher().sendDueBatches()
    time.isTransient(NewTransactional.timeout)
    #expect(
      await answer.json["results"] == ["success": 0, "uninstalled": 0, "failures": ["d"]])
    fixture.clock.advance(by: .seconds(3600))
    #expect(await fixture.dispatcher().sendDueBatches() == nil)
    #expect(fixture.apple.taken.count == 1)
  }

  @Test(
    "an invalid request is refused",
    arguments: [
      (#""to":{"field":"email","value":"u"},"group":"abc""#, 422),
      (#""to":{"field":"user_id"},"group":"abc""#, 422),
      (#""to":{"field":"user_id","value":5},"group":"abc""#, 400),
      (#""to":{"field":"user_id","value":"u"}"#, 422),
      (#""to":{"field":"user_id","value":"u"},"group":"ab""#, 422),
      (#""to":{"field":"user_id","value":"u"},"group":"a b c""#, 422),
      (#""to":"*","group":"abc""#, 400),
      (
        #""to":{"field":"sid","value":"u"},"group":"abc","extra_filters":[{"name":"tags","criteria":["a"]}]"#,
        422
      ),
    ])
  func refused(members: String, status: Int) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.request(
      "POST", "/v6/transactional/notifications",
      body: #"{\#(members),"notification":{"payload":{"alert":"Hi"}}}"#)
    #expect(answer.status == status && answer.error.hasPrefix("$."))
  }

  @Test("a wait for a send reads the store often in its first second only")
  func pauses() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let sent = await fixture.send(["alert": "Hi"])
    let send = try #require(
      try await fixture.store.send(sent.json["id"]?.string ?? "", app: fixture.app.id))
    let slept = Mutex<[Duration]>([])
    let start = fixture.clock.now
    let clock = ServerClock(
      now: { slept.withLock { $0.reduce(start) { $0 + $1 } } },
      sleep: { pause in slept.withLock { $0.append(pause) } })
    let last = try await SendWatch(send: send, store: fixture.store, clock: clock)
      .wait(within: .milliseconds(1600)) { $0.state.isOver }
    #expect(!last.state.isOver)
    let expected = Array(repeating: 10, count: 100) + [250, 250, 100]
    #expect(slept.withLock(\.self) == expected.map { .milliseconds($0) })
  }

  @Test("a stream ends when its key is revoked")
  func revokedStream() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let sent = await fixture.send(["alert": "Hi"])
    let send = try #require(
      try await fixture.store.send(sent.json["id"]?.string ?? "", app: fixture.app.id))
    let key = try #require(
      try await fixture.store.keys(app: fixture.app.id).first { $0.role == .push })
    var watch = SendWatch(send: send, store: fixture.store, clock: fixture.clock.serverClock)
    watch.isAllowed = fixture.router.isAdmitted(key)
    var events = watch.events().makeAsyncIterator()
    #expect(await events.next() != nil)
    try await fixture.store.revokeKey(key.id, app: fixture.app.id)
    try await until { fixture.clock.sleeperCount == 1 }
    fixture.clock.advance(by: .seconds(1))
    #expect(await events.next() == nil)
  }

  @Test("a stream has each state of a send, and ends with it")
  func stream() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    try await serve(fixture) { url in
      let sent = try await curl(
        "POST", url + "/v6/notifications", key: fixture.keys[.push],
        body: #"{"notification":{"to":"*","payload":{"alert":"Hi"},"scheduled_at":"2100-01-01"}}"#)
      let path = url + "/v6/notifications/\(sent.json["id"]?.string ?? "")"
      async let events = curl("GET", path + "/stream", key: fixture.keys[.push])
      // The cancel races with the stream, which always ends with the last state.
      let canceled = try await curl("DELETE", path, key: fixture.keys[.push])
      #expect(canceled.json["state"] == "canceled")
      let text = String(decoding: try await events.body, as: UTF8.self)
      let last = text.split(separator: "\n\n").last ?? ""
      #expect(last.hasPrefix("data: ") && text.hasSuffix("\n\n"))
      #expect((try? JSONValue(parsing: String(last.dropFirst(6))))?["state"] == "canceled")
    }
  }
}

/// Time that passes by being slept through, as far as it may; it starts where the fixture's stands.
private final class SleptTime: Sendable {
  private let state = Mutex((now: ManualClock().now, end: ManualClock().now))

  var serverClock: ServerClock {
    ServerClock(now: { self.state.withLock { $0.now } }, sleep: { try await self.sleep($0) })
  }

  func isTransient(_ duration: Duration) { state.withLock { $0.end = $0.end + duration } }

  private func sleep(_ duration: Duration) async throws {
    try await until {
      self.state.withLock { state in
        guard state.now + duration <= state.end else { return false }
        state.now = state.now + duration
        return true
      }
    }
  }
}

/// A sender that answers when the test says so.
private final class LateApple: PushSender {
  private let kind: APNsOutcome.Kind
  private let gate = AsyncStream<Void>.makeStream()
  private let taken = Mutex(0)

  init(_ kind: APNsOutcome.Kind) { self.kind = kind }

  var count: Int { taken.withLock(\.self) }

  func answer() { gate.continuation.finish() }

  func send(
    _ pushes: [APNsNotification], of sendClass: SendClass, for app: App, development: Bool
  ) async -> [APNsOutcome] {
    taken.withLock { $0 += pushes.count }
    for await _ in gate.stream {}
    return pushes.map { push in
      APNsOutcome(kind: kind, status: kind == .answered ? 200 : nil, apnsID: push.id)
    }
  }

  func close() async {}
}
