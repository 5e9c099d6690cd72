import APNsConformance
import APNsTestSupport
import APNs
import APNsSandbox
import Foundation
import PushPayload
import Testing
import _TLS

@Suite("APNs sandbox", .timeLimit(.minutes(10)))
struct SandboxRulesTests {
  /// A request that differs from a valid one, and Apple's response to it.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var status: Int
    var reason: String?
    var edit: @Sendable (inout RawRequest) -> Void
    var testDescription: String { name }

    init(
      _ name: String, _ status: Int, _ reason: String? = nil,
      _ edit: @escaping @Sendable (inout RawRequest) -> Void
    ) {
      self.name = name
      self.status = status
      self.reason = reason
      self.edit = edit
    }
  }

  static let cases: [Case] = [
    Case("a good request", 200) { _ in },
    Case("no apns-id", 200) { $0["apns-id"] = nil },
    Case("an upper-case apns-id", 200) { $0["apns-id"] = UUID().uuidString },
    Case("an apns-id that is no UUID", 400, "BadMessageId") { $0["apns-id"] = "1234" },
    Case("GET", 405, "MethodNotAllowed") { $0[":method"] = "GET" },
    Case("another path", 404, "BadPath") { $0[":path"] = "/2/device/0a" },
    Case("a path below the token", 404, "BadPath") { $0[":path"] = "/3/device/0a/0b" },
    Case("no token", 400, "MissingDeviceToken") { $0[":path"] = "/3/device/" },
    Case("a token of an odd number of digits", 400, "BadDeviceToken") {
      $0[":path"] = "/3/device/0a0"
    },
    Case("a token that is no hexadecimal", 400, "BadDeviceToken") { $0[":path"] = "/3/device/0g" },
    Case("a token of one byte", 200) { $0[":path"] = "/3/device/0A" },
    Case("a token of 100 bytes", 200) {
      $0[":path"] = "/3/device/" + String(repeating: "Ff", count: 100)
    },
    Case("a token that is gone, in another letter case", 410, "Unregistered") {
      $0[":path"] = "/3/device/DEAD"
    },
    Case("no topic", 400, "MissingTopic") { $0["apns-topic"] = nil },
    Case("an empty topic", 400, "MissingTopic") { $0["apns-topic"] = "" },
    Case("a topic with a space", 400, "BadTopic") { $0["apns-topic"] = "com example" },
    Case("a topic of 255 bytes", 200) { $0["apns-topic"] = String(repeating: "a", count: 255) },
    Case("a topic of 256 bytes", 400, "BadTopic") {
      $0["apns-topic"] = String(repeating: "a", count: 256)
    },
    Case("a collapse id of 64 bytes", 200) {
      $0["apns-collapse-id"] = String(repeating: "ü", count: 32)
    },
    Case("a collapse id of 65 bytes", 400, "BadCollapseId") {
      $0["apns-collapse-id"] = String(repeating: "ü", count: 32) + "x"
    },
    Case("priority 10", 200) { $0["apns-priority"] = "10" },
    Case("priority 1", 200) { $0["apns-priority"] = "1" },
    Case("priority 7", 400, "BadPriority") { $0["apns-priority"] = "7" },
    Case("a background push of priority 10", 400, "BadPriority") {
      $0["apns-push-type"] = "background"
      $0["apns-priority"] = "10"
    },
    Case("a background push of priority 5", 200) {
      $0["apns-push-type"] = "background"
      $0["apns-priority"] = "5"
    },
    Case("expiration 0", 200) { $0["apns-expiration"] = "0" },
    Case("an expiration that is no number", 400, "BadExpirationDate") {
      $0["apns-expiration"] = "soon"
    },
    Case("an expiration below 0", 400, "BadExpirationDate") { $0["apns-expiration"] = "-1" },
    Case("no push type", 200) { $0["apns-push-type"] = nil },
    Case("an unknown push type", 400, "InvalidPushType") { $0["apns-push-type"] = "loud" },
    Case("a header twice", 400, "DuplicateHeaders") {
      $0.fields.append(("apns-topic", "com.example.app"))
    },
    Case("no provider token", 403, "MissingProviderToken") { $0["authorization"] = nil },
    Case("another scheme", 403, "MissingProviderToken") { $0["authorization"] = "Basic QTpC" },
    Case("a provider token of nonsense", 403, "InvalidProviderToken") {
      $0["authorization"] = "bearer nonsense"
    },
    Case("no body", 400, "PayloadEmpty") { $0.body = "" },
    Case("a payload of 4096 bytes", 200) { $0.body = payload(4096) },
    Case("a payload of 4097 bytes", 413, "PayloadTooLarge") { $0.body = payload(4097) },
    Case("a voip payload of 5120 bytes", 200) {
      $0["apns-push-type"] = "voip"
      $0["apns-topic"] = "com.example.app.voip"
      $0.body = payload(5120)
    },
    Case("a voip payload of 5121 bytes", 413, "PayloadTooLarge") {
      $0["apns-push-type"] = "voip"
      $0["apns-topic"] = "com.example.app.voip"
      $0.body = payload(5121)
    },
    Case("a payload of a megabyte", 413, "PayloadTooLarge") { $0.body = payload(1 << 20) },
    Case("host in place of :authority", 200) {
      $0[":authority"] = nil
      $0.fields.append(("host", "localhost"))
    },
    Case("two hundred fields before the topic", 200) {
      $0.fields.insert(contentsOf: (0..<200).map { ("x-\($0)", "1") }, at: 4)
    },
  ]

  @Test("each request gets Apple's status and reason", arguments: cases)
  func answers(_ test: Case) async throws {
    let fixture = try await SandboxFixture.start { $0.goneTokens = ["dead": 1_700_000_000_123] }
    let peer = try await RawClient.connect(fixture, alpn: ["h2"])
    var request = try RawRequest(authorization: fixture.authorization())
    test.edit(&request)
    let answer = try await peer.send(request)
    #expect(answer.status == test.status)
    #expect(answer.json?["reason"]?.string == test.reason)
    #expect(answer.json?["timestamp"]?.integer == (test.status == 410 ? 1_700_000_000_123 : nil))
    if test.status == 200 { #expect(answer.body.isEmpty) }
    let id = try #require(answer.headers["apns-id"])
    if let sent = request["apns-id"], test.reason != "BadMessageId" { #expect(id == sent) }
    #expect(UUID(uuidString: id) != nil)
    #expect((answer.headers["apns-unique-id"] != nil) == (test.status == 200))
    #expect(fixture.record.delivered.count == (test.status == 200 ? 1 : 0))
    try checkJournal(fixture.record.journal, test)
    await fixture.sandbox.stop()
  }

  /// Checks that a journal line has exactly the documented members, and no secret.
  private func checkJournal(_ journal: [String], _ test: Case) throws {
    #expect(journal.count == 1)
    let line = try JSONValue(parsing: #require(journal.first))
    #expect(
      Set(line.object?.keys.map { $0 } ?? []) == [
        "time", "connection", "stream", "method", "path", "token", "headers", "payload", "status",
        "reason",
      ])
    #expect(line["status"]?.integer == Int64(test.status))
    #expect(line["reason"] == (test.reason.map(JSONValue.string) ?? .null))
    #expect(line["headers"]?.object != nil)
    #expect(journal.first?.contains("authorization") == false)
    #expect(journal.first?.lowercased().contains("bearer") == false)
  }

  @Test("a client that offers no ALPN is served, and one that offers another protocol is not")
  func alpn() async throws {
    let fixture = try await SandboxFixture.start()
    let without = try await RawClient.connect(fixture, alpn: [])
    let request = try RawRequest(authorization: fixture.authorization())
    #expect(try await without.send(request).status == 200)
    await #expect(throws: (any Error).self) {
      _ = try await RawClient.connect(fixture, alpn: ["http/1.1"])
    }
    await fixture.sandbox.stop()
  }

  @Test("without slow start a connection has all its streams from the start")
  func noSlowStart() async throws {
    let fixture = try await SandboxFixture.start {
      $0.maxStreams = 77
      $0.slowStart = false
    }
    let peer = try await RawClient.connect(fixture, alpn: ["h2"])
    #expect(await peer.streamLimit == 77)
    await fixture.sandbox.stop()
  }

  @Test("with slow start a connection has one stream until its first valid provider token")
  func slowStart() async throws {
    let fixture = try await SandboxFixture.start { $0.maxStreams = 77 }
    let peer = try await RawClient.connect(fixture, alpn: ["h2"])
    var bad = try RawRequest(authorization: fixture.authorization())
    bad["authorization"] = nil
    #expect(try await peer.send(bad).status == 403)
    #expect(await peer.streamLimit == 1)
    let good = try RawRequest(authorization: fixture.authorization())
    #expect(try await peer.send(good).status == 200)
    #expect(await peer.streamLimit == 77)
    await fixture.sandbox.stop()
  }

  @Test("a delivery has what an app receives, and never the authorization header")
  func delivery() async throws {
    let fixture = try await SandboxFixture.start { $0.now = { 1_700_000_000_000 } }
    let client = try fixture.client { $0.now = { 1_700_000_000 } }
    let notification = push {
      $0.pushType = .background
      $0.priority = 5
      $0.expiration = 0
      $0.collapseID = "score"
    }
    #expect(await client.send(notification).isSuccess)
    let delivery = try #require(fixture.record.delivered.first)
    #expect(delivery.token == deviceToken)
    #expect(delivery.topic == "com.example.app")
    #expect(delivery.pushType == "background")
    #expect(delivery.collapseID == "score")
    #expect(delivery.apnsID == notification.id)
    #expect(delivery.payload == notification.payload)
    #expect(delivery.time == 1_700_000_000_000)
    #expect(delivery.headers["apns-priority"] == "5")
    #expect(delivery.headers["apns-expiration"] == "0")
    #expect(delivery.headers["authorization"] == nil)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("an inactive device token is answered 410 with its timestamp until it is active again")
  func markGone() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    await fixture.sandbox.markGone(deviceToken.uppercased(), at: 1_700_000_000_123)
    let gone = await client.send(push())
    #expect(gone.status == 410)
    #expect(gone.reason == .unregistered)
    #expect(gone.inactiveSince == 1_700_000_000_123)
    await fixture.sandbox.markGone(deviceToken, at: nil)
    #expect(await client.send(push()).isSuccess)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("the error for a port in use says so")
  func portInUse() async throws {
    let fixture = try await SandboxFixture.start()
    let leaf = try fixture.authority.issue(hosts: ["localhost"])
    var configuration = VirtualAPNs.Configuration(
      certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM)
    configuration.port = fixture.port
    let second = try VirtualAPNs(configuration: configuration)
    let error = await #expect(throws: SandboxError.self) { try await second.start() }
    #expect(error?.code == .addressInUse)
    await fixture.sandbox.stop()
  }

  private static func payload(_ count: Int) -> String {
    let frame = #"{"aps":{"alert":""}}"#
    return #"{"aps":{"alert":""# + String(repeating: "a", count: count - frame.utf8.count) + #""}}"#
  }
}
