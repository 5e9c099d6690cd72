import PushModel
import PushPayload
import Testing

let limitBehaviours = [
  StoreBehaviour("a segment waits for the end of its quiet hours, also in the middle of a send") {
    store in
    let fixture = try await StoreFixture(store, "quiet")
    try await fixture.register(2500)
    // Two batches a second, and the night begins after the first second.
    let send = try await fixture.accept("quiet", quiet: [1..<36_000]) { $0.throttlePerSecond = 500 }
    #expect(send.counts.targeted == 2500)
    func at(_ seconds: Int) -> Timestamp { Sample.now + .seconds(seconds) }
    let first = try #require(try await fixture.lease())
    #expect(first.targets.count == 500 && first.targets.allSatisfy { $0.limit == nil })
    try await fixture.finish(first)
    #expect(try await fixture.lease(at: at(1)) == nil)
    #expect(try await store.nextBatchTime(at: Sample.now) == at(36_000))
    #expect(try await fixture.lease(at: at(35_999)) == nil)
    // It goes on at its rate.
    let second = try #require(try await fixture.lease(at: at(36_000)))
    #expect(second.targets.count == 500)
    try await fixture.finish(second, at: at(36_000))
    #expect(try await fixture.lease(at: at(36_000)) == nil)
    #expect(try await store.nextBatchTime(at: Sample.now) == at(36_001))
    for second in 36_001...36_003 { try await fixture.drain(at: at(second)) }
    #expect(try await fixture.send("quiet").state == .complete)
    #expect(try await fixture.send("quiet").counts.sent == 2500)
  },
  StoreBehaviour("a batch that was cut before the quiet hours waits for their end after a retry") {
    store in
    let fixture = try await StoreFixture(store, "quiet-retry")
    try await fixture.register(3)
    try await fixture.accept("quiet-retry", quiet: [10..<100])
    let first = try #require(try await fixture.lease())
    let retry = Sample.now + .seconds(10)
    try await fixture.finish(first, [StoreFixture.outcome(first.targets[0])], retryAt: retry)
    #expect(try await fixture.lease(at: retry) == nil)
    let end = Sample.now + .seconds(100)
    #expect(try await store.nextBatchTime(at: Sample.now) == end)
    // A pause and a resume do not change that.
    for order in [SendLifecycle.Order.pause, .resume] {
      _ = try await store.order(order, send: "quiet-retry", app: fixture.app, at: retry)
    }
    #expect(try await fixture.lease(at: retry + .seconds(1)) == nil)
    let second = try #require(try await fixture.lease(at: end))
    #expect(second.targets.map(\.number) == first.targets.dropFirst().map(\.number))
    try await fixture.finish(second, at: end)
    #expect(try await fixture.send("quiet-retry").state == .complete)
  },
  StoreBehaviour("pushes that quiet hours drop are leased with the limit, and are counted") {
    store in
    let fixture = try await StoreFixture(store, "quiet-drop")
    try await fixture.register(3)
    try await fixture.accept("quiet-drop", quiet: [0..<100], otherwise: .drop)
    let batch = try #require(try await fixture.lease())
    #expect(batch.targets.map(\.limit) == [.quiet, .quiet, .quiet])
    try await fixture.finish(
      batch,
      batch.targets.map {
        Outcome(
          device: $0.number, result: .rejected, status: nil, reason: SendLimit.quiet.reason,
          time: Sample.now)
      })
    let send = try await fixture.send("quiet-drop")
    #expect(send.state == .complete && send.counts.rejected == 3 && send.counts.quiet == 3)
    #expect(send.counts.left == 0)
  },
  StoreBehaviour("a send that expires in quiet hours ends, and its devices are expired") { store in
    let fixture = try await StoreFixture(store, "quiet-expiry")
    try await fixture.register(3)
    try await fixture.accept("quiet-expiry", quiet: [0..<100]) {
      $0.expiresAt = Sample.now + .seconds(50)
    }
    #expect(try await fixture.lease() == nil)
    #expect(try await store.nextBatchTime(at: Sample.now) == Sample.now + .seconds(50))
    #expect(try await fixture.lease(at: Sample.now + .seconds(50)) == nil)
    let send = try await fixture.send("quiet-expiry")
    #expect(send.state == .complete && send.expiredCount == 3)
    #expect(try await store.nextBatchTime(at: Sample.now) == nil)
  },
  StoreBehaviour("the segments of a send that are sent at the same time share its rate") { store in
    let fixture = try await StoreFixture(store, "shared-rate")
    try await fixture.register(400)
    let devices = try await store.devices(app: fixture.app, above: nil, limit: .max).map(\.number)
    var send = Sample.send("shared-rate", app: fixture.app, audience: "shared-rate-all")
    send.throttlePerSecond = 40
    _ = try await store.accept(
      send, to: Sample.audience("shared-rate-all", app: fixture.app),
      segments: (0..<4).map { part in
        Segment(
          dueAt: Sample.now, devices: DeviceNumbers(Array(devices[part * 100..<part * 100 + 100])))
      })
    for second in 0...12 {
      try await fixture.drain(at: Sample.now + .seconds(second))
      let sent = try await fixture.send("shared-rate").counts.sent
      #expect((40 * second..<40 * second + 81).contains(sent) || sent == 400, "\(second): \(sent)")
    }
    #expect(try await fixture.send("shared-rate").state == .complete)
  },
]

extension StoreFixture {
  /// Accepts a send with quiet hours, in seconds from now, to every device.
  @discardableResult
  fileprivate func accept(
    _ id: String, quiet: [Range<Int>], otherwise: QuietHours.Otherwise = .wait,
    _ edit: (inout Send) -> Void = { _ in }
  ) async throws -> Send {
    var send = Sample.send(id, app: app, audience: "\(app)-all")
    edit(&send)
    let devices = try await store.devices(app: app, above: nil, limit: .max).map(\.number)
    let windows = QuietWindows(
      quiet.map { Sample.now + .seconds($0.lowerBound)..<Sample.now + .seconds($0.upperBound) },
      otherwise: otherwise)
    return try await store.accept(
      send, to: Sample.audience("\(app)-all", app: app),
      segments: [
        Segment(dueAt: Sample.now, devices: DeviceNumbers(devices), quiet: windows)
      ])
  }
}
