import Foundation
import APNs
import PushModel
import PushPayload
import PushStore
import Synchronization
import TestSupport
import Testing

@testable import PushServer

enum RateLimiterProbe { static let burst = Int(RateLimiter.Rate.publicCaller.burst) }

@Suite("Delivery", .timeLimit(.minutes(10)))
struct DispatcherTests {
  @Test(
    "each answer of Apple finishes a device, retries it, or refuses the key",
    arguments: [
      (APNsOutcome(kind: .answered, status: 200, apnsID: ""), DeliveryDecision.finish(.sent)),
      (APNsOutcome(kind: .answered, status: 410, apnsID: ""), .finish(.uninstalled)),
      (
        APNsOutcome(kind: .answered, status: 400, reason: .badDeviceToken, apnsID: ""),
        .finish(.rejected)
      ),
      (APNsOutcome(kind: .answered, status: 413, apnsID: ""), .finish(.rejected)),
      (
        APNsOutcome(kind: .answered, status: 403, reason: .invalidProviderToken, apnsID: ""),
        .keyRefused(.invalidProviderToken)
      ),
      (
        APNsOutcome(kind: .answered, status: 403, reason: .expiredProviderToken, apnsID: ""),
        .keyRefused(.expiredProviderToken)
      ),
      (
        APNsOutcome(kind: .answered, status: 403, reason: .badEnvironmentKeyIdInToken, apnsID: ""),
        .finish(.rejected)
      ),
    ])
  func verdict(outcome: APNsOutcome, expected: DeliveryDecision) {
    #expect(DeliveryDecision(outcome) == expected)
  }

  @Test(
    "a temporary failure is retried after the wait that Apple asks for",
    arguments: [
      (APNsOutcome(kind: .answered, status: 429, apnsID: ""), 60),
      (APNsOutcome(kind: .answered, status: 500, apnsID: ""), 900),
      (APNsOutcome(kind: .answered, status: 503, apnsID: ""), 900),
      (APNsOutcome(kind: .neverSent, apnsID: ""), 1),
      (APNsOutcome(kind: .maybeSent, apnsID: ""), 1),
    ])
  func again(outcome: APNsOutcome, seconds: Int) {
    guard case .retry(let retry) = DeliveryDecision(outcome) else {
      Issue.record("it is not sent again")
      return
    }
    #expect(retry.delay == .seconds(seconds))
  }

  @Test("a batch that Apple answers with 5xx is retried after 15 minutes, then 30, up to an hour")
  func serverErrors() async throws {
    let fixture = try await Fixture()
    try await fixture.register("a")
    fixture.apple.answer { APNsOutcome(kind: .answered, status: 500, apnsID: $0.id) }
    _ = await fixture.send(["alert": "Hi"])
    let dispatcher = fixture.dispatcher()
    var waits: [Duration?] = []
    for _ in 0..<4 {
      let wait = await dispatcher.sendDueBatches()
      waits.append(wait)
      fixture.clock.advance(by: wait ?? .zero)
    }
    #expect(waits == [900, 1800, 3600, 3600].map { .seconds($0) })
    fixture.apple.answer { APNsOutcome(kind: .answered, status: 200, apnsID: $0.id) }
    #expect(await dispatcher.sendDueBatches() == nil)
  }

  @Test("the wait doubles from 1 s to 30 s")
  func delays() {
    let delays = (0..<8).map { DeliveryDecision.delay(afterFruitless: $0) }
    #expect(delays == [1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
  }

  @Test("the id of a push is a UUID that depends on its send and device only")
  func identity() {
    let id = Identifiers.apnsID(send: "s", device: "d")
    // The first 16 bytes of the SHA-256 of "s/d", so that a retry by another version has the same
    // id.
    #expect(id == "0333c65c-ea52-8669-9e2b-0497866d8840")
    #expect(id != Identifiers.apnsID(send: "s", device: "e"))
    let form = /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
    #expect(id.wholeMatch(of: form) != nil)
  }

