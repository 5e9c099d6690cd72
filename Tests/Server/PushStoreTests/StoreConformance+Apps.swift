import NetworkAddresses
import PushModel
import PushPayload
import Testing

let appBehaviours = [
  StoreBehaviour("an app and its keys are stored") { store in
    let app = Sample.app("apps")
    var key = Sample.key(200, app: app.id)
    key.limits.allow = ["192.0.2.0/24", "2001:db8::1"].compactMap(AddressRange.init)
    key.limits.perSecond = 5
    key.limits.expiresAt = Sample.now + .seconds(60)
    try await store.add(app, keys: [key])
    #expect(try await store.apps().contains(app))
    #expect(try await store.app(app.id) == app)
    #expect(try await store.app("none") == nil)
    #expect(try await store.key(hash: key.hash) == key)
    #expect(try await store.key(hash: [1]) == nil)
    #expect(try await store.keys(app: app.id) == [key])
  },
  StoreBehaviour("changes of an app are stored, and its keys and devices stay") { store in
    let fixture = try await StoreFixture(store, "changing")
    try await fixture.register(1)
    var app = Sample.app("changing")
    #expect(try await store.app("changing") == app)
    app.name = "Storm"
    app.bundleID = "com.example.storm"
    app.teamID = "TEAM999999"
    app.keyID = "KEY9999999"
    app.sealedKey = [1, 2, 3]
    app.throttlePerSecond = 100
    app.identity = .report
    let first = Sample.app("changing")
    #expect(try await store.update(app, from: first))
    #expect(try await store.app("changing") == app)
    let second = app
    app.throttlePerSecond = nil
    app.identity = .off
    #expect(try await store.update(app, from: second))
    #expect(try await store.apps().contains(app))
    #expect(try await store.deviceCount(app: "changing") == 1)
    // Two changes of what was read before would undo these.
    for old in [first, second] {
      await expect(.conflict) { _ = try await store.update(first, from: old) }
    }
    #expect(try await store.app("changing") == app)
    let missing = Sample.app("not there")
    #expect(try await store.update(missing, from: missing) == false)
  },
  StoreBehaviour("an id is used once, and an app is added with all of its keys or not at all") {
    store in
    try await store.add(Sample.app("taken"), keys: [Sample.key(201, app: "taken")])
    await expect(.conflict) { try await store.add(Sample.app("taken"), keys: []) }
    await expect(.conflict) {
      try await store.add(Sample.app("other"), keys: [Sample.key(201, app: "other")])
    }
    #expect(try await store.app("other") == nil)
  },
  StoreBehaviour("a revoked key is not found, and only its own app revokes it") { store in
    try await store.add(Sample.app("revoking"), keys: [Sample.key(202, app: "revoking")])
    let key = Sample.key(202, app: "revoking")
    #expect(try await store.revokeKey(key.id, app: "another") == false)
    #expect(try await store.key(hash: key.hash) != nil)
    #expect(try await store.revokeKey(key.id, app: "revoking"))
    #expect(try await store.key(hash: key.hash) == nil)
    #expect(try await store.revokeKey(key.id, app: "revoking") == false)
  },
  StoreBehaviour("a use of a key is recorded at most once in an hour, with where it came from") {
    store in
    let key = Sample.key(204, app: "using")
    try await store.add(Sample.app("using"), keys: [key])
    func use(after seconds: Int, from address: String) async throws -> APIKey.Use? {
      try await store.record(
        APIKey.Use(at: Sample.now + .seconds(seconds), address: address), ofKey: key.id)
      let stored = try await store.key(hash: key.hash)
      return stored?.lastUse
    }
    let first = APIKey.Use(at: Sample.now, address: "192.0.2.1")
    #expect(try await store.key(hash: key.hash)?.lastUse == nil)
    #expect(try await use(after: 0, from: "192.0.2.1") == first)
    #expect(try await use(after: 3599, from: "192.0.2.2") == first)
    let second = APIKey.Use(at: Sample.now + .seconds(3600), address: "192.0.2.3")
    #expect(try await use(after: 3600, from: "192.0.2.3") == second)
    #expect(try await store.keys(app: "using").map(\.lastUse) == [second])
    try await store.record(first, ofKey: "none")
  },
  StoreBehaviour("an app is deleted with its keys, devices and sends") { store in
    let fixture = try await StoreFixture(store, "deleting")
    try await store.add(Sample.key(203, app: "deleting"))
    try await fixture.register(3)
    try await fixture.accept("deleted")
    #expect(try await store.deleteApp("deleting"))
    #expect(try await store.deleteApp("deleting") == false)
    #expect(try await store.key(hash: Sample.key(203).hash) == nil)
    #expect(try await store.device("deleting-0", app: "deleting") == nil)
    #expect(try await store.send("deleted", app: "deleting") == nil)
    #expect(try await store.nextBatchTime(at: Sample.now) == nil)
  },
]
