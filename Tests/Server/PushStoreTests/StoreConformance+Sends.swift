import PushModel
import PushPayload
import Testing

let sendBehaviours = [
  StoreBehaviour("a send is found by either id, in its app only, with all of its properties") {
    store in
    let fixture = try await StoreFixture(store, "sends")
    try await fixture.update("d") { $0.token = .set("aa") }
    let accepted = try await fixture.accept("s") { send in
      send.scheduledAt = Sample.now + .seconds(5)
      send.isLocalTime = true
      send.expiresAt = Sample.now + .seconds(50)
      send.throttlePerSecond = 7
      send.idempotencyKey = "key"
      send.fingerprint = [1, 2]
      send.group = "group"
    }
    #expect(accepted.state == .scheduled)
    #expect(accepted.counts.targeted == 1)
    #expect(try await fixture.send("s") == accepted)
    #expect(try await store.send("message-s", app: fixture.app) == accepted)
    #expect(try await store.send("s", app: "none") == nil)
    #expect(try await store.audience("sends-all", app: fixture.app)?.filters == [])
    await expect(.conflict) { try await fixture.accept("s") }
    _ = try await store.order(.cancel, send: "s", app: fixture.app, at: Sample.now)
  },
  StoreBehaviour("a send without devices is complete") { store in
    let fixture = try await StoreFixture(store, "nobody")
    let send = try await fixture.accept("n")
    #expect(send.state == .complete)
    #expect(send.completedAt == Sample.now)
    #expect(try await fixture.send("n") == send)
    #expect(try await store.nextBatchTime(at: Sample.now) == nil)
  },
  StoreBehaviour("sends are listed by page, the newest first") { store in
    let fixture = try await StoreFixture(store, "listing")
    for number in 0..<3 { try await fixture.accept("list-\(number)") }
    let first = try await store.sends(app: fixture.app, after: nil, limit: 2)
    #expect(first.sends.map(\.id) == ["list-2", "list-1"])
    #expect(first.total == 3)
    let rest = try await store.sends(app: fixture.app, after: "list-1", limit: 2)
    #expect(rest.sends.map(\.id) == ["list-0"])
  },
  StoreBehaviour("concurrent requests of an app with one idempotency key are one send") { store in
    let fixture = try await StoreFixture(store, "idempotent")
    let other = try await StoreFixture(store, "idempotent-2")
    let ids: Set<String> = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<8 {
        group.addTask { try await fixture.accept("i\(number)") { $0.idempotencyKey = "k" }.id }
      }
      var ids: Set<String> = []
      for try await id in group { ids.insert(id) }
      return ids
    }
    #expect(ids.count == 1)
    #expect(try await store.sends(app: fixture.app, after: nil, limit: 10).total == 1)
    #expect(try await other.accept("i-other") { $0.idempotencyKey = "k" }.id == "i-other")
  },
  StoreBehaviour(
    "a send takes the place of a scheduled one, which is canceled with it or not at all"
  ) {
    store in
    let fixture = try await StoreFixture(store, "replacing")
    try await fixture.update("d") { $0.token = .set("aa") }
    let later = Sample.now + .seconds(60)
    try await fixture.accept("old") { $0.scheduledAt = later }
    @discardableResult
    func replace(_ old: String, by id: String, key: String? = nil) async throws -> Send {
      var send = Sample.send(id, app: fixture.app, audience: "replacing-all")
      (send.scheduledAt, send.idempotencyKey) = (later, key)
      let devices = DeviceNumbers(
        try await store.devices(app: fixture.app, above: nil, limit: 9).map(\.number))
      return try await store.accept(
        send, to: Sample.audience("replacing-all", app: fixture.app),
        segments: [Segment(dueAt: later, devices: devices)], replacing: old)
    }
    // The id is taken, so the scheduled one stays.
    await expect(.conflict) { try await replace("old", by: "old") }
    #expect(try await fixture.send("old").state == .scheduled)
    for _ in 0..<2 { #expect(try await replace("old", by: "new", key: "k").id == "new") }
    #expect(try await fixture.send("old").state == .canceled)
    await expect(.conflict) { try await replace("old", by: "other") }
    await expect(.conflict) { try await replace("none", by: "other") }
    let batch = try #require(try await fixture.lease(at: later))
    await expect(.conflict) { try await replace("new", by: "other") }
    #expect(try await store.send("other", app: fixture.app) == nil)
    try await fixture.finish(batch, at: later)
  },
  StoreBehaviour("each segment is sent when it is due") { store in
    let fixture = try await StoreFixture(store, "segments")
    let later = Sample.now + .seconds(3600)
    let send = try await store.accept(
      Sample.send("seg", app: fixture.app, audience: "seg-all"),
      to: Sample.audience("seg-all", app: fixture.app),
      segments: [
        Segment(dueAt: later, devices: DeviceNumbers([1, 4])),
        Segment(dueAt: Sample.now, devices: DeviceNumbers([2, 3])),
        Segment(dueAt: Sample.now, devices: DeviceNumbers()),
      ])
    #expect(send.counts.targeted == 4)
    let first = try #require(try await fixture.lease())
    // Devices that do not exist are targets without a token.
    #expect(first.targets.map(\.number) == [2, 3])
    #expect(first.targets.map(\.token) == [nil, nil])
    try await fixture.finish(first)
    #expect(try await fixture.lease() == nil)
    #expect(try await fixture.send("seg").state == .sending)
    #expect(try await store.nextBatchTime(at: Sample.now) == later)
    let second = try #require(try await fixture.lease(at: later))
    #expect(second.targets.map(\.number) == [1, 4])
    try await fixture.finish(second, at: later)
    #expect(try await fixture.send("seg").state == .complete)
    let outcome = try await store.outcome(of: "seg", app: fixture.app, device: 3)
    #expect(outcome?.result == .sent)
  },
  StoreBehaviour("a large segment is stored in parts, which are sent one after the other") {
    store in
    let fixture = try await StoreFixture(store, "parts")
    let limit = UInt32(Segment.partLimit)
    let later = Sample.now + .seconds(3600)
    _ = try await store.accept(
      Sample.send("parts", app: fixture.app, audience: "parts-all"),
      to: Sample.audience("parts-all", app: fixture.app),
      segments: [
        // At the limit, and one past it, whose last device is a part of its own.
        Segment(dueAt: later, devices: DeviceNumbers(1...limit)),
        Segment(dueAt: Sample.now, devices: DeviceNumbers(limit + 1...2 * limit + 1)),
      ])
    var sizes: [Int] = []
    var last: UInt32 = 0
    while let batch = try await fixture.lease() {
      sizes.append(batch.targets.count)
      if let number = batch.targets.last?.number { last = number }
      // A pause between the parts keeps the one that has not begun waiting.
      if sizes.count == 2 {
        for order in [SendLifecycle.Order.pause, .resume] {
          _ = try await store.order(order, send: "parts", app: fixture.app, at: Sample.now)
        }
      }
    }
    #expect(sizes.count == Segment.partLimit / Batch.limit + 1)
    #expect(sizes.last == 1)
    #expect(last == 2 * limit + 1)
    // Its leases would lapse in a later behaviour.
    #expect(try await store.deleteApp(fixture.app))
  },
  StoreBehaviour("the parts of a throttled segment keep its rate") { store in
    let fixture = try await StoreFixture(store, "rate")
    let limit = UInt32(Segment.partLimit)
    var send = Sample.send("rate", app: fixture.app, audience: "rate-all")
    send.throttlePerSecond = 1_000_000
    _ = try await store.accept(
      send, to: Sample.audience("rate-all", app: fixture.app),
      segments: [
        Segment(dueAt: Sample.now, devices: DeviceNumbers(1...limit + 2 * UInt32(Batch.limit)))
      ])
    // However late it is, a second's devices are caught up with, and one batch is due now.
    let late = Sample.now + .seconds(60)
    var count = 0
    while let batch = try await fixture.lease(at: late) { count += batch.targets.count }
    #expect(count == Segment.partLimit + Batch.limit)
    #expect(try await fixture.lease(at: late + .milliseconds(2)) != nil)
    #expect(try await store.deleteApp(fixture.app))
  },
]

