import APNs
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("Delivery under a clock that jumps", .timeLimit(.minutes(10)))
struct ClockJumpTests {
  @Test("a clock set back between attempts delays them, and nothing is lost or doubled")
  func back() async throws {
    let fixture = try await Fixture()
    for number in 0..<5 { try await fixture.register("d\(number)") }
    fixture.apple.answer { APNsOutcome(kind: .neverSent, apnsID: $0.id) }
    _ = await fixture.send(["alert": "Hi"])
    let dispatcher = fixture.dispatcher()
    #expect(await dispatcher.sendDueBatches() == .seconds(1))
    fixture.clock.advance(by: .seconds(-3600))
    #expect(await dispatcher.sendDueBatches() == .seconds(3601))
    fixture.apple.answer { APNsOutcome(kind: .answered, status: 200, apnsID: $0.id) }
    fixture.clock.advance(by: .seconds(3601))
    #expect(await dispatcher.sendDueBatches() == nil)
    let byToken = Dictionary(grouping: fixture.apple.taken, by: \.push.deviceToken)
    #expect(byToken.count == 5)
    for pushes in byToken.values {
      #expect(pushes.count == 2)
      #expect(Set(pushes.map(\.push.id)).count == 1)
    }
  }

  @Test("a node that works on a batch keeps it, however long that takes")
  func extended() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    _ = await fixture.send(["alert": "Hi"])
    let stuck = StuckSender()
    let slow = fixture.dispatcher(stuck)
    let slowRun = Task { await slow.sendDueBatches() }
    await stuck.reached()
    let later = fixture.clock.now + LeaseRenewal.leaseDuration * 10
    while let end = try await fixture.store.nextBatchTime(at: fixture.clock.now), end < later {
      fixture.clock.advance(by: LeaseRenewal.leaseDuration / 3)
      await Task.yield()
    }
    stuck.release()
    #expect(await slowRun.value == nil)
    #expect(stuck.taken.count == 1 && fixture.apple.taken.isEmpty)
  }

  @Test("a node that slept for a day has lost its lease: both pushes are one, and one counts")
  func ahead() async throws {
    let fixture = try await Fixture()
    for number in 0..<5 { try await fixture.register("d\(number)") }
    let id = await fixture.send(["alert": "Hi"]).json["notification"]?["id"]?.string ?? ""
    let stuck = StuckSender()
    let asleep = ManualClock()
    let slow = Dispatcher(
      store: fixture.store, sender: stuck, clock: asleep.serverClock, workers: 1)
    let slowRun = Task { await slow.sendDueBatches() }
    await stuck.reached()
    fixture.clock.advance(by: .seconds(86_400))
    #expect(await fixture.dispatcher().sendDueBatches() == nil)
    stuck.release()
    #expect(await slowRun.value == nil)

    let send = try #require(try await fixture.store.send(id, app: fixture.app.id))
    #expect(send.state == .complete)
    #expect(send.counts.sent == 5)
    let ids = Dictionary(grouping: fixture.apple.taken + stuck.taken, by: \.push.deviceToken)
    for pushes in ids.values {
      #expect(pushes.count == 2)
      #expect(Set(pushes.map(\.push.id)).count == 1)
      #expect(Set(pushes.map(\.push.collapseID)) == [id])
    }
  }

  /// Accepts a send to one device, which is due in 600 seconds.
  private func scheduleInTenMinutes(_ fixture: Fixture) async throws {
    try await fixture.register("d")
    let app = fixture.app.id
    var send = Send(
      id: "later", messageID: "m", app: app, audience: "all", payload: ["alert": "Hi"],
      createdAt: fixture.clock.now)
    send.scheduledAt = fixture.clock.now + .seconds(600)
    let everyone = Audience(id: "all", app: app, filters: [], createdAt: fixture.clock.now)
    _ = try await fixture.store.accept(send, to: everyone)
  }

  @Test("a schedule is kept by the clock as it is then")
  func schedule() async throws {
    let fixture = try await Fixture()
    try await scheduleInTenMinutes(fixture)
    let dispatcher = fixture.dispatcher()
    #expect(await dispatcher.sendDueBatches() == .seconds(600))
    fixture.clock.advance(by: .seconds(-60))
    #expect(await dispatcher.sendDueBatches() == .seconds(660))
    fixture.clock.advance(by: .seconds(86_400))
    #expect(await dispatcher.sendDueBatches() == nil)
    #expect(fixture.apple.taken.count == 1)
  }

  @Test("a node asks again every few seconds, so a clock that is set ahead delays nothing for long")
  func set() async throws {
    let fixture = try await Fixture()
    try await scheduleInTenMinutes(fixture)
    let dispatcher = fixture.dispatcher()
    let run = Task { await dispatcher.run() }
    try await until { fixture.clock.nextWaking == fixture.clock.now + Dispatcher.longestWait }
    fixture.clock.set(ahead: .seconds(600))
    fixture.clock.advance(by: Dispatcher.longestWait)
    try await until { fixture.apple.taken.count == 1 }
    dispatcher.stop()
    await run.value
  }
}
