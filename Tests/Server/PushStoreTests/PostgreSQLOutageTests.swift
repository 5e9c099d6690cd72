import PushModel
import PushStore
import Synchronization
import TestSupport
import Testing

@Suite(
  "The PostgreSQL store when servers fail", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLOutageTests {
  @Test("a server that was killed and restarted has every acknowledged send")
  func restart() async throws {
    let cluster = try await PostgreSQLCluster(syncs: true)
    try await cluster.use { _ in
      let store = try await PostgreSQLPushStore(url: cluster.url, connections: 4)
      let fixture = try await StoreFixture(store, "kill")
      try await fixture.register(10)
      let writer = ContinuousWriter(in: fixture)
      await writer.progress()
      try await cluster.kill()
      try await cluster.start()
      await writer.progress()
      try await Self.expectAll(writer.stop(), in: fixture)
    }
  }

  @Test("a server that was killed and restarted has every acknowledged change of devices")
  func devices() async throws {
    let cluster = try await PostgreSQLCluster(syncs: true)
    try await cluster.use { _ in
      let store = try await PostgreSQLPushStore(url: cluster.url, connections: 4)
      let fixture = try await StoreFixture(store, "changes")
      let writers = DeviceWriters(32, in: fixture)
      await writers.progress()
      try await cluster.kill()
      try await cluster.start()
      await writers.progress()
      let acknowledged = try await writers.stop()
      let devices = try await store.devices(app: fixture.app, above: nil, limit: .max)
      #expect(devices.map(\.number) == devices.indices.map { UInt32($0 + 1) })
      let stored = Dictionary(uniqueKeysWithValues: devices.map { ($0.id, $0.badge) })
      for (id, badge) in acknowledged { #expect(stored[id] == badge) }
      // The log has a change for each that was acknowledged, without gaps.
      let last = try await store.lastChange(app: fixture.app)
      let changes = try await store.changes(app: fixture.app, after: 0, limit: .max)
      #expect(changes?.last == last)
      #expect(changes?.devices.count == devices.count)
    }
  }

  @Test("a synchronous standby of a primary that was killed has every acknowledged send")
  func promotion() async throws {
    let primary = try await PostgreSQLCluster()
    try await primary.use { _ in
      let standby = try await PostgreSQLCluster(following: primary)
      try await standby.use { _ in
        let store = try await PostgreSQLPushStore(url: primary.url(or: standby), connections: 4)
        let fixture = try await StoreFixture(store, "standby")
        try await fixture.register(10)
        let writer = ContinuousWriter(in: fixture)
        await writer.progress()
        try await primary.kill()
        try await standby.promote()
        await writer.progress()
        try await Self.expectAll(writer.stop(), in: fixture)
        try await fixture.drain(at: Sample.now)
        #expect(try await fixture.send("s0").state == .complete)
      }
    }
  }

  @Test("a probe tells a full disk, though its own write finds room")
  func fullDisk() async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url, connections: 1)
      let fixture = try await StoreFixture(store, "full")
      try await store.probe()
      try await cluster.query(
        """
        CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN RAISE EXCEPTION USING ERRCODE = ''53100'', MESSAGE = ''no space left''; END';
        """)
      try await cluster.query(
        "CREATE TRIGGER no_room BEFORE INSERT ON devices EXECUTE FUNCTION no_room()")
      await expect(.unwritable) { try await fixture.register(1) }
      await expect(.unwritable) { try await store.probe() }
    }
  }

  @Test("a server that takes no writes any more is left for the one that does")
  func failover() async throws {
    let old = try await PostgreSQLCluster()
    try await old.use { _ in
      let new = try await PostgreSQLCluster(following: old)
      try await new.use { _ in
        let store = try await PostgreSQLPushStore(url: old.url(or: new), connections: 1)
        let fixture = try await StoreFixture(store, "failover")
        try await fixture.register(1)
        try await new.promote()
        // It goes on, with its connections, as one that does not know yet that it is no primary any more.
        try await old.query("ALTER SYSTEM RESET synchronous_standby_names")
        try await old.query("ALTER SYSTEM SET default_transaction_read_only = on")
        try await old.query("SELECT pg_reload_conf()")
        let isReadOnly = "SHOW default_transaction_read_only"
        while try await old.query(isReadOnly) != "on" {}
        try await fixture.register(2)
        let count = try await new.query("SELECT count(*) FROM devices")
        #expect(count == "2")
      }
    }
  }

  /// Changes devices at once, each change repeated until it is acknowledged.
  private final class DeviceWriters: Sendable {
    /// The last badge that was acknowledged of each device.
    private let acknowledged = Mutex<[String: Int64]>([:])
    private let isOver = Mutex(false)
    private let tasks = Mutex<[Task<Void, any Error>]>([])

    init(_ count: Int, in fixture: StoreFixture) {
      let tasks = (0..<count).map { writer in
        Task {
          var number = 0
          while !self.isOver.withLock(\.self) {
            // A new device, and then a change of it.
            let (id, badge) = ("\(writer)-\(number / 2)", Int64(number))
            do {
              try await fixture.update(id) { $0.badge = .set(badge) }
              self.acknowledged.withLock { $0[id] = badge }
              number += 1
            } catch let error as StoreError where error.code == .unavailable {}
          }
        }
      }
      self.tasks.withLock { $0 = tasks }
    }

    /// Waits until changes of some more devices were acknowledged.
    func progress(by count: Int = 200) async {
      let goal = acknowledged.withLock(\.count) + count
      while acknowledged.withLock(\.count) < goal, !Task.isCancelled { await Task.yield() }
    }

    func stop() async throws -> [String: Int64] {
      isOver.withLock { $0 = true }
      for task in tasks.withLock(\.self) { try await task.value }
      return acknowledged.withLock(\.self)
    }
  }

  /// Accepts one send after the other, each repeated until it is acknowledged, before, during and
  /// after the outage.
  private final class ContinuousWriter: Sendable {
    private let acknowledged = Mutex<[String]>([])
    private let isOver = Mutex(false)
    private let task = Mutex<Task<Void, any Error>?>(nil)

    init(in fixture: StoreFixture) {
      let task = Task {
        var number = 0
        while !self.isOver.withLock(\.self) {
          do {
            // With the key, a repeat of a send that may have been committed is the same send.
            let id = "s\(number)"
            try await fixture.accept(id) { $0.idempotencyKey = id }
            self.acknowledged.withLock { $0.append(id) }
            number += 1
          } catch let error as StoreError where error.code == .unavailable {}
        }
      }
      self.task.withLock { $0 = task }
    }

    /// Waits until some more sends were acknowledged.
    func progress(by count: Int = 10) async {
      let goal = acknowledged.withLock(\.count) + count
      while acknowledged.withLock(\.count) < goal, !Task.isCancelled { await Task.yield() }
    }

    func stop() async throws -> [String] {
      isOver.withLock { $0 = true }
      try await task.withLock(\.self)?.value
      return acknowledged.withLock(\.self)
    }
  }

  private static func expectAll(_ sends: [String], in fixture: StoreFixture) async throws {
    #expect(sends.count >= 20)
    for id in sends { #expect(try await fixture.send(id).counts.targeted == 10) }
    let total = try await fixture.store.sends(app: fixture.app, after: nil, limit: 1).total
    #expect(total == sends.count)
  }
}
