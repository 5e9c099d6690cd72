import PushPayload
import PushStore
import Testing

/// What every store must do, on an empty one.
func storeConformance(_ store: any PushStore) async throws {
  try await appsAndKeys(store)
  try await devices(store)
  try await importing(store)
  try await filters(store)
  try await sends(store)
  try await queue(store)
  try await leases(store)
  try await uninstalling(store)
}

private func appsAndKeys(_ store: any PushStore) async throws {
  let app = Sample.app("conformance-app")
  var key = Sample.key(200, app: app.id)
  key.limits.allow = ["192.0.2.0/24", "2001:db8::1"].compactMap(AddressRange.init)
  key.limits.perSecond = 5
  try await store.add(app, keys: [key])
  #expect(try await store.apps() == [app])
  #expect(try await store.app(app.id) == app)
  #expect(try await store.app("none") == nil)
  try await store.replaceKey(of: app.id, with: [1, 2, 3])
  #expect(try await store.app(app.id)?.sealedKey == [1, 2, 3])
  try await store.replaceKey(of: app.id, with: app.sealedKey)
  #expect(try await store.app(app.id) == app)
  #expect(try await store.key(hash: key.hash) == key)
  #expect(try await store.key(hash: [1]) == nil)
  #expect(try await store.keys(app: app.id) == [key])
  #expect(try await store.keys(app: nil) == [])
  let conflict = await #expect(throws: StoreError.self) { try await store.add(app, keys: []) }
  #expect(conflict?.code == .conflict)
  // All or nothing: the second app goes with its key.
  await #expect(throws: StoreError.self) { try await store.add(Sample.app("b"), keys: [key]) }
  #expect(try await store.app("b") == nil)
}

private func devices(_ store: any PushStore) async throws {
  try await store.add(Sample.app("devices"), keys: [])
  var first = DevicePatch()
  first.userID = .set("user")
  first.tags = .set(["a", "b"])
  first.attributes = [
    "color": Attribute(kind: .string, value: ["red", "blue"]),
    "age": Attribute(kind: .integer, value: 7),
  ]
  _ = try await store.update(device: "d1", app: "devices", first, at: Sample.now)

  var second = Sample.patch(token: "aa")
  second.attributes = ["age": Attribute(kind: .integer, value: 8), "color": nil]
  let later = Sample.now + .seconds(1)
  let merged = try await store.update(device: "d1", app: "devices", second, at: later)
  #expect(merged.userID == "user")
  #expect(merged.tags == ["a", "b"])
  #expect(merged.attributes == ["age": Attribute(kind: .integer, value: 8)])
  #expect(merged.token == "aa")
  #expect(merged.tokenAt == later)
  #expect(merged.createdAt == Sample.now)
  #expect(merged.updatedAt == later)
  #expect(try await store.device("d1", app: "devices") == merged)
  #expect(try await store.device("d1", app: "conformance-app") == nil)

  // A token belongs to the device that named it last.
  _ = try await store.update(device: "d2", app: "devices", Sample.patch(token: "aa"), at: later)
  #expect(try await store.device("d1", app: "devices")?.token == nil)
  #expect(try await store.device("d2", app: "devices")?.token == "aa")

  var many = DevicePatch()
  for number in 0..<60 {
    many.attributes["n\(number + 100)"] = Attribute(kind: .boolean, value: true)
  }
  let full = try await store.update(device: "d3", app: "devices", many, at: later)
  #expect(full.attributes.count == Device.attributeLimit)
  #expect(full.attributes["n149"] != nil)
  #expect(full.attributes["n150"] == nil)
  // A full device still takes new values of the names it has.
  var more = DevicePatch()
  more.attributes = [
    "n100": Attribute(kind: .boolean, value: false), "new": Attribute(kind: .boolean, value: true),
  ]
  let still = try await store.update(device: "d3", app: "devices", more, at: later)
  #expect(still.attributes.count == Device.attributeLimit)
  #expect(still.attributes["n100"]?.value == false)
}

private func importing(_ store: any PushStore) async throws {
  try await store.add(Sample.app("import"), keys: [])
  var patch = DevicePatch()
  patch.userID = .set("u1")
  let lines = [
    ImportedDevice(id: "i1", token: "01", patch: patch),
    ImportedDevice(id: "i2", token: "02", patch: DevicePatch()),
  ]
  try await store.importDevices(lines, app: "import", at: Sample.now)
  #expect(try await store.deviceCount(app: "import") == 2)
  #expect(try await store.device("i1", app: "import")?.userID == "u1")
  // Again, with other ids: the devices with those tokens are the same.
  let again = lines.map { ImportedDevice(id: "x" + $0.id, token: $0.token, patch: $0.patch) }
  try await store.importDevices(again, app: "import", at: Sample.now)
  #expect(try await store.deviceCount(app: "import") == 2)
}

private func sends(_ store: any PushStore) async throws {
  try await store.add(Sample.app("sends"), keys: [])
  for number in 0..<3 {
    let audience = Sample.audience("sends-all", app: "sends")
    let send = Sample.send("s\(number)", app: "sends", audience: audience.id)
    let accepted = try await store.accept(send, to: audience)
    // No device: nothing to wait for.
    #expect(accepted.state == .complete)
    #expect(accepted.counts.targeted == 0)
  }
  #expect(try await store.audience("sends-all", app: "sends")?.filters == [])
  #expect(try await store.audience("sends-all", app: "devices") == nil)
  let first = try await store.sends(app: "sends", after: nil, limit: 2)
  #expect(first.sends.map(\.id) == ["s2", "s1"])
  #expect(first.total == 3)
  let rest = try await store.sends(app: "sends", after: "s1", limit: 2)
  #expect(rest.sends.map(\.id) == ["s0"])
  #expect(try await store.send("s1", app: "sends")?.payload == ["alert": "Hi"])
  #expect(try await store.send("message-s1", app: "sends")?.id == "s1")
  #expect(try await store.send("s1", app: "devices") == nil)
  let repeated = await #expect(throws: StoreError.self) {
    try await store.accept(
      Sample.send("s1", app: "sends"), to: Sample.audience("sends-all", app: "sends"))
  }
  #expect(repeated?.code == .conflict)
}
