import PushModel
import PushPayload
import Testing

/// Devices that APNs calls unregistered in sends to one device each.
let guardBehaviours: [StoreBehaviour] = [
  StoreBehaviour("at most 49 small sends in two hours mark their devices as gone") {
    store in
    let fixture = try await StoreFixture(store, "small")
    let devices = try await fixture.registered(53)
    for device in devices[..<49] { #expect(try await fixture.lose(device) == .complete) }
    let end = try await fixture.lose(devices[49], after: 3600)
    #expect(end.doubt?.hasPrefix("50 of 50 devices were invalid in this hour") == true)
    #expect((end.pause, end.unmarked) == (nil, 1))
    let send = try await fixture.send("small-50")
    #expect(send.state == .complete)
    #expect((send.counts.uninstalled, send.counts.rejected) == (0, 1))
    #expect(try await fixture.gone == 49)
    // The sends of another app do not count.
    let other = try await StoreFixture(store, "small-other")
    #expect(try await other.lose(try await other.registered(1)[0]) == .complete)
    // Two hours later, the sends of before do not count.
    #expect(try await fixture.lose(devices[50], after: 3 * 3600) == .complete)
    #expect(try await fixture.gone == 50)
  },
  StoreBehaviour("at most half of the devices of small sends are marked as gone") { store in
    let fixture = try await StoreFixture(store, "half")
    let devices = try await fixture.registered(102)
    for device in devices[..<50] { try await fixture.deliver(.sent, to: device) }
    for device in devices[50..<100] { #expect(try await fixture.lose(device) == .complete) }
    #expect(try await fixture.lose(devices[100]).doubt?.hasPrefix("51 of 101 devices") == true)
    // Outcomes that mark no device still count, as do accepted pushes.
    for device in devices[..<3] { try await fixture.deliver(.sent, to: device) }
    #expect(try await fixture.lose(devices[101]) == .complete)
    #expect(try await fixture.gone == 51)
  },
  StoreBehaviour("a send that was resumed marks devices as gone whatever other sends count") {
    store in
    let fixture = try await StoreFixture(store, "believed")
    let devices = try await fixture.registered(110)
    try await fixture.accept("large") { $0.throttlePerSecond = 50 }
    let first = try #require(try await fixture.lease())
    #expect(try await fixture.end(first, .uninstalled).pause != nil)
    // It counts for the other sends too, for they use the same key.
    #expect(try await fixture.lose(devices[109]).doubt?.hasPrefix("51 of 51 devices") == true)
    let later = Sample.now + .seconds(1)
    _ = try await store.order(.resume, send: "large", app: fixture.app, at: later)
    let second = try #require(try await fixture.lease(at: later))
    #expect(try await fixture.end(second, .uninstalled, at: later) == BatchEnd())
    #expect(try await fixture.gone == second.targets.count)
    _ = try await store.order(.cancel, send: "large", app: fixture.app, at: later)
  },
  StoreBehaviour(
    "an alarm gives a send that a person has paused its reason, for which a resume is consent"
  ) {
    store in
    let alarms: [(String, String?)] = [("doubted", nil), ("alarmed-key", "why")]
    for (id, alarm) in alarms {
      let fixture = try await StoreFixture(store, id)
      _ = try await fixture.registered(61)
      try await fixture.accept(id)
      let batch = try #require(try await fixture.lease())
      _ = try await store.order(.pause, send: id, app: fixture.app, at: Sample.now)
      #expect(try await fixture.send(id).state == .pausing)
      let gone = batch.targets.dropLast().map { StoreFixture.outcome($0, .uninstalled) }
      let end = try await store.finish(
        batch, outcomes: alarm == nil ? gone : [], retries: [], alarm: alarm, at: Sample.now)
      #expect(end.pause?.hasPrefix(alarm ?? "60 of 60 devices were invalid") == true)
      let paused = try await fixture.send(id)
      #expect(paused.state == .paused && paused.failure == end.pause)
      #expect(paused.suspicion == (alarm == nil ? .raised : .none))
      let entries = try await store.audit(app: fixture.app, after: nil, limit: 9).elements
      #expect(entries.map(\.action) == ["notification.pause"])
      // Another batch of the send has nothing new to say.
      let again = try await store.finish(
        batch, outcomes: [], retries: [], alarm: end.pause, at: Sample.now)
      #expect(again.pause == nil)
      _ = try await store.order(.resume, send: id, app: fixture.app, at: Sample.now)
      let resumed = try await fixture.send(id)
      #expect(resumed.failure == nil && resumed.suspicion != .raised)
      _ = try await store.order(.cancel, send: id, app: fixture.app, at: Sample.now)
    }
  },
]

extension StoreFixture {
  fileprivate func registered(_ count: Int) async throws -> [Device] {
    try await register(count)
    return try await store.devices(app: app, above: nil, limit: .max)
  }

  /// The number of devices that are marked as gone.
  fileprivate var gone: Int {
    get async throws {
      try await store.devices(app: app, above: nil, limit: .max).count { $0.uninstalledAt != nil }
    }
  }

  /// Sends to one device, which APNs calls unregistered.
  fileprivate func lose(_ device: Device, after seconds: Int = 0) async throws -> BatchEnd {
    try await deliver(.uninstalled, to: device, at: Sample.now + .seconds(seconds))
  }

  @discardableResult
  fileprivate func deliver(
    _ result: Outcome.Result, to device: Device, at now: Timestamp = Sample.now
  ) async throws -> BatchEnd {
    let count = try await store.sends(app: app, after: nil, limit: 1).total
    let send = Sample.send("\(app)-\(count + 1)", app: app, audience: "\(app)-one")
    _ = try await store.accept(
      send, to: Sample.audience("\(app)-one", app: app),
      segments: [Segment(dueAt: now, devices: DeviceNumbers([device.number]))])
    return try await end(try #require(try await lease(at: now)), result, at: now)
  }

  fileprivate func end(
    _ batch: Batch, _ result: Outcome.Result, at now: Timestamp = Sample.now
  ) async throws -> BatchEnd {
    try await store.finish(
      batch, outcomes: batch.targets.map { Self.outcome($0, result) }, retries: [], alarm: nil,
      at: now)
  }
}

extension BatchEnd {
  /// The end of a batch with which its send is complete, and that says nothing else.
  fileprivate static var complete: BatchEnd {
    var end = BatchEnd()
    end.isComplete = true
    return end
  }
}
