import APNsConformance
import APNsTestSupport
import APNsSandbox
import Foundation
import PushPayload
import Testing

/// What pushy's tests of its mock server expect of an APNs server, as requests to the sandbox.
///
/// Source: github.com/jchambers/pushy, ValidatingPushNotificationHandlerTest and
/// TokenAuthenticationValidatingPushNotificationHandlerTest, at d528ac6f.
@Suite("Expectations of pushy's tests", .timeLimit(.minutes(10)))
struct PushyExpectationTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var status: Int
    var reason: String?
    var edit: @Sendable (inout RawRequest) -> Void
  }

  static let token = "1234567890123456789012345678901234567890123456789012345678901234"
  static let expired = String(token.reversed())

  static let cases: [Case] = [
    Case(testDescription: "valid notification", status: 200) { _ in },
    Case(testDescription: "bad apns-id", status: 400, reason: "BadMessageId") {
      $0["apns-id"] = "This is not a valid UUID."
    },
    Case(testDescription: "collapse id", status: 200) { $0["apns-collapse-id"] = "Collapse ID!" },
    Case(testDescription: "unique id", status: 200) {
      $0["apns-unique-id"] = UUID().uuidString
    },
    Case(testDescription: "unique id that is no UUID", status: 200) {
      $0["apns-unique-id"] = "It's no a valid UUID"
    },
    Case(testDescription: "oversized collapse id", status: 400, reason: "BadCollapseId") {
      $0["apns-collapse-id"] =
        "1234567890123456789012345678901234567890123456789012345678901234567890"
    },
    Case(testDescription: "expiration date", status: 200) {
      $0["apns-expiration"] = String(Int(Date().timeIntervalSince1970))
    },
    Case(testDescription: "missing topic", status: 400, reason: "MissingTopic") {
      $0["apns-topic"] = nil
    },
    Case(testDescription: "priority 5", status: 200) { $0["apns-priority"] = "5" },
    Case(testDescription: "priority 10", status: 200) { $0["apns-priority"] = "10" },
    Case(testDescription: "bad priority", status: 400, reason: "BadPriority") {
      $0["apns-priority"] = "9000"
    },
    Case(testDescription: "bad path", status: 404, reason: "BadPath") {
      $0[":path"] = "/example/definitely-not-the-correct-path/"
    },
    Case(testDescription: "missing device token", status: 400, reason: "MissingDeviceToken") {
      $0[":path"] = "/3/device/"
    },
    Case(testDescription: "bad device token", status: 400, reason: "BadDeviceToken") {
      $0[":path"] = "/3/device/Definitely-not-a-legit-device-token."
    },
    Case(testDescription: "expired device token", status: 410, reason: "Unregistered") {
      $0[":path"] = "/3/device/" + expired
    },
    Case(testDescription: "token of another topic", status: 400, reason: "DeviceTokenNotForTopic") {
      $0["apns-topic"] = "com.example.app.definitely.wrong"
    },
    Case(testDescription: "empty payload", status: 400, reason: "PayloadEmpty") { $0.body = "" },
    Case(testDescription: "oversized payload", status: 413, reason: "PayloadTooLarge") {
      $0.body = String(repeating: "x", count: 8192)
    },
    Case(testDescription: "no authorization", status: 403, reason: "MissingProviderToken") {
      $0["authorization"] = nil
    },
    Case(
      testDescription: "authorization without token", status: 403, reason: "MissingProviderToken"
    ) { $0["authorization"] = "bearer" },
    Case(testDescription: "another authorization", status: 403, reason: "MissingProviderToken") {
      $0["authorization"] = "Definitely not a legit authorization header."
    },
    Case(testDescription: "malformed token", status: 403, reason: "InvalidProviderToken") {
      $0["authorization"] = "bearer Definitely not a legit token."
    },
  ]

  private func start() async throws -> SandboxFixture {
    try await SandboxFixture.start {
      $0.apps = [Self.token: "com.example.app"]
      $0.goneTokens = [Self.expired: 1]
    }
  }

  @Test("each request gets the status and reason that pushy's test expects", arguments: cases)
  func requests(_ expected: Case) async throws {
    let fixture = try await start()
    let peer = try await RawClient.connect(fixture)
    var request = RawRequest(authorization: try fixture.authorization())
    request[":path"] = "/3/device/" + Self.token
    request.body = "{}"
    expected.edit(&request)
    let answer = try await peer.send(request)
    #expect(answer.status == expected.status)
    #expect(answer.json?["reason"]?.string == expected.reason)
    await fixture.sandbox.stop()
  }

  @Test("a token that is too old is expired")
  func oldToken() async throws {
    let fixture = try await start()
    let peer = try await RawClient.connect(fixture)
    let answer = try await peer.send(
      RawRequest(authorization: fixture.authorization(issuedAt: 0)))
    #expect(answer.status == 403)
    #expect(answer.json?["reason"]?.string == "ExpiredProviderToken")
    await fixture.sandbox.stop()
  }

  /// Pushy answers `InvalidProviderToken`; Apple lists `TopicDisallowed` for a topic that is not allowed.
  @Test("a key for other topics is the one case where the sandbox answers otherwise")
  func otherTopic() async throws {
    let fixture = try await SandboxFixture.start {
      $0.providerKeys[0].bundleIDs = ["com.example.other"]
    }
    let peer = try await RawClient.connect(fixture)
    let answer = try await peer.send(RawRequest(authorization: fixture.authorization()))
    #expect(answer.status == 400)
    #expect(answer.json?["reason"]?.string == "TopicDisallowed")
    await fixture.sandbox.stop()
  }
}
