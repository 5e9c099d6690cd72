import APNs
import Foundation
import PushCrypto
import PushModel
import PushPayload
import PushServer
import PushStore
import Testing
import _OpenSSLCrypto

@testable import PushServer

@Suite("Scheduling, idempotency, pausing and previews", .timeLimit(.minutes(10)))
struct SendOptionsTests {
  private func post(
    _ fixture: Fixture, _ options: String, to: String = #""*""#, key: String? = nil
  ) async -> Fixture.Answer {
    await fixture.request(
      "POST", "/v6/notifications",
      body: #"{"notification":{"to":\#(to),"payload":{"alert":"Hi"}\#(options)}}"#,
      headers: [("Content-Type", "application/json")]
        + (key.map { [("Idempotency-Key", $0)] } ?? []))
  }

  private func read(_ fixture: Fixture, _ created: Fixture.Answer) async throws -> Send {
    let id = try #require(created.json["notification"]?["id"]?.string)
    return try #require(try await fixture.store.send(id, app: fixture.app.id))
  }

  @Test("a scheduled send waits for its time")
  func scheduled() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let sent = await post(
      fixture,
      #","scheduled_at":"2023-11-14T23:13:20Z","expires_at":"2023-11-15"#
        + #"","throttle_per_second":10"#)
    let send = try await read(fixture, sent)
    #expect(send.throttlePerSecond == 10 && send.expiresAt?.iso8601.hasPrefix("2023-11-15") == true)
    fixture.clock.advance(by: .seconds(3599))
    _ = await fixture.dispatcher().sendDueBatches()
    #expect(fixture.apple.taken.isEmpty)
    fixture.clock.advance(by: .seconds(1))
    _ = await fixture.dispatcher().sendDueBatches()
    #expect(fixture.apple.taken.count == 1)
  }

  @Test("local time is each device's own, daylight saving included")
  func localTime() async throws {
    let fixture = try await Fixture()
    for (id, zone) in [("b", "Europe/Berlin"), ("t", "Asia/Tokyo"), ("u", nil), ("x", "No/Where")] {
      try await fixture.register(id) { $0.timeZone = .set(zone) }
    }
    let sent = await post(
      fixture, #","scheduled_at":"2023-11-15T09:00:00-05:00","local_time":true"#)
    #expect(sent.status == 201)
    let numbers = DeviceNumbers([1, 2, 3, 4] as [UInt32])
    #expect(try await read(fixture, sent).counts.targeted == 4)
    let parts = try await fixture.router.audiences.byTimeZone(numbers, app: fixture.app.id)
    let wall = try #require(Timestamp(iso8601: "2023-11-15T09:00:00Z"))
    let segments = LocalTime.segments(of: parts, at: wall)
    let timed = segments.filter { $0.quiet == nil }
    #expect(
      timed.map(\.dueAt.iso8601) == [
        "2023-11-15T00:00:00.000Z", "2023-11-15T08:00:00.000Z", "2023-11-15T09:00:00.000Z",
      ])
    #expect(timed.map(\.devices.count) == [1, 1, 1])
    // It may be night at any time where the zone is not known.
    #expect(segments.filter { $0.quiet == .always }.map(\.devices.count) == [1])
    fixture.clock.advance(by: .seconds(12 * 3600))
    for _ in segments { _ = await fixture.dispatcher().sendDueBatches() }
    let tokens = fixture.apple.taken.map(\.push.deviceToken)
    #expect(Set(tokens) == Set(["b", "t", "u"].map(Fixture.token)))
    let counts = try await read(fixture, sent).counts
    #expect(counts.sent == 3 && counts.quiet == 1)
  }

  @Test(
    "a time that clocks skip is after the jump, one that they repeat is the first",
    arguments: [
      ("2026-03-29T01:59:00", "2026-03-29T00:59:00.000Z"),
      ("2026-03-29T02:30:00", "2026-03-29T01:30:00.000Z"),
      ("2026-03-29T03:00:00", "2026-03-29T01:00:00.000Z"),
      ("2026-10-25T02:30:00", "2026-10-25T00:30:00.000Z"),
      ("2026-10-25T03:00:00", "2026-10-25T02:00:00.000Z"),
    ])
  func daylightSaving(wall: String, instant: String) throws {
    let time = try #require(Timestamp(iso8601: wall))
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    #expect(LocalTime.instant(of: time, zone: zone).iso8601 == instant)
  }