  @Test("while Apple is out of reach nothing is lost, and a retry is the same push")
  func outage() async throws {
    let fixture = try await Fixture()
    for id in ["a", "b", "c"] { try await fixture.register(id) }
    fixture.apple.answer { APNsOutcome(kind: .neverSent, apnsID: $0.id) }
    let id = await fixture.send(["alert": "Hi"]).json["notification"]?["id"]?.string ?? ""
    let dispatcher = fixture.dispatcher()

    var waits: [Duration?] = []
    for _ in 0..<7 {
      let wait = await dispatcher.sendDueBatches()
      waits.append(wait)
      fixture.clock.advance(by: wait ?? .zero)
    }
    #expect(waits == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
    #expect(try await fixture.store.send(id, app: fixture.app.id)?.state == .sending)

    // Apple is back, but one answer is lost, and one device is to be retried later.
    let lost = Fixture.token("a")
    let busy = Fixture.token("b")
    fixture.apple.answer { push in
      switch push.deviceToken {
      case lost: APNsOutcome(kind: .maybeSent, apnsID: push.id)
      case busy: APNsOutcome(kind: .answered, status: 429, apnsID: push.id)
      default: APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
      }
    }
    // There were outcomes, so the wait is short again, but for the device that Apple put off.
    #expect(await dispatcher.sendDueBatches() == .seconds(1))
    fixture.clock.advance(by: .seconds(1))
    fixture.apple.answer { APNsOutcome(kind: .answered, status: 200, apnsID: $0.id) }
    #expect(await dispatcher.sendDueBatches() == .seconds(59))
    fixture.clock.advance(by: .seconds(59))
    #expect(await dispatcher.sendDueBatches() == nil)

    let send = try #require(try await fixture.store.send(id, app: fixture.app.id))
    #expect(send.state == .complete)
    #expect(send.counts.sent == 3)
    let byToken = Dictionary(grouping: fixture.apple.taken, by: \.push.deviceToken)
    #expect(
      byToken.mapValues(\.count) == [
        Fixture.token("a"): 9, Fixture.token("b"): 9, Fixture.token("c"): 8,
      ])
    for pushes in byToken.values {
      #expect(Set(pushes.map(\.push.id)).count == 1)
      #expect(Set(pushes.map(\.push.collapseID)) == [id])
    }
  }

  @Test("a warning is logged when Apple has not answered for 10 s, and again a minute later")
  func silentApple() async throws {
    let fixture = try await Fixture()
    try await fixture.register("a")
    _ = await fixture.send(["alert": "Hi"])
    let stuck = StuckSender()
    let lines = AsyncStream<String>.makeStream()
    let dispatcher = Dispatcher(
      store: fixture.store, sender: stuck, clock: fixture.clock.serverClock, workers: 1,
      log: { lines.continuation.yield("\((fixture.clock.now.milliseconds / 1000) % 1000): \($0)") })
    let run = Task { await dispatcher.sendDueBatches() }
    await stuck.reached()
    for _ in 0..<8 {
      // The lease's renewal sleeps until its next round.
      try await until { fixture.clock.sleeperCount == 1 }
      fixture.clock.advance(by: .seconds(10))
    }
    try await until { fixture.clock.sleeperCount == 1 }
    stuck.release()
    #expect(await run.value == nil)
    #expect(fixture.clock.sleeperCount == 0, "nobody looks after what has ended")
    lines.continuation.finish()
    var logged: [String] = []
    for await line in lines.stream { logged.append(line) }
    let words = "Apple has not answered a batch of pushes for 10 s; they wait"
    #expect(logged == ["10", "70"].map { "\($0): app \(fixture.app.id): \(words)" })
  }

  @Test("a batch of a killed process is sent only to the devices without an outcome")
  func restart() async throws {
    let fixture = try await Fixture()
    for number in 0..<20 { try await fixture.register("d\(number)") }
    let id = await fixture.send(["alert": "Hi"]).json["notification"]?["id"]?.string ?? ""

    // Ten devices are answered and ten are not; the second process is killed in the middle of a
    // batch.
    let answered = Set((0..<10).map { Fixture.token("d\($0)") })
    fixture.apple.answer { push in
      answered.contains(push.deviceToken)
        ? APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
        : APNsOutcome(kind: .neverSent, apnsID: push.id)
    }
    _ = await fixture.dispatcher().sendDueBatches()
    fixture.clock.advance(by: .seconds(1))
    let stuck = StuckSender()
    let dead = fixture.dispatcher(stuck)
    let deadRun = Task { await dead.sendDueBatches() }
    await stuck.reached()

    // The next process opens the same file.
    let store = try SQLitePushStore(path: fixture.store.path)
    let apple = FakeApple()
    let next = Dispatcher(
      store: store, sender: apple, clock: fixture.clock.serverClock, workers: 1)
    next.stop()
    await next.run()  // Releases the leases of the killed process, and stops.
    let after = Dispatcher(
      store: store, sender: apple, clock: fixture.clock.serverClock, workers: 1)
    #expect(await after.sendDueBatches() == nil)
    #expect(Set(apple.taken.map(\.push.deviceToken)).isDisjoint(with: answered))
    #expect(apple.taken.count == 10)

    // Even if the killed process stores its answers late, each device has one outcome.
    stuck.release()
    _ = await deadRun.value
    let outcomes = try await store.outcomes(of: id, app: fixture.app.id, after: nil).elements
    #expect(outcomes.count == 20)
    let send = try #require(try await store.send(id, app: fixture.app.id))
    #expect(send.state == .complete)
    #expect(send.counts.sent == 20)
    let ids = Dictionary(
      grouping: fixture.apple.taken + apple.taken + stuck.taken, by: \.push.deviceToken)
    for pushes in ids.values {
      #expect(Set(pushes.map(\.push.id)).count == 1)
      #expect(Set(pushes.map(\.push.collapseID)) == [id])
    }
  }

  @Test("500 devices with different outcomes are counted right")
  func counts() async throws {
    let fixture = try await Fixture()
    let devices = (0..<500).map { number in
      ImportedDevice(
        id: "d\(number)", token: Fixture.token("d\(number)"), patch: DevicePatch())
    }
    try await fixture.store.importDevices(devices, app: fixture.app.id, at: fixture.clock.now)
    let numbers = Dictionary(
      uniqueKeysWithValues: (0..<500).map { (Fixture.token("d\($0)"), $0) })
    let gone = Date(
      timeIntervalSince1970: Double(fixture.clock.now.milliseconds + 1) / 1000)
    fixture.apple.answer { push in
      switch (numbers[push.deviceToken] ?? 0) % 5 {
      case 0:
        APNsOutcome(
          kind: .answered, status: 410, reason: .unregistered, apnsID: push.id, timestamp: gone)
      case 1: APNsOutcome(kind: .answered, status: 400, reason: .badDeviceToken, apnsID: push.id)
      default: APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
      }
    }
    let id = await fixture.send(["alert": "Hi"]).json["notification"]?["id"]?.string ?? ""
    #expect(await fixture.dispatcher().sendDueBatches() == nil)
    let send = await fixture.request("GET", "/v6/notifications/\(id)").json
    #expect(send["state"] == "complete")
    #expect(send["counts"]?["targeted"] == 500)
    #expect(send["counts"]?["sent"] == 300)
    #expect(send["counts"]?["rejected"] == 100)
    #expect(send["counts"]?["uninstalled"] == 100)
    let reasons = try await fixture.store.outcomes(of: id, app: fixture.app.id, after: nil).elements
      .compactMap(\.reason)
    #expect(Set(reasons) == ["Unregistered", "BadDeviceToken"])

    // An uninstalled device is not sent to again.
    let next = await fixture.send(["alert": "Hi"]).json["notification"]?["id"]?.string ?? ""
    #expect(try await fixture.store.send(next, app: fixture.app.id)?.counts.targeted == 400)
  }

  @Test("development devices go to Apple's development host")
  func environments() async throws {
    let fixture = try await Fixture()
    try await fixture.register("p")
    try await fixture.register("d") { $0.isDevelopment = .set(true) }
    _ = await fixture.send(["alert": "Hi"])
    _ = await fixture.dispatcher().sendDueBatches()
    let byEnvironment = Dictionary(
      uniqueKeysWithValues: fixture.apple.taken.map { ($0.push.deviceToken, $0.isDevelopment) })
    #expect(byEnvironment == [Fixture.token("p"): false, Fixture.token("d"): true])
  }

  @Test("a key that the APNs client cannot read pauses the send with that reason")
  func badCredentials() async throws {
    let fixture = try await Fixture()
    try await fixture.register("device")
    let app = App(
      id: "bad", name: "Bad", bundleID: "com.example.bad", teamID: "T", keyID: "K",
      sealedKey: fixture.secretKey.seal("no key", for: "bad"),
      createdAt: fixture.clock.now)
    try await fixture.store.add(app, keys: [])
    var patch = DevicePatch()
    patch.token = .set("aabb")
    _ = try await fixture.store.update(device: "d", app: "bad", patch, at: fixture.clock.now)
    let audience = Audience(
      id: "all", app: "bad", filters: [], createdAt: fixture.clock.now)
    let send = Send(
      id: "bad-send", messageID: "m", app: "bad", audience: "all", payload: ["alert": "Hi"],
      createdAt: fixture.clock.now)
    _ = try await fixture.store.accept(send, to: audience)
    let sender = APNsSender(
      endpoints: .init(production: .custom(host: "127.0.0.1", port: 1)),
      secretKey: fixture.secretKey)
    #expect(await fixture.dispatcher(sender).sendDueBatches() == nil)
    let paused = try #require(try await fixture.store.send("bad-send", app: "bad"))
    #expect(paused.state == .paused)
    #expect(paused.failure?.hasPrefix("the app's key cannot be used") == true)
    #expect(paused.counts.left == 1)
  }

  @Test(
    "a throttled send is sent at its rate, stops while it is paused, and ends when it is canceled")
  func orders() async throws {
    let fixture = try await Fixture()
    for number in 0..<25 { try await fixture.register("d\(number)") }
    let app = fixture.app.id
    var send = Send(
      id: "slow", messageID: "m", app: app, audience: "all", payload: ["alert": "Hi"],
      createdAt: fixture.clock.now)
    send.throttlePerSecond = 5
    let everyone = Audience(id: "all", app: app, filters: [], createdAt: fixture.clock.now)
    _ = try await fixture.store.accept(send, to: everyone)
    let dispatcher = fixture.dispatcher()
    for taken in [5, 10] {
      #expect(await dispatcher.sendDueBatches() == .seconds(1))
      #expect(fixture.apple.taken.count == taken)
      fixture.clock.advance(by: .seconds(1))
    }
    func order(_ order: SendLifecycle.Order) async throws {
      let ordered = try await fixture.store.order(
        order, send: "slow", app: app, at: fixture.clock.now)
      #expect(ordered != nil)
    }
    try await order(.pause)
    #expect(await dispatcher.sendDueBatches() == nil)
    fixture.clock.advance(by: .seconds(3600))
    try await order(.resume)
    // After a pause there is no burst: at most the pushes of one more second.
    #expect(await dispatcher.sendDueBatches() == .seconds(1))
    #expect(fixture.apple.taken.count == 20)
    try await order(.cancel)
    fixture.clock.advance(by: .seconds(10))
    #expect(await dispatcher.sendDueBatches() == nil)
    #expect(fixture.apple.taken.count == 20)
    #expect(try await fixture.store.send("slow", app: app)?.state == .canceled)
  }

  @Test("the workers wake for a send, wait for a retry, and end when they are stopped")
  func loop() async throws {
    let fixture = try await Fixture()
    try await fixture.register("device")
    let dispatcher = fixture.dispatcher()
    let run = Task { await dispatcher.run() }
    _ = await fixture.send(["alert": "Hi"])
    dispatcher.signal()
    try await until { !fixture.apple.taken.isEmpty }
    dispatcher.stop()
    await run.value
    #expect(fixture.apple.taken.count == 1)
  }
}

/// Takes pushes and does not answer until it is released.
final class StuckSender: PushSender {
  private let arrived = AsyncStream<Void>.makeStream()
  private let released = AsyncStream<Void>.makeStream()
  private let pushes = Mutex<[FakeApple.Taken]>([])
  private let answer: FakeApple.Answer

  init(
    answer: @escaping FakeApple.Answer = {
      APNsOutcome(kind: .answered, status: 200, apnsID: $0.id)
    }
  ) {
    self.answer = answer
  }

  var taken: [FakeApple.Taken] { pushes.withLock(\.self) }

  func send(
    _ pushes: [APNsNotification], of sendClass: SendClass, for app: App, development: Bool
  ) async -> [APNsOutcome] {
    self.pushes.withLock {
      $0 += pushes.map { FakeApple.Taken(push: $0, isDevelopment: development) }
    }
    arrived.continuation.yield()
    for await _ in released.stream { break }
    return pushes.map(answer)
  }

  func reached() async { for await _ in arrived.stream { return } }
  func release() { released.continuation.yield() }
  func close() async {}
}
