import PushModel
import PushPayload
import Testing

let attributionBehaviours = [
  StoreBehaviour("outcomes and receipts are counted by the hour, wrong clocks corrected") { store in
    let fixture = try await StoreFixture(store, "hours")
    try await fixture.register(2)
    try await fixture.accept("h")
    try await fixture.drain()
    let now = Sample.now + .seconds(3 * 3600)
    func receipt(
      _ id: String, _ event: Receipt.Event, hours: Int, device: Int = 0, media: String? = nil,
      reason: String? = nil
    ) -> Receipt {
      var receipt = Receipt(
        id: "hours-\(id)", send: "h", device: "hours-\(device)", event: event,
        at: Sample.now + .seconds(hours * 3600))
      receipt.media = media
      receipt.reason = reason
      return receipt
    }
    let receipts = [
      receipt("1", .received, hours: 0, media: "attached"),
      receipt("2", .received, hours: 1, device: 1, media: "failed", reason: "timeout"),
      receipt("3", .displayed, hours: 1), receipt("4", .opened, hours: -50),
      receipt("5", .opened, hours: 50, device: 1), receipt("6", .dismissed, hours: 2),
    ]
    for _ in 0..<2 { _ = try await store.record(receipts, app: fixture.app, at: now) }
    let first = Sample.now.milliseconds / 3_600_000 * 3_600_000
    var expected = [0, 1, 3].map { hour in
      SendHour(time: Timestamp(milliseconds: first + hour * 3_600_000))
    }
    expected[0].sent = 2
    expected[0].delivered = 1
    expected[0].opened = 1
    expected[0].media = ["attached": 1]
    expected[1].delivered = 1
    expected[1].displayed = 1
    expected[1].media = ["failed": 1]
    expected[1].mediaFailures = ["timeout": 1]
    expected[2].opened = 1
    #expect(try await store.hours(of: "h", app: fixture.app) == expected)
    #expect(try await store.hours(of: "h", app: "none").isEmpty)
  },
  StoreBehaviour("a clock that is behind counts in the hour in which a planned send began") {
    store in
    let fixture = try await StoreFixture(store, "planned-hours")
    try await fixture.register(1)
    let start = Sample.now + .days(4)
    try await fixture.accept("planned") { $0.scheduledAt = start }
    try await fixture.drain(at: start)
    let receipt = Receipt(
      id: "r", send: "planned", device: "planned-hours-0", event: .received,
      at: Timestamp(milliseconds: 0))
    _ = try await store.record([receipt], app: fixture.app, at: start + .seconds(5))
    let hours = try await store.hours(of: "planned", app: fixture.app)
    #expect(hours.filter { $0.delivered > 0 }.map(\.time) == [start.hour])
  },
  StoreBehaviour(
    "openings and taps are counted by the hour of the day for each device, until it is erased"
  ) { store in
    let fixture = try await StoreFixture(store, "open-hours")
    try await fixture.register(3)
    try await fixture.accept("timed")
    try await fixture.drain()
    let day = Sample.now.milliseconds / 86_400_000 + 1
    func time(_ hour: Int64, day later: Int64 = 0) -> Timestamp {
      Timestamp(milliseconds: (day + later) * 86_400_000 + hour * 3_600_000)
    }
    for later in 0..<3 {
      try await store.recordOpen(
        device: "open-hours-0", app: fixture.app, at: time(8, day: Int64(later)))
    }
    // A tap, and the opening that it causes, are one.
    let tap = Receipt(
      id: "open-hours-tap", send: "timed", device: "open-hours-1", event: .opened, at: time(20))
    _ = try await store.record([tap], app: fixture.app, at: time(20))
    try await store.recordOpen(
      device: "open-hours-1", app: fixture.app, at: time(20) + .seconds(1))
    let first = try #require(try await store.device("open-hours-0", app: fixture.app)).number
    func counts() async throws -> [[Int: UInt8]] {
      let numbers = DeviceNumbers([first, first + 1, first + 2])
      return try await store.openHours(app: fixture.app, numbers: numbers).map { _, hours in
        Dictionary(
          uniqueKeysWithValues: hours.counts.enumerated().filter { $0.element > 0 }
            .map { ($0.offset, $0.element) })
      }
    }
    #expect(try await counts() == [[8: 3], [20: 1], [:]])
    _ = try await store.erase(device: "open-hours-0", app: fixture.app, at: time(23))
    #expect(try await counts() == [[:], [20: 1], [:]])
  },
  StoreBehaviour(
    "a tap within a minute after the app has reported an opening is that opening, and no other tap"
  ) { store in
    let fixture = try await StoreFixture(store, "launches")
    try await fixture.register(2)
    for id in ["launch-1", "launch-2"] { try await fixture.accept(id) }
    try await fixture.drain()
    for (send, device, open, tap, opens) in [
      // The phone's clock is ahead of the server's.
      ("launch-1", "launches-0", 10, 15, 1), ("launch-1", "launches-1", 10, 75, 3),
      ("launch-2", "launches-1", nil, 80, 4), ("launch-2", "launches-0", 200, 260, 5),
    ] as [(String, String, Int?, Int, Int)] {
      if let open {
        try await store.recordOpen(
          device: device, app: fixture.app, at: Sample.now + .seconds(open))
      }
      let receipt = Receipt(
        id: "tap", send: send, device: device, event: .opened, at: Sample.now + .seconds(tap))
      _ = try await store.record([receipt], app: fixture.app, at: receipt.at)
      #expect(try await store.device(device, app: fixture.app)?.lastOpenedAt == receipt.at)
      let counts = try await store.counts(
        of: .opens, app: fixture.app, from: Timestamp(milliseconds: 0),
        to: Sample.now + .seconds(3600))
      #expect(counts.reduce(0) { $0 + $1.count } == opens, "\(tap)")
    }
  },
  StoreBehaviour("receipts of an erased device are neither counted nor kept") { store in
    let fixture = try await StoreFixture(store, "late-receipts")
    try await fixture.register(2)
    try await fixture.accept("late")
    try await fixture.drain()
    let device = try #require(try await store.device("late-receipts-0", app: fixture.app))
    _ = try await store.erase(device: device.id, app: fixture.app, at: Sample.now)
    func receipts(_ device: String) -> [Receipt] {
      [Receipt.Event.received, .displayed, .opened].map { event in
        Receipt(
          id: "\(device)-\(event)", send: "late", device: device, event: event, at: Sample.now)
      }
    }
    let both = receipts(device.id) + receipts("late-receipts-1")
    #expect(try await store.record(both, app: fixture.app, at: Sample.now) == 3)
    let counts = try await fixture.send("late").counts
    #expect([counts.delivered, counts.displayed, counts.opened] == [1, 1, 1])
    #expect(try await store.receipts(of: "late", device: device, app: fixture.app).isEmpty)
    #expect(try await store.device(device.id, app: fixture.app)?.lastOpenedAt == nil)
  },
  StoreBehaviour("an opening without a tap is one indirect opening, until the tap is reported") {
    store in
    let fixture = try await StoreFixture(store, "indirect")
    try await fixture.register(2)
    for id in ["seen-1", "seen-2"] { try await fixture.accept(id) { $0.group = "news" } }
    try await fixture.drain()
    func receive(
      _ send: String, _ event: Receipt.Event, device: Int, after seconds: Int
    ) async throws {
      let receipt = Receipt(
        id: "\(send)-\(event)-\(device)", send: send, device: "indirect-\(device)", event: event,
        at: Sample.now + .seconds(seconds))
      #expect(try await store.record([receipt], app: fixture.app, at: receipt.at) == 1)
    }
    func open(_ device: Int, _ seconds: Int) async throws {
      try await store.recordOpen(
        device: "indirect-\(device)", app: fixture.app, at: Sample.now + .seconds(seconds))
    }
    func opens(_ id: String) async throws -> [Int] {
      let send = try await fixture.send(id)
      return [send.counts.opened, send.counts.openedIndirectly]
    }
    try await open(0, 0)
    try await receive("seen-1", .received, device: 0, after: 10)
    try await open(0, 20)
    try await open(0, 30)
    #expect(try await opens("seen-1") == [0, 1])
    try await receive("seen-1", .opened, device: 0, after: 40)
    #expect(try await opens("seen-1") == [1, 0])
    // A push that is reported after the opening that it caused.
    try await open(1, 50)
    try await receive("seen-2", .displayed, device: 1, after: 45)
    #expect(try await opens("seen-2") == [0, 1])
    let day = Sample.now + .seconds(86_400)
    let stats = try await store.groupStats("news", app: fixture.app, from: Sample.now, to: day)
    #expect([stats.opened, stats.openedIndirectly] == [1, 1])
    // A day after the push no opening is credited to it.
    try await receive("seen-2", .received, device: 0, after: 60)
    try await open(0, 60 + 86_401)
    #expect(try await opens("seen-2") == [0, 1])
  },
  StoreBehaviour(
    "purchases are credited to the push that opened the app, or to the one that they name"
  ) {
    store in
    let fixture = try await StoreFixture(store, "purchases")
    for id in ["p", "q"] {
      try await fixture.update(id) {
        $0.userID = .set("u")
        $0.token = .set(id)
      }
    }
    for id in ["p1", "p2"] { try await fixture.accept(id) { $0.group = "shop" } }
    try await fixture.drain()
    var order = DeviceEvent(name: "order")
    order.items = [
      PurchasedItem(name: "Umbrella", quantity: 2, price: 1999),
      PurchasedItem(name: "Map", quantity: 1, price: 0),
    ]
    // Before the push was opened, a purchase is not credited.
    try await store.record([order], device: "p", app: fixture.app, at: Sample.now)
    let tap = Receipt(
      id: "tap-p1", send: "p1", device: "p", event: .opened, at: Sample.now + .seconds(1))
    _ = try await store.record([tap], app: fixture.app, at: tap.at)
    try await store.record([order], device: "p", app: fixture.app, at: tap.at)
    try await store.record([order], user: "u", app: fixture.app, at: tap.at)
    order.send = "p2"
    try await store.record([order], device: "p", app: fixture.app, at: tap.at)
    order.send = nil
    try await store.record([order], device: "p", app: fixture.app, at: tap.at + .seconds(86_401))
    try await store.record([order], device: "q", app: fixture.app, at: tap.at)
    #expect(try await store.conversions(of: "p1", app: fixture.app) == ["order": 2])
    #expect(try await store.conversions(of: "p2", app: fixture.app) == ["order": 1])
    let stats = try await store.groupStats(
      "shop", app: fixture.app, from: Sample.now, to: Sample.now)
    #expect(
      stats.purchases == [
        "Umbrella": Purchases(count: 6, value: 3 * 2 * 1999), "Map": Purchases(count: 3),
      ])
  },
]
