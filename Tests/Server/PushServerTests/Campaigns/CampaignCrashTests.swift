import APNs
import PushModel
import PushPayload
import PushStore
import TestSupport
import Testing
import _SQLite

@testable import PushServer

@Suite("Campaigns over a store that fails in the middle", .timeLimit(.minutes(10)))
struct CampaignCrashTests {
  /// The tables that the steps of a run write, and how.
  static let writes = [
    ("INSERT", "audiences"), ("INSERT", "sends"), ("INSERT", "segments"), ("INSERT", "send_terms"),
    ("INSERT", "run_devices"), ("DELETE", "run_devices"), ("UPDATE", "runs"),
  ]

  /// Makes each write of a kind fail until ``mend(_:)``.
  private func damage(_ all: CampaignFixture, _ write: (kind: String, table: String)) async throws {
    try await all.fixture.store.writer.read { db in
      try db.execute(
        """
        CREATE TRIGGER failing BEFORE \(write.kind) ON \(write.table)
        BEGIN SELECT RAISE(ABORT, 'a node died here'); END
        """)
    }
  }

  private func mend(_ all: CampaignFixture) async throws {
    try await all.fixture.store.writer.read { try $0.execute("DROP TRIGGER failing") }
  }

  @Test(
    "a step that dies before any of its writes has done nothing, and is done once afterwards",
    arguments: writes)
  func dies(kind: String, table: String) async throws {
    let all = try await CampaignFixture(devices: 80)
    let store = all.fixture.store
    // The first step, at the time of the campaign: it selects the devices and accepts the test.
    let time = all.fixture.clock.now + .seconds(60)
    let (_, id) = try await all.start([
      "test": CampaignFixture.test, "when": ["at": .string(time.iso8601)],
      "to": [["name": "platform", "criteria": ["iOS"]]],
    ])
    all.fixture.clock.advance(by: .seconds(60))
    try await damage(all, (kind, table))
    try await all.runner.runDue()
    let failed = try #require(try await store.run(id, app: all.fixture.app.id))
    if kind == "DELETE" {
      #expect(failed.state == .testing)
    } else {
      #expect(failed.state == .planned)
      #expect(try await store.sends(ofRun: id, app: all.fixture.app.id).isEmpty)
      #expect(try await store.devices(.rest, ofRun: id, app: all.fixture.app.id).isEmpty)
    }
    try await mend(all)
    try await all.runner.runDue()
    #expect(try await store.run(id, app: all.fixture.app.id)?.state == .testing)
    await all.deliver()
    try await all.open(3, of: "a", run: id)
    // The second step: it decides, and accepts the winner.
    all.fixture.clock.advance(by: .seconds(4 * 3600))
    let rest = try await store.devices(.rest, ofRun: id, app: all.fixture.app.id)
    #expect(!rest.isEmpty)
    try await damage(all, (kind, table))
    try await all.runner.runDue()
    if table != "audiences", (kind, table) != ("INSERT", "run_devices") {
      #expect(try await store.run(id, app: all.fixture.app.id)?.state == .testing)
      #expect(try await store.sends(ofRun: id, app: all.fixture.app.id).count == 2)
      #expect(try await store.devices(.rest, ofRun: id, app: all.fixture.app.id) == rest)
    }
    try await mend(all)
    try await all.runner.runDue()
    #expect(try await store.run(id, app: all.fixture.app.id)?.state == .rolling)
    await all.deliver()
    let control = try await store.devices(.control, ofRun: id, app: all.fixture.app.id)
    #expect(all.received.values.allSatisfy { $0.count == 1 })
    #expect(all.received.count == 80 - control.count)
  }

