import PushModel
import PushPayload
import Testing

let queueBehaviours = [
  StoreBehaviour(
    "the devices of acceptance are sent in batches, and the last outcome completes the send"
  ) { store in
    let fixture = try await StoreFixture(store, "queue")
    try await fixture.register(2500)
    #expect(try await fixture.accept("q").counts.targeted == 2500)
    // A device that is registered now is not part of the send.
    try await fixture.update("late") { $0.token = .set("ffff") }
    var sizes: [Int] = []
    var seen: Set<UInt32> = []
    while let batch = try await fixture.lease() {
      #expect(batch.send.id == "q")
      #expect(try await fixture.send("q").state == .sending)
      sizes.append(batch.targets.count)
      seen.formUnion(batch.targets.map(\.number))
      try await fixture.finish(batch)
      // Second outcomes of the same devices are not counted.
      try await fixture.finish(batch)
    }
    #expect(sizes == [Batch.limit, 2500 - Batch.limit])
    #expect(seen.count == 2500)
    let send = try await fixture.send("q")
    #expect(send.state == .complete)
    #expect(send.counts.sent == 2500)
    #expect(send.startedAt == Sample.now)
    #expect(send.completedAt == Sample.now)
    #expect(try await store.nextBatchTime(at: Sample.now) == nil)
  },
  StoreBehaviour("a leased batch is not leased again until the lease lapses or its owner restarts")
  { store in
    let fixture = try await StoreFixture(store, "leases")
    try await fixture.register(3)
    try await fixture.accept("l")
    let first = try #require(try await fixture.lease())
    #expect(try await fixture.lease(owner: "b") == nil)
    #expect(try await store.nextBatchTime(at: Sample.now) == Sample.now + .seconds(60))

    // One device has an outcome, and two wait for a retry.
    let retry = Sample.now + .seconds(1)
    try await fixture.finish(first, [StoreFixture.outcome(first.targets[0])], retryAt: retry)
    #expect(try await fixture.lease() == nil)
    let second = try #require(try await fixture.lease(at: retry))
    #expect(second.targets == Array(first.targets.dropFirst()))
    #expect(second.fruitlessAttempts == 0)

    // A lease without an outcome is counted, so that the next delay is longer.
    try await fixture.finish(second, [], retryAt: retry, at: retry)
    let third = try #require(try await fixture.lease(at: retry))
    #expect(third.fruitlessAttempts == 1)

    // The process restarts.
    try await store.releaseBatches(owner: "another")
    #expect(try await fixture.lease(at: retry) == nil)
    try await store.releaseBatches(owner: "a")
    let fourth = try #require(try await fixture.lease(at: retry))
    #expect(fourth.targets == third.targets)

    // The third lease has lapsed: its outcomes count, and the fourth lease goes on.
    try await fixture.finish(third, [StoreFixture.outcome(third.targets[0], .rejected)], at: retry)
    #expect(try await fixture.lease(at: retry, owner: "b") == nil)
    try await fixture.finish(fourth, at: retry)
    let send = try await fixture.send("l")
    #expect(send.state == .complete)
    #expect(send.counts.sent == 2)
    #expect(send.counts.rejected == 1)
  },
  StoreBehaviour("a lapsed lease that ends late leaves no time at which nobody is due") { store in
    let fixture = try await StoreFixture(store, "lapsed")
    try await fixture.register(2)
    try await fixture.accept("lapsed")
    func at(_ seconds: Int) -> Timestamp { Sample.now + .seconds(seconds) }
    let first = try #require(try await fixture.lease())
    let numbers = first.targets.map(\.number)
    try await store.releaseBatches(owner: "a")
    let second = try #require(try await fixture.lease(owner: "b"))
    try await store.finish(
      second, outcomes: [],
      retries: [
        Retry(DeviceNumbers([numbers[0]]), dueAt: at(61)),
        Retry(DeviceNumbers([numbers[1]]), dueAt: at(120)),
      ], alarm: nil, at: Sample.now)
    // The lapsed one says what became of the first device, which the second one would have tried again.
    try await fixture.finish(first, [StoreFixture.outcome(first.targets[0])])
    #expect(try await fixture.lease(at: at(61)) == nil)
    #expect(try await store.nextBatchTime(at: at(61)) == at(120))
    let third = try #require(try await fixture.lease(at: at(120)))
    #expect(third.targets.map(\.number) == [numbers[1]])
    try await fixture.finish(third, at: at(120))
    #expect(try await fixture.send("lapsed").state == .complete)
  },
  StoreBehaviour("the devices of one batch are retried at times of their own") { store in
    let fixture = try await StoreFixture(store, "retries")
    try await fixture.register(4)
    try await fixture.accept("retried")
    func at(_ seconds: Int) -> Timestamp { Sample.now + .seconds(seconds) }
    let first = try #require(try await fixture.lease())
    let numbers = first.targets.map(\.number)
    // The last device is in no group, so it is due at once.
    try await store.finish(
      first, outcomes: [StoreFixture.outcome(first.targets[0])],
      retries: [
        Retry(DeviceNumbers([numbers[1]]), dueAt: at(1)),
        Retry(DeviceNumbers([numbers[2]]), dueAt: at(900), attempts: 1, isKeyRefused: true),
      ], alarm: nil, at: Sample.now)
    // What waits says when it is tried again, and how often APNs has put it off.
    for (number, retry) in [
      (numbers[1], (at(1), 0)), (numbers[2], (at(900), 1)), (numbers[3], nil),
    ] as [(UInt32, (Timestamp, Int)?)] {
      let waiting = try await store.waitingPush(to: number, of: "retried", app: fixture.app)
      #expect(waiting?.retry?.dueAt == retry?.0 && waiting?.retry?.attempts == retry?.1)
    }
    let second = try #require(try await fixture.lease())
    #expect(second.targets.map(\.number) == [numbers[3]])
    try await fixture.finish(second)
    #expect(try await store.nextBatchTime(at: Sample.now) == at(1))
    #expect(try await fixture.lease() == nil)
    let third = try #require(try await fixture.lease(at: at(1)))
    #expect(third.targets.map(\.number) == [numbers[1]])
    #expect(third.targets.map(\.attempts) == [0])
    #expect(third.targets.map(\.isKeyRefused) == [false])
    // The lease lapses, and the devices that wait are still not due before their time.
    try await store.releaseBatches(owner: "a")
    let fourth = try #require(try await fixture.lease(at: at(1)))
    #expect(fourth.targets == third.targets)
    try await fixture.finish(fourth, at: at(1))
    #expect(try await store.nextBatchTime(at: Sample.now) == at(900))
    // A pause and a resume do not change the times either.
    for order in [SendLifecycle.Order.pause, .resume] {
      _ = try await store.order(order, send: "retried", app: fixture.app, at: at(2))
    }
    try await store.releaseBatches(owner: "a")
    #expect(try await fixture.lease(at: at(2)) == nil)
    #expect(try await store.nextBatchTime(at: Sample.now) == at(900))
    let last = try #require(try await fixture.lease(at: at(900)))
    #expect(last.targets.map(\.attempts) == [1])
    #expect(last.targets.map(\.isKeyRefused) == [true])
    try await fixture.finish(last, at: at(900))
    #expect(try await fixture.send("retried").state == .complete)
  },
  StoreBehaviour("an alarm pauses a send with a reason and an audit entry, and keeps its devices") {
    store in
    let fixture = try await StoreFixture(store, "alarm")
    try await fixture.register(3)
    try await fixture.accept("alarmed")
    let batch = try #require(try await fixture.lease())
    let all = Retry(DeviceNumbers(batch.targets.map(\.number)), dueAt: Sample.now, attempts: 1)
    let end = try await store.finish(
      batch, outcomes: [StoreFixture.outcome(batch.targets[0])], retries: [all], alarm: "why",
      at: Sample.now)
    #expect(end.pause == "why")
    let paused = try await fixture.send("alarmed")
    #expect(paused.state == .paused)
    #expect(paused.failure == "why")
    #expect(paused.counts.left == 2)
    #expect(paused.suspicion == .none)
    let entries = try await store.audit(app: fixture.app, after: nil, limit: 9).elements
    #expect(entries.map(\.action) == ["notification.pause"])
    #expect(try await fixture.lease() == nil)
    _ = try await store.order(.resume, send: "alarmed", app: fixture.app, at: Sample.now)
    let rest = try #require(try await fixture.lease())
    #expect(rest.targets.map(\.attempts) == [1, 1])
    try await fixture.finish(rest)
    #expect(try await fixture.send("alarmed").state == .complete)
  },
  StoreBehaviour(
    "invalid devices are counted over a whole send, until a resumed send marks them as gone"
  ) {
    store in
    let fixture = try await StoreFixture(store, "guard")
    try await fixture.register(120)
    try await fixture.accept("guarded") { $0.throttlePerSecond = 30 }
    func deliver(_ second: Int) async throws -> String? {
      let now = Sample.now + .seconds(second)
      let batch = try #require(try await fixture.lease(at: now))
      return try await store.finish(
        batch, outcomes: batch.targets.map { StoreFixture.outcome($0, .uninstalled) }, retries: [],
        alarm: nil, at: now
      ).pause
    }
    #expect(try await deliver(0) == nil)
    let reason = try await deliver(1)
    #expect(reason?.hasPrefix("60 of 60 devices were invalid at once; at most 30 were") == true)
    let paused = try await fixture.send("guarded")
    #expect(paused.state == .paused)
    #expect(paused.counts.uninstalled == 30)
    #expect(paused.counts.rejected == 30)
    #expect(paused.suspicion == .raised)
    _ = try await store.order(
      .resume, send: "guarded", app: fixture.app, at: Sample.now + .seconds(2))
    // That the send was resumed is in the store, for every node.
    #expect(try await fixture.send("guarded").suspicion == .settled)
    #expect(try await deliver(3) == nil)
    #expect(try await fixture.send("guarded").counts.uninstalled == 60)
    #expect(try await deliver(4) == nil)
    #expect(try await fixture.send("guarded").state == .complete)
  },
  StoreBehaviour("an extended lease lapses later, and a lapsed one is not extended") {
    store in
    let fixture = try await StoreFixture(store, "extended")
    try await fixture.register(1)
    try await fixture.accept("x")
    let first = try #require(try await fixture.lease())
    let later = Sample.now + .seconds(50)
    try await store.extend(first, at: later, until: later + .seconds(60))
    #expect(try await store.nextBatchTime(at: Sample.now) == later + .seconds(60))
    #expect(try await fixture.lease(at: Sample.now + .seconds(60), owner: "b") == nil)
    let second = try #require(try await fixture.lease(at: later + .seconds(60), owner: "b"))
    try await store.extend(first, at: later, until: later + .seconds(600))
    #expect(try await store.nextBatchTime(at: Sample.now) == later + .seconds(120))
    try await fixture.finish(second, at: later)
    try await store.extend(second, at: later, until: later + .seconds(600))
    #expect(try await store.nextBatchTime(at: Sample.now) == nil)
  },
  StoreBehaviour("a target says whether its device has keys for encryption") { store in
    let fixture = try await StoreFixture(store, "sealed")
    try await fixture.register(3)
    try await fixture.update("sealed-0") {
      $0.publicKey = .set("BP4z")
      $0.authSecret = .set("c2Vj")
    }
    try await fixture.update("sealed-1") { $0.publicKey = .set("BP4z") }
    try await fixture.accept("sealed")
    let batch = try #require(try await fixture.lease())
    #expect(batch.targets.map(\.hasKeys) == [true, false, false])
    try await fixture.finish(batch)
  },
  StoreBehaviour("an app that gets a deleted one's number gets none of its outcomes") { store in
    let fixture = try await StoreFixture(store, "number-1")
    try await fixture.register(1)
    try await fixture.accept("number-1")
    let batch = try #require(try await fixture.lease())
    #expect(try await store.deleteApp(fixture.app))

    let other = try await StoreFixture(store, "number-2")
    try await other.register(1)
    try await other.accept("number-2")
    let same = try #require(try await other.lease())
    #expect(same.appNumber == batch.appNumber)
    #expect(same.app.id == "number-2")
    try await fixture.finish(batch)
    #expect(try await other.send("number-2").counts.sent == 0)
    try await other.finish(same)
    #expect(try await other.send("number-2").state == .complete)
  },
  StoreBehaviour("workers share the queue, and each batch is leased to one of them") { store in
    let fixture = try await StoreFixture(store, "workers")
    try await fixture.register(2500)
    for number in 0..<4 { try await fixture.accept("w\(number)") }
    let batches = try await withThrowingTaskGroup(of: [Int64].self) { group in
      for owner in ["a", "b", "c"] {
        group.addTask {
          var batches: [Int64] = []
          while let batch = try await fixture.lease(owner: owner) {
            batches.append(batch.id)
            try await fixture.finish(batch)
          }
          return batches
        }
      }
      var batches: [Int64] = []
      for try await some in group { batches += some }
      return batches
    }
    #expect(batches.count == 8)
    #expect(Set(batches).count == 8)
    for number in 0..<4 {
      let send = try await fixture.send("w\(number)")
      #expect(send.state == .complete)
      #expect(send.counts.sent == 2500)
    }
  },
  StoreBehaviour("apps take turns, and of each the batch that has been due the longest is leased") {
    store in
    let (left, right) = (
      try await StoreFixture(store, "left"), try await StoreFixture(store, "right")
    )
    for (place, fixture) in [left, right, left, right].enumerated() {
      try await fixture.register(1)
      try await fixture.accept("\(fixture.app)-\(place)") {
        $0.scheduledAt = Sample.now + .seconds(place)
      }
    }
    let now = Sample.now + .seconds(10)
    var sends: [String] = []
    var last: Int64 = 0
    while let batch = try await left.lease(at: now, after: last) {
      sends.append(batch.send.id)
      last = batch.appNumber
      #expect(batch.targets.map(\.id) == ["\(batch.send.app)-0"])
      try await left.finish(batch, at: now)
    }
    #expect(sends == ["left-0", "right-1", "left-2", "right-3"])
  },
  StoreBehaviour("a throttled send is split into batches as its rate allows") { store in
    let fixture = try await StoreFixture(store, "throttle")
    try await fixture.register(25)
    try await fixture.accept("t") { $0.throttlePerSecond = 10 }
    for (second, size) in [10, 10, 5].enumerated() {
      let now = Sample.now + .seconds(second)
      let batch = try #require(try await fixture.lease(at: now))
      #expect(batch.targets.count == size)
      #expect(try await fixture.lease(at: now) == nil)
      try await fixture.finish(batch, at: now)
    }
    #expect(try await fixture.send("t").state == .complete)
  },
  StoreBehaviour("a device that lost its token after acceptance is a target without a token") {
    store in
    let fixture = try await StoreFixture(store, "tokenless")
    try await fixture.register(3)
    try await fixture.accept("tokenless")
    try await fixture.update("tokenless-0") { $0.isPushEnabled = .set(false) }
    _ = try await store.erase(device: "tokenless-1", app: fixture.app, at: Sample.now)
    let batch = try #require(try await fixture.lease())
    #expect(batch.targets.map { $0.token != nil } == [false, false, true])
    try await fixture.finish(batch)
  },
]
