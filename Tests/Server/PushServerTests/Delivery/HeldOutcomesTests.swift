import APNs
import PushModel
import PushPayload
import PushStore
import Synchronization
import TestSupport
import Testing
import _SQLite

@testable import PushServer

@Suite("Outcomes that the store does not accept", .timeLimit(.minutes(10)))
struct HeldOutcomesTests {
  private struct World {
    let fixture: Fixture
    let store: SQLitePushStore
    let clock = ManualClock()
    let lines = Lines()
    let id: String

    /// Enough devices for several batches, so that a worker could lease another one.
    init(devices: Int) async throws {
      fixture = try await Fixture()
      store = try SQLitePushStore(path: fixture.store.path, busyTimeout: .zero)
      let imported = (0..<devices).map { number in
        ImportedDevice(id: "d\(number)", token: Fixture.token("d\(number)"), patch: DevicePatch())
      }
      try await store.importDevices(imported, app: fixture.app.id, at: fixture.clock.now)
      id = await fixture.send(["alert": "Hi"]).json["notification"]?["id"]?.string ?? ""
    }

    func dispatcher(_ sender: any PushSender, workers: Int = 1) -> Dispatcher {
      Dispatcher(
        store: store, sender: sender, clock: fixture.clock.serverClock, workers: workers,
        log: { [lines] line in lines.all.withLock { $0.append(line) } })
    }

    /// Advances the clock until a condition holds.
    func wait(_ isThere: () -> Bool) async throws {
      try await until {
        fixture.clock.advance(by: .seconds(1))
        return isThere()
      }
    }

