import PushPayload
import PushStore
import Testing

/// Accepting makes batches of a frozen audience; outcomes are taken once; the last one completes.
func queue(_ store: any PushStore) async throws {
  let app = "queue"
  try await register(2500, app: app, store)
  let accepted = try await store.accept(
    Sample.send("q", app: app, audience: "q-all"), to: Sample.audience("q-all", app: app))
  #expect(accepted.state == .scheduled)
  #expect(accepted.counts.targeted == 2500)
  // The audience is frozen: who comes now is not in it.
  _ = try await store.update(
    device: "late", app: app, Sample.patch(token: "ffff"), at: Sample.now)

  var sizes: [Int] = []
  var seen: Set<Int64> = []
  while let batch = try await lease(store) {
    #expect(batch.send.id == "q")
    #expect(try await store.send("q", app: app)?.state == .sending)
    sizes.append(batch.targets.count)
    seen.formUnion(batch.targets.map(\.number))
    let outcomes = batch.targets.map { outcome($0, .sent) }
    try await store.finish(batch, outcomes: outcomes, retryAt: Sample.now, at: Sample.now)
    // A second report of the same devices counts nothing.
    try await store.finish(batch, outcomes: outcomes, retryAt: Sample.now, at: Sample.now)
  }
  #expect(sizes == [1000, 1000, 500])
  #expect(seen.count == 2500)
  let send = try await store.send("q", app: app)
  #expect(send?.state == .complete)
  #expect(send?.counts.sent == 2500)
  #expect(send?.completedAt == Sample.now)
  #expect(try await store.outcomes(of: "q").count == 2500)
  #expect(try await store.nextBatchTime() == nil)
}

/// A lease keeps others away until it lapses or its owner starts anew; who has an outcome by then
/// is not in the next one.
func leases(_ store: any PushStore) async throws {
  let app = "leases"
  try await register(3, app: app, store)
  _ = try await store.accept(
    Sample.send("l", app: app, audience: "l-all"), to: Sample.audience("l-all", app: app))
  let end = Sample.now + .seconds(60)
  let first = try #require(try await store.leaseBatch(owner: "a", at: Sample.now, until: end))
  #expect(try await store.leaseBatch(owner: "b", at: Sample.now, until: end) == nil)
  #expect(try await store.nextBatchTime() == end)

  // One device is done, two wait for another try.
  let retry = Sample.now + .seconds(1)
  try await store.finish(
    first, outcomes: [outcome(first.targets[0], .sent)], retryAt: retry, at: Sample.now)
  #expect(try await store.leaseBatch(owner: "a", at: Sample.now, until: end) == nil)
  let second = try #require(try await store.leaseBatch(owner: "a", at: retry, until: end))
  #expect(second.targets.map(\.number) == first.targets.dropFirst().map(\.number))
  #expect(second.fruitlessAttempts == 0)

  // Nothing came of it: counted, so that the next wait is longer.
  try await store.finish(second, outcomes: [], retryAt: retry, at: retry)
  let third = try #require(try await store.leaseBatch(owner: "a", at: retry, until: end))
  #expect(third.fruitlessAttempts == 1)

  // The process dies and starts again.
  try await store.releaseBatches(owner: "another")
  #expect(try await store.leaseBatch(owner: "a", at: retry, until: end) == nil)
  try await store.releaseBatches(owner: "a")
  let fourth = try #require(try await store.leaseBatch(owner: "a", at: retry, until: end))
  #expect(fourth.targets == third.targets)

  // The third lease has lapsed: what it learned counts, but it does not end the fourth.
  try await store.finish(
    third, outcomes: [outcome(third.targets[0], .rejected)], retryAt: Sample.now, at: retry)
  #expect(try await store.leaseBatch(owner: "b", at: retry, until: end) == nil)
  try await store.finish(
    fourth, outcomes: fourth.targets.map { outcome($0, .sent) }, retryAt: retry, at: retry)
  let send = try await store.send("l", app: app)
  #expect(send?.state == .complete)
  #expect(send?.counts.sent == 2)
  #expect(send?.counts.rejected == 1)
}

/// A 410 takes the device out, unless it has registered the token again since.
func uninstalling(_ store: any PushStore) async throws {
  let app = "uninstalling"
  try await register(3, app: app, store)
  _ = try await store.accept(
    Sample.send("u", app: app, audience: "u-all"), to: Sample.audience("u-all", app: app))
  let batch = try #require(try await lease(store))
  let before = Timestamp(milliseconds: Sample.now.milliseconds - 1)
  var outcomes = batch.targets.map { outcome($0, .uninstalled) }
  outcomes[0].goneSince = Sample.now
  outcomes[1].goneSince = before
  outcomes[2].token = "another"
  try await store.finish(batch, outcomes: outcomes, retryAt: Sample.now, at: Sample.now)
  #expect(try await store.send("u", app: app)?.counts.uninstalled == 3)
  let gone = try await [0, 1, 2].asyncMap {
    try await store.device("\(app)-\($0)", app: app)?.uninstalledAt != nil
  }
  #expect(gone == [true, false, false])

  // Gone devices are not targeted; registering brings one back.
  let all = Sample.audience("u-all", app: app)
  let second = try await store.accept(Sample.send("u2", app: app, audience: all.id), to: all)
  #expect(second.counts.targeted == 2)
  let waiting = try #require(try await lease(store))
  _ = try await store.update(
    device: "\(app)-0", app: app, Sample.patch(token: "00aa"), at: Sample.now)
  let third = try await store.accept(Sample.send("u3", app: app, audience: all.id), to: all)
  #expect(third.counts.targeted == 3)

  // A token lost between accepting and sending leaves a target without one.
  var off = DevicePatch()
  off.isPushEnabled = .set(false)
  _ = try await store.update(device: "\(app)-1", app: app, off, at: Sample.now)
  let next = try #require(try await lease(store))
  #expect(next.targets.filter { $0.token == nil }.count == 1)
  for batch in [waiting, next] {
    try await store.finish(
      batch, outcomes: batch.targets.map { outcome($0, .sent) }, retryAt: Sample.now,
      at: Sample.now)
  }
}

private func register(_ count: Int, app: String, _ store: any PushStore) async throws {
  try await store.add(Sample.app(app), keys: [])
  let devices = (0..<count).map { number in
    ImportedDevice(
      id: "\(app)-\(number)", token: String(0x1_0000 + number, radix: 16), patch: DevicePatch())
  }
  try await store.importDevices(devices, app: app, at: Sample.now)
}

private func lease(_ store: any PushStore) async throws -> Batch? {
  try await store.leaseBatch(owner: "a", at: Sample.now, until: Sample.now + .seconds(60))
}

private func outcome(_ target: Batch.Target, _ result: Outcome.Result) -> Outcome {
  Outcome(
    device: target.number, result: result, status: 200, reason: nil, apnsID: "id",
    time: Sample.now, token: target.token)
}

extension Sequence {
  func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
    var values: [T] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
