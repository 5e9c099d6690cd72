import PushModel
import PushPayload
import Testing

let capBehaviours = [
  StoreBehaviour("a device that has had as many pushes as a rule allows is leased with the rule") {
    store in
    let fixture = try await StoreFixture(store, "capped")
    try await fixture.register(3)
    try await fixture.cap([oneADay])
    try await fixture.accept("capped-first") { $0.capping = [.obeys, .counts] }
    try await fixture.drain()
    try await fixture.accept("capped-second") { $0.capping = [.obeys, .counts] }
    let batch = try #require(try await fixture.lease(at: day + .seconds(-1)))
    #expect(batch.targets.map(\.limit) == Array(repeating: .capped(oneADay), count: 3))
    try await fixture.finish(batch, batch.targets.map(outcome), at: day)
    let send = try await fixture.send("capped-second")
    #expect(send.state == .complete && send.counts.rejected == 3 && send.counts.capped == 3)
    // What was held back did not count.
    try await fixture.accept("capped-third") { $0.capping = [.obeys, .counts] }
    let third = try #require(try await fixture.lease(at: day))
    #expect(third.targets.allSatisfy { $0.limit == nil })
    try await fixture.finish(third, at: day)
  },
  StoreBehaviour("only what counts is counted, and only what obeys is held back") { store in
    let fixture = try await StoreFixture(store, "capping")
    try await fixture.register(1)
    try await fixture.cap([oneADay])
    for (id, capping, isCapped) in [
      ("uncounted", [], false), ("obeys", .obeys, false), ("counts", .counts, false),
      ("counts-2", .counts, false), ("obeys-2", .obeys, true), ("none", [], false),
    ] as [(String, Send.Capping, Bool)] {
      try await fixture.accept("capping-\(id)") { $0.capping = capping }
      let batch = try #require(try await fixture.lease())
      #expect((batch.targets[0].limit != nil) == isCapped, "\(id)")
      try await fixture.finish(batch, isCapped ? batch.targets.map(outcome) : nil)
    }
  },
  StoreBehaviour("of two sends at once the second sees the pushes that the first is sending") {
    store in
    let fixture = try await StoreFixture(store, "cap-race")
    try await fixture.register(2)
    try await fixture.cap([oneADay])
    try await fixture.accept("cap-race-1") { $0.capping = [.obeys, .counts] }
    try await fixture.accept("cap-race-2") { $0.capping = [.obeys, .counts] }
    let one = try #require(try await fixture.lease())
    let two = try #require(try await fixture.lease(owner: "b"))
    #expect(one.targets.allSatisfy { $0.limit == nil })
    #expect(two.targets.allSatisfy { $0.limit == .capped(oneADay) })
    try await fixture.finish(two, two.targets.map(outcome))
    // The node of the first one dies; the same push is no second one.
    try await store.releaseBatches(owner: "a")
    let again = try #require(try await fixture.lease())
    #expect(again.targets.map(\.number) == one.targets.map(\.number))
    #expect(again.targets.allSatisfy { $0.limit == nil })
    try await fixture.finish(again)
  },
  StoreBehaviour("a push that APNs has not accepted is not counted, nor one that is to be retried")
  {
    store in
    let fixture = try await StoreFixture(store, "cap-refused")
    try await fixture.register(3)
    try await fixture.cap([oneADay])
    try await fixture.accept("cap-refused-1") { $0.capping = [.obeys, .counts] }
    let first = try #require(try await fixture.lease())
    let retry = Sample.now + .seconds(100)
    try await fixture.finish(
      first,
      [StoreFixture.outcome(first.targets[0]), StoreFixture.outcome(first.targets[1], .rejected)],
      retryAt: retry)
    try await fixture.accept("cap-refused-2") { $0.capping = [.obeys, .counts] }
    let second = try #require(try await fixture.lease())
    #expect(second.targets.map { $0.limit != nil } == [true, false, false])
    try await fixture.finish(
      second, second.targets.map { $0.limit == nil ? StoreFixture.outcome($0) : outcome($0) })
    // The retry comes after another push, which has used the cap up.
    let third = try #require(try await fixture.lease(at: retry))
    #expect(third.targets.map(\.limit) == [.capped(oneADay)])
    try await fixture.finish(third, third.targets.map(outcome), at: retry)
    let send = try await fixture.send("cap-refused-1")
    #expect(send.counts.sent == 1 && send.counts.rejected == 2 && send.counts.capped == 1)
  },
  StoreBehaviour("a push that may have arrived goes on to count, whatever becomes of its repeat") {
    store in
    let fixture = try await StoreFixture(store, "cap-maybe")
    try await fixture.register(2)
    try await fixture.cap([oneADay])
    try await fixture.accept("cap-maybe-1") { $0.capping = [.obeys, .counts] }
    let first = try #require(try await fixture.lease())
    #expect(first.counted.isEmpty)
    let retry = Sample.now + .seconds(100)
    let retries = zip(first.targets, [true, false]).map { target, mayHaveArrived in
      Retry(DeviceNumbers([target.number]), dueAt: retry, mayHaveArrived: mayHaveArrived)
    }
    try await store.finish(first, outcomes: [], retries: retries, alarm: nil, at: Sample.now)
    func expectCapped(_ id: String, _ areCapped: [Bool], at now: Timestamp) async throws {
      try await fixture.accept(id) { $0.capping = [.obeys, .counts] }
      guard let batch = try await fixture.lease(at: now) else {
        Issue.record("\(id) is not leased")
        return
      }
      #expect(batch.targets.map { $0.limit != nil } == areCapped, "\(id)")
      try await fixture.finish(
        batch, batch.targets.map { $0.limit == nil ? StoreFixture.outcome($0) : outcome($0) },
        at: now)
    }
    try await expectCapped("cap-maybe-2", [true, false], at: Sample.now)
    // The repeat of the first device is no second push. That of the other one comes too late.
    let again = try #require(try await fixture.lease(at: retry))
    #expect(Array(again.counted) == [first.targets[0].number])
    #expect(again.targets.map { $0.limit != nil } == [false, true])
    try await fixture.finish(
      again, [StoreFixture.outcome(again.targets[0], .rejected), outcome(again.targets[1])],
      at: retry)
    try await expectCapped("cap-maybe-3", [true, true], at: retry)
  },
  StoreBehaviour("a lease gives back nothing that an earlier one has counted for other devices") {
    store in
    let fixture = try await StoreFixture(store, "cap-other")
    try await fixture.register(2)
    try await fixture.cap([oneADay])
    try await fixture.accept("cap-other-1") { $0.capping = [.obeys, .counts] }
    let first = try #require(try await fixture.lease())
    let (soon, late) = (Sample.now + .seconds(50), Sample.now + .seconds(100))
    let retries = [
      Retry(DeviceNumbers([first.targets[0].number]), dueAt: late, mayHaveArrived: true),
      Retry(DeviceNumbers([first.targets[1].number]), dueAt: soon),
    ]
    try await store.finish(first, outcomes: [], retries: retries, alarm: nil, at: Sample.now)
    let second = try #require(try await fixture.lease(at: soon))
    #expect(second.targets.map(\.number) == [first.targets[1].number])
    try await fixture.finish(second, at: soon)
    try await fixture.accept("cap-other-2") { $0.capping = [.obeys, .counts] }
    let other = try #require(try await fixture.lease(at: soon))
    #expect(other.targets.map(\.limit) == [.capped(oneADay), .capped(oneADay)])
    try await fixture.finish(other, other.targets.map(outcome), at: soon)
    try await fixture.drain(at: late)
    #expect(try await fixture.send("cap-other-1").counts.sent == 2)
  },
  StoreBehaviour("the pushes to a device are told, and are forgotten with it and with the rules") {
    store in
    let fixture = try await StoreFixture(store, "cap-told")
    try await fixture.register(2)
    try await fixture.cap([oneADay])
    try await fixture.accept("cap-told-1") { $0.capping = [.obeys, .counts] }
    try await fixture.drain()
    let devices = try await store.devices(app: fixture.app, above: nil, limit: .max)
    let numbers = DeviceNumbers(devices.map(\.number))
    func pushes(_ place: Int) async throws -> [String] {
      try await store.pushes(to: devices[place].number, app: fixture.app).map(\.send)
    }
    #expect(try await pushes(0) == ["cap-told-1"])
    func capped(at now: Timestamp) async throws -> DeviceNumbers {
      try await store.capped(numbers, by: [oneADay], app: fixture.app, at: now)
    }
    #expect(try await capped(at: Sample.now) == numbers)
    #expect(try await capped(at: day).isEmpty)
    _ = try await store.erase(device: devices[0].id, app: fixture.app, at: Sample.now)
    #expect(try await pushes(0) == [])
    #expect(try await pushes(1) == ["cap-told-1"])
    #expect(try await capped(at: Sample.now) == DeviceNumbers([devices[1].number]))
    try await fixture.cap([])
    #expect(try await pushes(1) == [])
  },
]

private let oneADay = FrequencyCap(most: 1, within: .seconds(86_400))
private let day = Sample.now + .seconds(86_400)

/// The outcome of a device that was held back.
private func outcome(_ target: Batch.Target) -> Outcome {
  Outcome(
    device: target.number, result: .rejected, status: nil,
    reason: (target.limit ?? .capped(oneADay)).reason, time: Sample.now)
}

extension StoreFixture {
  fileprivate func cap(_ caps: [FrequencyCap]) async throws {
    var limits = AppLimits()
    limits.caps = caps
    try await store.setLimits(limits, app: app)
  }
}
