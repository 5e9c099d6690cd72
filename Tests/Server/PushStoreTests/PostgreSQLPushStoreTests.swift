import Foundation
import PushPayload
import TestSupport
import Testing
import _PostgreSQL

@testable import PushModel
@testable import PushStore

// All behaviours on one store take minutes where other tests use the processors too.
@Suite(
  "The PostgreSQL store", .serialized, .timeLimit(.minutes(40)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLPushStoreTests {
  @Test("does what every store does")
  func conformance() async throws {
    try await PostgreSQLCluster().use { cluster in
      try await checkConformance(
        of: PostgreSQLPushStore(url: cluster.url, leaseClock: .caller))
    }
  }

  @Test("text with U+0000 is refused in columns and in JSON, and nothing is stored")
  func zero() async throws {
    try await PostgreSQLCluster().use { cluster in
      let fixture = try await StoreFixture(
        PostgreSQLPushStore(url: cluster.url, connections: 1), "zero")
      await expect(.refused) { try await fixture.update("d") { $0.userID = .set("a\0b") } }
      await expect(.refused) { try await fixture.update("d") { $0.tags = .set(["a\0b"]) } }
      #expect(try await fixture.store.device("d", app: fixture.app) == nil)
      try await fixture.update("d") { $0.tags = .set(["a"]) }
    }
  }

  @Test("of many changes at once, only those with U+0000 are refused")
  func zeros() async throws {
    try await PostgreSQLCluster().use { cluster in
      let fixture = try await StoreFixture(PostgreSQLPushStore(url: cluster.url), "zeros")
      let refused = await withTaskGroup(of: Int?.self) { group in
        for number in 0..<100 {
          group.addTask {
            do {
              try await fixture.update("d\(number)") {
                $0.tags = .set([number.isMultiple(of: 9) ? "a\0b" : "a"])
              }
              return nil
            } catch {
              return (error as? StoreError)?.code == .refused ? number : -1
            }
          }
        }
        return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
      }
      #expect(refused.sorted() == Array(stride(from: 0, to: 100, by: 9)))
      #expect(try await fixture.store.deviceCount(app: fixture.app) == 88)
      #expect(try await fixture.store.lastChange(app: fixture.app) == 88)
    }
  }

  @Test("changes of many nodes at once all appear in the log, none before one that was read")
  func changeLog() async throws {
    try await PostgreSQLCluster().use { cluster in
      let first = try await StoreFixture(PostgreSQLPushStore(url: cluster.url), "log")
      let second = StoreFixture(existing: try await PostgreSQLPushStore(url: cluster.url), "log")
      async let read = Self.follow(first, until: 200)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (node, fixture) in [first, second].enumerated() {
          for number in 0..<100 {
            group.addTask { try await fixture.update("\(node)-\(number)") }
          }
        }
        try await group.waitForAll()
      }
      let seen = try await read
      #expect(seen == Set(1...200))
      #expect(try await first.store.lastChange(app: "log") == 200)
    }
  }

  private static func follow(_ fixture: StoreFixture, until count: Int) async throws -> Set<UInt32>
  {
    var seen: Set<UInt32> = []
    var last: Int64 = 0
    while seen.count < count, !Task.isCancelled {
      let changes = try #require(
        try await fixture.store.changes(app: fixture.app, after: last, limit: 7))
      seen.formUnion(changes.devices)
      last = changes.last
    }
    return seen
  }

  @Test("devices of an app that another node deleted and added again are those of the new app")
  func addedAgain() async throws {
    try await PostgreSQLCluster().use { cluster in
      let node = try await StoreFixture(PostgreSQLPushStore(url: cluster.url), "again")
      try await StoreFixture(node.store, "other").update("o")
      for id in ["a", "b", "c"] { try await node.update(id) }
      let other = try await PostgreSQLPushStore(url: cluster.url)
      _ = try await other.deleteApp("again")
      // The node knows the number of the app that is gone.
      await expect(.notFound) { try await node.update("c") }
      _ = try await StoreFixture(other, "again")
      try await node.update("b")
      try await node.update("a")
      try await node.update("b")
      for store in [node.store, other] {
        #expect(try await store.device("b", app: "again")?.number == 1)
        #expect(try await store.device("a", app: "again")?.number == 2)
        #expect(try await store.device("c", app: "again") == nil)
        #expect(try await store.lastChange(app: "again") == 3)
      }
    }
  }

  @Test("reports of an app that another node deleted and added again count for the new app")
  func reportedAgain() async throws {
    try await PostgreSQLCluster().use { cluster in
      let node = try await StoreFixture(PostgreSQLPushStore(url: cluster.url), "again")
      // With the greatest number, so that the app gets another one when it is added again.
      _ = try await StoreFixture(node.store, "other")
      let other = try await PostgreSQLPushStore(url: cluster.url)
      func send(_ fixture: StoreFixture) async throws {
        try await fixture.register(2)
        try await fixture.accept("s")
        try await fixture.drain()
      }
      func report(_ event: Receipt.Event) async throws -> Int {
        let receipt = Receipt(
          id: "\(event)", send: "s", device: "again-1", event: event, at: Sample.now)
        return try await node.store.record([receipt], app: "again", at: Sample.now)
      }
      try await send(node)
      #expect(try await report(.displayed) == 1)
      _ = try await other.deleteApp("again")
      // The node knows the number of the app that is gone.
      #expect(try await report(.displayed) == 0)
      try await node.store.recordOpen(device: "again-1", app: "again", at: Sample.now)
      try await send(StoreFixture(other, "again"))
      #expect(try await report(.displayed) == 1)
      #expect(try await report(.displayed) == 0)
      #expect(try await report(.opened) == 1)
      try await node.store.recordOpen(device: "again-0", app: "again", at: Sample.now)
      let counted = try #require(try await other.send("s", app: "again"))
      #expect(counted.counts.displayed == 1)
      #expect(counted.counts.opened == 1)
      for device in ["again-0", "again-1"] {
        #expect(try await other.device(device, app: "again")?.lastOpenedAt == Sample.now)
      }
    }
  }

  @Test("leases are kept by the database's clock, whatever a node's clock says")
  func clock() async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url)
      let fixture = try await StoreFixture(store, "clock")
      try await fixture.register(1)
      try await fixture.accept("c")
      // This node is years behind the database, by whose clock the send is due.
      let batch = try #require(try await fixture.lease())
      // By the clock of another node the lease lapsed long ago.
      #expect(try await fixture.lease(at: Sample.now + .seconds(1_000_000), owner: "b") == nil)
      // The wait is that of the database, whatever this node's clock was at the lease.
      for now in [Sample.now, Sample.now + .seconds(-3600), Sample.now + .seconds(1_000_000)] {
        let next = try #require(try await store.nextBatchTime(at: now))
        #expect(next > now && next <= now + .seconds(1))
      }
      try await fixture.finish(batch)
      #expect(try await fixture.send("c").state == .complete)
    }
  }

  @Test(
    "what is due at once is leased at once, though the clock of the node that accepts it is ahead or behind",
    arguments: [Duration.seconds(3600), .seconds(-3600)])
  func nodeAhead(difference: Duration) async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url)
      let fixture = try await StoreFixture(store, "ahead")
      try await fixture.register(1)
      let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
      let ahead = now + difference
      try await fixture.accept("later") { send in
        (send.createdAt, send.scheduledAt) = (ahead, max(now, ahead) + .seconds(600))
      }
      try await fixture.accept("at once") { $0.createdAt = ahead }
      #expect(try await fixture.lease(at: now, owner: "other")?.send.id == "at once")
      #expect(try await fixture.lease(at: now, owner: "other") == nil)
    }
  }

  @Test(
    "a start is leased, though the clock of the node that accepts it is further behind than its life"
  )
  func startOfNodeBehind() async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url)
      let fixture = try await StoreFixture(store, "behind")
      try await fixture.register(1)
      let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
      let behind = now + .seconds(-1200)
      let token = ActivityToken(
        .start(type: "Order"), device: "behind-0", type: "Order", token: "aa")
      #expect(try await store.register(token, app: fixture.app, at: behind))
      try await fixture.accept("start") { send in
        send.activity = ActivityPush(id: "order-1", event: .start, type: "Order", priority: 10)
        (send.createdAt, send.expiresAt) = (behind, behind + KeptPush.startLife)
      }
      #expect(try await fixture.lease(at: behind)?.send.id == "start")
    }
  }

  @Test(
    "a call of a webhook is due at once and again after its wait, whatever the clock of its node says",
    arguments: [Duration.seconds(3600), .seconds(-3600)])
  func callOfNodeAhead(difference: Duration) async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url)
      let fixture = try await StoreFixture(store, "ahead")
      let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
      let other = now + difference
      try await store.add(
        Webhook(
          id: "hook", app: fixture.app, url: "https://example.com", events: ["sent"],
          sealedSecret: [1], createdAt: now))
      _ = try await store.enqueue(
        WebhookNotice(app: fixture.app, event: "sent", data: [:], at: other))
      func lease(at time: Timestamp) async throws -> WebhookCall? {
        try await store.leaseWebhookCall(owner: "a", at: time, until: time + .seconds(60))
      }
      let call = try #require(try await lease(at: now))
      try await store.finish(call, retryAt: other + .seconds(900), at: other)
      #expect(try await lease(at: now) == nil)
      let due = try await store.backlog(ofWebhook: "hook", app: fixture.app)?.dueAt
      let wait = try #require(due).since(now)
      #expect(wait >= .seconds(900) && wait < .seconds(1800))
    }
  }

  @Test("a node is notified of a send that another node accepted, paused or ended")
  func announcements() async throws {
    try await PostgreSQLCluster().use { cluster in
      let first = try await PostgreSQLPushStore(url: cluster.url)
      let second = try await PostgreSQLPushStore(url: cluster.url)
      let fixture = try await StoreFixture(first, "notified")
      try await fixture.register(3)
      var announcements = try #require(second.announcements()).makeAsyncIterator()
      // The first element says that the node listens.
      #expect(await announcements.next() != nil)
      try await fixture.accept("h")
      #expect(await announcements.next() != nil)
      for order in [SendLifecycle.Order.pause, .resume, .cancel] {
        _ = try await first.order(order, send: "h", app: fixture.app, at: Sample.now)
        #expect(await announcements.next() != nil)
      }
      // The node listens again after an outage.
      try await cluster.stop()
      try await cluster.start()
      #expect(await announcements.next() != nil)
    }
  }

  @Test("a node without notifications polls soon")
  func silence() async throws {
    try await PostgreSQLCluster().use { cluster in
      let first = try await PostgreSQLPushStore(url: cluster.url)
      let second = try await PostgreSQLPushStore(url: cluster.url)
      let fixture = try await StoreFixture(first, "polling")
      let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
      // Nothing waits, and there is still a time for the next poll.
      let idle = try #require(try await second.nextBatchTime(at: now))
      #expect(idle < now + .seconds(60))
      try await fixture.register(1)
      try await fixture.accept("u")
      let lease = try await second.leaseBatch(
        LeaseRequest(owner: "second", at: now, until: now + .seconds(30)))
      #expect(lease?.send.id == "u")
    }
  }

  @Test("concurrent requests with one idempotency key are one send")
  func idempotency() async throws {
    try await PostgreSQLCluster().use { cluster in
      let fixture = try await StoreFixture(PostgreSQLPushStore(url: cluster.url), "twice")
      try await fixture.register(3)
      let accepted = try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<8 {
          group.addTask { try await fixture.accept("s\(number)") { $0.idempotencyKey = "k" }.id }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(accepted.count == 1)
      #expect(try await fixture.store.sends(app: "twice", after: nil, limit: 10).total == 1)
    }
  }

  @Test("a batch of a node that failed is finished by other nodes once its lease has lapsed")
  func nodes() async throws {
    try await PostgreSQLCluster().use { cluster in
      let first = try await PostgreSQLPushStore(url: cluster.url, leaseClock: .caller)
      let second = try await PostgreSQLPushStore(url: cluster.url, leaseClock: .caller)
      let third = try await PostgreSQLPushStore(url: cluster.url, leaseClock: .caller)
      let nodes = [
        try await StoreFixture(first, "nodes"), StoreFixture(existing: second, "nodes"),
        StoreFixture(existing: third, "nodes"),
      ]
      try await nodes[0].register(5000)
      try await nodes[0].accept("n")
      let dying = try #require(try await nodes[0].lease(owner: "dead"))
      var delivered: [UInt32] = []
      for now in [Sample.now, Sample.now + .seconds(61)] {
        try await withThrowingTaskGroup(of: [UInt32].self) { group in
          for (owner, fixture) in nodes.dropFirst().enumerated() {
            group.addTask { try await Self.work(in: fixture, as: "\(owner)", at: now) }
          }
          for try await numbers in group { delivered += numbers }
        }
        let isLapsed = now > Sample.now
        #expect(try await nodes[1].send("n").counts.sent == (isLapsed ? 5000 : 5000 - Batch.limit))
        #expect(try await nodes[1].send("n").state == (isLapsed ? .complete : .sending))
      }
      // The outcomes of the failed node are recorded already.
      try await nodes[0].finish(dying)
      #expect(try await nodes[0].send("n").counts.sent == 5000)
      #expect(delivered.count == 5000)
      #expect(Set(delivered).count == 5000)
    }
  }

  /// Finishes the due batches, and returns the devices.
  private static func work(
    in fixture: StoreFixture, as owner: String, at now: Timestamp
  ) async throws -> [UInt32] {
    var delivered: [UInt32] = []
    while let batch = try await fixture.lease(at: now, owner: owner) {
      delivered += batch.targets.map(\.number)
      try await fixture.finish(batch, at: now)
    }
    return delivered
  }
}
