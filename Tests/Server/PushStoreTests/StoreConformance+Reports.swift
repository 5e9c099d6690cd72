import PushModel
import PushPayload
import Testing

let messageBehaviours = [
  StoreBehaviour("messages are stored and listed, the newest first") { store in
    let fixture = try await StoreFixture(store, "messages")
    for number in 0..<3 { try await store.add(message("m\(number)", fixture)) }
    await expect(.conflict) { try await store.add(message("m1", fixture)) }
    #expect(try await store.message("m1", app: fixture.app) == message("m1", fixture))
    #expect(try await store.message("m1", app: "none") == nil)
    let first = try await store.messages(app: fixture.app, after: nil, limit: 2)
    #expect(first.elements.map(\.id) == ["m2", "m1"])
    #expect(first.total == 3)
    let rest = try await store.messages(app: fixture.app, after: first.cursor, limit: 2)
    #expect(rest.elements.map(\.id) == ["m0"])
    #expect(rest.cursor == nil)
    await expect(.expiredCursor) {
      _ = try await store.messages(app: fixture.app, after: "x", limit: 2)
    }
  },
  StoreBehaviour(
    "an impression counts once for each device and kind, and one in detail marks as read"
  ) { store in
    let fixture = try await StoreFixture(store, "impressions")
    try await fixture.register(2)
    try await store.add(message("seen", fixture))
    func see(_ kind: Message.Impression, _ device: Int) async throws -> Bool {
      try await store.record(
        kind, of: "seen", device: "impressions-\(device)", app: fixture.app, at: Sample.now)
    }
    #expect(try await see(.stream, 0))
    #expect(try await see(.stream, 0) == false)
    #expect(try await see(.stream, 1))
    #expect(try await see(.detail, 1))
    #expect(try await see(.detail, 2) == false)
    #expect(
      try await store.impressions(of: "seen", app: fixture.app)
        == [.inApp: 0, .stream: 2, .detail: 1])
    for (device, isRead) in [(0, false), (1, true)] {
      let inbox = try await store.inbox(
        device: "impressions-\(device)", app: fixture.app, at: Sample.now, after: nil, limit: 1)
      #expect(inbox.elements.map(\.isRead) == [isRead])
      #expect(inbox.total == (isRead ? 0 : 1))
    }
  },
]

private func message(_ id: String, _ fixture: StoreFixture) -> Message {
  Message(
    id: id, app: fixture.app, audience: "a", title: "Title", content: ["text": "Text"],
    createdAt: Sample.now, unpublishAt: Sample.now + .seconds(100))
}

