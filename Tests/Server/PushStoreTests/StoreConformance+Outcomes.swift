import PushModel
import PushPayload
import Testing

let outcomeBehaviours = [
  StoreBehaviour("outcomes are read by device, by page and by reason") { store in
    let fixture = try await StoreFixture(store, "outcomes")
    try await fixture.register(2500)
    try await fixture.accept("o")
    while let batch = try await fixture.lease() {
      try await fixture.finish(
        batch,
        batch.targets.map { target in
          var outcome = StoreFixture.outcome(target, target.number % 3 == 0 ? .rejected : .sent)
          outcome.time = Sample.now + .milliseconds(Int(target.number))
          return outcome
        })
    }
    let one = try #require(try await store.outcome(of: "o", app: fixture.app, device: 1101))
    #expect(one.result == .rejected)
    #expect(one.status == 400)
    #expect(one.reason == "BadDeviceToken")
    #expect(one.time == Sample.now + .milliseconds(1101))
    for (send, app, device) in [("o", "none", 1), ("none", "outcomes", 1), ("o", "outcomes", 2501)]
    {
      let number = UInt32(device)
      #expect(try await store.outcome(of: send, app: app, device: number) == nil)
    }
    var seen: [UInt32] = []
    var sizes: [Int] = []
    var cursor: String?
    repeat {
      let page = try await store.outcomes(of: "o", app: fixture.app, after: cursor)
      #expect(page.total == 2500)
      seen += page.elements.map(\.device)
      sizes.append(page.elements.count)
      cursor = page.cursor
    } while cursor != nil
    #expect(seen == Array(1...2500))
    // The first batch is two pages.
    #expect(sizes == [1000, 1000, 500])
    #expect(
      try await store.reasons(of: "o", app: fixture.app) == [
        OutcomeReason(result: .sent, status: 200, reason: nil): 1667,
        OutcomeReason(result: .rejected, status: 400, reason: "BadDeviceToken"): 833,
      ])
    for cursor in ["none", "", "-1", "1-", "1-x", "1-2-3"] {
      await expect(.expiredCursor) {
        _ = try await store.outcomes(of: "o", app: fixture.app, after: cursor)
      }
    }
    let hours = try await store.counts(
      of: .pushesSent, app: fixture.app, from: Sample.now + .seconds(-3600), to: Sample.now)
    #expect(hours.map(\.count) == [1667])
  },
  StoreBehaviour("reasons are counted over batches with few of them and with many") { store in
    let fixture = try await StoreFixture(store, "reasons")
    try await fixture.register(1200)
    try await fixture.accept("reasons")
    var expected: [OutcomeReason: Int] = [:]
    while let batch = try await fixture.lease() {
      let outcomes = batch.targets.map { target in
        guard target.number % 3 == 0 else { return StoreFixture.outcome(target, .sent) }
        var outcome = StoreFixture.outcome(target, .rejected)
        if target.number > 1000 { outcome.reason = "Reason \(target.number % 40)" }
        return outcome
      }
      for outcome in outcomes { expected[outcome.end, default: 0] += 1 }
      try await fixture.finish(batch, outcomes)
    }
    #expect(expected.count == 42)
    #expect(try await store.reasons(of: "reasons", app: fixture.app) == expected)
  },
  StoreBehaviour("the first outcome of a device is kept") { store in
    let fixture = try await StoreFixture(store, "first")
    try await fixture.register(2)
    try await fixture.accept("first")
    let batch = try #require(try await fixture.lease())
    try await fixture.finish(batch, [StoreFixture.outcome(batch.targets[0], .rejected)])
    try await fixture.finish(batch)
    let send = try await fixture.send("first")
    #expect(send.counts.rejected == 1)
    #expect(send.counts.sent == 1)
    #expect(send.state == .complete)
    #expect(try await store.outcome(of: "first", app: fixture.app, device: 1)?.result == .rejected)
  },
  StoreBehaviour("a 410 marks a device as gone, unless it has registered since") { store in
    let fixture = try await StoreFixture(store, "uninstalling")
    try await fixture.register(3)
    // An import says nothing of the time at which a device had its token.
    for number in 0..<3 {
      try await fixture.update("uninstalling-\(number)") {
        $0.token = .set(String(0x1_0000 + number, radix: 16))
      }
    }
    try await fixture.accept("u1")
    let batch = try #require(try await fixture.lease())
    var outcomes = batch.targets.map { StoreFixture.outcome($0, .uninstalled) }
    outcomes[0].goneSince = Sample.now
    outcomes[1].goneSince = Sample.now + .milliseconds(-1)
    outcomes[2].token = "another"
    let before = try await store.lastChange(app: fixture.app)
    try await fixture.finish(batch, outcomes)
    #expect(try await fixture.send("u1").counts.uninstalled == 3)
    let devices = try await store.devices(app: fixture.app, above: nil, limit: 3)
    #expect(devices.map { $0.uninstalledAt != nil } == [true, false, false])
    let changes = try await store.changes(app: fixture.app, after: before, limit: 10)
    #expect(changes?.devices == DeviceNumbers([1]))
    // A device that is gone is not targeted until it registers again.
    #expect(try await fixture.accept("u2").counts.targeted == 2)
    try await fixture.update("uninstalling-0") { $0.token = .set("00aa") }
    #expect(try await fixture.accept("u3").counts.targeted == 3)
    try await fixture.drain()
  },
  StoreBehaviour("an outcome updates the environment and the badge of its device") { store in
    let fixture = try await StoreFixture(store, "learning")
    try await fixture.register(4)
    try await fixture.accept("learn")
    let batch = try #require(try await fixture.lease())
    // What they tell after the push stays.
    try await fixture.update("learning-2", at: Sample.now + .seconds(1)) { $0.badge = .set(0) }
    _ = try await store.erase(device: "learning-3", app: fixture.app, at: Sample.now)
    var outcomes = batch.targets.map { StoreFixture.outcome($0) }
    for index in outcomes.indices {
      outcomes[index].learnedDevelopment = true
      outcomes[index].badge = 4
    }
    outcomes[1].token = "another"
    outcomes[1].result = .rejected
    try await fixture.finish(batch, outcomes)
    let devices = try await store.devices(app: fixture.app, above: nil, limit: 3)
    #expect(devices.map(\.isDevelopment) == [true, false, true])
    #expect(devices.map(\.badge) == [4, nil, 0])
  },
]
