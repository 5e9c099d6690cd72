import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("Quiet hours", .timeLimit(.minutes(10)))
struct QuietHoursTests {
  private static func hours(_ json: JSONValue) throws -> QuietHours {
    try QuietHours(BodyValue(json, at: "$.quiet"))
  }

  private static func time(_ text: String) throws -> Timestamp {
    try #require(Timestamp(iso8601: text))
  }

  // MARK: The times

  /// What `Tests/Scripts/quiet_hours.py` has written.
  static let recorded: [JSONValue] = {
    let bytes = (try? Fixtures.bytes("campaigns/quiet-hours.json")) ?? []
    return (try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self)))?.array ?? []
  }()

  @Test("the recorded nights are all there")
  func count() { #expect(Self.recorded.count == 17) }

  @Test(
    "nights are those at which the clocks of Python's zoneinfo show the hours, minute by minute",
    arguments: recorded.indices)
  func published(_ index: Int) throws {
    let recorded = Self.recorded[index]
    let hours = try Self.hours(try #require(recorded["quiet"]))
    let zone = try #require(recorded["zone"]?.string.flatMap(TimeZone.init(identifier:)))
    let nights = try #require(recorded["nights"]?.array).map { night in
      try (night.array ?? []).map { try Self.time($0.string ?? "") }
    }
    #expect(!nights.isEmpty)
    let windows = hours.windows(from: nights[0][0], zone: zone)
    for (night, next) in zip(nights, nights.dropFirst() + [nights[0]]) {
      // A night that another one follows at once ends with that one.
      let end = next[0] <= night[1] && next[0] > night[0] ? next[1] : night[1]
      #expect(windows.end(at: night[0]) == end)
      #expect(windows.end(at: night[1] + .milliseconds(-1)) == end)
      if end == night[1] { #expect(windows.end(at: end) == nil) }
    }
    let before = nights[0][0] + .milliseconds(-1)
    #expect(windows.end(at: before) == nil || hours.to == hours.from - 1)
  }

  @Test(
    "a device without a time zone has the clock of UTC, and one with an unknown zone gets nothing",
    arguments: ["wait", "drop"], [true, false])
  func noZone(otherwise: String, isLocalTime: Bool) async throws {
    let fixture = try await Fixture()
    for (id, zone) in [("n", nil), ("u", "UTC"), ("x", "Moon/Base")] {
      try await fixture.register(id) { $0.timeZone = .set(zone) }
    }
    var send = Send(
      id: "s", messageID: "m", app: fixture.app.id, audience: "a", payload: [:],
      createdAt: fixture.clock.now)
    send.scheduledAt = try Self.time("2026-11-24T23:00:00Z")
    send.isLocalTime = isLocalTime
    let hours = try Self.hours(["from": "22:00", "to": "08:00", "else": .string(otherwise)])
    let segments = try await fixture.router.actions.planner.segments(
      of: send, to: DeviceNumbers([1, 2, 3] as [UInt32]), quiet: hours)
    #expect(segments.map(\.devices.count).sorted() == [1, 2])
    #expect(segments.first { $0.devices.count == 1 }?.quiet == .always)
    let known = try #require(segments.first { $0.devices.count == 2 })
    let end = try Self.time("2026-11-25T08:00:00Z")
    #expect(known.dueAt == (otherwise == "wait" ? end : send.scheduledAt))
    #expect(known.quiet?.end(at: try Self.time("2026-11-24T23:00:00Z")) == end)
  }

  /// Source: Braze, "Quiet hours" (user guide, messaging fundamentals): a message for 5:30 with quiet hours
  /// from 22:00 to 6:00 is delivered at 6:00, in each user's time zone.
  @Test(
    "a push in the hours waits for their end in each zone, as in Braze's example",
    arguments: [
      ("Europe/Berlin", "2026-11-24T04:30:00Z", "2026-11-24T05:00:00Z"),
      ("America/New_York", "2026-11-24T10:30:00Z", "2026-11-24T11:00:00Z"),
    ])
  func braze(zone: String, due: String, sent: String) throws {
    let hours = try Self.hours(["from": "22:00", "to": "06:00"])
    let due = try Self.time(due)
    let zone = try #require(TimeZone(identifier: zone))
    #expect(hours.windows(from: due, zone: zone).end(at: due) == (try Self.time(sent)))
  }

  // MARK: Requests

  @Test(
    "hours that are none are refused",
    arguments: [
      ([:], "$.limits.quiet.to is missing"),
      (["from": "22:00"], "$.limits.quiet.to is missing"),
      (["from": "22:00", "to": "24:00"], "$.limits.quiet.to must be a time from 00:00 to 23:59"),
      (["from": "8:00", "to": "09:00"], "$.limits.quiet.from must be a time from 00:00 to 23:59"),
      (
        ["from": "08:00", "to": "08:00"],
        "$.limits.quiet.to must differ from from: the whole day cannot be quiet"
      ),
      (
        ["from": "22:00", "to": "08:00", "else": "never"],
        "$.limits.quiet.else must be one of wait, drop"
      ),
      ("obey", "$.limits.quiet must be an object, not a string"),
    ] as [(JSONValue, String)])
  func refused(hours: JSONValue, error: String) async throws {
    let fixture = try await Fixture()
    let body: JSONValue = ["limits": ["quiet": hours]]
    let answer = await fixture.request("PUT", "/v6/limits", role: .admin, body: body.text)
    #expect(answer.status >= 400 && answer.error == error, "\(answer.text)")
  }

  @Test("the app's hours are answered, replaced with the other limits, and ended")
  func limits() async throws {
    let all = try await CampaignFixture(devices: 0)
    let quiet: JSONValue = ["from": "22:05", "to": "08:00", "else": "wait"]
    try await all.limit(["quiet": ["from": "22:05", "to": "08:00"], "holdout": ["percent": 5]])
    let limits = await all.get("limits")["limits"]
    #expect(limits?["quiet"] == quiet && limits?["holdout"]?["percent"] == 5)
    try await all.limit([:])
    #expect(await all.get("limits")["limits"]?["quiet"] == .null)
  }

  // MARK: Campaigns

  /// The clock of the tests shows 22:13:20 UTC on Tuesday, 14 November 2023: 23:13 in Berlin, 17:13 in New York
  /// and 7:13 of the next day in Tokyo.
  private static let zones = ["Europe/Berlin", "America/New_York", "Asia/Tokyo", nil]
  private static let night: JSONValue = ["from": "22:00", "to": "08:00"]
  private static let oneVariant: JSONValue = [["key": "a", "payload": ["alert": "Hello"]]]

  private static func fixture() async throws -> CampaignFixture {
    let all = try await CampaignFixture(devices: 0)
    for (number, zone) in zones.enumerated() {
      try await all.fixture.register("d\(number)") { if let zone { $0.timeZone = .set(zone) } }
    }
    return all
  }

  /// The numbers of the devices that got a push.
  private func received(_ all: CampaignFixture) -> [Int] {
    let received = all.received
    return Self.zones.indices.filter { received[Fixture.token("d\($0)")] != nil }
  }

  private func advance(_ all: CampaignFixture, to time: String) throws {
    all.fixture.clock.advance(by: try Self.time(time).since(all.fixture.clock.now))
  }

  @Test("a campaign waits for the end of the night of each device")
  func wait() async throws {
    let all = try await Self.fixture()
    try await all.limit(["quiet": Self.night])
    let (_, run) = try await all.start(["variants": Self.oneVariant])
    // A replay obeys them, too.
    let sends = try await all.fixture.store.sends(ofRun: run, app: all.fixture.app.id)
    #expect(sends.map(\.quietHours) == [try Self.hours(Self.night)])
    await all.deliver()
    #expect(received(all) == [1])
    try advance(all, to: "2023-11-14T22:59:59.999Z")
    await all.deliver()
    #expect(received(all) == [1])
    try advance(all, to: "2023-11-14T23:00:00Z")
    await all.deliver()
    #expect(received(all) == [1, 2])
    try advance(all, to: "2023-11-15T07:00:00Z")
    await all.deliver()
    #expect(received(all) == [0, 1, 2])
    // A device without a time zone has the clock of UTC.
    try advance(all, to: "2023-11-15T08:00:00Z")
    await all.deliver()
    #expect(received(all) == [0, 1, 2, 3])
    #expect(all.received.values.allSatisfy { $0.count == 1 })
    all.fixture.clock.advance(by: CampaignRunner.pause)
    try await all.runner.runDue()
    #expect(await all.run(run)["state"] == "settled")
  }

  @Test("a campaign that drops sends to those who are awake, and counts the others by the reason")
  func drop() async throws {
    let all = try await Self.fixture()
    try await all.limit(["quiet": ["from": "22:00", "to": "08:00", "else": "drop"]])
    let (_, run) = try await all.start(["variants": Self.oneVariant])
    await all.deliver()
    #expect(received(all) == [1])
    let report = await all.run(run)
    #expect(report["devices"]?["selected"] == 4 && report["devices"]?["quiet"] == 3)
    let variant = report["variants"]?.array?.first
    #expect(variant?["targeted"] == 1 && variant?["sent"] == 1)
    let explanation = await all.get("runs/\(run)/explanations/d0")["explanation"]
    #expect(explanation?["code"] == "quiet")
    #expect(
      explanation?["message"]
        == "its push would have been sent in its quiet hours, in which it gets nothing")
    try advance(all, to: "2023-11-16T12:00:00Z")
    await all.deliver()
    #expect(received(all) == [1])
  }

  @Test(
    "a campaign has hours of its own, or ignores those of the app",
    arguments: [
      ("ignore", [0, 1, 2, 3]), ("obey", [1]), (["from": "17:00", "to": "18:00"], [0, 2, 3]),
      (["from": "23:00", "to": "23:30"], [1, 2, 3]),
    ] as [(JSONValue, [Int])])
  func override(quiet: JSONValue, devices: [Int]) async throws {
    let all = try await Self.fixture()
    try await all.limit(["quiet": Self.night])
    _ = try await all.start(["variants": Self.oneVariant, "limits": ["quiet": quiet]])
    await all.deliver()
    #expect(received(all) == devices)
  }

  @Test(
    "what breaks through a Focus is sent in the night, and other levels are not",
    arguments: [
      ("passive", [1]), ("active", [1]), ("time-sensitive", [0, 1, 2, 3]),
      ("critical", [0, 1, 2, 3]),
    ])
  func urgent(level: String, devices: [Int]) async throws {
    let all = try await Self.fixture()
    try await all.limit(["quiet": Self.night])
    _ = try await all.start([
      "variants": [
        ["key": "a", "payload": ["alert": "Fire", "interruption_level": .string(level)]]
      ]
    ])
    await all.deliver()
    #expect(received(all) == devices)
  }

  @Test("a test is decided when its sample has got it after the night, not before")
  func test() async throws {
    let all = try await CampaignFixture(devices: 80)
    try await all.limit(["quiet": Self.night])
    let (_, run) = try await all.start(["test": CampaignFixture.test])
    // The devices have no time zone: they get it at 8:00 UTC, and four hours are counted from then.
    #expect(await all.run(run)["decide_at"] == "2023-11-15T12:00:00.000Z")
    try advance(all, to: "2023-11-15T08:00:00Z")
    await all.deliver()
    try await all.open(3, of: "b", run: run)
    try advance(all, to: "2023-11-15T12:00:00Z")
    try await all.runner.runDue()
    #expect(await all.run(run)["decision"]?["variant"] == "b")
    await all.deliver()
    try await all.expectReceived(1, butByControlOf: run, of: 80)
  }

  @Test(
    "the winner that is sent in the night is dropped for the rest, and each device is counted once")
  func testDropped() async throws {
    let all = try await CampaignFixture(devices: 80)
    try await all.limit(["quiet": ["from": "01:00", "to": "08:00", "else": "drop"]])
    let (_, run) = try await all.start(["test": CampaignFixture.test])
    await all.deliver()
    try await all.open(3, of: "a", run: run)
    try advance(all, to: "2023-11-15T02:13:20Z")
    let before = await all.run(run)["devices"]
    try await all.runner.runDue()
    await all.deliver()
    let report = await all.run(run)
    #expect(report["decision"]?["variant"] == "a")
    #expect(report["devices"]?["quiet"] == before?["rest"] && report["devices"]?["rest"] == 0)
    let counted = ["quiet", "rest", "control", "held_out", "missed"].reduce(0) {
      $0 + Int(report["devices"]?[$1]?.integer ?? 0)
    }
    let targeted = (report["variants"]?.array ?? []).reduce(0) {
      $0 + Int($1["targeted"]?.integer ?? 0)
    }
    #expect(counted + targeted == 80)
  }

  @Test(
    "a recurring campaign at the time of each device that falls into the night is sent at its end")
  func recurring() async throws {
    let all = try await Self.fixture()
    try await all.limit(["quiet": ["from": "22:00", "to": "09:30"]])
    let every: JSONValue = ["unit": "day", "time": "09:00", "zone": "device"]
    let (campaign, _) = try await all.start([
      "variants": Self.oneVariant, "when": ["every": every],
    ])
    // 9:30 on 16 November in Tokyo, Berlin, UTC and New York.
    for (time, devices) in [
      ("2023-11-16T00:29:59Z", []), ("2023-11-16T00:30:00Z", [2]),
      ("2023-11-16T08:30:00Z", [0, 2]),
      ("2023-11-16T09:30:00Z", [0, 2, 3]), ("2023-11-16T14:30:00Z", [0, 1, 2, 3]),
    ] {
      // A run that begins more than five minutes late would be skipped.
      while all.fixture.clock.now < (try Self.time(time)) {
        let step = min(try Self.time(time).since(all.fixture.clock.now), .seconds(240))
        all.fixture.clock.advance(by: step)
        try await all.runner.runDue()
      }
      await all.deliver()
      #expect(received(all) == devices, "\(time)")
    }
    #expect(all.received.values.allSatisfy { $0.count == 1 })
    #expect(await all.runs(of: campaign).allSatisfy { $0["state"] != "skipped" })
  }

  // MARK: Notifications

  private func send(
    _ all: CampaignFixture, _ more: [String: JSONValue]
  ) async throws -> String {
    let notification: [String: JSONValue] = ["to": "*", "payload": ["alert": "Hello"]]
    let answer = await all.post(
      "notifications", ["notification": .object(notification.merging(more) { $1 })])
    #expect(answer.status == 201, "\(answer.text)")
    return try #require(answer.json["notification"]?["id"]?.string)
  }

  @Test("a notification of its own has no quiet hours unless it asks for them")
  func notification() async throws {
    let all = try await Self.fixture()
    try await all.limit(["quiet": Self.night])
    _ = try await send(all, [:])
    await all.deliver()
    #expect(received(all) == [0, 1, 2, 3])
    _ = try await send(all, ["limits": ["quiet": "obey"]])
    await all.deliver()
    #expect(all.received.values.map(\.count).sorted() == [1, 1, 1, 2])
    _ = try await send(all, ["limits": ["quiet": ["from": "00:00", "to": "00:01"]]])
    await all.deliver()
    #expect(all.received.values.map(\.count).sorted() == [2, 2, 2, 3])
  }

  @Test("a notification that drops records why each device got nothing, and is not replayed to it")
  func notificationDrops() async throws {
    let all = try await Self.fixture()
    let id = try await send(
      all, ["limits": ["quiet": ["from": "22:00", "to": "08:00", "else": "drop"]]])
    await all.deliver()
    #expect(received(all) == [1])
    let sent = await all.get("notifications/\(id)")
    #expect(sent["state"] == "complete")
    #expect(sent["counts"]?["targeted"] == 4 && sent["counts"]?["sent"] == 1)
    #expect(sent["counts"]?["rejected"] == 3 && sent["counts"]?["quiet"] == 3)
    let explanation = await all.get("notifications/\(id)/explanations/d0")["explanation"]
    #expect(explanation?["code"] == "quiet" && explanation?["reason"] == "Quiet")
    #expect(
      explanation?["message"]
        == "at 2023-11-14T22:13:20.000Z it was in its quiet hours, in which it gets nothing")
    let reasons = await all.get("notifications/\(id)/report")["reasons"]?.array ?? []
    #expect(reasons.contains { $0["reason"] == "Quiet" && $0["count"] == 3 })
    #expect(await all.post("notifications/\(id)/replay").status == 409)
  }

  @Test("a notification that expires before the end of the night is expired for those who sleep")
  func expiry() async throws {
    let all = try await Self.fixture()
    let id = try await send(
      all, ["limits": ["quiet": Self.night], "expires_at": "2023-11-15T00:00:00Z"])
    for time in ["2023-11-14T23:00:00Z", "2023-11-15T00:00:00Z", "2023-11-16T12:00:00Z"] {
      await all.deliver()
      try advance(all, to: time)
    }
    await all.deliver()
    #expect(received(all) == [1, 2])
    let counts = await all.get("notifications/\(id)")["counts"]
    #expect(counts?["sent"] == 2 && counts?["expired"] == 2)
  }
}

extension CampaignFixture {
  /// Replaces the limits of the app.
  func limit(_ limits: JSONValue) async throws {
    let body: JSONValue = ["limits": limits]
    let answer = await fixture.request("PUT", "/v6/limits", role: .admin, body: body.text)
    #expect(answer.status == 200, "\(answer.text)")
  }
}