    func expectEachOnce(_ pushes: [FakeApple.Taken], devices: Int) async throws {
      #expect(pushes.count == devices)
      #expect(Set(pushes.map(\.push.id)).count == devices)
      let send = try #require(try await store.send(id, app: fixture.app.id))
      #expect(send.state == .complete)
      #expect(send.counts.sent == devices)
    }
  }

  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
    func count(_ words: String) -> Int { all.withLock { $0.count { $0.contains(words) } } }
  }

  @Test(
    "outcomes are stored when a database that was locked beyond the lease is free, and no push is repeated"
  )
  func locked() async throws {
    let world = try await World(devices: 2 * Batch.limit + 500)
    let stuck = StuckSender()
    let dispatcher = world.dispatcher(stuck)
    let run = Task { await dispatcher.sendDueBatches() }
    await stuck.reached()
    let other = try SQLiteConnection(path: world.store.path, busyTimeout: .zero)
    try other.execute("BEGIN IMMEDIATE")
    stuck.release()
    // Longer than a lease, while the process runs.
    let until = world.fixture.clock.now + LeaseRenewal.leaseDuration * 3
    try await world.wait {
      world.fixture.clock.now > until && world.lines.count("locked by another process") > 3
    }
    #expect(stuck.taken.count == Batch.limit)
    // Another worker of this node leases nothing meanwhile.
    #expect(await dispatcher.sendDueBatches() != nil)
    #expect(stuck.taken.count == Batch.limit)
    try other.execute("ROLLBACK")
    let rest = Task { for _ in 0..<2 { stuck.release() } }
    try await world.wait { stuck.taken.count == 2 * Batch.limit }
    stuck.release()
    try await world.wait { stuck.taken.count == 2 * Batch.limit + 500 }
    stuck.release()
    await rest.value
    _ = await run.value
    _ = await dispatcher.sendDueBatches()
    try await world.expectEachOnce(stuck.taken, devices: 2 * Batch.limit + 500)
  }

  @Test("with a full disk nothing is sent twice, and delivery goes on when there is room")
  func full() async throws {
    let world = try await World(devices: Batch.limit + 500)
    // Different outcomes take more room than equal ones.
    world.fixture.apple.answer { push in
      APNsOutcome(
        kind: .answered, status: 400, reason: APNsReason(rawValue: "Odd\(push.deviceToken)"),
        apnsID: push.id)
    }
    let dispatcher = world.dispatcher(world.fixture.apple)
    try await world.store.writer.read { connection in
      try connection.execute("PRAGMA max_page_count = 1")
    }
    let run = Task { await dispatcher.sendDueBatches() }
    let until = world.fixture.clock.now + LeaseRenewal.leaseDuration * 4
    try await world.wait {
      world.fixture.clock.now > until && world.lines.count("is full; make room") > 3
    }
    let taken = world.fixture.apple.taken.count
    #expect(taken == Batch.limit)
    try await world.store.writer.read { connection in
      try connection.execute("PRAGMA max_page_count = 1000000")
    }
    let ended = Mutex(false)
    let watch = Task {
      _ = await run.value
      ended.withLock { $0 = true }
    }
    try await world.wait { ended.withLock(\.self) }
    await watch.value
    _ = await dispatcher.sendDueBatches()
    #expect(world.fixture.apple.taken.count == Batch.limit + 500)
    #expect(Set(world.fixture.apple.taken.map(\.push.id)).count == Batch.limit + 500)
    let send = try #require(try await world.store.send(world.id, app: world.fixture.app.id))
    #expect(send.state == .complete)
    #expect(send.counts.rejected == Batch.limit + 500)
  }

  @Test("the warning that Apple does not answer is logged once a minute, with the client's message")
  func outage() async throws {
    let world = try await World(devices: 10)
    world.fixture.apple.answer {
      APNsOutcome(kind: .neverSent, apnsID: $0.id, message: "no route to host")
    }
    let dispatcher = world.dispatcher(world.fixture.apple)
    func pass(_ seconds: Int) async {
      let end = world.fixture.clock.now + .seconds(seconds)
      while world.fixture.clock.now < end {
        let wait = await dispatcher.sendDueBatches() ?? .seconds(1)
        world.fixture.clock.advance(by: wait)
      }
    }
    await pass(50)
    #expect(world.lines.count("Apple is out of reach: no route to host") == 1)
    await pass(60)
    #expect(world.lines.count("Apple is out of reach: no route to host") == 2)
  }

  @Test("a stopping node gives up after some attempts")
  func stopped() async throws {
    let world = try await World(devices: 10)
    let stuck = StuckSender()
    let dispatcher = world.dispatcher(stuck)
    let run = Task { await dispatcher.run() }
    await stuck.reached()
    let other = try SQLiteConnection(path: world.store.path, busyTimeout: .zero)
    try other.execute("BEGIN IMMEDIATE")
    dispatcher.stop()
    stuck.release()
    let ended = Mutex(false)
    let watch = Task {
      await run.value
      ended.withLock { $0 = true }
    }
    try await world.wait { ended.withLock(\.self) }
    await watch.value
    #expect(
      world.lines.count("delivery failed, left to the next node: the database is locked") == 1)
    try other.execute("ROLLBACK")
  }

  @Test(
    "a send whose outcomes the store refuses is paused with the reason, and is resumed by a person")
  func refused() async throws {
    let world = try await World(devices: 10)
    let (store, app) = (world.store, world.fixture.app.id)
    let other = try SQLiteConnection(path: store.path, busyTimeout: .zero)
    try other.execute(
      """
      CREATE TRIGGER odd BEFORE UPDATE OF outcomes ON batches
      BEGIN SELECT RAISE(ABORT, 'odd rows'); END
      """)
    let dispatcher = world.dispatcher(world.fixture.apple)
    let ended = Mutex(false)
    let run = Task {
      _ = await dispatcher.sendDueBatches()
      ended.withLock { $0 = true }
    }
    try await world.wait { ended.withLock(\.self) }
    await run.value
    let refusals = world.lines.count("the outcomes of a batch cannot be stored")
    #expect(refusals == OutcomeRecorder.refusalLimit - 1)
    let paused = try #require(try await store.send(world.id, app: app))
    #expect(paused.state == .paused && paused.counts.left == 10)
    #expect(paused.failure?.hasPrefix("Apple's answers cannot be stored: ") == true)
    world.fixture.clock.advance(by: .seconds(3600))
    #expect(await dispatcher.sendDueBatches() == nil)
    #expect(world.fixture.apple.taken.count == 10)

    try other.execute("DROP TRIGGER odd")
    _ = try await store.order(.resume, send: world.id, app: app, at: world.fixture.clock.now)
    #expect(await dispatcher.sendDueBatches() == nil)
    #expect(world.fixture.apple.taken.count == 20)
    #expect(Set(world.fixture.apple.taken.map(\.push.id)).count == 10)
    let send = try #require(try await store.send(world.id, app: app))
    #expect(send.state == .complete && send.counts.sent == 10)
  }
}
