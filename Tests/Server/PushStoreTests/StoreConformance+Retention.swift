import PushModel
import PushPayload
import Testing

let retentionBehaviours = [
  StoreBehaviour("outdated rows are removed, a bounded number at a time") {
    store in
    let fixture = try await StoreFixture(store, "kept")
    try await fixture.register(1200)
    let message = Message(
      id: "kept", app: fixture.app, audience: "kept", title: "Hi", content: [:],
      createdAt: Sample.now, unpublishAt: Sample.now)
    try await store.add(message)
    try await store.append(
      AuditEntry(
        app: fixture.app, key: nil, action: "a", object: nil, address: nil, at: Sample.now))
    try await fixture.accept("kept") { $0.idempotencyKey = "k" }
    try await fixture.drain()
    let receipts = (0..<3).map { number in
      Receipt(
        id: "r\(number)", send: "kept", device: "kept-\(number)", event: .opened, at: Sample.now)
    }
    #expect(try await store.record(receipts, app: fixture.app, at: Sample.now) == 3)

    /// Removes outdated rows until there are none, and returns the number of transactions.
    func remove(_ retention: Retention, limit: Int = 1000, after time: Duration) async throws -> Int
    {
      var count = 0
      while try await store.removeOutdated(retention, at: Sample.now + time, limit: limit) {
        count += 1
      }
      return count
    }
    func found() async throws -> [Bool] {
      [
        try await store.outcome(of: "kept", app: fixture.app, device: 1) != nil,
        try await store.message("kept", app: fixture.app) != nil,
        try await !store.audit(app: fixture.app, after: nil, limit: 10).elements.isEmpty,
        try await fixture.send("kept").idempotencyKey != nil,
        // Repeated receipts are not counted.
        try await store.record(receipts, app: fixture.app, at: Sample.now) == 0,
      ]
    }
    let retention = Retention()
    _ = try await remove(retention, after: .zero)
    #expect(try await found() == [true, true, true, true, true])
    _ = try await remove(retention, after: .days(7))
    #expect(try await found() == [true, true, true, true, true])
    _ = try await remove(retention, after: .days(7) + .seconds(1))
    #expect(try await found() == [true, true, true, false, true])
    _ = try await remove(retention, after: .days(30) + .seconds(1))
    #expect(try await found() == [true, false, true, false, true])
    // Two batches and three receipts, of which each transaction removes one.
    #expect(try await remove(retention, limit: 1, after: .days(90) + .seconds(1)) >= 3)
    _ = try await remove(retention, after: .days(366))
    // A send whose devices are forgotten takes no receipts, so repeated ones are still not counted.
    #expect(try await found() == [false, false, false, false, true])
    let send = try await fixture.send("kept")
    #expect(send.counts.sent == 1200 && send.state == .complete)
    #expect(try await store.outcomes(of: "kept", app: fixture.app, after: nil).elements.isEmpty)
  },
  StoreBehaviour("a send takes no receipts after its outcomes were removed") { store in
    let fixture = try await StoreFixture(store, "forgotten")
    try await fixture.register(1)
    try await fixture.accept("forgotten-push")
    try await fixture.drain()
    func record(_ id: String, after time: Duration) async throws -> Int {
      while try await store.removeOutdated(Retention(), at: Sample.now + time, limit: 1) {}
      let receipt = Receipt(
        id: id, send: "forgotten-push", device: "forgotten-0", event: .received, at: Sample.now)
      return try await store.record([receipt], app: fixture.app, at: Sample.now + time)
    }
    #expect(try await record("1", after: .days(90)) == 1)
    #expect(try await record("2", after: .days(90) + .seconds(1)) == 0)
    #expect(try await fixture.send("forgotten-push").counts.delivered == 1)
  },
  StoreBehaviour("sends with few outcomes are emptied together, up to the limit of rows") { store in
    let later = Sample.now + .days(90) + .seconds(1)
    // What other behaviours have left would take a part of the limit.
    while try await store.removeOutdated(Retention(), at: later, limit: 1000) {}
    let fixture = try await StoreFixture(store, "emptied")
    try await fixture.register(1)
    let ids = (0..<5).map { "emptied-\($0)" }
    for id in ids { try await fixture.accept(id) }
    try await fixture.drain()
    func report(_ receipt: String) async throws -> Int {
      let receipts = ids.map { send in
        Receipt(id: receipt, send: send, device: "emptied-0", event: .received, at: Sample.now)
      }
      return try await store.record(receipts, app: fixture.app, at: Sample.now)
    }
    func left() async throws -> Int {
      var count = 0
      for id in ids {
        let outcome = try await store.outcome(of: id, app: fixture.app, device: 1)
        count += outcome == nil ? 0 : 1
      }
      return count
    }
    #expect(try await report("1") == 5)
    #expect(try await store.removeOutdated(Retention(), at: later, limit: 3))
    #expect(try await left() == 2)
    while try await store.removeOutdated(Retention(), at: later, limit: 3) {}
    #expect(try await left() == 0)
    #expect(try await report("2") == 0)
    #expect(try await fixture.send("emptied-4").counts.delivered == 1)
  },
  StoreBehaviour("receipts and outcomes are kept for times of their own, also late receipts") {
    store in
    let fixture = try await StoreFixture(store, "apart")
    try await fixture.register(1)
    let device = try #require(try await store.device("apart-0", app: fixture.app))
    func report(_ id: String, of send: String, after time: Duration) async throws -> Int {
      let receipt = Receipt(
        id: id, send: send, device: "apart-0", event: .received, at: Sample.now)
      return try await store.record([receipt], app: fixture.app, at: Sample.now + time)
    }
    func left(
      of send: String, _ retention: Retention, after time: Duration
    ) async throws -> (receipts: Int, hasOutcome: Bool) {
      while try await store.removeOutdated(retention, at: Sample.now + time, limit: 1000) {}
      let receipts = try await store.receipts(of: send, device: device, app: fixture.app)
      let outcome = try await store.outcome(of: send, app: fixture.app, device: device.number)
      return (receipts.count, outcome != nil)
    }
    var retention = Retention()
    retention.receipts = .days(30)
    let late = Duration.days(40)
    try await fixture.accept("apart-1")
    try await fixture.drain()
    #expect(try await report("1", of: "apart-1", after: .zero) == 1)
    #expect(try await left(of: "apart-1", retention, after: .days(30)) == (1, true))
    #expect(
      try await left(of: "apart-1", retention, after: .days(30) + .seconds(1)) == (0, true))
    #expect(try await report("2", of: "apart-1", after: late) == 1)
    #expect(try await left(of: "apart-1", retention, after: late) == (0, true))
    #expect(
      try await left(of: "apart-1", retention, after: .days(90) + .seconds(1)) == (0, false))
    #expect(try await report("3", of: "apart-1", after: .days(91)) == 0)
    // The other way round: the receipts stay without the outcomes, and no more come.
    retention = Retention()
    retention.outcomes = .days(30)
    try await fixture.accept("apart-2")
    try await fixture.drain()
    #expect(try await report("1", of: "apart-2", after: .zero) == 1)
    #expect(
      try await left(of: "apart-2", retention, after: .days(30) + .seconds(1)) == (1, false))
    #expect(try await report("2", of: "apart-2", after: late) == 0)
    #expect(
      try await left(of: "apart-2", retention, after: .days(90) + .seconds(1)) == (0, false))
  },
  StoreBehaviour("the ids of events are kept as long as receipts, and no longer") { store in
    let fixture = try await StoreFixture(store, "old-ids")
    try await fixture.update("d")
    let events = ["a", "b", "c"].map { DeviceEvent(name: "play", id: $0) }
    func count(after time: Duration) async throws -> Int? {
      while try await store.removeOutdated(Retention(), at: Sample.now + time, limit: 1) {}
      try await store.record(events, device: "d", app: fixture.app, at: Sample.now)
      return try await fixture.plays("d")
    }
    #expect(try await count(after: .zero) == 3)
    #expect(try await count(after: .days(90)) == 3)
    #expect(try await count(after: .days(90) + .seconds(1)) == 6)
  },
  StoreBehaviour("the log of changes is bounded, and a reader that is too far behind gets nil") {
    store in
    let fixture = try await StoreFixture(store, "trimmed")
    try await fixture.register(25)
    var retention = Retention()
    retention.changes = 10
    var count = 0
    while try await store.removeOutdated(retention, at: Sample.now, limit: 4) { count += 1 }
    #expect(count >= 4)
    #expect(try await store.lastChange(app: fixture.app) == 25)
    #expect(try await store.changes(app: fixture.app, after: 14, limit: 100) == nil)
    let kept = try #require(try await store.changes(app: fixture.app, after: 15, limit: 100))
    #expect(kept.devices.count == 10 && kept.last == 25)
  },
]

extension StoreFixture {
  /// Whether an opening soon after the push, which is reported late, is still credited to it.
  fileprivate func credits(_ device: Int, after time: Duration) async throws -> Bool {
    while try await store.removeOutdated(Retention(), at: Sample.now + time, limit: 1) {}
    let before = try await send("met-push").counts.openedIndirectly
    try await store.recordOpen(device: "met-\(device)", app: app, at: Sample.now + .seconds(10))
    return try await send("met-push").counts.openedIndirectly > before
  }
}
