import APNs
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("The lanes of a node", .timeLimit(.minutes(10)))
struct LaneTests {
  @Test("a retry is sent when it is due, and not when the lease would have ended")
  func retried() async throws {
    let fixture = try await Fixture()
    try await fixture.register("device")
    fixture.apple.answer { APNsOutcome(kind: .neverSent, apnsID: $0.id) }
    let dispatcher = fixture.dispatcher()
    let run = Task { await dispatcher.run() }
    _ = await fixture.send(["alert": "Hi"])
    let due = fixture.clock.now + .seconds(1)
    dispatcher.signal()
    try await until { fixture.clock.nextWaking == due }
    fixture.apple.answer { APNsOutcome(kind: .answered, status: 200, apnsID: $0.id) }
    fixture.clock.advance(by: .seconds(1))
    try await until { fixture.apple.taken.count == 2 }
    dispatcher.stop()
    await run.value
  }

  private static func batch(ofApp number: Int64) -> Batch {
    let app = App(
      id: "app-\(number)", name: "App", bundleID: "com.example.app", teamID: "T", keyID: "K",
      sealedKey: [], createdAt: at(0))
    let send = Send(
      id: "send", messageID: "m", app: app.id, audience: "all", payload: ["alert": "Hi"],
      createdAt: at(0))
    return Batch(
      id: 1, app: app, appNumber: number, lease: 1, fruitlessAttempts: 0, send: send, targets: [])
  }

  private static func at(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: milliseconds)
  }

  @Test("a lane that is full for a second has as much extra room, for apps with no batch in flight")
  func extraRoom() throws {
    let lane = try #require(Lane.all(workers: 2).last)
    let (stuck, second, third) = (
      Self.batch(ofApp: 1), Self.batch(ofApp: 2), Self.batch(ofApp: 3)
    )
    for _ in 0..<2 {
      #expect(lane.takeRoom(at: Self.at(0)) == .free(excluding: []))
      lane.leased(stuck)
    }
    #expect(lane.takeRoom(at: Self.at(0)) == .taken(wait: .seconds(1)))
    #expect(lane.takeRoom(at: Self.at(999)) == .taken(wait: .milliseconds(1)))
    #expect(lane.takeRoom(at: Self.at(1000)) == .free(excluding: [1]))
    lane.leased(second)
    // After a search that has found nothing, the next one is made a second later or at the end of a batch.
    #expect(lane.takeRoom(at: Self.at(1000)) == .free(excluding: [1, 2]))
    lane.returnRoom(at: Self.at(1000))
    #expect(lane.takeRoom(at: Self.at(1999)) == .taken(wait: .milliseconds(1)))
    lane.ended(second, at: Self.at(1999))
    #expect(lane.takeRoom(at: Self.at(1999)) == .free(excluding: [1]))
    lane.leased(second)
    #expect(lane.takeRoom(at: Self.at(1999)) == .free(excluding: [1, 2]))
    lane.leased(third)
    #expect(lane.takeRoom(at: Self.at(9999)) == .taken(wait: .seconds(1)))
    for batch in [second, third, stuck] { lane.ended(batch, at: Self.at(9999)) }
    #expect(lane.takeRoom(at: Self.at(9999)) == .free(excluding: []))
  }

  @Test("a clock that is set back makes the wait for extra room no longer than a second")
  func clockSetBack() throws {
    let lane = try #require(Lane.all(workers: 1).last)
    #expect(lane.takeRoom(at: Self.at(3_600_000)) == .free(excluding: []))
    lane.leased(Self.batch(ofApp: 1))
    #expect(lane.takeRoom(at: Self.at(0)) == .taken(wait: .seconds(1)))
    #expect(lane.takeRoom(at: Self.at(1000)) == .free(excluding: [1]))
  }

  @Test(
    "an app whose pushes Apple does not answer holds up no push of another app",
    arguments: SendClass.allCases)
  func stuckApp(sendClass: SendClass) async throws {
    let fixture = try await Fixture()
    try await fixture.register("device")
    let other = try await fixture.makeOtherApp().app
    var patch = DevicePatch()
    patch.token = .set(Fixture.token("other"))
    _ = try await fixture.store.update(device: "other", app: other.id, patch, at: fixture.clock.now)
    func accept(_ id: String, of app: App) async throws {
      var send = Send(
        id: id, messageID: "m-" + id, app: app.id, audience: "all", payload: ["alert": "Hi"],
        createdAt: fixture.clock.now)
      send.namedClass = sendClass
      let everyone = Audience(id: "all", app: app.id, filters: [], createdAt: fixture.clock.now)
      _ = try await fixture.store.accept(send, to: everyone)
    }
    let stuckID = fixture.app.id
    let sender = HalfStuckSender(fixture.apple) { _, app in app.id == stuckID }
    let dispatcher = fixture.dispatcher(sender)
    // One more than the node has room for.
    let room = sendClass == .transactional ? 64 : 1
    for number in 0...room { try await accept("stuck-\(number)", of: fixture.app) }
    let running = Task { await dispatcher.run() }
    dispatcher.signal()
    try await until { sender.held == room }
    try await accept("free", of: other)
    dispatcher.signal()
    let end = fixture.clock.now + Lane.patience
    try await until { fixture.clock.nextWaking == end }
    fixture.clock.advance(by: Lane.patience)
    try await until { try await fixture.store.send("free", app: other.id)?.state == .complete }
    #expect(sender.held == room)
    sender.release()
    dispatcher.stop()
    await running.value
  }
}
