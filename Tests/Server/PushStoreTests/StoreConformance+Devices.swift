import PushModel
import PushPayload
import Testing

let deviceBehaviours = [
  StoreBehaviour("an update is merged into the device") { store in
    let fixture = try await StoreFixture(store, "merging")
    try await fixture.update("d") {
      $0.userID = .set("user")
      $0.tags = .set(["a", "b"])
      $0.sdkVersion = .set("1.2")
      $0.settings = .set(DeviceSettings(stored: ["authorization": "provisional", "alerts": false]))
      var location = Location()
      location.latitude = -41.25
      location.longitude = 174.5
      location.country = "NZ"
      $0.location = .set(location)
      $0.attributes = [
        "color": Attribute(kind: .string, value: ["red", "blue"]),
        "age": Attribute(kind: .integer, value: 7),
      ]
    }
    let later = Sample.now + .seconds(1)
    let merged = try await fixture.update("d", at: later) {
      $0.token = .set("aa")
      $0.attributes = ["age": Attribute(kind: .integer, value: 8), "color": nil]
    }
    #expect(merged.userID == "user")
    #expect(merged.tags == ["a", "b"])
    #expect(merged.sdkVersion == "1.2")
    #expect(merged.settings?.authorization == .provisional && merged.settings?[.alerts] == false)
    #expect(merged.settings?.reportedAt == Sample.now)
    #expect(merged.location.latitude == -41.25)
    #expect(merged.location.country == "NZ")
    #expect(merged.attributes == ["age": Attribute(kind: .integer, value: 8)])
    #expect(merged.tokenAt == later)
    #expect(merged.createdAt == Sample.now)
    #expect(merged.updatedAt == later)
    #expect(try await store.device("d", app: "merging") == merged)
    #expect(try await store.device("d", app: "none") == nil)
  },
  StoreBehaviour("a token belongs to the device of the app that registered it last") { store in
    let fixture = try await StoreFixture(store, "tokens")
    let other = try await StoreFixture(store, "tokens-2")
    for id in ["d1", "d2"] { try await fixture.update(id) { $0.token = .set("aa") } }
    try await other.update("d3") { $0.token = .set("aa") }
    #expect(try await store.device("d1", app: "tokens")?.token == nil)
    #expect(try await store.device("d2", app: "tokens")?.token == "aa")
    #expect(try await store.device("d3", app: "tokens-2")?.token == "aa")
  },
  StoreBehaviour("attributes beyond the limit are dropped, and the others are set") { store in
    let fixture = try await StoreFixture(store, "limits")
    let full = try await fixture.update("d") { patch in
      for number in 100..<160 {
        patch.attributes["n\(number)"] = Attribute(kind: .boolean, value: true)
      }
    }
    #expect(full.attributes.count == Device.attributeLimit)
    #expect(full.attributes["n149"] != nil)
    #expect(full.attributes["n150"] == nil)
    let still = try await fixture.update("d") {
      $0.attributes = [
        "n100": Attribute(kind: .boolean, value: false),
        "new": Attribute(kind: .boolean, value: true),
      ]
    }
    #expect(still.attributes.count == Device.attributeLimit)
    #expect(still.attributes["n100"]?.value == false)
  },
  StoreBehaviour("an import does not say that a device has the app now") { store in
    let fixture = try await StoreFixture(store, "old-import")
    try await fixture.update("d1") { $0.token = .set("01") }
    try await fixture.accept("old-import")
    let batch = try #require(try await fixture.lease())
    try await fixture.finish(batch, batch.targets.map { StoreFixture.outcome($0, .uninstalled) })
    let gone = try await store.device("d1", app: fixture.app)
    #expect(gone?.uninstalledAt == Sample.now && gone?.tokenAt == Sample.now)
    let lines = ["01", "02"].map { ImportedDevice(id: "i" + $0, token: $0, patch: DevicePatch()) }
    try await store.importDevices(lines, app: fixture.app, at: Sample.now + .days(1))
    let devices = try await store.devices(app: fixture.app, above: nil, limit: 2)
    #expect(devices.map(\.uninstalledAt) == [Sample.now, nil])
    // A token of unknown age: Apple may say of any time that it is gone.
    #expect(devices.map(\.tokenAt) == [Sample.now, nil])
  },
  StoreBehaviour("an import finds devices by their tokens") { store in
    let fixture = try await StoreFixture(store, "import")
    var patch = DevicePatch()
    patch.userID = .set("u1")
    let lines = [
      ImportedDevice(id: "i1", token: "01", patch: patch),
      ImportedDevice(id: "i2", token: "02", patch: DevicePatch()),
    ]
    try await store.importDevices(lines, app: fixture.app, at: Sample.now)
    #expect(try await store.device("i1", app: fixture.app)?.userID == "u1")
    // An import of the same tokens with other ids updates the same devices.
    let again = lines.map { ImportedDevice(id: "x" + $0.id, token: $0.token, patch: $0.patch) }
    try await store.importDevices(again, app: fixture.app, at: Sample.now)
    #expect(try await store.deviceCount(app: fixture.app) == 2)
    // Existing and new devices together: the numbers have no gaps.
    patch.userID = .set("u2")
    let mixed = [
      ImportedDevice(id: "i3", token: "03", patch: patch),
      ImportedDevice(id: "x2", token: "02", patch: patch),
      ImportedDevice(id: "i4", token: "04", patch: DevicePatch()),
    ]
    let before = try await store.lastChange(app: fixture.app)
    try await store.importDevices(mixed, app: fixture.app, at: Sample.now + .seconds(1))
    let all = try await store.devices(app: fixture.app, above: nil, limit: 9)
    #expect(all.map(\.number) == [1, 2, 3, 4])
    #expect(all.map(\.id) == ["i1", "i2", "i3", "i4"])
    #expect(all.map(\.token) == ["01", "02", "03", "04"])
    #expect(all.map(\.userID) == ["u1", "u2", "u2", nil])
    let changes = try await store.changes(app: fixture.app, after: before, limit: 9)
    #expect(changes?.devices.map(\.self) == [2, 3, 4])
    // An id that another device has: no line of the import is stored.
    await expect(.conflict) {
      try await store.importDevices(
        ["05", "06"].map { ImportedDevice(id: "i4", token: $0, patch: DevicePatch()) },
        app: fixture.app, at: Sample.now)
    }
    #expect(try await store.deviceCount(app: fixture.app) == 4)
  },
  StoreBehaviour("an import has a place while nobody else changes the app's devices") { store in
    func line(_ number: Int, of user: String? = nil) -> ImportedDevice {
      var line = ImportedDevice(
        id: "i\(number)", token: String(0x1000 + number, radix: 16), patch: DevicePatch())
      line.patch.userID = .set(user)
      return line
    }
    let fixture = try await StoreFixture(store, "alone")
    func chunk(
      _ lines: [ImportedDevice], after place: ImportPlace?
    ) async throws -> ImportPlace? {
      let stored = try await store.importDevices(
        lines, app: fixture.app, at: Sample.now, after: place, step: nil)
      return stored.place
    }
    let first = try await chunk((0..<50).map { line($0) }, after: nil)
    #expect(first != nil)
    #expect(try await chunk([], after: first) == first)
    var named = line(7)
    named.isNamed = true
    let second = try await chunk([named] + (50..<100).map { line($0) }, after: first)
    #expect(second != nil && second != first)
    // A device registers with the token of a later line, which then updates it.
    try await fixture.update("phone") { $0.token = .set(line(100).token) }
    #expect(try await chunk([line(100, of: "a")], after: second) == nil)
    #expect(try await store.device("phone", app: fixture.app)?.userID == "a")
    #expect(try await store.device("i100", app: fixture.app) == nil)
    #expect(try await chunk([line(99, of: "a")], after: nil) == nil)
    #expect(try await store.device("i99", app: fixture.app)?.userID == "a")
    // A second import, and one into an app with an erased device, find devices that are not theirs.
    #expect(try await chunk([line(98, of: "b"), line(101)], after: nil) == nil)
    #expect(try await store.device("i98", app: fixture.app)?.userID == "b")
    let all = try await store.devices(app: fixture.app, above: nil, limit: 200)
    #expect(all.map(\.number) == Array(1...102))
    let other = try await StoreFixture(store, "not-alone")
    try await other.update("gone")
    _ = try await store.erase(device: "gone", app: other.app, at: Sample.now)
    let late = try await store.importDevices(
      [line(1)], app: other.app, at: Sample.now, after: nil, step: nil)
    #expect(late.place == nil && late.erased == [])
  },
  StoreBehaviour("an import that names a device takes the token from the device that had it") {
    store in
    let fixture = try await StoreFixture(store, "naming")
    for (id, token) in [("old", "01"), ("gone", "02"), ("owner", "03")] {
      try await fixture.update(id) { $0.token = .set(token) }
    }
    _ = try await store.erase(device: "gone", app: fixture.app, at: Sample.now)
    let lines = [("new", "04"), ("old", "05"), ("gone", "06"), ("heir", "03")].map { id, token in
      var line = ImportedDevice(id: id, token: token, patch: DevicePatch())
      line.isNamed = true
      return line
    }
    let rest = [ImportedDevice(id: "any", token: "07", patch: DevicePatch())]
    let refused = try await store.importDevices(lines + rest, app: fixture.app, at: Sample.now)
    #expect(refused == ["gone"])
    for (id, token) in [
      ("new", "04"), ("old", "05"), ("heir", "03"), ("any", "07"), ("owner", nil),
    ] {
      #expect(try await store.device(id, app: fixture.app)?.token == token)
    }
    let numbers = try await store.devices(app: fixture.app, above: nil, limit: 9).map(\.number)
    #expect(numbers == [1, 2, 3, 4, 5, 6])
  },
  StoreBehaviour("of an erased device only the id is left, for ever") { store in
    let fixture = try await StoreFixture(store, "erasing")
    let device = try await fixture.update("d") {
      $0.token = .set("aa")
      $0.userID = .set("u")
      $0.tags = .set(["t"])
    }
    try await store.record([DeviceEvent(name: "e")], device: "d", app: fixture.app, at: Sample.now)
    let time = Sample.now + .seconds(5)
    let erased = try await store.erase(device: "d", app: fixture.app, at: time)
    #expect(erased == device.erased(at: time))
    #expect(erased?.userID == nil)
    #expect(erased?.events == [:])
    #expect(try await store.device("d", app: fixture.app) == erased)
    // A second erasure changes nothing.
    #expect(try await store.erase(device: "d", app: fixture.app, at: time + .seconds(1)) == erased)
    #expect(try await store.erase(device: "none", app: fixture.app, at: time) == nil)
    await expect(.erased) { try await fixture.update("d") { $0.userID = .set("u") } }
    await expect(.erased) {
      try await store.record([DeviceEvent(name: "e")], device: "d", app: fixture.app, at: time)
    }
    #expect(try await store.deviceCount(app: fixture.app) == 0)
    // Another device may register its token.
    #expect(try await fixture.update("e") { $0.token = .set("aa") }.token == "aa")
  },
  StoreBehaviour("uninstalled devices are listed by time and by cursor, without erased ones") {
    store in
    let fixture = try await StoreFixture(store, "uninstalled")
    try await fixture.register(5)
    try await fixture.accept("u")
    let batch = try #require(try await fixture.lease())
    let outcomes = batch.targets.enumerated().map { place, target in
      var outcome = StoreFixture.outcome(target, .uninstalled)
      outcome.time = Sample.now + .seconds(place)
      return outcome
    }
    try await fixture.finish(batch, outcomes)
    _ = try await store.erase(device: "uninstalled-1", app: fixture.app, at: Sample.now)
    func page(_ cursor: String?, to seconds: Int = 100) async throws -> Page<Device> {
      try await store.uninstalled(
        app: fixture.app, from: Sample.now, to: Sample.now + .seconds(seconds), after: cursor,
        limit: 3)
    }
    let first = try await page(nil)
    #expect(first.elements.map(\.id) == ["uninstalled-0", "uninstalled-2", "uninstalled-3"])
    #expect(first.total == 4)
    let rest = try await page(first.cursor)
    #expect(rest.elements.map(\.id) == ["uninstalled-4"])
    #expect(rest.cursor == nil)
    #expect(try await page(nil, to: 2).total == 2)
    await expect(.expiredCursor) { _ = try await page("nonsense") }
  },
]