  @Test(
    "a day of a recurring campaign that dies before any of its writes is sent once afterwards",
    arguments: writes + [("INSERT", "runs")])
  func dayDies(kind: String, table: String) async throws {
    let all = try await CampaignFixture(devices: 60)
    let (store, app) = (all.fixture.store, all.fixture.app.id)
    let (campaign, first) = try await all.start(["when": Self.daily])
    let start = try #require(try await store.run(first, app: app)).plannedAt
    all.fixture.clock.advance(by: start.since(all.fixture.clock.now))
    for day in 1...3 {
      let run = try #require(
        try await store.runs(ofCampaign: campaign, app: app, limit: 1).first)
      #expect(run.number == day && run.plannedAt == all.fixture.clock.now)
      try await damage(all, (kind, table))
      try await all.runner.runDue()
      // A run that begins has no groups yet, of which rows would be removed.
      if kind != "DELETE" {
        #expect(try await store.run(run.id, app: app) == run)
        #expect(try await store.runs(ofCampaign: campaign, app: app, limit: 9).count == day)
        #expect(try await store.sends(ofRun: run.id, app: app).isEmpty)
      }
      try await mend(all)
      try await all.runner.runDue()
      #expect(try await store.run(run.id, app: app)?.state == .rolling)
      #expect(try await store.runs(ofCampaign: campaign, app: app, limit: 9).count == day + 1)
      await all.deliver()
      try await all.expectReceived(day, butByControlOf: first, of: 60)
      all.fixture.clock.advance(by: .seconds(86_400))
    }
  }

  @Test(
    "a day that is missed is skipped as a whole, or not at all",
    arguments: [("UPDATE", "runs"), ("INSERT", "runs")])
  func missedDayDies(kind: String, table: String) async throws {
    let all = try await CampaignFixture(devices: 3)
    let (store, app) = (all.fixture.store, all.fixture.app.id)
    let (campaign, first) = try await all.start(["when": Self.daily])
    let run = try #require(try await store.run(first, app: app))
    all.fixture.clock.advance(by: run.plannedAt.since(all.fixture.clock.now) + .seconds(3600))
    try await damage(all, (kind, table))
    try await all.runner.runDue()
    #expect(try await store.runs(ofCampaign: campaign, app: app, limit: 9) == [run])
    try await mend(all)
    try await all.runner.runDue()
    let runs = try await store.runs(ofCampaign: campaign, app: app, limit: 9)
    #expect(runs.map(\.state) == [.planned, .skipped])
    await all.deliver()
    #expect(all.received.isEmpty)
  }

  @Test("nodes that begin the same days at once plan each day once, and send to nobody twice")
  func nodesOfDays() async throws {
    let all = try await CampaignFixture(devices: 60)
    let (store, app) = (all.fixture.store, all.fixture.app.id)
    let nodes = try (0..<3).map { _ in
      Router(
        Actions(
          store: try SQLitePushStore(path: store.path), secretKey: all.fixture.secretKey,
          clock: all.fixture.clock.serverClock))
    }
    let (campaign, first) = try await all.start(["when": Self.daily])
    let start = try #require(try await store.run(first, app: app)).plannedAt
    all.fixture.clock.advance(by: start.since(all.fixture.clock.now))
    for day in 1...4 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for node in nodes { group.addTask { try await node.actions.campaignRunner.runDue() } }
        try await group.waitForAll()
      }
      let runs = try await store.runs(ofCampaign: campaign, app: app, limit: 9)
      #expect(runs.map(\.number) == Array((1...day + 1).reversed()))
      #expect(try await store.sends(ofRun: runs[1].id, app: app).count == 2)
      await all.deliver()
      try await all.expectReceived(day, butByControlOf: first, of: 60)
      all.fixture.clock.advance(by: .seconds(86_400))
    }
  }

  @Test(
    "three nodes over PostgreSQL that begin and send the same days at once send each day once",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func nodesOverPostgreSQL() async throws {
    try await PostgreSQLCluster().use { cluster in
      let nodes = try await CampaignNodes(url: cluster.url, devices: 60)
      let (stores, app, clock) = (nodes.stores, nodes.app, nodes.clock)
      var campaign = Campaign(
        id: Identifiers.makeObjectID(), app: app, name: "Daily",
        document: ["to": "*", "when": Self.daily, "variants": CampaignFixture.twoVariants],
        createdAt: clock.now)
      campaign.kind = .recurring
      try await stores[0].save(campaign)
      let first = try CampaignPlan(stored: campaign.document, at: clock.now)
        .firstRun(of: campaign, at: clock.now)
      _ = try await stores[0].apply(
        .start, toCampaign: campaign.id, app: campaign.app, run: first, at: clock.now)
      clock.advance(by: first.plannedAt.since(clock.now))
      for day in 1...3 {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for place in stores.indices {
            group.addTask {
              try await nodes.runner(of: place).runDue()
              _ = await nodes.dispatcher(of: place).sendDueBatches()
            }
          }
          try await group.waitForAll()
        }
        let runs = try await stores[1].runs(
          ofCampaign: campaign.id, app: campaign.app, limit: 9)
        #expect(runs.map(\.number) == Array((1...day + 1).reversed()))
        let counts = nodes.received
        let control = try await stores[2].devices(.control, ofRun: first.id, app: campaign.app)
        #expect(counts.count == 60 - control.count && counts.values.allSatisfy { $0 == day })
        clock.advance(by: .seconds(86_400))
      }
    }
  }

  private static let daily: JSONValue = ["every": RecurringCampaignTests.daily]

  @Test("nodes that take the same steps at once send to nobody twice, and to nobody not at all")
  func nodes() async throws {
    let all = try await CampaignFixture(devices: 120)
    let store = all.fixture.store
    let nodes = try (0..<3).map { _ in
      Actions(
        store: try SQLitePushStore(path: store.path), secretKey: all.fixture.secretKey,
        clock: all.fixture.clock.serverClock
      ).campaignRunner
    }
    func together(_ step: @escaping @Sendable (CampaignRunner) async throws -> Void) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for node in nodes { group.addTask { try await step(node) } }
        try await group.waitForAll()
      }
    }
    let time = all.fixture.clock.now + .seconds(60)
    let (_, id) = try await all.start([
      "test": CampaignFixture.test, "when": ["at": .string(time.iso8601)],
    ])
    all.fixture.clock.advance(by: .seconds(60))
    try await together { try await $0.runDue() }
    #expect(try await store.sends(ofRun: id, app: all.fixture.app.id).count == 2)
    await all.deliver()
    try await all.open(5, of: "b", run: id)
    all.fixture.clock.advance(by: .seconds(4 * 3600))
    try await together { try await $0.runDue() }
    #expect(try await store.sends(ofRun: id, app: all.fixture.app.id).count == 3)
    await all.deliver()
    try await all.expectReceived(1, butByControlOf: id, of: 120)
  }
}
