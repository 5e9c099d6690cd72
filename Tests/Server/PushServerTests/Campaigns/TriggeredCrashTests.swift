import APNs
import PushModel
import PushPayload
import PushStore
import TestSupport
import Testing
import _SQLite

@testable import PushServer

@Suite("Triggered campaigns over a store that fails in the middle", .timeLimit(.minutes(10)))
struct TriggeredCrashTests {
  private static let document: [String: JSONValue] = [
    "to": [["name": "platform", "criteria": ["iOS"]]],
    "when": ["trigger": ["event": "cart"], "exit_on": [["event": "bought"]], "again_after": "P1D"],
    "steps": [
      ["after": "PT1H", "variants": CampaignFixture.twoVariants],
      [
        "after": "PT2H",
        "variants": [
          ["key": "c", "share": 90, "payload": ["alert": "Still there: {{ event.what }}"]],
          ["key": "control", "share": 10],
        ],
      ],
    ],
  ]

  private func start(_ all: CampaignFixture) async throws -> String {
    var campaign = CampaignFixture.document(Self.document)["campaign"]?.object ?? [:]
    campaign["variants"] = nil
    let answer = await all.post("campaigns", ["campaign": .object(campaign)])
    let id = try #require(answer.json["campaign"]?["id"]?.string, "\(answer.text)")
    #expect(await all.post("campaigns/\(id)/start").status == 200)
    return id
  }

  private func damage(_ all: CampaignFixture, _ kind: String, _ table: String) async throws {
    try await all.fixture.store.writer.read { db in
      try db.execute(
        """
        CREATE TRIGGER failing BEFORE \(kind) ON \(table)
        BEGIN SELECT RAISE(ABORT, 'a node died here'); END
        """)
    }
  }

  private func mend(_ all: CampaignFixture) async throws {
    try await all.fixture.store.writer.read { try $0.execute("DROP TRIGGER failing") }
  }

  private static func event(_ name: String, id: String? = nil) -> DeviceEvent {
    var event = DeviceEvent(name: name, id: id)
    event.data = ["what": "shoes"]
    return event
  }

  @Test(
    "an event that is not stored enrolls nobody, and does once when it is sent again",
    arguments: [
      ("INSERT", "event_ids"), ("UPDATE", "devices"), ("INSERT", "enrollments"),
      ("INSERT", "changes"),
    ])
  func eventDies(kind: String, table: String) async throws {
    let all = try await CampaignFixture(devices: 1)
    let (store, app) = (all.fixture.store, all.fixture.app.id)
    let campaign = try await start(all)
    func happen() async throws {
      try await store.record(
        [Self.event("cart", id: "order")], device: "d0", app: app, at: all.fixture.clock.now)
    }
    try await damage(all, kind, table)
    await #expect(throws: StoreError.self) { try await happen() }
    #expect(try await all.counts(of: campaign).total == 0)
    #expect(try await store.device("d0", app: app)?.events["cart"] == nil)
    try await mend(all)
    for _ in 0..<2 { try await happen() }
    #expect(try await all.counts(of: campaign).waiting == [1: 1])
    #expect(try await store.device("d0", app: app)?.events["cart"]?.count == 1)
  }

