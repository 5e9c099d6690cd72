import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("What phones report for timelines", .timeLimit(.minutes(10)))
struct PhoneReportTests {
  private func update(
    _ settings: JSONValue, _ fixture: Fixture
  ) async throws -> (dropped: [JSONValue], device: Device) {
    let body: JSONValue = ["device": ["notification_settings": settings, "locale": "de"]]
    let answer = await fixture.request("PUT", "/v6/devices/d", body: body.text)
    #expect(answer.status == 200, "\(answer.text)")
    let device = try #require(try await fixture.store.device("d", app: fixture.app.id))
    return (answer.json["dropped"]?.array ?? [], device)
  }

  @Test("settings are stored with the time since which they are the same, and answered")
  func settings() async throws {
    let fixture = try await Fixture()
    let given: JSONValue = ["authorization": "provisional", "lock_screen": false, "focused": true]
    let first = fixture.clock.now
    #expect(try await update(given, fixture).dropped.isEmpty)
    fixture.clock.advance(by: .seconds(60))
    let again = try await update(given, fixture).device.settings
    #expect(again?.authorization == .provisional && again?[.lockScreen] == false)
    #expect(again?.reportedAt == first)
    let read = await fixture.request("GET", "/v6/devices/d").json["devices"]
    #expect(read?["notification_settings"] == given)
    let changed = try await update(["lock_screen": true], fixture).device.settings
    #expect(changed?.reportedAt == fixture.clock.now && changed?.authorization == nil)
    #expect(try await update(.null, fixture).device.settings == nil)
  }

  @Test(
    "a setting that is not understood is dropped alone, with the reason",
    arguments: [
      (["authorization": "maybe"], "$.device.notification_settings.authorization must be one of"),
      (["sounds": 1], "$.device.notification_settings.sounds must be true or false"),
      (["lockscreen": true], "did you mean lock_screen?"),
    ] as [([String: JSONValue], String)])
  func refused(settings: [String: JSONValue], reason: String) async throws {
    let given = JSONValue.object(settings.merging(["alerts": false]) { $1 })
    let (dropped, device) = try await update(given, Fixture())
    #expect(dropped.count == 1 && device.settings?.members == ["alerts": false])
    let path = dropped.first?["path"]?.string ?? ""
    let text = "\(path) \(dropped.first?["reason"]?.string ?? "")"
    #expect(text.contains(reason), "\(text)")
  }

  @Test("settings that are not an object are dropped, and the stored ones are kept")
  func wrongType() async throws {
    let fixture = try await Fixture()
    _ = try await update(["alerts": true], fixture)
    let (dropped, device) = try await update("on", fixture)
    #expect(dropped.first?["path"] == "$.device.notification_settings")
    #expect(device.settings?[.alerts] == true)
  }

  @Test(
    "a receipt's trace has at most ten media and words of 64 characters",
    arguments: [
      (["media": .array(Array(repeating: ["result": "attached"], count: 10))], true),
      (["media": .array(Array(repeating: ["result": "attached"], count: 11))], false),
      (["dialect": .string(String(repeating: "x", count: 64))], true),
      (["dialect": .string(String(repeating: "x", count: 65))], false),
      (["content": "untouched", "decryption": "ok", "focused": false, "later": 1], true),
      ([.null, .null], false), ("untouched", false), ([:], true),
      (["media": ["attached"]], false), (["content": "other"], false),
      (["media": [["reason": "x"]]], false),
      (["media": [["result": "failed", "status": 99]]], false),
      (["media": [["result": "failed", "status": 599]]], true),
    ] as [(JSONValue, Bool)])
  func trace(trace: JSONValue, isTaken: Bool) async throws {
    var world = try await DeliveryWorld()
    world.reachesPhone = false
    await world.register([:])
    await world.send()
    try await world.deliver()
    let receipt: JSONValue = [
      "id": "r", "notification_id": .string(world.id), "device_id": "d", "event": "received",
      "at": .string(world.fixture.clock.now.iso8601), "trace": trace,
    ]
    let body: JSONValue = ["receipts": [receipt]]
    let answer = await world.fixture.request("POST", "/v6/receipts", role: .device, body: body.text)
    #expect((answer.json["dropped"] == nil && answer.status == 202) == isTaken, "\(answer.text)")
    let device = try #require(
      try await world.fixture.store.device("d", app: world.fixture.app.id))
    let stored = try await world.fixture.store.receipts(
      of: world.id, device: device, app: world.fixture.app.id)
    #expect(stored.count == (isTaken ? 1 : 0))
    if isTaken {
      var expected = trace.object ?? [:]
      expected["later"] = nil
      #expect(stored.first?.trace?.json == .object(expected))
    }
  }
}