let reportBehaviours = [
  StoreBehaviour("receipts are counted on their send, once for each id") { store in
    let fixture = try await StoreFixture(store, "receipts")
    try await fixture.register(1)
    try await fixture.accept("r")
    try await fixture.drain()
    var receipts = [Receipt.Event.received, .displayed, .opened, .dismissed].map { event in
      Receipt(
        id: "id-\(event)", send: "r", device: "receipts-0", event: event, at: Sample.now)
    }
    receipts[1].reason = "too-large"
    receipts[1].media = "https://example.com/a"
    receipts[1].milliseconds = 20
    var trace = ReceiptTrace()
    (trace.dialect, trace.decryption, trace.content) = ("braze", "ok", .enriched)
    trace.isFocused = true
    trace.media = [.init(result: "failed", reason: "http-status", status: 404)]
    receipts[0].trace = trace
    // Receipts without a send, and without a device.
    receipts.append(
      Receipt(id: "x", send: "none", device: "receipts-0", event: .opened, at: Sample.now))
    receipts.append(Receipt(id: "y", send: "r", device: "none", event: .opened, at: Sample.now))
    #expect(try await store.record(receipts, app: fixture.app, at: Sample.now) == 4)
    #expect(try await store.record(receipts, app: fixture.app, at: Sample.now) == 0)
    let counts = try await fixture.send("r").counts
    #expect([counts.delivered, counts.displayed, counts.opened] == [1, 1, 1])
    #expect(try await store.mediaFailures(of: "r", app: fixture.app) == ["too-large": 1])
    let device = try #require(try await store.device("receipts-0", app: fixture.app))
    let stored = try await store.receipts(of: "r", device: device, app: fixture.app)
    #expect(Set(stored) == Set(receipts.prefix(4)))
    #expect(try await store.receipts(of: "none", device: device, app: fixture.app).isEmpty)
    #expect(try await store.receipts(of: "r", device: device, app: "none").isEmpty)
  },
  StoreBehaviour(
    "a device that a send was not for has no receipts of it, and each event counts once"
  ) { store in
    let fixture = try await StoreFixture(store, "untargeted")
    try await fixture.register(1)
    try await fixture.accept("early")
    // Registered after the send was accepted.
    try await fixture.update("later") { $0.token = .set("ff") }
    try await fixture.drain()
    let events = [Receipt.Event.received, .displayed, .opened]
    func receipts(_ device: String, _ run: Int) -> [Receipt] {
      events.map { event in
        var receipt = Receipt(
          id: "\(run) \(event)", send: "early", device: device, event: event, at: Sample.now)
        receipt.media = event == .received ? "attached" : nil
        return receipt
      }
    }
    #expect(try await store.record(receipts("later", 1), app: fixture.app, at: Sample.now) == 0)
    for run in 1...2 {
      let stored = try await store.record(
        receipts("untargeted-0", run), app: fixture.app, at: Sample.now)
      #expect(stored == 3)
    }
    let both = receipts("untargeted-0", 3) + receipts("untargeted-0", 4)
    #expect(try await store.record(both, app: fixture.app, at: Sample.now) == 6)
    let counts = try await fixture.send("early").counts
    #expect([counts.delivered, counts.displayed, counts.opened, counts.sent] == [1, 1, 1, 1])
    let hours = try await store.hours(of: "early", app: fixture.app)
    #expect(hours.map(\.delivered) == [1] && hours.map(\.media) == [["attached": 1]])
    let later = try #require(try await store.device("later", app: fixture.app))
    #expect(try await store.receipts(of: "early", device: later, app: fixture.app).isEmpty)
  },
  StoreBehaviour("a send that was cancelled takes receipts of the devices that it was sent to") {
    store in
    let fixture = try await StoreFixture(store, "cancelled")
    try await fixture.register(2)
    try await fixture.accept("c-part") { $0.throttlePerSecond = 1 }
    try await fixture.accept("c-none") { $0.scheduledAt = Sample.now + .seconds(1000) }
    try await fixture.finish(try #require(try await fixture.lease()))
    for id in ["c-part", "c-none"] {
      let send = try await store.order(.cancel, send: id, app: fixture.app, at: Sample.now)
      #expect(send?.state == .canceled)
    }
    #expect(try await fixture.send("c-part").counts.sent == 1)
    func stored(_ send: String) async throws -> Int {
      let receipt = Receipt(
        id: send, send: send, device: "cancelled-0", event: .received, at: Sample.now)
      return try await store.record([receipt], app: fixture.app, at: Sample.now)
    }
    #expect(try await stored("c-part") == 1)
    #expect(try await stored("c-none") == 0)
  },
  StoreBehaviour("an expanded notification is counted by page and by value, each receipt once") {
    store in
    let fixture = try await StoreFixture(store, "templates")
    try await fixture.register(2)
    try await fixture.accept("templates-send")
    try await fixture.drain()
    #expect(try await store.templateCounts(of: "templates-send", app: fixture.app).isEmpty)
    func receipt(
      _ event: Receipt.Event, by device: Int, page: Int? = nil, dwell: Int? = nil,
      value: String? = nil
    ) -> Receipt {
      var receipt = Receipt(
        id: "\(event) \(device) \(page ?? -1)", send: "templates-send",
        device: "templates-\(device)",
        event: event, at: Sample.now)
      (receipt.page, receipt.dwell, receipt.value) = (page, dwell, value)
      return receipt
    }
    var receipts = [0, 1].flatMap { device in
      [
        receipt(.templateViewed, by: device),
        receipt(.templatePage, by: device, page: 0, dwell: 4 - device),
        receipt(.templateAnswered, by: device, value: device == 0 ? "5" : nil),
      ]
    }
    receipts += [
      receipt(.templatePage, by: 1, page: 9, dwell: 0),
      receipt(.templateOpened, by: 1, page: 9), receipt(.templateOpened, by: 0),
      receipt(.templateExpired, by: 0), receipt(.templatePlayed, by: 1),
      receipt(.templateViewed, by: 7),
    ]
    #expect(try await store.record(receipts, app: fixture.app, at: Sample.now) == 11)
    #expect(try await store.record(receipts, app: fixture.app, at: Sample.now) == 0)
    var expected = TemplateCounts()
    (expected.viewed, expected.answered, expected.opened) = (2, 2, 2)
    (expected.expired, expected.played, expected.values) = (1, 1, ["5": 1])
    expected.pages = [
      0: TemplateCounts.Page(seen: 2, seconds: 7), 9: TemplateCounts.Page(seen: 1, opened: 1),
    ]
    #expect(try await store.templateCounts(of: "templates-send", app: fixture.app) == expected)
    #expect(expected.pages[0]?.meanDwell == 3.5 && TemplateCounts.Page().meanDwell == nil)
    let counts = try await fixture.send("templates-send").counts
    #expect([counts.delivered, counts.displayed, counts.opened] == [0, 0, 0])
    #expect(try await store.mediaFailures(of: "templates-send", app: fixture.app).isEmpty)
    #expect(try await store.conversions(of: "templates-send", app: fixture.app).isEmpty)
    #expect(try await store.templateCounts(of: "none", app: fixture.app).isEmpty)
    #expect(try await store.templateCounts(of: "templates-send", app: "none").isEmpty)
    // The counts stay when the receipts are removed.
    while try await store.removeOutdated(
      Retention(), at: Sample.now + .days(91), limit: 1000)
    {}
    #expect(try await store.templateCounts(of: "templates-send", app: fixture.app) == expected)
  },
  StoreBehaviour("a hundred values of a send are counted by themselves, and the rest together") {
    store in
    let fixture = try await StoreFixture(store, "values")
    try await fixture.register(1)
    for id in ["values-send", "values-other"] { try await fixture.accept(id) }
    try await fixture.drain()
    var number = 0
    func answer(_ values: [String], of send: String = "values-send") async throws {
      let receipts = values.map { value in
        number += 1
        var receipt = Receipt(
          id: "\(number)", send: send, device: "values-0", event: .templateAnswered, at: Sample.now)
        receipt.value = value
        return receipt
      }
      #expect(
        try await store.record(receipts, app: fixture.app, at: Sample.now) == values.count)
    }
    try await answer((0..<TemplateCounts.maximumValues).map { "v\($0)" })
    var counts = try await store.templateCounts(of: "values-send", app: fixture.app)
    #expect(counts.values.count == 100 && counts.otherValues == 0)
    try await answer(["new", "v7", "newer", "new"])
    try await answer(["new"], of: "values-other")
    counts = try await store.templateCounts(of: "values-send", app: fixture.app)
    #expect(counts.values.count == 100 && counts.otherValues == 3 && counts.answered == 104)
    #expect(counts.values["v7"] == 2 && counts.values["new"] == nil)
    #expect(
      try await store.templateCounts(of: "values-other", app: fixture.app).values == ["new": 1])
  },
  StoreBehaviour("new values that come at the same time are not more than a hundred") { store in
    let fixture = try await StoreFixture(store, "race")
    try await fixture.register(1)
    try await fixture.accept("race-send")
    try await fixture.drain()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          for value in 0..<20 {
            var receipt = Receipt(
              id: "\(number) \(value)", send: "race-send", device: "race-0",
              event: .templateAnswered,
              at: Sample.now)
            receipt.value = receipt.id
            try await store.record([receipt], app: fixture.app, at: Sample.now)
          }
        }
      }
      try await group.waitForAll()
    }
    let counts = try await store.templateCounts(of: "race-send", app: fixture.app)
    #expect(counts.values.count == 100 && counts.otherValues == 60 && counts.answered == 160)
  },
  StoreBehaviour("events that name a send are conversions of the send and of its group") { store in
    let fixture = try await StoreFixture(store, "conversions")
    try await fixture.register(1)
    for id in ["v1", "v2"] { try await fixture.accept(id) { $0.group = "orders" } }
    try await fixture.drain()
    let events = [DeviceEvent(name: "buy", send: "v1"), DeviceEvent(name: "buy", send: "v2")]
    try await store.record(events, device: "conversions-0", app: fixture.app, at: Sample.now)
    #expect(try await store.conversions(of: "v1", app: fixture.app) == ["buy": 1])
    let stats = try await store.groupStats(
      "orders", app: fixture.app, from: Sample.now, to: Sample.now)
    #expect(stats.sent == 2)
    #expect(stats.conversions == ["buy": 2])
    let none = try await store.groupStats(
      "none", app: fixture.app, from: Sample.now, to: Sample.now)
    #expect(none == GroupStats())
  },
  StoreBehaviour("opens are counted by the hour, active devices by the day, installs once") {
    store in
    let fixture = try await StoreFixture(store, "stats")
    for id in ["d1", "d2"] { try await fixture.update(id) }
    let hour = 3_600_000 * (Sample.now.milliseconds / 3_600_000)
    let day = 86_400_000 * (Sample.now.milliseconds / 86_400_000)
    let next = Timestamp(milliseconds: hour + 3_600_000)
    for (id, time) in [("d1", Sample.now), ("d1", next), ("d2", next), ("none", next)] {
      try await store.recordOpen(device: id, app: fixture.app, at: time)
    }
    func counts(_ counter: Counter) async throws -> [CounterValue] {
      try await store.counts(
        of: counter, app: fixture.app, from: Timestamp(milliseconds: day), to: next)
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
    #expect(try await store.device("d1", app: fixture.app)?.lastOpenedAt == next)
  },
  StoreBehaviour("a tap's receipt counts one open, and a user is active once a day") { store in
    let fixture = try await StoreFixture(store, "taps")
    try await fixture.register(3)
    for id in ["taps-0", "taps-1"] { try await fixture.update(id) { $0.userID = .set("u") } }
    try await fixture.accept("tapped")
    try await fixture.drain()
    let time = Sample.now + .seconds(10)
    func tap(_ id: String, _ device: String) async throws {
      let receipt = Receipt(id: id, send: "tapped", device: device, event: .opened, at: time)
      _ = try await store.record([receipt], app: fixture.app, at: time + .seconds(5))
    }
    try await tap("1", "taps-0")
    try await tap("2", "taps-0")
    // The app reports the same opening, and another one much later.
    for wait in [3, 600] {
      try await store.recordOpen(device: "taps-0", app: fixture.app, at: time + .seconds(wait))
    }
    for device in ["taps-1", "taps-2"] {
      try await store.recordOpen(device: device, app: fixture.app, at: time)
      try await tap(device, device)
    }
    func sum(_ counter: Counter) async throws -> Int {
      try await store.counts(
        of: counter, app: fixture.app, from: Timestamp(milliseconds: 0), to: time + .seconds(3600)
      ).reduce(0) { $0 + $1.count }
    }
    #expect(try await sum(.opens) == 4)
    #expect(try await sum(.sessions) == 4)
    #expect(try await sum(.activeUsers) == 2)
    let device = try await store.device("taps-0", app: fixture.app)
    #expect(device?.lastOpenedAt == time + .seconds(600))
    #expect(try await store.device("taps-1", app: fixture.app)?.lastOpenedAt == time)
  },
]
