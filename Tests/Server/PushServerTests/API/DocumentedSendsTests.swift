import APNs
import APNsSandbox
import Foundation
import PushModel
import PushPayload
import PushServer
import TestSupport
import Testing
import _TLS

@Suite("The documented requests reach exactly the devices that they name", .timeLimit(.minutes(10)))
struct DocumentedSendsTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var version: String
    var body: String
    var devices: Set<String>
    /// The payload that APNs gets, without `_nid`.
    var payload: JSONValue
    var testDescription: String { version }
  }

  static let examples: [Example] = [
    Example(
      version: "v5",
      body: #"""
        {"notification":{"to":[{"name":"custom.boolean.forecast_user","criteria":[true]}],
        "payload":{"alert":"Cloudy today. The high will be 55°. Tap to read the forecast for your area.",
        "title":"Your weather forecast","badge":1,"sound":"Default.caf","mutable_content":true,
        "image_url":"https://example.com/cloudy.gif"}}}
        """#,
      devices: ["forecast", "both"],
      payload: [
        "aps": [
          "alert": [
            "title": "Your weather forecast",
            "body": "Cloudy today. The high will be 55°. Tap to read the forecast for your area.",
          ],
          "badge": 1, "sound": "Default.caf", "mutable-content": 1,
        ],
        "image_url": "https://example.com/cloudy.gif",
      ]),
    Example(
      version: "v4",
      body: #"""
        {"notification":{"to":[{"name":"tags","criteria":["news","sport"]},
        {"name":"custom.string.mykey","criteria":["myvalue"]}],
        "payload":{"alert":"Watch","category":"VIDEO","mutable_content":true,
        "video_url":"https://example.com/clip.mp4"}}}
        """#,
      devices: ["video"],
      payload: [
        "aps": ["alert": "Watch", "category": "VIDEO", "mutable-content": 1],
        "video_url": "https://example.com/clip.mp4",
      ]),
    Example(
      version: "v6",
      body: #"""
        {"notification":{"to":[{"name":"tags","criteria":["news"]}],
        "payload":{"alert":"Look","mutable_content":true,
        "_st":{"image_url":"https://example.com/picture.jpg"},"any_key":"any_value"}}}
        """#,
      devices: ["video", "news", "both"],
      payload: [
        "aps": ["alert": "Look", "mutable-content": 1],
        "_st": ["image_url": "https://example.com/picture.jpg"], "any_key": "any_value",
      ]),
  ]

  static let devices: [String: String] = [
    "forecast": #"{"user_attributes":{"forecast_user":{"type":"boolean","value":true}}}"#,
    "both":
      #"{"tags":["news"],"user_attributes":{"forecast_user":{"type":"boolean","value":true}}}"#,
    "not": #"{"user_attributes":{"forecast_user":{"type":"boolean","value":false}}}"#,
    "text": #"{"user_attributes":{"forecast_user":{"type":"string","value":"true"}}}"#,
    "video":
      #"{"tags":["news"],"user_attributes":{"mykey":{"type":"string","value":["x","myvalue"]}}}"#,
    "key": #"{"user_attributes":{"mykey":{"type":"string","value":"myvalue"}}}"#,
    "news": #"{"tags":["news"]}"#,
    "none": "{}",
  ]

  @Test(
    "a documented request is sent over HTTP, through delivery, to the model of APNs",
    arguments: examples)
  func example(_ example: Example) async throws {
    let fixture = try await Fixture()
    let apns = try await LocalAPNs(for: fixture.newApp)
    let sender = APNsSender(
      endpoints: .init(
        production: apns.endpoint, development: apns.endpoint,
        extraTrustPEM: apns.authority.certificatePEM),
      secretKey: fixture.secretKey)
    let server = try PushServer.started(
      .init(), store: fixture.store, secretKey: fixture.secretKey, sender: sender
    ) { _ in }
    let url = "http://127.0.0.1:\(server.port)/\(example.version)"
    for (id, device) in Self.devices {
      let registered = try await curl(
        "PUT", url + "/devices/\(id)", key: fixture.keys[.push],
        body: #"{"device":\#(device)}"#)
      #expect(registered.status == 200)
      let token = try await curl(
        "PUT", url + "/devices/\(id)", key: fixture.keys[.device],
        body: #"{"device":{"push_token":"\#(Fixture.token(id))"}}"#)
      #expect(token.status == 200)
    }

    let sent = try await curl(
      "POST", url + "/notifications", key: fixture.keys[.push], body: example.body)
    #expect(sent.status == 201)
    let id = sent.json["notification"]?["id"]?.string ?? ""
    try await fixture.completion(of: id)
    await server.stop()
    await apns.stop()

    let journal = apns.journal
    let names = Dictionary(uniqueKeysWithValues: Self.devices.keys.map { (Fixture.token($0), $0) })
    let reached = journal.compactMap { $0["token"]?.string }.map { names[$0] ?? "?" }
    #expect(reached.count == example.devices.count)
    #expect(Set(reached) == example.devices)
    var payload = example.payload.object ?? [:]
    payload["_nid"] = .string(id)
    for line in journal {
      #expect(line["status"] == 200)
      #expect(line["payload"] == .object(payload))
      #expect(line["headers"]?["apns-topic"]?.string == fixture.app.bundleID)
      #expect(line["headers"]?["apns-push-type"]?.string == "alert")
      #expect(line["headers"]?["apns-collapse-id"]?.string == id)
    }
    let send = try await fixture.store.send(id, app: fixture.app.id)
    #expect(send?.counts.sent == example.devices.count)
  }

  @Test("while APNs is out of reach a send waits, and is sent when APNs is back")
  func outage() async throws {
    let fixture = try await Fixture()
    try await fixture.register("device")
    let before = try await LocalAPNs(for: fixture.newApp)
    await before.stop()
    let sender = APNsSender(
      endpoints: .init(
        production: before.endpoint, extraTrustPEM: before.authority.certificatePEM),
      secretKey: fixture.secretKey)
    let dispatcher = fixture.dispatcher(sender)
    let id = await fixture.send(["alert": "Hi"]).json["notification"]?["id"]?.string ?? ""
    #expect(await dispatcher.sendDueBatches() == .seconds(1))
    #expect(try await fixture.store.send(id, app: fixture.app.id)?.state == .sending)

    let after = try await LocalAPNs(
      port: before.port, authority: before.authority, for: fixture.newApp)
    fixture.clock.advance(by: .seconds(1))
    // The client may wait before it connects again.
    while !Task.isCancelled, let wait = await dispatcher.sendDueBatches() {
      fixture.clock.advance(by: wait)
    }
    #expect(try await fixture.store.send(id, app: fixture.app.id)?.counts.sent == 1)
    await sender.close()
    await after.stop()
  }

  @Test(
    "a token that APNs reports as unregistered marks its device, unless it registered after Apple's time"
  )
  func gone() async throws {
    let fixture = try await Fixture()
    try await fixture.register("gone")
    try await fixture.register("back")
    let now = fixture.clock.now.milliseconds
    let apns = try await LocalAPNs(for: fixture.newApp) {
      $0.goneTokens = [Fixture.token("gone"): now + 1, Fixture.token("back"): now - 1]
    }
    let sender = APNsSender(
      endpoints: .init(
        production: apns.endpoint, extraTrustPEM: apns.authority.certificatePEM),
      secretKey: fixture.secretKey)
    let id = await fixture.send(["alert": "Hi"]).json["notification"]?["id"]?.string ?? ""
    while !Task.isCancelled, let wait = await fixture.dispatcher(sender).sendDueBatches() {
      fixture.clock.advance(by: wait)
    }
    #expect(try await fixture.store.send(id, app: fixture.app.id)?.counts.uninstalled == 2)
    let app = fixture.app.id
    #expect(try await fixture.store.device("gone", app: app)?.uninstalledAt != nil)
    #expect(try await fixture.store.device("back", app: app)?.uninstalledAt == nil)
    await sender.close()
    await apns.stop()
  }
}

extension Fixture {
  /// The app's description with its key, for the model of APNs, which checks signatures.
  var newApp: NewApp {
    NewApp(
      bundleID: app.bundleID, teamID: app.teamID, keyID: app.keyID,
      privateKey: (try? secretKey.privateKey(of: app)) ?? "")
  }

  /// Waits until a send is complete.
  func completion(of id: String) async throws {
    try await until { try await store.send(id, app: app.id)?.state == .complete }
  }
}
