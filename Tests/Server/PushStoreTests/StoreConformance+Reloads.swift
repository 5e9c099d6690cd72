import PushModel
import Testing

extension StoreFixture {
  fileprivate func set(
    _ tokens: [ReloadToken], of type: ReloadType = .controls, on device: Int = 0,
    at now: Timestamp = Sample.now
  ) async throws -> Bool {
    try await store.setReloadTokens(
      tokens, of: type, device: "\(app)-\(device)", app: app, at: now)
  }

  fileprivate func devices(
    _ type: ReloadType, kinds: [String]? = nil
  ) async throws -> [UInt32] {
    Array(try await store.devices(withReloads: type, kinds: kinds, app: app))
  }

  fileprivate func tokens(_ devices: [UInt32] = [1, 2]) async throws -> [String] {
    try await store.reloadTokens(of: DeviceNumbers(devices), app: app).map {
      "\($0.device) \($0.type.rawValue) \($0.token.token) \($0.token.kind ?? "-")"
    }
  }

  fileprivate func count(
    _ type: ReloadType = .widgets, kinds: [String]? = nil, devices: [UInt32] = [1, 2],
    at now: Timestamp = Sample.now
  ) async throws -> [ReloadTarget] {
    try await store.countReloads(
      type, kinds: kinds, of: DeviceNumbers(devices), app: app, at: now)
  }

  fileprivate func finish(
    _ target: ReloadTarget, _ result: ReloadOutcome.Result, type: ReloadType = .widgets,
    edit: (inout ReloadOutcome) -> Void = { _ in }
  ) async throws {
    var outcome = ReloadOutcome(target, result)
    edit(&outcome)
    try await store.finishReloads([outcome], of: type, app: app)
  }
}

