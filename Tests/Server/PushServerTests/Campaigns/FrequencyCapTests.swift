import APNs
import PushModel
import PushPayload
import PushStore
import TestSupport
import Testing
import _SQLite

@testable import PushServer

@Suite("Frequency caps", .timeLimit(.minutes(10)))
struct FrequencyCapTests {
  private static let oneVariant: JSONValue = [["key": "a", "payload": ["alert": "Hello"]]]
  private static func caps(_ most: Int64, _ within: String) -> JSONValue {
    ["caps": [["most": .integer(most), "within": .string(within)]]]
  }

  /// Sends a campaign to everyone, and returns its run.
  private func send(
    _ all: CampaignFixture, limits: JSONValue = [:], variants: JSONValue = oneVariant
  ) async throws -> String {
    let (_, run) = try await all.start(["variants": variants, "limits": limits])
    await all.deliver()
    return run
  }

  private func pushes(_ all: CampaignFixture, _ device: String = "d0") -> Int {
    all.received[Fixture.token(device)]?.count ?? 0
  }

  @Test(
    "rules that are none are refused",
    arguments: [
      ([["most": 0, "within": "P1D"]], "$.limits.caps[0].most must be a whole number, 1 to 50"),
      ([["most": 51, "within": "P1D"]], "$.limits.caps[0].most must be a whole number, 1 to 50"),
      ([["most": 1]], "$.limits.caps[0].within is missing"),
      (
        [["most": 1, "within": "P31D"]],
        "$.limits.caps[0].within must be from one minute to 30 days"
      ),
      (
        [["most": 1, "within": "P7D"], ["most": 2, "within": "P1W"]],
        "$.limits.caps[1].within is the time of two rules"
      ),
    ] as [(JSONValue, String)])
  func refused(caps: JSONValue, error: String) async throws {
    let fixture = try await Fixture()
    let body: JSONValue = ["limits": ["caps": caps]]
    let answer = await fixture.request("PUT", "/v6/limits", role: .admin, body: body.text)
    #expect(answer.status >= 400 && answer.error == error, "\(answer.text)")
  }

  @Test("an app has five rules, and not six")
  func ruleCount() async throws {
    let all = try await CampaignFixture(devices: 0)
    let rules = (1...6).map { ["most": 1, "within": .string("P\($0)D")] as JSONValue }
    try await all.limit(["caps": .array(Array(rules.prefix(5)))])
    #expect(await all.get("limits")["limits"]?["caps"] == .array(Array(rules.prefix(5))))
    let body: JSONValue = ["limits": ["caps": .array(rules)]]
    let answer = await all.fixture.request("PUT", "/v6/limits", role: .admin, body: body.text)
    #expect(answer.error == "$.limits.caps must have at most 5 rules")
  }

  /// The example of OneSignal's "Push frequency capping" (documentation.onesignal.com/docs/en/frequency-capping).
  ///
  /// What is dropped does not count, and each push ages out of the window by itself.
  @Test("three in a day are those of OneSignal's example")
  func oneSignal() async throws {
    let all = try await CampaignFixture(devices: 1)
    try await all.limit(Self.caps(3, "P1D"))
    // From 9:00 of the first day.
    var expected = 0
    var last = 0
    for (minute, isDelivered) in [
      (0, true), (4 * 60, true), (8 * 60, true), (23 * 60, false), (24 * 60 + 1, true),
      (25 * 60, false), (26 * 60, false), (29 * 60, true),
    ] {
      all.fixture.clock.advance(by: .seconds((minute - last) * 60))
      last = minute
      _ = try await send(all)
      expected += isDelivered ? 1 : 0
      #expect(pushes(all) == expected, "minute \(minute)")
    }
    #expect(expected == 5)
  }

  /// Source: Braze, "Rate limiting and frequency capping", Delivery rules: a campaign that does not obey the caps does
  /// not count toward them either, unless it says so.
  @Test("what ignores the caps does not count, unless it says so, as with Braze")
  func braze() async throws {
    let all = try await CampaignFixture(devices: 1)
    try await all.limit(Self.caps(1, "P1D"))
    _ = try await send(all, limits: ["caps": "ignore"])
    _ = try await send(all)
    #expect(pushes(all) == 2)
    _ = try await send(all)
    #expect(pushes(all) == 2)
    all.fixture.clock.advance(by: .seconds(86_400))
    _ = try await send(all, limits: ["caps": "ignore", "counts": true])
    _ = try await send(all)
    #expect(pushes(all) == 3)
    all.fixture.clock.advance(by: .seconds(86_400))
    _ = try await send(all, limits: ["counts": false])
    _ = try await send(all)
    #expect(pushes(all) == 5)
  }

