import Foundation
import PushModel
import PushPayload
import PushStore
import TestSupport
import Testing

@testable import PushServer

/// A database server that is shared by nodes.
enum SharedDatabase: String, CaseIterable, CustomTestStringConvertible {
  case postgreSQL = "PostgreSQL"
  case citus = "Citus"

  var testDescription: String { rawValue }

  /// Those that are installed; a divided one only in `make verify`, since its statements go to three servers.
  static var installed: [Self] {
    allCases.filter { database in
      switch database {
      case .postgreSQL: PostgreSQLCluster.isInstalled
      case .citus: Tier.isWhole && CitusCluster.isInstalled
      }
    }
  }
}

/// Every table that a step writes refuses its rows in turn, while three nodes take the step at once.
@Suite(
  "Campaigns over a database that refuses a table's rows", .serialized, .timeLimit(.minutes(15)))
struct CampaignDatabaseTests {
  private static let devices = 60

  private func withNodes(
    on database: SharedDatabase, _ body: (CampaignNodes, PostgreSQLCluster) async throws -> Void
  ) async throws {
    switch database {
    case .postgreSQL:
      try await PostgreSQLCluster().use { cluster in
        try await body(CampaignNodes(url: cluster.url, devices: Self.devices), cluster)
      }
    case .citus:
      try await CitusCluster().use { citus in
        let cluster = citus.coordinator
        _ = try await PostgreSQLDivision.run(url: cluster.url)
        try await body(CampaignNodes(url: cluster.url, devices: Self.devices), cluster)
      }
    }
  }