let deviceLogBehaviours = [
  StoreBehaviour("devices of an app are found by the prefix of their tokens") {
    store in
    let fixture = try await StoreFixture(store, "token-search")
    let other = try await StoreFixture(store, "token-search-2")
    let tokens = ["aa00", "aa0f", "aaff", "ab00", "a9ff"]
    for (number, token) in tokens.enumerated() {
      for fixture in [fixture, other] {
        try await fixture.update("\(number)") { $0.token = .set(token) }
      }
    }
    try await fixture.update("none")
    func found(_ prefix: String, limit: Int = 10) async throws -> [String?] {
      try await store.devices(app: fixture.app, tokenPrefix: prefix, limit: limit).map(\.token)
    }
    #expect(try await found("aa") == ["aa00", "aa0f", "aaff"])
    #expect(try await found("aa", limit: 2) == ["aa00", "aa0f"])
    #expect(try await found("aaff") == ["aaff"])
    #expect(try await found("aaff0").isEmpty)
    #expect(try await found("") == tokens.sorted())
    #expect(try await store.devices(app: "no app", tokenPrefix: "aa", limit: 1).isEmpty)
  },
  StoreBehaviour("devices are read by their numbers, which have no gaps in an app") { store in
    let fixture = try await StoreFixture(store, "numbers")
    let other = try await StoreFixture(store, "numbers-2")
    try await fixture.register(3)
    try await other.register(2)
    try await fixture.update("last")
    let all = try await store.devices(app: fixture.app, above: nil, limit: 10)
    #expect(all.map(\.number) == [1, 2, 3, 4])
    #expect(all.last?.id == "last")
    #expect(
      try await store.devices(app: fixture.app, above: 1, limit: 2).map(\.number) == [2, 3])
    #expect(
      try await store.devices(app: other.app, above: nil, limit: 10).map(\.number) == [1, 2])
    for numbers in [[1, 2, 4], [2], [4, 900, 4_000_000_000], []] as [[UInt32]] {
      let found = try await store.devices(app: fixture.app, numbers: DeviceNumbers(numbers))
      #expect(found.map(\.number) == numbers.filter { $0 <= 4 })
      let ids = try await store.deviceIDs(app: fixture.app, numbers: DeviceNumbers(numbers))
      #expect(ids == Dictionary(uniqueKeysWithValues: found.map { ($0.number, $0.id) }))
    }
    #expect(try await store.deviceIDs(app: "no app", numbers: DeviceNumbers([1])).isEmpty)
  },
  StoreBehaviour("recipients are read in the order of their numbers") { store in
    let fixture = try await StoreFixture(store, "recipients")
    try await fixture.register(2)
    try await fixture.update("all of it") { patch in
      patch.token = .set("aa")
      patch.userID = .set("u")
      patch.userEmail = .set("u@example.com")
      patch.locale = .set("pt-BR")
      patch.timeZone = .set("Europe/Lisbon")
      patch.appVersion = .set("1.2")
      patch.osVersion = .set("26.0")
      patch.badge = .set(3)
      patch.tags = .set(["news", "sport"])
      patch.attributes["name"] = Attribute(kind: .string, value: "Ana")
      patch.publicKey = .set("key")
      patch.authSecret = .set("secret")
    }
    let devices = try await store.devices(app: fixture.app, above: nil, limit: 10)
    #expect(devices.last?.authSecret == "secret" && devices.last?.tags.count == 2)
    for numbers in [[1, 2, 3], [3], [3, 900, 4_000_000_000], []] as [[UInt32]] {
      let found = try await store.recipients(app: fixture.app, numbers: DeviceNumbers(numbers))
      #expect(found == devices.filter { numbers.contains($0.number) }.map { Recipient($0) })
    }
    #expect(try await store.recipients(app: "no app", numbers: DeviceNumbers([1])).isEmpty)
  },
  StoreBehaviour("every change of a device is in the log, in order") { store in
    let fixture = try await StoreFixture(store, "changes")
    #expect(try await store.lastChange(app: fixture.app) == 0)
    try await fixture.register(2)
    let start = try await store.lastChange(app: fixture.app)
    try await fixture.update("changes-0") { $0.token = .set("aa") }
    // The update takes the token of the first device.
    try await fixture.update("new") { $0.token = .set("aa") }
    try await store.record(
      [DeviceEvent(name: "e")], device: "changes-1", app: fixture.app, at: Sample.now)
    func numbers(after sequence: Int64, limit: Int = 100) async throws -> [UInt32]? {
      try await store.changes(app: fixture.app, after: sequence, limit: limit).map {
        Array($0.devices)
      }
    }
    #expect(try await numbers(after: start) == [1, 2, 3])
    #expect(try await numbers(after: start, limit: 1) == [1])
    let last = try await store.lastChange(app: fixture.app)
    #expect(try await numbers(after: last) == [])
    #expect(try await store.changes(app: fixture.app, after: last, limit: 1)?.last == last)
    _ = try await store.erase(device: "new", app: fixture.app, at: Sample.now)
    #expect(try await numbers(after: last) == [3])
    // A reader that has not read the trimmed changes must scan the devices again.
    try await store.trimChanges(app: fixture.app, through: last + 1000)
    #expect(try await numbers(after: start) == nil)
    #expect(try await numbers(after: last) == [3])
  },
]

