import APNsConformance
import APNsTestSupport
import APNs
import APNsSandbox
import Foundation
import PushPayload
import Testing
import _OpenSSLCrypto

/// Apple's reasons for keys, teams, apps and environments, in addition to ``SandboxRulesTests``.
@Suite("Keys and tokens in the sandbox", .timeLimit(.minutes(10)))
struct SandboxReasonTests {
  /// The keys that the sandbox trusts in addition to the fixture's.
  enum Key: String, CaseIterable {
    case second = "SECOND1234"
    case forecast = "FORECAST12"
    case related = "RELATED123"
    case foreign = "FOREIGN123"
    case otherTeam = "OTHERTEAM1"
  }

  private let pems = Dictionary(
    uniqueKeysWithValues: Key.allCases.map { ($0, OpenSSLCrypto.makeP256KeyPEM()) })
  private let time = Int64(Date().timeIntervalSince1970)

  private func team(_ key: Key) -> String { key == .otherTeam ? "OTHER12345" : "TEAM123456" }

  private func start(_ now: Clock = Clock()) async throws -> SandboxFixture {
    try await SandboxFixture.start { configuration in
      for key in Key.allCases {
        var known = VirtualAPNs.ProviderKey(
          teamID: team(key), keyID: key.rawValue, pem: pems[key] ?? "")
        if key == .forecast || key == .related { known.bundleIDs = ["com.example.app"] }
        if key == .related { known.relatedKeyID = Key.forecast.rawValue }
        known.isForeign = key == .foreign
        configuration.providerKeys.append(known)
      }
      configuration.expiredTokens = ["EE": 7]
      configuration.foreignTokens = ["Fe"]
      configuration.apps = [
        "aa": "com.example.app", "bb": "com.example.other",
        "c0": "com.example.app.push-type.widgets",
      ]
      configuration.now = { now.milliseconds }
    }
  }

  private func request(
    _ fixture: SandboxFixture, _ key: Key? = nil, token: String = "0a",
    topic: String = "com.example.app",
    type: String = "alert"
  ) throws -> RawRequest {
    var credentials = fixture.credentials
    if let key {
      credentials = .init(
        teamID: team(key), keyID: key.rawValue, privateKeyPEM: pems[key] ?? "")
    }
    let fixture = SandboxFixture(
      sandbox: fixture.sandbox, port: fixture.port, authority: fixture.authority,
      record: fixture.record, credentials: credentials)
    var request = RawRequest(authorization: try fixture.authorization(issuedAt: time))
    request[":path"] = "/3/device/" + token
    request["apns-topic"] = topic
    request["apns-push-type"] = type
    return request
  }

  @Test(
    "device tokens of other apps or environments, and expired ones, get Apple's reasons",
    arguments: [
      ("aa", "com.example.app", "alert", 200, nil),
      ("aa", "com.example.app.voip", "voip", 200, nil),
      ("aa", "com.example.app", "voip", 400, "BadTopic"),
      ("AA", "com.example.other", "alert", 400, "DeviceTokenNotForTopic"),
      ("bb", "com.example.app", "alert", 400, "DeviceTokenNotForTopic"),
      ("c0", "com.example.app.push-type.widgets", "widgets", 200, nil),
      ("c0", "com.example.app", "alert", 400, "DeviceTokenNotForTopic"),
      ("c0", "com.example.app.push-type.controls", "controls", 400, "DeviceTokenNotForTopic"),
      ("c0", "com.example.other.push-type.widgets", "widgets", 400, "DeviceTokenNotForTopic"),
      ("fE", "com.example.app", "alert", 400, "BadDeviceToken"),
      ("ee", "com.example.app", "alert", 410, "ExpiredToken"),
    ] as [(String, String, String, Int, String?)])
  func tokens(token: String, topic: String, type: String, status: Int, reason: String?)
    async throws
  {
    let fixture = try await start()
    let peer = try await RawClient.connect(fixture, alpn: ["h2"])
    let answer = try await peer.send(request(fixture, token: token, topic: topic, type: type))
    #expect(answer.status == status)
    #expect(answer.json?["reason"]?.string == reason)
    #expect(answer.json?["timestamp"]?.integer == (status == 410 ? 7 : nil))
    await fixture.sandbox.stop()
  }

