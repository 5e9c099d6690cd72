import APNsConformance
import APNsTestSupport
import APNsSandbox
import Foundation
import PushPayload
import Testing

@testable import APNs

/// The responses to requests with two faults, and the agreement of the client's rules with the sandbox's.
@Suite("The order of the sandbox's checks", .timeLimit(.minutes(10)))
struct SandboxOrderTests {
  /// A fault, the part of the request that it changes, and the response to it.
  struct Fault: Sendable {
    var part: String
    var status: Int
    var reason: String
    var edit: @Sendable (inout RawRequest) -> Void

    init(
      _ part: String, _ status: Int, _ reason: String,
      _ edit: @escaping @Sendable (inout RawRequest) -> Void
    ) {
      (self.part, self.status, self.reason, self.edit) = (part, status, reason, edit)
    }

    /// A fault that sets a header field or the path to another value.
    init(_ part: String, _ value: String?, _ status: Int, _ reason: String) {
      self.init(part, status, reason) { $0[part] = value }
    }
  }

  /// The faults in the order in which the sandbox checks for them.
  static let chain: [Fault] = [
    .init("two", 400, "DuplicateHeaders") {
      $0.fields += [("apns-two", "1"), ("apns-two", "2")]
    },
    .init("apns-id", "1234", 400, "BadMessageId"),
    .init(":method", "GET", 405, "MethodNotAllowed"),
    .init("apns-topic", nil, 400, "MissingTopic"),
    .init("apns-collapse-id", String(repeating: "x", count: 65), 400, "BadCollapseId"),
    .init("apns-priority", "7", 400, "BadPriority"),
    .init("apns-expiration", "soon", 400, "BadExpirationDate"),
    .init("apns-push-type", "loud", 400, "InvalidPushType"),
    .init("apns-topic", "com example", 400, "BadTopic"),
    .init(":path", "/2/device/0a", 404, "BadPath"),
    .init(":path", "/3/device/", 400, "MissingDeviceToken"),
    .init(":path", "/3/device/0g", 400, "BadDeviceToken"),
    .init(":path", "/3/device/f0", 400, "BadDeviceToken"),
    .init(":path", "/3/device/e0", 410, "ExpiredToken"),
    .init(":path", "/3/device/d0", 410, "Unregistered"),
    .init(":path", "/3/device/a0", 400, "DeviceTokenNotForTopic"),
    .init("authorization", nil, 403, "MissingProviderToken"),
    .init("body", 400, "PayloadEmpty") { $0.body = "" },
    .init("body", 413, "PayloadTooLarge") { $0.body = String(repeating: " ", count: 4097) },
  ]

  private func start() async throws -> SandboxFixture {
    try await SandboxFixture.start {
      // Each token also has the faults of the later ones.
      $0.foreignTokens = ["f0"]
      $0.expiredTokens = ["f0": 1, "e0": 1]
      $0.goneTokens = ["f0": 2, "e0": 2, "d0": 2]
      $0.apps = ["f0": "other", "e0": "other", "d0": "other", "a0": "other"]
    }
  }

  @Test("a request with two faults gets the response for the one checked first")
  func pairs() async throws {
    let fixture = try await start()
    let peer = try await RawClient.connect(fixture)
    let good = RawRequest(authorization: try fixture.authorization())
    for (index, first) in Self.chain.enumerated() {
      var request = good
      first.edit(&request)
      let alone = try await peer.send(request)
      #expect(alone.status == first.status && alone.json?["reason"]?.string == first.reason)
      for second in Self.chain[(index + 1)...] where second.part != first.part {
        var both = good
        second.edit(&both)
        first.edit(&both)
        let answer = try await peer.send(both)
        #expect(
          answer.status == first.status && answer.json?["reason"]?.string == first.reason,
          "\(first.reason) before \(second.reason)")
      }
    }
    #expect(try await peer.send(good).status == 200)
    await fixture.sandbox.stop()
  }

  /// Client and sandbox implement Apple's rules separately, so that a mistake in one of them is found.
  @Test(
    "the sandbox accepts a push exactly if the client considers it valid",
    arguments: [
      PushType.alert, .background, .complication, .controls, .fileProvider, .liveActivity,
      .location, .mdm, .pushToTalk, .voip, .widgets,
    ])
  func agreement(type: PushType) async throws {
    let fixture = try await start()
    let peer = try await RawClient.connect(fixture)
    let authorization = try fixture.authorization()
    for priority in [nil, 0, 1, 5, 7, 10] {
      for topic in ["com.example.app", type.topic(forBundleID: "com.example.app")] {
        for size in [0, 1, 4096, 4097, 5120, 5121] {
          let push = push(payload: String(repeating: " ", count: size)) {
            $0.pushType = type
            $0.topic = topic
            $0.priority = priority
          }
          var request = RawRequest(authorization: authorization)
          request["apns-push-type"] = type.rawValue
          request["apns-topic"] = topic
          request["apns-priority"] = priority.map(String.init)
          request.body = String(repeating: " ", count: size)
          let status = try await peer.send(request).status
          #expect((status == 200) == (push.problem(withToken: true) == nil), "\(push)")
        }
      }
    }
    await fixture.sandbox.stop()
  }
}