let eventBehaviours = [
  StoreBehaviour("events are counted, with the first and the last time") { store in
    let fixture = try await StoreFixture(store, "events")
    try await fixture.update("d")
    let early = Sample.now + .seconds(-50)
    let events = [
      DeviceEvent(name: "play"), DeviceEvent(name: "play", date: early), DeviceEvent(name: "buy"),
    ]
    #expect(try await store.record(events, device: "d", app: fixture.app, at: Sample.now))
    #expect(
      try await store.device("d", app: fixture.app)?.events == [
        "play": EventCount(count: 2, first: early, last: Sample.now),
        "buy": EventCount(count: 1, first: Sample.now, last: Sample.now),
      ])
    #expect(
      try await store.record(events, device: "none", app: fixture.app, at: Sample.now) == false)
    let many = (0..<200).map { DeviceEvent(name: "e\($0)") }
    try await store.record(many, device: "d", app: fixture.app, at: Sample.now)
    let full = try await store.device("d", app: fixture.app)
    #expect(full?.events.count == Device.eventLimit)
  },
  StoreBehaviour("an event with an id counts once on each device, and converts once") { store in
    let fixture = try await StoreFixture(store, "event-ids")
    for id in ["d1", "d2"] { try await fixture.update(id) { $0.userID = .set("ann") } }
    try await fixture.accept("ids")
    func record(_ ids: [String?], device: String) async throws -> Bool {
      try await store.record(
        ids.map { DeviceEvent(name: "play", id: $0, send: "ids") }, device: device,
        app: fixture.app, at: Sample.now)
    }
    func recordForUser(_ id: String) async throws -> Int {
      try await store.record(
        [DeviceEvent(name: "play", id: id, send: "ids")], user: "ann", app: fixture.app,
        at: Sample.now)
    }
    #expect(try await record(["a", "b", "a", nil, nil], device: "d1"))
    #expect(try await fixture.plays("d1") == 4)
    #expect(try await record(["b", "a"], device: "d1"))
    #expect(try await fixture.plays("d1") == 4)
    // The other device has ids of its own.
    #expect(try await record(["a"], device: "d2"))
    #expect(try await fixture.plays("d2") == 1)
    #expect(try await store.conversions(of: "ids", app: fixture.app) == ["play": 5])
    #expect(try await recordForUser("u") == 2)
    try await fixture.update("d3") { $0.userID = .set("ann") }
    #expect(try await recordForUser("u") == 3)
    #expect(
      try await [fixture.plays("d1"), fixture.plays("d2"), fixture.plays("d3")] == [5, 2, 1])
    #expect(try await store.conversions(of: "ids", app: fixture.app) == ["play": 6])
  },
  StoreBehaviour("attributes and events of a user apply to every device of the user") { store in
    let fixture = try await StoreFixture(store, "users")
    for id in ["d1", "d2", "d3"] {
      try await fixture.update(id) { $0.userID = .set(id == "d3" ? "bob" : "ann") }
    }
    let attributes = ["age": Attribute(kind: .integer, value: 7)]
    let changed = try await store.update(
      user: "ann", app: fixture.app, attributes: attributes.mapValues { $0 }, at: Sample.now)
    #expect(changed == 2)
    let counted = try await store.record(
      [DeviceEvent(name: "play")], user: "ann", app: fixture.app, at: Sample.now)
    #expect(counted == 2)
    for (id, isAnn) in [("d1", true), ("d2", true), ("d3", false)] {
      let device = try await store.device(id, app: fixture.app)
      #expect(device?.attributes == (isAnn ? attributes : [:]))
      #expect(device?.events["play"]?.count == (isAnn ? 1 : nil))
    }
    let nobody = try await store.record(
      [DeviceEvent(name: "play")], user: "none", app: fixture.app, at: Sample.now)
    #expect(nobody == 0)
  },
]