  /// Takes the steps that are due on all nodes at once.
  private func takeSteps(_ nodes: CampaignNodes) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for place in nodes.stores.indices {
        group.addTask { try await nodes.runner(of: place).runDue() }
      }
      try await group.waitForAll()
    }
  }

  /// Takes the steps while no row of a table can be inserted or updated.
  private func takeSteps(
    _ nodes: CampaignNodes, refusing table: String, of cluster: PostgreSQLCluster
  ) async throws {
    try await cluster.query(
      "ALTER TABLE \(table) ADD CONSTRAINT refused CHECK (FALSE) NOT VALID")
    try await takeSteps(nodes)
    try await cluster.query("ALTER TABLE \(table) DROP CONSTRAINT refused")
  }

  private func deliver(_ nodes: CampaignNodes) async {
    for place in nodes.stores.indices {
      _ = await nodes.dispatcher(of: place).sendDueBatches()
    }
  }

  /// Reports that some devices opened the send of a variant.
  private func open(_ count: Int, of variant: String, run: String, _ nodes: CampaignNodes)
    async throws
  {
    let (store, app, now) = (nodes.stores[0], nodes.app, nodes.clock.now)
    let sends = try await store.sends(ofRun: run, app: app)
    let send = try #require(sends.first { $0.origin?.variant == variant })
    let reached = try #require(try await store.received(send.id, app: app, opened: nil))
    let devices = try await store.devices(app: app, numbers: DeviceNumbers(reached.prefix(count)))
    let receipts = devices.map {
      Receipt(id: "r-\($0.id)", send: send.id, device: $0.id, event: .opened, at: now)
    }
    _ = try await store.record(receipts, app: app, at: now)
  }

  @Test(
    "a test and its winner are sent once to each device but the control's",
    arguments: SharedDatabase.installed)
  func winner(database: SharedDatabase) async throws {
    try await withNodes(on: database) { nodes, cluster in
      let (store, app, clock) = (nodes.stores[0], nodes.app, nodes.clock)
      let campaign = Campaign(
        id: Identifiers.makeObjectID(), app: app, name: "Autumn",
        document: [
          "to": [["name": "platform", "criteria": ["iOS"]]],
          "variants": CampaignFixture.twoVariants, "test": CampaignFixture.test,
        ], createdAt: clock.now)
      try await store.save(campaign)
      let run = try CampaignPlan(stored: campaign.document, at: clock.now)
        .firstRun(of: campaign, at: clock.now)
      _ = try await store.apply(
        .start, toCampaign: campaign.id, app: app, run: run, at: clock.now)
      for table in ["audiences", "sends", "segments", "send_terms", "run_devices", "runs"] {
        try await takeSteps(nodes, refusing: table, of: cluster)
        let stored = try await store.run(run.id, app: app)
        let sends = try await store.sends(ofRun: run.id, app: app)
        #expect(stored?.state == .planned && sends.isEmpty, "\(table)")
      }
      try await takeSteps(nodes)
      #expect(try await store.sends(ofRun: run.id, app: app).count == 2)
      await deliver(nodes)
      try await open(5, of: "b", run: run.id, nodes)
      clock.advance(by: .seconds(4 * 3600))
      for table in ["sends", "segments", "send_terms", "runs"] {
        try await takeSteps(nodes, refusing: table, of: cluster)
        let stored = try await store.run(run.id, app: app)
        let sends = try await store.sends(ofRun: run.id, app: app)
        #expect(stored?.state == .testing && sends.count == 2, "\(table)")
      }
      try await takeSteps(nodes)
      #expect(try await store.sends(ofRun: run.id, app: app).count == 3)
      await deliver(nodes)
      let control = try await store.devices(.control, ofRun: run.id, app: app)
      #expect(nodes.received.count == Self.devices - control.count)
      #expect(nodes.received.values.allSatisfy { $0 == 1 })
    }
  }

  /// A triggered campaign of two steps, whose pushes have what the event said.
  private static func triggered(_ content: (String) -> (String, JSONValue)) -> JSONValue {
    func step(_ title: String, after: String) -> JSONValue {
      let (key, value) = content(title)
      return [
        "after": .string(after),
        "variants": [
          .object(["key": "a", "share": 90, key: value]), ["key": "control", "share": 10],
        ],
      ]
    }
    return [
      "to": [["name": "platform", "criteria": ["iOS"]]],
      "when": ["trigger": ["event": "cart"]],
      "steps": [step("One", after: "PT1H"), step("Two", after: "PT2H")],
    ]
  }

  private static let pushes = triggered { title in
    ("payload", ["alert": .string(title + ": {{ event.what }}")])
  }
  private static let messages = triggered { title in ("message", ["title": .string(title)]) }

  @Test(
    "each step of a triggered campaign is sent or published once to each person but the control's",
    arguments: SharedDatabase.installed, [false, true])
  func triggered(database: SharedDatabase, isInApp: Bool) async throws {
    try await withNodes(on: database) { nodes, cluster in
      let (store, app, clock) = (nodes.stores[0], nodes.app, nodes.clock)
      var campaign = Campaign(
        id: Identifiers.makeObjectID(), app: app, name: "Cart",
        document: isInApp ? Self.messages : Self.pushes, createdAt: clock.now)
      campaign.kind = .triggered
      try await store.save(campaign)
      let plan = try CampaignPlan(stored: campaign.document, at: clock.now)
      _ = try await store.apply(
        .start, toCampaign: campaign.id, app: app, start: plan.start(of: campaign, at: clock.now),
        at: clock.now)
      var event = DeviceEvent(name: "cart")
      event.data = ["what": "shoes"]
      for device in 0..<Self.devices {
        try await nodes.stores[device % 3].record(
          [event], device: "d\(device)", app: app, at: clock.now)
      }
      let tables =
        isInApp
        ? ["messages", "message_devices", "enrollments"]
        : ["sends", "segments", "send_terms", "send_data", "enrollments"]
      for step in 1...2 {
        clock.advance(by: .seconds(3600 * Int64(step)))
        let before = try await store.enrollmentCounts(ofCampaign: campaign.id, app: app)
        #expect(before?.waiting.isEmpty == false)
        for table in tables + (step == 1 ? ["audiences"] : []) {
          try await takeSteps(nodes, refusing: table, of: cluster)
          let counts = try await store.enrollmentCounts(ofCampaign: campaign.id, app: app)
          #expect(counts == before, "step \(step), \(table)")
        }
        try await takeSteps(nodes)
        await deliver(nodes)
        let counts = try #require(
          try await store.enrollmentCounts(ofCampaign: campaign.id, app: app))
        let reached = Self.devices - counts.count(.control)
        let got = try await isInApp ? inboxes(nodes) : Array(nodes.received.values)
        #expect(got.count == reached && got.allSatisfy { $0 == step }, "step \(step)")
      }
      let counts = try await store.enrollmentCounts(ofCampaign: campaign.id, app: app)
      #expect(counts?.waiting.isEmpty == true && counts?.total == Self.devices)
    }
  }

  /// The number of messages in each inbox that has any.
  private func inboxes(_ nodes: CampaignNodes) async throws -> [Int] {
    var counts: [Int] = []
    for device in 0..<Self.devices {
      let inbox = try await nodes.stores[1].inbox(
        device: "d\(device)", app: nodes.app, at: nodes.clock.now, after: nil, limit: 9)
      if !inbox.elements.isEmpty { counts.append(inbox.elements.count) }
    }
    return counts
  }
}
