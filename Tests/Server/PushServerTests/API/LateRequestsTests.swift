import PushModel
import PushPayload
import PushServer
import Testing

@testable import PushServer

@Suite("Times that are over", .timeLimit(.minutes(10)))
struct LateRequestsTests {
  private func post(
    _ fixture: Fixture, _ body: JSONValue, to path: String = "/v6/notifications", key: String? = nil
  ) async -> Fixture.Answer {
    await fixture.request(
      "POST", path, body: body.text,
      headers: [("Content-Type", "application/json")]
        + (key.map { [("Idempotency-Key", $0)] } ?? []))
  }

  private func body(at time: Timestamp, isLocal: Bool = false) -> JSONValue {
    [
      "notification": [
        "to": "*", "payload": ["alert": "Hi"], "scheduled_at": .string(time.iso8601),
        "local_time": .bool(isLocal),
      ]
    ]
  }

  @Test(
    "scheduled_at may be over for a minute, and a local time until no clock shows it any more",
    arguments: [
      (false, Duration.seconds(-60), 201), (false, .milliseconds(-60_001), 422),
      (true, .seconds(-12 * 3600 - 60), 201),
      (true, .milliseconds((-12 * 3600 - 60) * 1000 - 1), 422),
    ])
  func past(isLocal: Bool, offset: Duration, status: Int) async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let answer = await post(fixture, body(at: fixture.clock.now + offset, isLocal: isLocal))
    #expect(answer.status == status)
    if status == 422 {
      #expect(answer.error.hasPrefix("$.notification.scheduled_at is in the past; "))
    }
  }

  @Test("a message is refused like a notification")
  func message() async throws {
    let fixture = try await Fixture()
    let answer = await post(
      fixture, ["message": ["to": "*", "title": "T", "scheduled_at": "2023-11-13"]],
      to: "/v6/messages")
    #expect(answer.status == 422 && answer.error.hasPrefix("$.message.scheduled_at is in the past"))
  }

  @Test("a repeat with an Idempotency-Key gets the first answer, also when its times are over")
  func repeated() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let now = fixture.clock.now
    let times: [String: JSONValue] = [
      "scheduled_at": .string((now + .seconds(5)).iso8601),
      "expires_at": .string((now + .seconds(60)).iso8601),
    ]
    let send = JSONValue.object(
      times.merging(["to": "*", "payload": ["alert": "Hi"]]) { $1 })
    let message: JSONValue = [
      "to": "*", "title": "T", "scheduled_at": times["scheduled_at"] ?? .null,
      "notification": ["payload": ["alert": "Hi"], "expires_at": times["expires_at"] ?? .null],
    ]
    let requests: [(String, JSONValue)] = [
      ("/v6/notifications", ["notification": send]), ("/v6/messages", ["message": message]),
    ]
    var first: [JSONValue] = []
    for (path, body) in requests {
      let answer = await post(fixture, body, to: path, key: "k")
      #expect(answer.status == 201)
      first.append(answer.json)
    }
    fixture.clock.advance(by: .seconds(3600))
    for (index, (path, body)) in requests.enumerated() {
      let answer = await post(fixture, body, to: path, key: "k")
      #expect(answer.status == 201 && answer.json == first[index], "\(answer.error)")
      #expect(await post(fixture, body, to: path, key: "other").status == 422)
    }
  }

  @Test("devices that a throttled send did not reach before it expired are counted as expired")
  func expired() async throws {
    let fixture = try await Fixture()
    let phones = (0..<1100).map { "phone-\($0)" }
    try await fixture.store.importDevices(
      phones.map { ImportedDevice(id: $0, token: Fixture.token($0), patch: DevicePatch()) },
      app: fixture.app.id, at: fixture.clock.now)
    try await fixture.store.add(
      Webhook(
        id: "hook", app: fixture.app.id, url: "https://example.com/",
        events: ["notification.complete"], sealedSecret: [], createdAt: fixture.clock.now))
    let answer = await post(
      fixture,
      [
        "notification": [
          "to": "*", "payload": ["alert": "Hi"], "throttle_per_second": 1,
          "expires_at": .string((fixture.clock.now + .seconds(60)).iso8601),
        ]
      ])
    let id = try #require(answer.json["notification"]?["id"]?.string)
    _ = await fixture.dispatcher().sendDueBatches()
    let reached = fixture.apple.taken.count
    #expect((1..<1100).contains(reached))
    let running = await fixture.request("GET", "/v6/notifications/\(id)").json
    #expect(running["state"] == "sending" && running["counts"]?["expired"] == 0)
    fixture.clock.advance(by: .seconds(60))
    _ = await fixture.dispatcher().sendDueBatches()

    let counts = await fixture.request("GET", "/v6/notifications/\(id)").json["counts"]
    let expired = JSONValue.integer(Int64(1100 - fixture.apple.taken.count))
    #expect(counts?["sent"] == .integer(Int64(reached)) && counts?["expired"] == expired)
    let report = await fixture.request("GET", "/v6/notifications/\(id)/report").json
    #expect(
      report["reasons"] == [
        ["result": "sent", "status": 200, "reason": .null, "count": .integer(Int64(reached))],
        ["result": "expired", "status": .null, "reason": .null, "count": expired],
      ])
    let call = try #require(
      try await fixture.store.leaseWebhookCall(
        owner: "test", at: fixture.clock.now, until: fixture.clock.now + .seconds(60)))
    #expect(call.body["data"]?["counts"]?["expired"] == expired)
  }

  @Test("a canceled send has no expired devices")
  func canceled() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let answer = await post(fixture, body(at: fixture.clock.now + .seconds(60)))
    let id = try #require(answer.json["notification"]?["id"]?.string)
    let canceled = await fixture.request("DELETE", "/v6/notifications/\(id)").json
    #expect(canceled["state"] == "canceled" && canceled["counts"]?["expired"] == 0)
  }
}