let orderBehaviours = [
  StoreBehaviour("a pause takes effect with the last lease, and a resumed send continues") {
    store in
    let fixture = try await StoreFixture(store, "pausing")
    try await fixture.register(Batch.limit + 500)
    try await fixture.accept("p")
    func order(_ order: SendLifecycle.Order) async throws -> Send.State? {
      let send = try await store.order(order, send: "p", app: fixture.app, at: Sample.now)
      return send?.state
    }
    let first = try #require(try await fixture.lease())
    #expect(try await order(.pause) == .pausing)
    #expect(try await fixture.lease() == nil)
    // One device of the batch waits for a retry.
    try await fixture.finish(first, first.targets.dropLast().map { StoreFixture.outcome($0) })
    #expect(try await fixture.send("p").state == .paused)
    #expect(try await fixture.lease() == nil)
    #expect(try await store.nextBatchTime(at: Sample.now) == nil)
    #expect(try await order(.pause) == .paused)
    #expect(try await order(.resume) == .sending)
    try await fixture.drain()
    let send = try await fixture.send("p")
    #expect(send.state == .complete)
    #expect(send.counts.sent == Batch.limit + 500)
    await expect(.conflict) { _ = try await order(.pause) }
    #expect(try await store.order(.pause, send: "none", app: fixture.app, at: Sample.now) == nil)
  },
  StoreBehaviour("a send that was paused before it started is scheduled when it is resumed") {
    store in
    let fixture = try await StoreFixture(store, "unstarted")
    try await fixture.register(1)
    try await fixture.accept("un")
    let paused = try await store.order(.pause, send: "un", app: fixture.app, at: Sample.now)
    #expect(paused?.state == .paused)
    #expect(try await fixture.lease() == nil)
    let resumed = try await store.order(.resume, send: "un", app: fixture.app, at: Sample.now)
    #expect(resumed?.state == .scheduled)
    try await fixture.drain()
    #expect(try await fixture.send("un").state == .complete)
  },
  StoreBehaviour("a pause takes effect when the lease of a failed worker lapses") { store in
    let fixture = try await StoreFixture(store, "dead")
    try await fixture.register(2)
    try await fixture.accept("dead")
    _ = try await fixture.lease()
    _ = try await store.order(.pause, send: "dead", app: fixture.app, at: Sample.now)
    #expect(try await fixture.send("dead").state == .pausing)
    try await store.releaseBatches(owner: "a")
    #expect(try await fixture.lease() == nil)
    #expect(try await fixture.send("dead").state == .paused)
    #expect(try await store.nextBatchTime(at: Sample.now) == nil)
    _ = try await store.order(.resume, send: "dead", app: fixture.app, at: Sample.now)
    try await fixture.drain()
    #expect(try await fixture.send("dead").counts.sent == 2)
  },
  StoreBehaviour("a canceled send counts the outcomes of leased batches and sends nothing more") {
    store in
    let fixture = try await StoreFixture(store, "canceling")
    try await fixture.register(Batch.limit + 500)
    try await fixture.accept("c")
    let first = try #require(try await fixture.lease())
    let canceled = try await store.order(.cancel, send: "c", app: fixture.app, at: Sample.now)
    #expect(canceled?.state == .canceled)
    #expect(canceled?.completedAt == Sample.now)
    #expect(try await fixture.lease() == nil)
    try await fixture.finish(first, first.targets.dropLast().map { StoreFixture.outcome($0) })
    #expect(try await fixture.lease() == nil)
    #expect(try await store.nextBatchTime(at: Sample.now) == nil)
    let send = try await fixture.send("c")
    #expect(send.state == .canceled)
    #expect(send.counts.sent == Batch.limit - 1)
    #expect(try await store.outcome(of: "c", app: fixture.app, device: 1)?.result == .sent)
    #expect(
      try await store.outcome(of: "c", app: fixture.app, device: UInt32(Batch.limit) + 500) == nil)
    await expect(.conflict) {
      _ = try await store.order(.resume, send: "c", app: fixture.app, at: Sample.now)
    }
  },
  StoreBehaviour("a send that cannot be composed fails with a reason") { store in
    let fixture = try await StoreFixture(store, "failing")
    try await fixture.register(1)
    try await fixture.accept("f")
    _ = try await store.order(.fail("line 1"), send: "f", app: fixture.app, at: Sample.now)
    let send = try await fixture.send("f")
    #expect(send.state == .failed)
    #expect(send.failure == "line 1")
    #expect(try await fixture.lease() == nil)
  },
  StoreBehaviour("a send is complete at its expiry and sends nothing more") { store in
    let fixture = try await StoreFixture(store, "expiring")
    try await fixture.register(Batch.limit + 500)
    let end = Sample.now + .seconds(10)
    try await fixture.accept("e") { $0.expiresAt = end }
    let batch = try #require(try await fixture.lease())
    #expect(try await fixture.lease(at: end) == nil)
    #expect(try await fixture.send("e").state == .sending)
    // The outcomes of leased batches count, and no device is retried.
    try await fixture.finish(
      batch, batch.targets.dropLast().map { StoreFixture.outcome($0) }, at: end)
    let send = try await fixture.send("e")
    #expect(send.state == .complete)
    #expect(send.counts.sent == Batch.limit - 1)
    #expect(try await store.nextBatchTime(at: Sample.now) == nil)

    // A send that expires before anything was leased, and one that expires while it is paused.
    for id in ["e2", "e3"] {
      try await fixture.accept(id) { $0.expiresAt = end }
      if id == "e3" {
        _ = try await store.order(.pause, send: id, app: fixture.app, at: Sample.now)
      }
      #expect(try await fixture.lease(at: end) == nil)
      #expect(try await fixture.send(id).state == .complete)
      #expect(try await store.nextBatchTime(at: Sample.now) == nil)
    }

    // A batch of a dead node, whose lease lapses after the send has expired.
    for id in ["e4", "e5"] {
      try await fixture.accept(id) { $0.expiresAt = end }
      _ = try #require(try await fixture.lease())
      if id == "e5" {
        _ = try await store.order(.pause, send: id, app: fixture.app, at: Sample.now)
      }
      #expect(try await fixture.lease(at: end) == nil)
      #expect(try await fixture.send(id).state == (id == "e5" ? .pausing : .sending))
      #expect(try await fixture.lease(at: Sample.now + .seconds(60), owner: "b") == nil)
      #expect(try await fixture.send(id).state == .complete)
      #expect(try await store.nextBatchTime(at: Sample.now) == nil)
    }
  },
]
