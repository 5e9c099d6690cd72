import PushModel
import PushPayload
import Testing

extension StoreFixture {
  /// A change of a kept activity with a send to a phone, which costs the phone a start.
  fileprivate func change(
    _ kept: KeptActivity, dueAt: Timestamp? = Sample.now, send: String? = nil,
    spending: Timestamp? = nil,
    returning: Timestamp? = nil
  ) -> KeeperChange {
    func budget(_ time: Timestamp?) -> [UInt32: PhoneBudget] {
      var budget = PhoneBudget()
      if let time { budget.spendStart(at: time) }
      return [1: budget]
    }
    let sends = send.map { id in
      var send = Sample.send("\(app)-\(id)", app: app, audience: "\(app)-all")
      send.activity = ActivityPush(id: kept.id, event: .update, priority: 5)
      send.activity?.isKept = true
      return [(send: send, devices: DeviceNumbers([1] as [UInt32]))]
    }
    return KeeperChange(
      kept, dueAt: dueAt, sends: sends ?? [], audience: Sample.audience("\(app)-all", app: app),
      before: budget(returning), after: budget(spending))
  }

  fileprivate var kept: KeptActivity {
    KeptActivity(
      id: "order-1", app: app, type: "Order", content: ["content_state": ["n": 1]],
      keeper: ActivityKeeper(WantedActivity()), createdAt: Sample.now)
  }

  fileprivate func stored() async throws -> KeptActivity {
    try #require(try await store.keptActivity("order-1", app: app))
  }

  fileprivate func dueIDs(_ at: Timestamp = Sample.now) async throws -> [String] {
    try await store.dueKeepers(at: at, limit: 99).filter { $0.app == app }.map(\.id)
  }
}

