import PushModel
import PushPayload
import Testing

let classBehaviours = [
  StoreBehaviour(
    "a transactional send waits for no batch of a campaign, and a campaign for none of it"
  ) {
    store in
    let fixture = try await StoreFixture(store, "classes")
    try await fixture.register(SendClass.transactionalLimit + 1)
    try await fixture.accept("campaign")
    let device = try #require(try await store.device("classes-7", app: fixture.app))
    let segment = Segment(dueAt: Sample.now, devices: DeviceNumbers([device.number]))
    for id in ["code", "order"] {
      _ = try await store.accept(
        Sample.send(id, app: fixture.app, audience: "classes-all"),
        to: Sample.audience("classes-all", app: fixture.app), segments: [segment])
    }
    for sendClass in SendClass.allCases {
      #expect(try await store.nextBatchTime(of: sendClass, at: Sample.now) == Sample.now)
    }
    #expect(try await fixture.send("campaign").sendClass == .campaign)
    #expect(try await fixture.send("code").sendClass == .transactional)
    let code = try #require(try await fixture.lease(of: .transactional))
    #expect(code.send.id == "code")
    let campaign = try #require(try await fixture.lease(of: .campaign))
    #expect(campaign.send.id == "campaign")
    #expect(try await fixture.lease(of: .campaign) == nil)
    let order = try #require(try await fixture.lease(of: .transactional))
    #expect(order.send.id == "order")
    #expect(try await fixture.lease(of: .transactional) == nil)
    // A retry stays in the class of its send.
    let retry = Sample.now + .seconds(1)
    try await fixture.finish(code, [], retryAt: retry)
    #expect(try await store.nextBatchTime(of: .transactional, at: Sample.now) == retry)
    #expect(try await fixture.lease(at: retry, of: .campaign) == nil)
    let again = try #require(try await fixture.lease(at: retry, of: .transactional))
    #expect(again.send.id == "code")
    for batch in [again, order, campaign] { try await fixture.finish(batch, at: retry) }
    #expect(try await store.nextBatchTime(at: Sample.now) == nil)
  },
  StoreBehaviour(
    "the class that a caller has named is kept, and cuts small batches if transactional"
  ) {
    store in
    let fixture = try await StoreFixture(store, "class-named")
    let limit = SendClass.transactionalLimit
    try await fixture.register(limit + 1)
    try await fixture.accept("urgent") { $0.namedClass = .transactional }
    #expect(try await fixture.send("urgent").namedClass == .transactional)
    #expect(try await fixture.lease(of: .campaign) == nil)
    var sizes: [Int] = []
    while let batch = try await fixture.lease(of: .transactional) {
      sizes.append(batch.targets.count)
      try await fixture.finish(batch)
    }
    #expect(sizes == [limit, 1])
    try await fixture.accept("small") { $0.namedClass = .campaign }
    #expect(try await fixture.lease(of: .transactional) == nil)
    let batch = try #require(try await fixture.lease(of: .campaign))
    #expect(batch.targets.count == limit + 1)
    try await fixture.finish(batch)
    #expect(try await store.nextBatchTime(at: Sample.now) == nil)
  },
  StoreBehaviour("apps with due work take turns, however many batches one of them has") { store in
    let large = try await StoreFixture(store, "turns-a")
    let small = try await StoreFixture(store, "turns-b")
    try await large.register(3 * Batch.limit)
    try await small.register(SendClass.transactionalLimit + 1)
    try await large.accept("turns-a")
    try await small.accept("turns-b")
    var order: [String] = []
    var last: Int64 = 0
    while let batch = try await large.lease(of: .campaign, after: last) {
      order.append(batch.send.id)
      last = batch.appNumber
      try await large.finish(batch)
    }
    #expect(order == ["turns-a", "turns-b", "turns-a", "turns-a"])
    #expect(try await store.nextBatchTime(at: Sample.now) == nil)
  },
  StoreBehaviour("the batches and segments of excluded apps are not leased, and do not count") {
    store in
    let (full, free) = (
      try await StoreFixture(store, "excluded"), try await StoreFixture(store, "included")
    )
    for fixture in [full, free] { try await fixture.register(1) }
    for number in 0..<2 { try await full.accept("excluded-\(number)") }
    // One send has a batch that is due again, and the other one a segment.
    let held = try #require(try await full.lease())
    try await full.finish(held, [])
    let apps: Set = [held.appNumber]
    func next() async throws -> Timestamp? {
      try await store.nextBatchTime(of: nil, excluding: apps, at: Sample.now)
    }
    func lease() async throws -> Batch? {
      try await store.leaseBatch(
        LeaseRequest(
          owner: "a", excluding: apps, at: Sample.now, until: Sample.now + .seconds(60)))
    }
    #expect(try await store.nextBatchTime(at: Sample.now) == Sample.now)
    #expect(try await next() == nil)
    #expect(try await lease() == nil)
    try await free.accept("included-0")
    #expect(try await next() == Sample.now)
    let batch = try #require(try await lease())
    #expect(batch.send.id == "included-0")
    try await free.finish(batch)
    #expect(try await lease() == nil)
    try await full.drain()
    #expect(try await store.nextBatchTime(at: Sample.now) == nil)
  },
]