  @Test(
    "invalid options are refused",
    arguments: [
      (#""scheduled_at":"soon""#, 422), (#""scheduled_at":5"#, 400), (#""local_time":true"#, 422),
      (#""local_time":1"#, 400), (#""expires_at":"2023-11-14T22:13:20Z""#, 422),
      (#""scheduled_at":"2024-01-02","expires_at":"2024-01-01""#, 422),
      (
        #""scheduled_at":"2024-01-02","local_time":true,"expires_at":"2024-01-01T10:00:00Z""#, 422
      ),
      (#""throttle_per_second":0"#, 422), (#""throttle_per_second":1000001"#, 422),
      (#""throttle_per_second":"1""#, 400), (#""class":"urgent""#, 422), (#""class":1"#, 400),
    ])
  func refused(option: String, status: Int) async throws {
    let fixture = try await Fixture()
    let answer = await post(fixture, "," + option)
    #expect(answer.status == status && answer.error.hasPrefix("$.notification."))
  }

  @Test("a notification in local time may expire a second after the first clocks show its time")
  func localExpiry() async throws {
    let fixture = try await Fixture()
    let sent = await post(
      fixture,
      #","scheduled_at":"2024-01-02","local_time":true,"expires_at":"2024-01-01T10:00:01Z""#)
    #expect(sent.status == 201, "\(sent.text)")
  }

  @Test("a repeat with the same Idempotency-Key gets the same answer and sends nothing")
  func idempotency() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let first = await post(fixture, "", key: "k1")
    fixture.clock.advance(by: .seconds(5))
    let second = await post(fixture, "", key: "k1")
    #expect(second.status == first.status && second.json == first.json)
    let other = await post(fixture, #","throttle_per_second":5"#, key: "k1")
    #expect(other.status == 422 && !other.error.isEmpty)
    #expect(await post(fixture, "", key: "k2").json != first.json)
    #expect(await fixture.request("GET", "/v6/notifications").json["meta"]?["total"] == 2)
    for (length, status) in [(255, 201), (256, 422)] {
      let key = String(repeating: "k", count: length)
      #expect(await post(fixture, "", key: key).status == status)
    }
  }

  @Test("two equal requests at once are one send")
  func together() async throws {
    let fixture = try await Fixture()
    async let one = post(fixture, "", key: "k")
    async let two = post(fixture, "", key: "k")
    let answers = await [one, two]
    #expect(answers[0].json == answers[1].json)
    #expect(await fixture.request("GET", "/v6/notifications").json["meta"]?["total"] == 1)
  }

  @Test(
    "a message with the same Idempotency-Key is created once, and its push is sent where it was not"
  )
  func messages() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    func post(_ text: String, _ push: String, key: String) async -> Fixture.Answer {
      await fixture.request(
        "POST", "/v6/messages",
        body: #"{"message":{"to":"*","title":"T","text":"\#(text)"\#(push)}}"#,
        headers: [("Content-Type", "application/json"), ("Idempotency-Key", key)])
    }
    let push = #","notification":{"payload":{"alert":"Hi"}}"#
    for (key, push) in [("k1", ""), ("k2", push)] {
      let first = await post("a", push, key: key)
      #expect(first.status == 201)
      fixture.clock.advance(by: .seconds(5))
      #expect(await post("a", push, key: key).json == first.json)
      #expect(await post("b", push, key: key).status == 422)
    }
    #expect(await post("a", push, key: "k1").status == 422)
    #expect(await post("a", "", key: "k2").status == 422)
    // The server stopped after the message and before its push.
    let first = Identifiers.message(madeBy: "k1", in: fixture.app.id)
    var message = try #require(try await fixture.store.message(first, app: fixture.app.id))
    message.id = Identifiers.message(madeBy: "k3", in: fixture.app.id)
    message.send = Identifiers.makeObjectID()
    try await fixture.store.add(message)
    let finished = await post("a", push, key: "k3")
    #expect(finished.json["notification"]?["id"]?.string == message.send)
    #expect(await post("a", push, key: "k3").json["notification"] == finished.json["notification"])
    #expect(await fixture.request("GET", "/v6/notifications").json["meta"]?["total"] == 2)
    #expect(await fixture.request("GET", "/v6/messages").json["meta"]?["total"] == 3)
  }

  @Test("a send is paused, resumed and canceled, and refuses what its state forbids")
  func orders() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let sent = await post(fixture, #","scheduled_at":"2023-11-15""#)
    let path = "/v6/notifications/\(sent.json["id"]?.string ?? "")"
    #expect(await fixture.request("POST", path + "/pause").json["state"] == "paused")
    #expect(await fixture.request("POST", path + "/resume").json["state"] == "scheduled")
    let canceled = await fixture.request("DELETE", path)
    #expect(canceled.status == 200 && canceled.json["state"] == "canceled")
    #expect(canceled.json == (await fixture.request("GET", path).json))
    for verb in ["/pause", "/resume"] {
      let refused = await fixture.request("POST", path + verb)
      #expect(refused.status == 409 && !refused.error.isEmpty)
    }
    fixture.clock.advance(by: .seconds(86_400))
    _ = await fixture.dispatcher().sendDueBatches()
    #expect(fixture.apple.taken.isEmpty)
    #expect(await fixture.request("DELETE", "/v6/notifications/none").status == 404)
    let log = try await fixture.store.audit(app: fixture.app.id, after: nil, limit: 10)
    #expect(
      log.elements.map(\.action).reversed() == [
        "notification.create", "notification.pause", "notification.resume", "notification.cancel",
      ])
    #expect(log.elements.allSatisfy { $0.key != nil && $0.address == "127.0.0.1" })
  }

  @Test("a preview is of a device of the audience, encrypted where the device has keys")
  func previewOfSample() async throws {
    let fixture = try await Fixture()
    let keys = try DeviceKeys.generate(with: OpenSSLCrypto()).subscription
    try await fixture.register("bob") {
      $0.locale = .set("de_DE")
      $0.badge = .set(4)
      $0.attributes = ["first_name": Attribute(kind: .string, value: "Bob")]
    }
    try await fixture.register("sealed") {
      $0.tags = .set(["sealed"])
      $0.publicKey = .set(Base64URL.encode(keys.publicKey))
      $0.authSecret = .set(Base64URL.encode(keys.authSecret))
    }
    func preview(_ to: String) async -> Fixture.Answer {
      await fixture.request(
        "POST", "/v6/notifications/preview",
        body: #"""
          {"notification":{"to":\#(to),"payload":{"badge":"+1",
          "alert":"Hi {{ custom.first_name | default: 'there' }}",
          "title":{"default":"Hello","de":"Hallo"}}}}
          """#)
    }
    let bob = await preview(#"[{"name":"device_id","criteria":["bob"]}]"#)
    #expect(bob.json["device_count"] == 1)
    #expect(
      bob.json["payload"]?["aps"] == ["alert": ["title": "Hallo", "body": "Hi Bob"], "badge": 5])
    let sealed = await preview(#"[{"name":"tags","criteria":["sealed"]}]"#).json["payload"]
    #expect(sealed?["_enc"]?.string != nil && sealed?["aps"]?["mutable-content"] == 1)
    let nobody = await preview(#"[{"name":"tags","criteria":["none"]}]"#)
    #expect(nobody.json["device_count"] == 0)
    #expect(nobody.json["payload"]?["aps"]?["alert"]?["body"] == "Hi there")
  }

  @Test("the size of a preview is that of the padded payload, where the server pads")
  func previewOfPadded() async throws {
    var site = SiteSettings()
    site.paddingMultiple = 512
    let fixture = try await Fixture(site: site)
    let keys = try DeviceKeys.generate(with: OpenSSLCrypto()).subscription
    try await fixture.register("sealed") {
      $0.publicKey = .set(Base64URL.encode(keys.publicKey))
      $0.authSecret = .set(Base64URL.encode(keys.authSecret))
    }
    var sizes: Set<Int64?> = []
    for text in ["Yes", "No, not before next week"] {
      let body = #"{"notification":{"to":"*","payload":{"alert":"\#(text)"}}}"#
      let answer = await fixture.request("POST", "/v6/notifications/preview", body: body)
      sizes.insert(answer.json["bytes"]?.integer)
    }
    #expect(sizes.count == 1)
    #expect(try #require(sizes.first ?? nil) > 800)
  }

  @Test("a preview shows the exact payload and findings, and sends nothing")
  func preview() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let answer = await fixture.request(
      "POST", "/v6/notifications/preview",
      body:
        #"{"notification":{"to":"*","payload":{"alert":"Hi","_st":{"image_url":"https://a/b.jpg"}}}}"#
    )
    #expect(answer.status == 200 && answer.json["device_count"] == 1)
    let payload = try #require(answer.json["payload"])
    #expect(payload["aps"] == ["alert": "Hi"] && payload["_nid"]?.string?.utf8.count == 24)
    #expect(answer.json["bytes"] == .integer(Int64(payload.serialized().count)))
    #expect(answer.json["findings"]?.array?.isEmpty == false)
    #expect(await fixture.request("GET", "/v6/notifications").json["meta"]?["total"] == 0)
  }
}
