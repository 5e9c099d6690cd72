import PushPayload
import PushStore
import Testing

let messageBehaviours = [
  StoreBehaviour("a message is kept and listed, the newest first") { store in
    let world = try await StoreWorld(store, "messages")
    for number in 0..<3 { try await store.add(message("m\(number)", world)) }
    await expect(.conflict) { try await store.add(message("m1", world)) }
    #expect(try await store.message("m1", app: world.app) == message("m1", world))
    #expect(try await store.message("m1", app: "none") == nil)
    let first = try await store.messages(app: world.app, after: nil, limit: 2)
    #expect(first.elements.map(\.id) == ["m2", "m1"])
    #expect(first.total == 3)
    let rest = try await store.messages(app: world.app, after: first.cursor, limit: 2)
    #expect(rest.elements.map(\.id) == ["m0"])
    #expect(rest.cursor == nil)
    await expect(.expiredCursor) {
      _ = try await store.messages(app: world.app, after: "x", limit: 2)
    }
  },
  StoreBehaviour("a device's stream has its messages while they last") { store in
    let world = try await StoreWorld(store, "stream")
    try await world.register(2)
    let over = Sample.now + .seconds(100)
    for id in ["for-all", "for-first", "later", "also"] {
      var message = message("stream-\(id)", world)
      if id == "for-first" { message.devices = DeviceNumbers([1]) }
      if id == "later" { message.publishAt = Sample.now + .seconds(50) }
      try await store.add(message)
    }
    func ids(_ device: Int, at now: Timestamp = Sample.now) async throws -> [String] {
      try await store.stream(
        device: "stream-\(device)", app: world.app, at: now, after: nil, limit: 10
      ).elements.map { String($0.message.id.dropFirst("stream-".count)) }
    }
    #expect(try await ids(0) == ["also", "for-first", "for-all"])
    #expect(try await ids(1) == ["also", "for-all"])
    #expect(try await ids(2) == [])
    let later = Sample.now + .seconds(50)
    #expect(try await ids(1, at: later) == ["also", "later", "for-all"])
    #expect(try await ids(1, at: over) == [])
    let first = try await store.stream(
      device: "stream-0", app: world.app, at: Sample.now, after: nil, limit: 2)
    let rest = try await store.stream(
      device: "stream-0", app: world.app, at: Sample.now, after: first.cursor, limit: 2)
    #expect(rest.elements.map(\.message.id) == ["stream-for-all"])
    #expect(first.total == 3)
    #expect(rest.cursor == nil)
  },
  StoreBehaviour("an impression counts once a device and kind, and a detail is read") { store in
    let world = try await StoreWorld(store, "impressions")
    try await world.register(2)
    try await store.add(message("seen", world))
    func see(_ kind: Message.Impression, _ device: Int) async throws -> Bool {
      try await store.record(
        kind, of: "seen", device: "impressions-\(device)", app: world.app, at: Sample.now)
    }
    #expect(try await see(.stream, 0))
    #expect(try await see(.stream, 0) == false)
    #expect(try await see(.stream, 1))
    #expect(try await see(.detail, 1))
    #expect(try await see(.detail, 2) == false)
    #expect(
      try await store.impressions(of: "seen", app: world.app)
        == [.inApp: 0, .stream: 2, .detail: 1])
    for (device, isRead) in [(0, false), (1, true)] {
      let stream = try await store.stream(
        device: "impressions-\(device)", app: world.app, at: Sample.now, after: nil, limit: 1)
      #expect(stream.elements.map(\.isRead) == [isRead])
      #expect(stream.total == (isRead ? 0 : 1))
    }
  },
]

private func message(_ id: String, _ world: StoreWorld) -> Message {
  Message(
    id: id, app: world.app, audience: "a", title: "Title", content: ["text": "Text"],
    createdAt: Sample.now, unpublishAt: Sample.now + .seconds(100))
}

