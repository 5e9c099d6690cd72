import Foundation
import APNs
import PushPayload
import Synchronization
import Testing

@testable import PushModel
@testable import PushServer

@Suite("The guard against a spike of invalid devices", .timeLimit(.minutes(10)))
struct InvalidationGuardTests {
  private static func outcomes(gone: Int, sent: Int, reason: String? = nil) -> [Outcome] {
    (0..<gone + sent).map { number in
      Outcome(
        device: UInt32(number),
        result: number >= gone ? .sent : reason == nil ? .uninstalled : .rejected,
        status: number >= gone ? 200 : 410, reason: reason, time: Timestamp(milliseconds: 0))
    }
  }

  private static func alarm(_ outcomes: [Outcome]) -> String? {
    InvalidationGuard.alarm(batch: .init([OutcomeGroup](outcomes)))
  }

  @Test(
    "half of the devices may be invalid, or 49 of them, and no more",
    arguments: [(50, 50, false), (51, 50, true), (49, 0, false), (50, 0, true), (500, 499, true)])
  func limits(gone: Int, sent: Int, isAlarm: Bool) {
    #expect((Self.alarm(Self.outcomes(gone: gone, sent: sent)) != nil) == isAlarm)
  }

  @Test(
    "tokens of another host or topic count, a bad payload does not",
    arguments: [
      ("BadDeviceToken", true), ("DeviceTokenNotForTopic", true), ("PayloadTooLarge", false),
      ("NoToken", false),
    ])
  func reasons(reason: String, isAlarm: Bool) {
    let outcomes = Self.outcomes(gone: 100, sent: 0, reason: reason)
    #expect((Self.alarm(outcomes) != nil) == isAlarm)
  }

  @Test("a spike marks no device and pauses the send with a reason; after a resume it is believed")
  func spike() async throws {
    let fixture = try await Fixture()
    let count = 120
    let devices = (0..<count).map { number in
      ImportedDevice(id: "d\(number)", token: Fixture.token("d\(number)"), patch: DevicePatch())
    }
    let app = fixture.app.id
    _ = try await fixture.store.importDevices(devices, app: app, at: fixture.clock.now)
    try await fixture.store.add(
      Webhook(
        id: "w", app: app, url: "https://e.x", events: ["notification.paused"], sealedSecret: [],
        createdAt: fixture.clock.now))
    let gone = Date(
      timeIntervalSince1970: Double(fixture.clock.now.milliseconds + 1) / 1000)
    fixture.apple.answer { push in
      APNsOutcome(
        kind: .answered, status: 410, reason: .unregistered, apnsID: push.id, timestamp: gone)
    }
    var send = Send(
      id: "s", messageID: "m", app: app, audience: "all", payload: ["alert": "Hi"],
      createdAt: fixture.clock.now)
    send.throttlePerSecond = 60
    let everyone = Audience(id: "all", app: app, filters: [], createdAt: fixture.clock.now)
    _ = try await fixture.store.accept(send, to: everyone)
    let dispatcher = fixture.dispatcher()
    #expect(await dispatcher.sendDueBatches() == nil)
    let paused = try #require(try await fixture.store.send("s", app: app))
    #expect(paused.state == .paused)
    #expect(paused.failure?.hasPrefix("60 of 60 devices were invalid") == true)
    let shown = await fixture.request("GET", "/v6/notifications/s").json
    #expect(shown["reason"]?.string == paused.failure)
    #expect(paused.counts.rejected == 60)
    #expect(paused.counts.uninstalled == 0)
    #expect(
      try await fixture.router.audiences.devices(of: everyone, at: fixture.clock.now).count == count
    )
    let now = fixture.clock.now
    let call = try await fixture.store.leaseWebhookCall(
      owner: "o", at: now, until: now + .seconds(1))
    #expect(
      call?.body["data"]?["reason"]?.string?.hasPrefix("60 of 60 devices were invalid") == true)
    #expect(
      try await fixture.store.audit(app: app, after: nil, limit: 9).elements.map(\.action)
        == ["notification.pause"])

    fixture.clock.advance(by: .seconds(60))
    _ = try await fixture.store.order(.resume, send: "s", app: app, at: fixture.clock.now)
    #expect(await fixture.request("GET", "/v6/notifications/s").json["reason"] == nil)
    while let wait = await dispatcher.sendDueBatches() { fixture.clock.advance(by: wait) }
    let ended = try #require(try await fixture.store.send("s", app: app))
    #expect(ended.state == .complete)
    #expect(ended.counts.uninstalled == 60)
    #expect(
      try await fixture.router.audiences.devices(of: everyone, at: fixture.clock.now).count == 60)
  }

  @Test("small sends that are not believed are logged once a minute, and each device is counted")
  func smallSends() async throws {
    let fixture = try await Fixture()
    fixture.apple.answer { push in
      APNsOutcome(kind: .answered, status: 410, reason: .unregistered, apnsID: push.id)
    }
    let lines = Mutex<[String]>([])
    let metrics = ServerMetrics()
    let dispatcher = Dispatcher(
      store: fixture.store, sender: fixture.apple, clock: fixture.clock.serverClock, workers: 1,
      metrics: metrics, log: { line in lines.withLock { $0.append(line) } })
    for number in 0..<53 {
      try await fixture.register("d\(number)")
      // All sends but the last are within a minute.
      if number == 52 { fixture.clock.advance(by: .seconds(60)) }
      let target: JSONValue = [["name": "device_id", "criteria": [.string("d\(number)")]]]
      #expect(await fixture.send(["alert": "Hi"], to: target).status == 201)
      while let wait = await dispatcher.sendDueBatches() { fixture.clock.advance(by: wait) }
    }
    let logged = lines.withLock(\.self)
    let app = "app \(fixture.app.id): "
    #expect(logged.count == 2)
    #expect(logged.first?.hasPrefix(app + "50 of 50 devices were invalid") == true)
    #expect(logged.last?.hasPrefix(app + "53 of 53 devices were invalid") == true)
    let page = MetricsPage(version: "0").text(metrics).text
    #expect(page.contains("\nmartlet_devices_unmarked_total 4\n"))
  }
}