  @Test("a run counts who was left out, tells why, and all of its devices add up")
  func report() async throws {
    let all = try await CampaignFixture(devices: 40)
    try await all.limit(Self.caps(1, "P7D"))
    // The variants of the first run reach all but its control.
    let first = try await send(all, variants: CampaignFixture.twoVariants)
    let reached = Set(all.received.keys)
    all.fixture.clock.advance(by: .seconds(3600))
    let second = try await send(all, variants: CampaignFixture.twoVariants)
    #expect(all.received.values.allSatisfy { $0.count == 1 })
    let report = await all.run(second)
    #expect(report["devices"]?["capped"] == .integer(Int64(reached.count)))
    let counted = ["capped", "quiet", "rest", "control", "held_out", "missed"].reduce(0) {
      $0 + Int(report["devices"]?[$1]?.integer ?? 0)
    }
    let targeted = (report["variants"]?.array ?? []).reduce(0) {
      $0 + Int($1["targeted"]?.integer ?? 0)
    }
    #expect(counted + targeted == 40 && report["devices"]?["selected"] == 40)
    let device = try #require(
      (0..<40).first { reached.contains(Fixture.token("d\($0)")) }.map { "d\($0)" })
    let explanation = await all.get("runs/\(second)/explanations/\(device)")["explanation"]
    #expect(explanation?["code"] == "capped")
    #expect(
      explanation?["message"]
        == "the app allows a device 1 push in P7D, and it had got them at 2023-11-14T22:13:20.000Z"
    )
    let campaign = try #require(report["campaign"]?.string)
    let client = try await DashboardClient.signedIn(all.fixture, as: .analytics)
    let page = await client.get(client.path("reports/campaigns/\(campaign)"))
    #expect(
      page.text.contains(
        "Devices that got nothing: \(reached.count) had got as many pushes as the app allows."))
    let got = await all.get("runs/\(first)/explanations/\(device)")["explanation"]
    #expect(got?["code"] == "accepted")
  }

  @Test("a campaign that waits obeys the caps when it is sent, and each device has the reason")
  func underWay() async throws {
    let all = try await CampaignFixture(devices: 3)
    try await all.limit(Self.caps(1, "P1D"))
    // Its devices are frozen now, and it is sent to one in a second.
    let (_, run) = try await all.start([
      "variants": Self.oneVariant, "limits": ["per_second": 1],
    ])
    await all.deliver()
    #expect(all.received.count == 1)
    _ = try await send(all)
    #expect(all.received.count == 3)
    for _ in 0..<3 {
      all.fixture.clock.advance(by: .seconds(1))
      await all.deliver()
    }
    #expect(all.received.values.allSatisfy { $0.count == 1 })
    let variant = await all.run(run)["variants"]?.array?.first
    #expect(variant?["sent"] == 1 && variant?["rejected"] == 2 && variant?["capped"] == 2)
    let notification = try #require(variant?["notifications"]?.array?.first?["id"]?.string)
    let counts = await all.get("notifications/\(notification)")["counts"]
    #expect(counts?["targeted"] == 3 && counts?["capped"] == 2 && counts?["expired"] == 0)
    let codes = await all.codes(of: run, devices: 3)
    #expect(codes.sorted() == ["accepted", "capped", "capped"])
    let reasons = await all.get("notifications/\(notification)/report")["reasons"]?.array ?? []
    #expect(reasons.contains { $0["reason"] == "Capped 1/P1D" && $0["count"] == 2 })
  }

  @Test("the winner of a test is not sent to who got too much meanwhile")
  func winner() async throws {
    let all = try await CampaignFixture(devices: 80)
    try await all.limit(Self.caps(1, "P1D"))
    let (_, run) = try await all.start(["test": CampaignFixture.test])
    await all.deliver()
    try await all.open(3, of: "a", run: run)
    _ = try await send(all)
    #expect(all.received.count == 80)
    all.fixture.clock.advance(by: .seconds(4 * 3600))
    let rest = await all.run(run)["devices"]?["rest"]
    try await all.runner.runDue()
    await all.deliver()
    #expect(all.received.values.allSatisfy { $0.count == 1 })
    let devices = await all.run(run)["devices"]
    #expect(devices?["capped"] == rest && devices?["rest"] == 0)
  }

  @Test("a notification of its own neither obeys nor counts, unless it asks for it")
  func notification() async throws {
    let all = try await CampaignFixture(devices: 1)
    try await all.limit(Self.caps(1, "P1D"))
    func notify(_ limits: JSONValue) async throws {
      let body: JSONValue = [
        "notification": ["to": "*", "payload": ["alert": "Hello"], "limits": limits]
      ]
      #expect(await all.post("notifications", body).status == 201)
      await all.deliver()
    }
    try await notify([:])
    try await notify(["caps": "obey"])
    #expect(pushes(all) == 2)
    try await notify(["caps": "obey"])
    _ = try await send(all)
    #expect(pushes(all) == 2)
    try await notify([:])
    #expect(pushes(all) == 3)
  }

  @Test(
    "a lease that dies before any of its writes has counted nothing, and the push is sent once",
    arguments: [("INSERT", "push_ledger"), ("UPDATE", "push_ledger"), ("UPDATE", "batches")])
  func dies(kind: String, table: String) async throws {
    let all = try await CampaignFixture(devices: 5)
    try await all.limit(Self.caps(2, "P1D"))
    _ = try await send(all)
    // A ledger that is there already is updated.
    if kind == "INSERT" {
      try await all.fixture.store.writer.read { try $0.execute("DELETE FROM push_ledger") }
    }
    let (_, run) = try await all.start(["variants": Self.oneVariant])
    try await all.fixture.store.writer.read { db in
      try db.execute(
        """
        CREATE TRIGGER failing BEFORE \(kind) ON \(table)
        BEGIN SELECT RAISE(ABORT, 'a node died here'); END
        """)
    }
    await all.deliver()
    #expect(all.received.values.allSatisfy { $0.count == 1 })
    try await all.fixture.store.writer.read { try $0.execute("DROP TRIGGER failing") }
    all.fixture.clock.advance(by: .seconds(60))
    await all.deliver()
    #expect(all.received.values.allSatisfy { $0.count == 2 })
    #expect(await all.codes(of: run, devices: 5) == Array(repeating: "accepted", count: 5))
    let numbers = try await all.fixture.store.devices(
      app: all.fixture.app.id, above: nil, limit: 9
    ).map(\.number)
    for number in numbers {
      let pushes = try await all.fixture.store.pushes(to: number, app: all.fixture.app.id)
      #expect(pushes.count == (kind == "INSERT" ? 1 : 2))
    }
  }

  @Test(
    "three nodes over PostgreSQL that send five campaigns at once send each device as many as the rule allows",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func nodesOverPostgreSQL() async throws {
    try await PostgreSQLCluster().use { cluster in
      let nodes = try await CampaignNodes(url: cluster.url, devices: 3000)
      let (stores, app, clock) = (nodes.stores, nodes.app, nodes.clock)
      var limits = AppLimits()
      limits.caps = [FrequencyCap(most: 2, within: .seconds(86_400))]
      try await stores[0].setLimits(limits, app: app)
      for number in 0..<5 {
        var send = Send(
          id: Identifiers.makeObjectID(), messageID: Identifiers.makeObjectID(), app: app,
          audience: "a\(number)", payload: ["alert": "Hello"], createdAt: clock.now)
        send.capping = [.obeys, .counts]
        let everyone = Audience(
          id: "a\(number)", app: app, filters: [], createdAt: clock.now)
        _ = try await stores[0].accept(send, to: everyone)
      }
      await withTaskGroup { group in
        for place in stores.indices {
          group.addTask { _ = await nodes.dispatcher(of: place).sendDueBatches() }
        }
      }
      let counts = nodes.received
      #expect(counts.count == 3000 && counts.values.allSatisfy { $0 == 2 })
      let sends = try await stores[1].sends(app: app, after: nil, limit: 9).sends
      #expect(sends.allSatisfy { $0.state == .complete && $0.counts.left == 0 })
      #expect(sends.reduce(0) { $0 + $1.counts.sent } == 6000)
      #expect(sends.reduce(0) { $0 + $1.counts.capped } == 9000)
    }
  }
}

extension CampaignFixture {
  /// The codes of the explanations of the devices of a run.
  fileprivate func codes(of run: String, devices: Int) async -> [String] {
    var codes: [String] = []
    for number in 0..<devices {
      let answer = await get("runs/\(run)/explanations/d\(number)")
      codes.append(answer["explanation"]?["code"]?.string ?? "?")
    }
    return codes
  }
}
