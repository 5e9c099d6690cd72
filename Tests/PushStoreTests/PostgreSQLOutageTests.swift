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
