import PushModel
import PushPayload
import Testing

private let secret = [UInt8](repeating: 1, count: 32)
private let other = [UInt8](repeating: 1, count: 31) + [2]

private func app(_ hash: [UInt8]?, limit: Int = .max) -> DeviceCaller {
  .app(secretHash: hash, deviceLimit: limit)
}

private func key(_ id: String, app: String, pem: String) -> IdentityKey {
  IdentityKey(id: id, app: app, pem: pem, createdAt: Sample.now)
}

extension StoreFixture {
  fileprivate func update(
    _ id: String, by caller: DeviceCaller, _ edit: (inout DevicePatch) -> Void = { _ in }
  ) async throws -> Device {
    var patch = DevicePatch()
    edit(&patch)
    return try await store.update(device: id, app: app, patch, by: caller, at: Sample.now)
  }

  fileprivate func owner(_ id: String) async throws -> DeviceOwner? {
    try await store.owners(of: [id], app: app)[id]
  }
}

let identityBehaviours = [
  StoreBehaviour("the first secret of a device is bound, and another one is refused") { store in
    let fixture = try await StoreFixture(store, "binding")
    // A known device without a secret.
    try await fixture.update("d") { $0.locale = .set("de") }
    #expect(try await fixture.owner("d") == DeviceOwner(secretHash: nil, isErased: false))
    _ = try await fixture.update("d", by: app(nil)) { $0.locale = .set("fr") }
    #expect(try await fixture.update("d", by: app(secret)).secretHash == secret)
    #expect(try await fixture.owner("d")?.secretHash == secret)
    for hash in [nil, other, Array(secret.dropLast()), secret + [1], []] {
      await expect(.forbidden) {
        _ = try await fixture.update("d", by: app(hash)) { $0.locale = .set("xx") }
      }
    }
    #expect(try await store.device("d", app: fixture.app)?.locale == "fr")
    _ = try await fixture.update("d", by: app(secret)) { $0.locale = .set("it") }
    // The app's own server needs none, and binds none.
    try await fixture.update("d") { $0.timeZone = .set("Europe/Rome") }
    try await fixture.update("e")
    let device = try #require(try await store.device("d", app: fixture.app))
    #expect(device.locale == "it" && device.timeZone == "Europe/Rome")
    #expect(device.secretHash == secret)
    // A new device is bound by its first update.
    #expect(try await fixture.update("new", by: app(other)).secretHash == other)
    let owners = try await store.owners(of: ["d", "e", "new", "none"], app: fixture.app)
    #expect(Set(owners.keys) == ["d", "e", "new"])
    #expect(owners["e"]?.secretHash == nil && owners["new"]?.secretHash == other)
    #expect(try await store.owners(of: ["d"], app: "no app").isEmpty)
    #expect(try await store.owners(of: [], app: fixture.app).isEmpty)
  },
  StoreBehaviour("of many first secrets at once one is bound") { store in
    let fixture = try await StoreFixture(store, "racing")
    try await fixture.update("d")
    let winners = await withTaskGroup(of: [UInt8]?.self) { group in
      for number in 0..<20 {
        group.addTask {
          let hash = [UInt8](repeating: UInt8(number), count: 32)
          return (try? await fixture.update("d", by: app(hash))) == nil ? nil : hash
        }
      }
      return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
    }
    #expect(winners.count == 1)
    #expect(try await fixture.owner("d")?.secretHash == winners.first)
  },
  StoreBehaviour("a secret is reset, and goes with an erasure") { store in
    let fixture = try await StoreFixture(store, "resetting")
    _ = try await fixture.update("d", by: app(secret))
    #expect(try await store.resetSecret(device: "none", app: fixture.app) == false)
    #expect(try await store.resetSecret(device: "d", app: "no app") == false)
    #expect(try await store.resetSecret(device: "d", app: fixture.app))
    #expect(try await fixture.owner("d")?.secretHash == nil)
    #expect(try await fixture.update("d", by: app(other)).secretHash == other)
    _ = try await store.erase(device: "d", app: fixture.app, at: Sample.now)
    #expect(try await fixture.owner("d") == DeviceOwner(secretHash: nil, isErased: true))
    await expect(.erased) { _ = try await store.resetSecret(device: "d", app: fixture.app) }
    await expect(.erased) { _ = try await fixture.update("d", by: app(other)) }
  },
  StoreBehaviour("keys for encrypted payloads stay where no secret is shown") { store in
    let fixture = try await StoreFixture(store, "sealing")
    func keys(_ text: String?) -> (inout DevicePatch) -> Void {
      { ($0.publicKey, $0.authSecret, $0.locale) = (.set(text), .set(text), .set(text)) }
    }
    // The first keys are taken from anyone.
    _ = try await fixture.update("d", by: app(nil), keys("a"))
    for text in ["b", nil] {
      let kept = try await fixture.update("d", by: app(nil), keys(text))
      #expect(kept.publicKey == "a" && kept.authSecret == "a" && kept.locale == text)
    }
    #expect(try await fixture.update("d", by: .server, keys("c")).publicKey == "c")
    #expect(try await fixture.update("d", by: app(secret), keys("d")).authSecret == "d")
    #expect(try await fixture.update("d", by: app(secret), keys(nil)).publicKey == nil)
  },
  StoreBehaviour("device keys make devices up to the limit, and others beyond it") { store in
    let fixture = try await StoreFixture(store, "limited")
    for id in ["a", "b"] { _ = try await fixture.update(id, by: app(nil, limit: 3)) }
    // An erased device counts: its row stays.
    _ = try await store.erase(device: "a", app: fixture.app, at: Sample.now)
    _ = try await fixture.update("c", by: app(nil, limit: 3))
    #expect(try await store.registeredDevices()[fixture.app] == 3)
    await expect(.conflict) { _ = try await fixture.update("d", by: app(nil, limit: 3)) }
    _ = try await fixture.update("c", by: app(nil, limit: 3)) { $0.locale = .set("de") }
    try await fixture.update("d")
    #expect(try await store.registeredDevices()[fixture.app] == 4)
    await expect(.conflict) { _ = try await fixture.update("e", by: app(nil, limit: 4)) }
  },
  StoreBehaviour("an app has at most two identity keys, each once") { store in
    let fixture = try await StoreFixture(store, "identity")
    var first = key("1", app: fixture.app, pem: "one")
    first.expiresAt = Sample.now + .seconds(60)
    let second = key("2", app: fixture.app, pem: "two")
    #expect(try await store.identityKeys(app: fixture.app).isEmpty)
    try await store.add(first)
    await expect(.conflict) { try await store.add(key("3", app: fixture.app, pem: "one")) }
    try await store.add(second)
    await expect(.conflict) { try await store.add(key("3", app: fixture.app, pem: "three")) }
    #expect(try await store.identityKeys(app: fixture.app) == [first, second])
    #expect(try await store.removeIdentityKey("1", app: "another") == false)
    #expect(try await store.removeIdentityKey("3", app: fixture.app) == false)
    #expect(try await store.removeIdentityKey("1", app: fixture.app))
    #expect(try await store.identityKeys(app: fixture.app) == [second])
    await expect(.notFound) { try await store.add(key("4", app: "no app", pem: "four")) }
    // Keys go with their app.
    _ = try await store.deleteApp(fixture.app)
    _ = try await StoreFixture(store, "identity")
    #expect(try await store.identityKeys(app: fixture.app).isEmpty)
  },
]