  @Test(
    "a connection is bound to the team and the kind of key of its first request",
    arguments: [
      (nil, .otherTeam, 403, "InvalidProviderToken"),
      (nil, .second, 429, "TooManyProviderTokenUpdates"),
      (nil, .forecast, 403, "UnrelatedKeyIdInToken"),
      (.forecast, .second, 403, "UnrelatedKeyIdInToken"),
      (.forecast, .related, 429, "TooManyProviderTokenUpdates"),
      (nil, .foreign, 403, "BadEnvironmentKeyIdInToken"),
    ] as [(Key?, Key, Int, String)])
  func connection(first: Key?, second: Key, status: Int, reason: String) async throws {
    let fixture = try await start()
    let peer = try await RawClient.connect(fixture, alpn: ["h2"])
    #expect(try await peer.send(request(fixture, first)).status == 200)
    let answer = try await peer.send(request(fixture, second))
    #expect(answer.status == status)
    #expect(answer.json?["reason"]?.string == reason)
    await fixture.sandbox.stop()
  }

  @Test("a key restricted to some bundle ids is refused for others")
  func topic() async throws {
    let fixture = try await start()
    let peer = try await RawClient.connect(fixture, alpn: ["h2"])
    var request = try request(fixture, .forecast)
    for topic in ["com.example.app", "com.example.other", "com.example.app"] {
      request["apns-topic"] = topic
      let answer = try await peer.send(request)
      let reason = answer.json?["reason"]?.string
      #expect(reason == (topic == "com.example.app" ? nil : "TopicDisallowed"))
    }
    await fixture.sandbox.stop()
  }

  @Test("after too many token updates a connection is unusable for 20 minutes")
  func churn() async throws {
    let clock = Clock()
    let fixture = try await start(clock)
    let peer = try await RawClient.connect(fixture, alpn: ["h2"])
    let first = try request(fixture)
    #expect(try await peer.send(first).status == 200)
    #expect(try await peer.send(request(fixture, .second)).status == 429)
    #expect(try await peer.send(first).status == 429, "the good token too")
    let other = try await RawClient.connect(fixture, alpn: ["h2"])
    #expect(try await other.send(first).status == 200, "another connection is not concerned")
    clock.advance(minutes: 20)
    #expect(try await peer.send(request(fixture, .second)).status == 200)
    await fixture.sandbox.stop()
  }

  @Test(
    "a fault script gives the reasons that are caused on Apple's side",
    arguments: [
      (400, "IdleTimeout"), (403, "Forbidden"), (403, "BadCertificate"),
      (403, "BadCertificateEnvironment"), (400, "FeatureNotEnabled"), (429, "TooManyRequests"),
      (500, "InternalServerError"), (503, "ServiceUnavailable"), (503, "Shutdown"),
    ])
  func scripted(status: Int, reason: String) async throws {
    let fixture = try await SandboxFixture.start {
      $0.script = FaultScript([.init(.answer(status: status, reason: reason))])
    }
    let peer = try await RawClient.connect(fixture, alpn: ["h2"])
    let answer = try await peer.send(RawRequest(authorization: fixture.authorization()))
    #expect(answer.status == status)
    #expect(answer.json?["reason"]?.string == reason)
    #expect(fixture.record.delivered.isEmpty)
    await fixture.sandbox.stop()
  }
}

/// A wall clock that a test sets.
final class Clock: Sendable {
  private let moved = Counter()
  private let start = Int64(Date().timeIntervalSince1970 * 1000)
  var milliseconds: Int64 { start + Int64(moved.count) * 60_000 }
  func advance(minutes: Int) { for _ in 0..<minutes { _ = moved.next() } }
}