let reloadBehaviours = [
  StoreBehaviour("a device's tokens of a type are replaced, and belong to who registered them last")
  { store in
    let fixture = try await StoreFixture(store, "reload-tokens")
    try await fixture.register(2)
    #expect(try await fixture.set([ReloadToken("aa")], of: .widgets))
    #expect(try await fixture.set([ReloadToken("bb", kind: "lamp"), ReloadToken("cc")]))
    #expect(
      try await fixture.tokens() == [
        "1 controls bb lamp", "1 controls cc -", "1 widgets aa -",
      ])
    #expect(try await fixture.set([ReloadToken("cc", kind: "door")]))
    #expect(try await fixture.tokens() == ["1 controls cc door", "1 widgets aa -"])
    // The same phone under another id; a control and the widgets never share a token.
    #expect(try await fixture.set([ReloadToken("cc"), ReloadToken("aa")], on: 1))
    #expect(
      try await fixture.tokens() == ["1 widgets aa -", "2 controls aa -", "2 controls cc -"])
    #expect(try await fixture.devices(.widgets) == [1])
    #expect(try await fixture.devices(.controls) == [2])
    #expect(
      try await fixture.devices(.controls, kinds: ["lamp"]).isEmpty)
    #expect(try await fixture.set([], on: 1))
    #expect(try await fixture.tokens() == ["1 widgets aa -"])
    #expect(try await fixture.set([ReloadToken("dd")], on: 9) == false)
    #expect(
      try await store.setReloadTokens(
        [], of: .widgets, device: "reload-tokens-0", app: "no app", at: Sample.now) == false)
    #expect(try await store.reloadTokens(of: DeviceNumbers([1] as [UInt32]), app: "no app").isEmpty)
  },
  StoreBehaviour("a token is counted up to the budget of a day, and held past it") { store in
    let fixture = try await StoreFixture(store, "reload-budget")
    try await fixture.register(2)
    #expect(try await fixture.set([ReloadToken("aa")], of: .widgets))
    for _ in 1...ReloadBudget.limit {
      #expect(try await fixture.count().map(\.isHeld) == [false])
    }
    // A device that registers later has its own budget, and registering again does not renew one.
    #expect(try await fixture.set([ReloadToken("bb")], of: .widgets, on: 1))
    #expect(try await fixture.set([ReloadToken("aa")], of: .widgets))
    let held = try await fixture.count()
    #expect(held.map(\.isHeld) == [true, false] && held.map(\.token) == ["aa", "bb"])
    #expect(held.map(\.deviceID) == ["reload-budget-0", "reload-budget-1"])
    // A push that was not accepted is given back.
    try await fixture.finish(held[0], .failed)
    #expect(try await fixture.count(devices: [1]).map(\.isHeld) == [false])
    let last = Sample.now + ReloadBudget.window + .seconds(-1)
    #expect(try await fixture.count(devices: [1], at: last).map(\.isHeld) == [true])
    let next = Sample.now + ReloadBudget.window
    #expect(try await fixture.count(devices: [1], at: next).map(\.isHeld) == [false])
    // The clock was set back.
    for _ in 1...ReloadBudget.limit {
      #expect(try await fixture.count(devices: [1]).map(\.isHeld) == [false])
    }
    #expect(try await fixture.count(devices: [1]).map(\.isHeld) == [true])
    #expect(try await fixture.count(devices: [9]).isEmpty)
  },
  StoreBehaviour("controls are chosen by their kinds, and each has its own budget") { store in
    let fixture = try await StoreFixture(store, "reload-kinds")
    try await fixture.register(2)
    #expect(
      try await fixture.set([
        ReloadToken("aa", kind: "lamp"), ReloadToken("bb", kind: "lamp"),
        ReloadToken("cc", kind: "door"), ReloadToken("dd"),
      ]))
    #expect(try await fixture.set([ReloadToken("ee", kind: "lamp")], on: 1))
    #expect(
      try await fixture.count(.controls, kinds: ["lamp", "none"]).map(\.token) == [
        "aa", "bb", "ee",
      ])
    #expect(try await fixture.count(.controls, kinds: ["none"]).isEmpty)
    #expect(try await fixture.count(.controls, devices: [1]).count == 4)
    #expect(try await fixture.count(.widgets).isEmpty)
    #expect(
      try await fixture.devices(.controls, kinds: ["lamp"]) == [1, 2])
    #expect(
      try await fixture.devices(.controls, kinds: ["door"]) == [1])
  },
  StoreBehaviour("a token that APNs does not know is removed, unless it was registered since") {
    store in
    let fixture = try await StoreFixture(store, "reload-gone")
    try await fixture.register(1)
    #expect(try await fixture.set([ReloadToken("aa")], of: .widgets))
    let target = try #require(try await fixture.count().first)
    for result in [ReloadOutcome.Result.sent, .held] { try await fixture.finish(target, result) }
    try await fixture.finish(target, .gone) { $0.goneSince = Sample.now + .seconds(-1) }
    // The same token of a control, and of another device.
    try await fixture.finish(target, .gone, type: .controls)
    var other = target
    other.device = 2
    try await fixture.finish(other, .gone)
    #expect(try await fixture.tokens() == ["1 widgets aa -"])
    try await fixture.finish(target, .gone) { $0.goneSince = Sample.now }
    #expect(try await fixture.tokens().isEmpty)
    #expect(try await fixture.set([ReloadToken("aa")], of: .widgets))
    try await fixture.finish(target, .gone)
    #expect(try await fixture.tokens().isEmpty)
    #expect(try await fixture.set([ReloadToken("aa")], of: .widgets))
    try await fixture.finish(target, .sent) { $0.learnedDevelopment = true }
    #expect(try await fixture.count().map(\.isDevelopment) == [true])
  },
  StoreBehaviour("an erased device and an uninstalled one lose their tokens of widgets") { store in
    let fixture = try await StoreFixture(store, "reload-erasure")
    try await fixture.register(2)
    for device in 0...1 {
      #expect(try await fixture.set([ReloadToken("aa\(device)")], of: .widgets, on: device))
    }
    _ = try await store.erase(device: "reload-erasure-0", app: fixture.app, at: Sample.now)
    await expect(.erased) { _ = try await fixture.set([ReloadToken("bb")]) }
    #expect(try await fixture.tokens() == ["2 widgets aa1 -"])
    try await fixture.accept("reload-erasure-send")
    let batch = try #require(try await fixture.lease())
    try await fixture.finish(
      batch, batch.targets.map { StoreFixture.outcome($0, .uninstalled) })
    #expect(try await fixture.tokens().isEmpty)
  },
]