let keeperBehaviours = [
  StoreBehaviour("a change of a kept activity is stored with its sends, or not at all") { store in
    let fixture = try await StoreFixture(store, "keepers")
    try await fixture.register(1)
    #expect(try await store.keptActivity("order-1", app: fixture.app) == nil)
    #expect(try await store.store(fixture.change(fixture.kept, send: "a"), at: Sample.now))
    var first = try await fixture.stored()
    #expect(first.version == 1 && first.document == fixture.kept.document && first.type == "Order")
    #expect(try await store.send("keepers-a", app: fixture.app)?.activity?.isKept == true)
    // A second node has seen nothing of it.
    #expect(try await !store.store(fixture.change(fixture.kept, send: "b"), at: Sample.now))
    first.content = ["content_state": ["n": 2]]
    #expect(try await store.store(fixture.change(first, send: "c"), at: Sample.now))
    #expect(try await !store.store(fixture.change(first, send: "d"), at: Sample.now))
    let second = try await fixture.stored()
    #expect(second.version == 2 && second.content == first.content)
    for (id, isStored) in [("b", false), ("c", true), ("d", false)] {
      #expect((try await store.send("keepers-\(id)", app: fixture.app) != nil) == isStored)
    }
    #expect(try await store.keptActivity("order-1", app: "no app") == nil)
    try await fixture.drain()
  },
  StoreBehaviour("a kept activity is due at its time, at a new token and after an answer") {
    store in
    let fixture = try await StoreFixture(store, "keepers-due")
    try await fixture.register(1)
    let later = Sample.now + .seconds(60)
    #expect(try await store.store(fixture.change(fixture.kept, dueAt: later), at: Sample.now))
    #expect(try await fixture.dueIDs() == [])
    #expect(try await fixture.dueIDs(later) == ["order-1"])
    func save(dueAt: Timestamp?, send: String? = nil) async throws {
      let change = fixture.change(try await fixture.stored(), dueAt: dueAt, send: send)
      #expect(try await store.store(change, at: Sample.now))
    }
    let token = ActivityToken(
      .activity("order-1"), device: "keepers-due-0", type: "Order", token: "aa")
    let stale = fixture.change(try await fixture.stored(), dueAt: nil)
    #expect(try await store.register(token, app: fixture.app, at: Sample.now))
    #expect(try await fixture.dueIDs() == ["order-1"])
    // A change that began before the token came does not move the time away.
    #expect(try await !store.store(stale, at: Sample.now))
    try await save(dueAt: nil, send: "a")
    #expect(try await fixture.dueIDs(later) == [])
    let batch = try #require(try await fixture.lease())
    try await fixture.finish(batch)
    #expect(try await fixture.dueIDs() == ["order-1"])
    try await save(dueAt: nil)
    try await store.removeToken(
      for: .activity("order-1"), device: "keepers-due-0", only: nil, app: fixture.app)
    #expect(try await fixture.dueIDs() == ["order-1"])
    try await store.stopKeeper("order-1", app: fixture.app)
    #expect(try await fixture.dueIDs(later) == [])
  },
  StoreBehaviour(
    "a change of a kept activity withdraws sends that wait, and none that is being sent"
  ) {
    store in
    let fixture = try await StoreFixture(store, "keepers-withdrawn")
    try await fixture.register(1)
    #expect(try await store.store(fixture.change(fixture.kept, send: "a"), at: Sample.now))
    let batch = try #require(try await fixture.lease())
    let later = Sample.now + .seconds(60)
    func save(_ withdrawn: Set<ActivityPush.Event>, send: String) async throws {
      var change = fixture.change(try await fixture.stored(), dueAt: later, send: send)
      change.withdrawn = withdrawn
      #expect(try await store.store(change, at: Sample.now))
    }
    func states() async throws -> [Send.State?] {
      var states: [Send.State?] = []
      for id in ["a", "b", "c"] {
        states.append(try await store.send("keepers-withdrawn-\(id)", app: fixture.app)?.state)
      }
      return states
    }
    var stale = fixture.change(try await fixture.stored(), send: "d")
    stale.withdrawn = [.update]
    try await save([.start, .end], send: "b")
    #expect(try await !store.store(stale, at: Sample.now))
    #expect(try await states() == [.sending, .scheduled, nil])
    #expect(try await fixture.dueIDs() == [])
    try await save([.update], send: "c")
    #expect(try await states() == [.sending, .canceled, .scheduled])
    #expect(try await fixture.dueIDs() == ["order-1"], "the keeper learns of it")
    try await fixture.finish(batch)
    try await fixture.drain()
    #expect(try await states() == [.complete, .canceled, .complete])
  },
  StoreBehaviour(
    "the end of a kept activity leaves the token, and phones' tokens are seen by marks"
  ) {
    store in
    let fixture = try await StoreFixture(store, "keepers-end")
    try await fixture.register(2)
    #expect(try await store.store(fixture.change(fixture.kept), at: Sample.now))
    for subject in [ActivityToken.Subject.activity("order-1"), .start(type: "Order")] {
      let token = ActivityToken(
        subject, device: "keepers-end-0", type: "Order", token: "aa\(subject.text.count)")
      #expect(try await store.register(token, app: fixture.app, at: Sample.now))
    }
    let seen = try await store.sights(of: fixture.stored(), adding: DeviceNumbers([2] as [UInt32]))
    #expect(seen.keys.sorted() == [1, 2] && seen[2] == KeptPhone.Sight())
    #expect(
      seen[1]?.canStart == true && seen[1]?.token != nil && seen[1]?.token?.contains("aa") == false)
    var send = Sample.send("keepers-end-a", app: fixture.app, audience: "keepers-end-all")
    send.activity = ActivityPush(id: "order-1", event: .end, priority: 10)
    send.activity?.isKept = true
    _ = try await store.accept(
      send, to: Sample.audience("keepers-end-all", app: fixture.app),
      segments: [Segment(dueAt: Sample.now, devices: DeviceNumbers([1] as [UInt32]))])
    try await fixture.drain()
    #expect(try await store.devices(with: .activity("order-1"), app: fixture.app).count == 1)
  },
  StoreBehaviour("a phone's expenses count for a day, are given back, and go with the device") {
    store in
    let fixture = try await StoreFixture(store, "keepers-cost")
    try await fixture.register(1)
    let first = fixture.change(fixture.kept, spending: Sample.now)
    #expect(try await store.store(first, at: Sample.now))
    func starts(_ time: Timestamp) async throws -> [Timestamp]? {
      let phones = DeviceNumbers([1] as [UInt32])
      let budgets = try await store.budgets(of: phones, app: fixture.app, at: time)
      return budgets[1]?.starts
    }
    #expect(try await starts(Sample.now) == [Sample.now])
    let end = Sample.now + PhoneBudget.startWindow
    #expect(try await starts(end + .milliseconds(-1)) == [Sample.now])
    #expect(try await starts(end) == nil)
    let returned = fixture.change(try await fixture.stored(), returning: Sample.now)
    #expect(try await store.store(returned, at: Sample.now))
    #expect(try await starts(Sample.now) == nil)
    let again = fixture.change(try await fixture.stored(), spending: Sample.now)
    #expect(try await store.store(again, at: Sample.now))
    _ = try await store.erase(device: "keepers-cost-0", app: fixture.app, at: Sample.now)
    #expect(try await starts(Sample.now) == nil)
  },
  StoreBehaviour("an erased phone's kept activities are due, and see that it was erased") { store in
    let fixture = try await StoreFixture(store, "keepers-erased")
    try await fixture.register(2)
    #expect(try await store.store(fixture.change(fixture.kept), at: Sample.now))
    let token = ActivityToken(
      .activity("order-1"), device: "keepers-erased-0", type: "Order", token: "aa")
    #expect(try await store.register(token, app: fixture.app, at: Sample.now))
    let change = fixture.change(try await fixture.stored(), dueAt: nil)
    #expect(try await store.store(change, at: Sample.now))
    func erased() async throws -> [UInt32] {
      let phones = DeviceNumbers([1, 2] as [UInt32])
      return try await store.sights(of: fixture.stored(), adding: phones)
        .filter { $1.isErased }.keys.sorted()
    }
    #expect(try await erased() == [])
    _ = try await store.erase(device: "keepers-erased-1", app: fixture.app, at: Sample.now)
    #expect(try await fixture.dueIDs() == [], "it has no token of the activity")
    _ = try await store.erase(device: "keepers-erased-0", app: fixture.app, at: Sample.now)
    #expect(try await fixture.dueIDs() == ["order-1"])
    #expect(try await erased() == [1, 2])
  },
  StoreBehaviour("what phones have got goes after a day, and an unsent activity after two weeks") {
    store in
    let fixture = try await StoreFixture(store, "keepers-old")
    try await fixture.register(1)
    #expect(
      try await store.store(fixture.change(fixture.kept, spending: Sample.now), at: Sample.now))
    func remove(after time: Duration) async throws {
      while try await store.removeOutdated(Retention(), at: Sample.now + time, limit: 1) {}
    }
    try await remove(after: .days(1))
    let devices = DeviceNumbers([1] as [UInt32])
    func spent() async throws -> Int {
      let budgets = try await store.budgets(of: devices, app: fixture.app, at: Sample.now)
      return budgets.count
    }
    #expect(try await spent() == 1)
    try await remove(after: .days(1) + .seconds(1))
    #expect(try await spent() == 0)
    try await remove(after: .days(14))
    #expect(try await store.keptActivity("order-1", app: fixture.app) != nil)
    try await remove(after: .days(14) + .seconds(1))
    #expect(try await store.keptActivity("order-1", app: fixture.app) == nil)
  },
]