  @Test("an event that makes a person leave is stored with that, or neither is")
  func exitDies() async throws {
    let all = try await CampaignFixture(devices: 1)
    let (store, app) = (all.fixture.store, all.fixture.app.id)
    let campaign = try await start(all)
    await all.happen("cart", on: "d0")
    try await damage(all, "UPDATE", "enrollments")
    await #expect(throws: StoreError.self) {
      try await store.record(
        [Self.event("bought", id: "1")], device: "d0", app: app, at: all.fixture.clock.now)
    }
    #expect(try await all.counts(of: campaign).waiting == [1: 1])
    #expect(try await store.device("d0", app: app)?.events["bought"] == nil)
    try await mend(all)
    try await store.record(
      [Self.event("bought", id: "1")], device: "d0", app: app, at: all.fixture.clock.now)
    #expect(try await all.counts(of: campaign).ended == [1: [.exited: 1]])
  }

  @Test(
    "the start of a campaign that dies before any of its writes has started nothing",
    arguments: [
      ("UPDATE", "campaigns"), ("INSERT", "runs"), ("INSERT", "triggers"), ("UPDATE", "apps"),
    ])
  func startDies(kind: String, table: String) async throws {
    let all = try await CampaignFixture(devices: 1)
    let id = try await all.create(["when": ["trigger": ["event": "cart"]]])
    try await damage(all, kind, table)
    #expect(await all.post("campaigns/\(id)/start").status >= 400)
    await all.happen("cart", on: "d0")
    #expect(await all.get("campaigns/\(id)")["campaign"]?["state"] == "draft")
    try await mend(all)
    #expect(await all.post("campaigns/\(id)/start").status == 200)
    await all.happen("cart", on: "d0")
    #expect(try await all.counts(of: id).total == 1)
  }

  @Test(
    "a step that dies before any of its writes has sent nothing, and is sent once afterwards",
    arguments: [
      ("INSERT", "audiences"), ("INSERT", "sends"), ("INSERT", "segments"),
      ("INSERT", "send_terms"), ("INSERT", "send_data"), ("UPDATE", "enrollments"),
      ("UPDATE", "triggers"),
    ])
  func stepDies(kind: String, table: String) async throws {
    let all = try await CampaignFixture(devices: 60)
    let (store, app) = (all.fixture.store, all.fixture.app.id)
    let campaign = try await start(all)
    for device in 0..<60 {
      try await store.record(
        [Self.event("cart")], device: "d\(device)", app: app, at: all.fixture.clock.now)
    }
    for step in 1...2 {
      all.fixture.clock.advance(by: .seconds(3600 * Int64(step)))
      let before = try await all.counts(of: campaign)
      let sends = try await all.sends(of: campaign).count
      try await damage(all, kind, table)
      try await all.runner.runDue()
      // Only the second step has a text that depends on the event, and only the first one a new audience.
      let isWritten = table == "send_data" ? step == 2 : table == "audiences" ? step == 1 : true
      if isWritten {
        #expect(try await all.counts(of: campaign) == before)
        #expect(try await all.sends(of: campaign).count == sends)
      }
      try await mend(all)
      // A lease that was not ended lapses.
      all.fixture.clock.advance(by: EnrollmentRunner.lease)
      try await all.runner.runDue()
      await all.deliver()
      let counts = try await all.counts(of: campaign)
      #expect(all.received.count == 60 - counts.count(.control))
      #expect(all.received.values.allSatisfy { $0.count == step })
    }
    #expect(all.received.values.allSatisfy { $0.last == "Still there: shoes" })
    let counts = try await all.counts(of: campaign)
    #expect(counts.waiting.isEmpty && counts.total == 60)
  }

  @Test("nodes that take the same steps while people leave send to nobody twice, and to all others")
  func nodes() async throws {
    let all = try await CampaignFixture(devices: 90)
    let nodes = try (0..<3).map { _ in
      Router(
        Actions(
          store: try SQLitePushStore(path: all.fixture.store.path),
          secretKey: all.fixture.secretKey, clock: all.fixture.clock.serverClock))
    }
    let campaign = try await start(all)
    let app = all.fixture.app.id
    // The nodes record at once what enrolls people.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (place, node) in nodes.enumerated() {
        group.addTask {
          for device in 0..<90 where device % 3 == place || device % 5 == 0 {
            try await node.store.record(
              [Self.event("cart")], device: "d\(device)", app: app, at: node.clock.now())
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await all.counts(of: campaign).total == 90)
    for step in 1...2 {
      all.fixture.clock.advance(by: .seconds(3600 * Int64(step)))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (place, node) in nodes.enumerated() {
          group.addTask {
            for _ in 0..<3 { try await node.actions.campaignRunner.runDue() }
            let device = "d\(20 * step + place)"
            try await node.store.record(
              [Self.event("bought")], device: device, app: app, at: node.clock.now())
          }
        }
        try await group.waitForAll()
      }
      all.fixture.clock.advance(by: EnrollmentRunner.lease)
      try await all.runner.runDue()
      await all.deliver()
    }
    let counts = try await all.counts(of: campaign)
    #expect(counts.total == 90 && counts.waiting.isEmpty)
    let twice = all.received.values.filter { $0.count == 2 }.count
    #expect(twice == counts.count(.done))
    // Who left at the second step has got the first message.
    let once = all.received.values.filter { $0.count == 1 }.count
    #expect(once == counts.ended[2]?[.exited] ?? 0)
    #expect(all.received.values.allSatisfy { $0.count <= 2 })
  }

  @Test(
    "three nodes over PostgreSQL that enroll and send at once send each step to each person once",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func nodesOverPostgreSQL() async throws {
    try await PostgreSQLCluster().use { cluster in
      let nodes = try await CampaignNodes(url: cluster.url, devices: 60)
      let (stores, app, clock) = (nodes.stores, nodes.app, nodes.clock)
      var campaign = Campaign(
        id: Identifiers.makeObjectID(), app: app, name: "Cart",
        document: .object(Self.document), createdAt: clock.now)
      campaign.kind = .triggered
      try await stores[0].save(campaign)
      let plan = try CampaignPlan(stored: campaign.document, at: clock.now)
      _ = try await stores[0].apply(
        .start, toCampaign: campaign.id, app: campaign.app,
        start: plan.start(of: campaign, at: clock.now), at: clock.now)
      let appID = campaign.app
      try await withThrowingTaskGroup(of: Void.self) { group in
        for store in stores {
          for device in 0..<60 {
            group.addTask {
              try await store.record(
                [Self.event("cart")], device: "d\(device)", app: appID, at: clock.now)
            }
          }
        }
        try await group.waitForAll()
      }
      for step in 1...2 {
        clock.advance(by: .seconds(3600 * Int64(step)))
        try await withThrowingTaskGroup(of: Void.self) { group in
          for (place, store) in stores.enumerated() {
            group.addTask {
              for _ in 0..<2 { try await nodes.runner(of: place).runDue() }
              try await store.record(
                [Self.event("bought")], device: "d\(10 * step + place)", app: appID, at: clock.now)
              _ = await nodes.dispatcher(of: place).sendDueBatches()
            }
          }
          try await group.waitForAll()
        }
        clock.advance(by: EnrollmentRunner.lease)
        try await nodes.runner(of: 0).runDue()
        _ = await nodes.dispatcher(of: 0).sendDueBatches()
      }
      let counts = try #require(
        try await stores[1].enrollmentCounts(ofCampaign: campaign.id, app: appID))
      let pushes = nodes.received
      #expect(counts.total == 60 && counts.waiting.isEmpty)
      #expect(pushes.values.allSatisfy { $0 <= 2 })
      #expect(pushes.values.filter { $0 == 2 }.count == counts.count(.done))
      #expect(pushes.values.filter { $0 == 1 }.count == counts.ended[2]?[.exited] ?? 0)
    }
  }
}