let reportBehaviours = [
  StoreBehaviour("receipts are counted on their send, each id once") { store in
    let world = try await StoreWorld(store, "receipts")
    try await world.register(1)
    try await world.accept("r")
    try await world.drain()
    var receipts = [Receipt.Event.received, .displayed, .opened, .dismissed].map { event in
      Receipt(
        id: "id-\(event)", send: "r", device: "receipts-0", event: event, at: Sample.now)
    }
    receipts[1].reason = "too-large"
    receipts[1].media = "https://example.com/a"
    receipts[1].milliseconds = 20
    // Of no send, and of no device.
    receipts.append(
      Receipt(id: "x", send: "none", device: "receipts-0", event: .opened, at: Sample.now))
    receipts.append(Receipt(id: "y", send: "r", device: "none", event: .opened, at: Sample.now))
    #expect(try await store.record(receipts, app: world.app, at: Sample.now) == 4)
    #expect(try await store.record(receipts, app: world.app, at: Sample.now) == 0)
    let counts = try await world.send("r").counts
    #expect([counts.delivered, counts.displayed, counts.opened] == [1, 1, 1])
    #expect(try await store.mediaFailures(of: "r", app: world.app) == ["too-large": 1])
    let device = try #require(try await store.device("receipts-0", app: world.app))
    let told = try await store.receipts(of: "r", device: device, app: world.app)
    #expect(Set(told) == Set(receipts.prefix(4)))
    #expect(try await store.receipts(of: "none", device: device, app: world.app).isEmpty)
    #expect(try await store.receipts(of: "r", device: device, app: "none").isEmpty)
  },
  StoreBehaviour("events that name a send are its conversions, and a group's") { store in
    let world = try await StoreWorld(store, "conversions")
    try await world.register(1)
    for id in ["v1", "v2"] { try await world.accept(id) { $0.group = "orders" } }
    try await world.drain()
    let events = [DeviceEvent(name: "buy", send: "v1"), DeviceEvent(name: "buy", send: "v2")]
    try await store.record(events, device: "conversions-0", app: world.app, at: Sample.now)
    #expect(try await store.conversions(of: "v1", app: world.app) == ["buy": 1])
    let stats = try await store.groupStats(
      "orders", app: world.app, from: Sample.now, to: Sample.now)
    #expect(stats.sent == 2)
    #expect(stats.conversions == ["buy": 2])
    let none = try await store.groupStats("none", app: world.app, from: Sample.now, to: Sample.now)
    #expect(none == GroupStats())
  },
  StoreBehaviour("opens are counted by the hour, devices by the day, installs once") { store in
    let world = try await StoreWorld(store, "stats")
    for id in ["d1", "d2"] { try await world.update(id) }
    let hour = 3_600_000 * (Sample.now.milliseconds / 3_600_000)
    let day = 86_400_000 * (Sample.now.milliseconds / 86_400_000)
    let next = Timestamp(milliseconds: hour + 3_600_000)
    for (id, time) in [("d1", Sample.now), ("d1", next), ("d2", next), ("none", next)] {
      try await store.recordOpen(device: id, app: world.app, at: time)
    }
    func counts(_ counter: Counter) async throws -> [CounterValue] {
      try await store.counts(
        of: counter, app: world.app, from: Timestamp(milliseconds: day), to: next)
    }
    let hours = [
      CounterValue(time: Timestamp(milliseconds: hour), count: 1),
      CounterValue(time: next, count: 2),
    ]
    #expect(try await counts(.opens) == hours)
    #expect(try await counts(.sessions) == hours)
    #expect(
      try await counts(.activeUsers)
        == [CounterValue(time: Timestamp(milliseconds: day), count: 2)])
    #expect(try await counts(.installs).map(\.count) == [2])
    #expect(try await store.device("d1", app: world.app)?.lastOpenedAt == next)
  },
  StoreBehaviour("a tap's receipt opens the app once, and a user is active once a day") { store in
    let world = try await StoreWorld(store, "taps")
    try await world.register(3)
    for id in ["taps-0", "taps-1"] { try await world.update(id) { $0.userID = .set("u") } }
    try await world.accept("tapped")
    try await world.drain()
    let time = Sample.now + .seconds(10)
    func tap(_ id: String, _ device: String) async throws {
      let receipt = Receipt(id: id, send: "tapped", device: device, event: .opened, at: time)
      _ = try await store.record([receipt], app: world.app, at: time + .seconds(5))
    }
    try await tap("1", "taps-0")
    try await tap("2", "taps-0")
    // The app tells of the same opening, and of another one much later.
    for wait in [3, 600] {
      try await store.recordOpen(device: "taps-0", app: world.app, at: time + .seconds(wait))
    }
    for device in ["taps-1", "taps-2"] {
      try await store.recordOpen(device: device, app: world.app, at: time)
      try await tap(device, device)
    }
    func sum(_ counter: Counter) async throws -> Int {
      try await store.counts(
        of: counter, app: world.app, from: Timestamp(milliseconds: 0), to: time + .seconds(3600)
      ).reduce(0) { $0 + $1.count }
    }
    #expect(try await sum(.opens) == 4)
    #expect(try await sum(.sessions) == 4)
    #expect(try await sum(.activeUsers) == 2)
    let device = try await store.device("taps-0", app: world.app)
    #expect(device?.lastOpenedAt == time + .seconds(600))
    #expect(try await store.device("taps-1", app: world.app)?.lastOpenedAt == time)
  },
  StoreBehaviour("the audit log is an app's or the server's, the newest first") { store in
    let world = try await StoreWorld(store, "audit")
    for number in 0..<3 {
      try await store.append(
        AuditEntry(
          app: number == 1 ? nil : world.app, key: "k", action: "act\(number)", object: "o",
          address: "192.0.2.1", at: Sample.now))
    }
    let first = try await store.audit(app: world.app, after: nil, limit: 1)
    #expect(first.elements.map(\.action) == ["act2"])
    #expect(first.total == 2)
    let rest = try await store.audit(app: world.app, after: first.cursor, limit: 5)
    #expect(rest.elements.map(\.action) == ["act0"])
    #expect(try await store.audit(app: nil, after: nil, limit: 1).elements.first?.action == "act1")
    await expect(.expiredCursor) {
      _ = try await store.audit(app: nil, after: "x", limit: 1)
    }
  },
]
