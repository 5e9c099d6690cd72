import APNsConformance
import APNs
import APNsSandbox
import APNsTestSupport
import Foundation
import PushPayload
import Testing

/// What docs/provider/sandbox.md lists as not documented by Apple, where no other suite checks it.
@Suite("What Apple does not document", .timeLimit(.minutes(10)))
struct UndocumentedBehaviorTests {
  private static let now: Int64 = 1_800_000_000

  @Test(
    "a provider token may be issued up to 10 minutes in the future",
    arguments: [(600, 200, nil), (601, 403, "InvalidProviderToken")] as [(Int64, Int, String?)])
  func earlyToken(ahead: Int64, status: Int, reason: String?) async throws {
    let fixture = try await SandboxFixture.start { $0.now = { Self.now * 1000 } }
    let peer = try await RawClient.connect(fixture)
    let answer = try await peer.send(
      RawRequest(authorization: fixture.authorization(issuedAt: Self.now + ahead)))
    #expect(answer.status == status)
    #expect(answer.json?["reason"]?.string == reason)
    await fixture.sandbox.stop()
  }

  @Test(
    "a background push needs the priority 5 in its header",
    arguments: [(nil, 400), ("10", 400), ("1", 400), ("5", 200)] as [(String?, Int)])
  func background(priority: String?, status: Int) async throws {
    let fixture = try await SandboxFixture.start()
    let peer = try await RawClient.connect(fixture)
    var request = RawRequest(authorization: try fixture.authorization())
    request["apns-push-type"] = "background"
    request["apns-priority"] = priority
    let answer = try await peer.send(request)
    #expect(answer.status == status)
    #expect(answer.json?["reason"]?.string == (status == 200 ? nil : "BadPriority"))
    await fixture.sandbox.stop()
  }

  @Test("a broadcast is accepted whatever its event", arguments: ["start", "update", "end"])
  func broadcast(event: String) async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    let channels = client.channels(ofBundleID: "com.example.app")
    let channel = try await channels.create(storing: .none)
    let payload = #"{"aps":{"event":"\#(event)","timestamp":1,"content-state":{}}}"#
    let outcome = await channels.send(
      APNsBroadcast(to: channel, expiration: 0, payload: Array(payload.utf8)))
    #expect(outcome.status == 200)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test(
    "apns-id comes back as it was sent, and in upper case where there was none; apns-unique-id with 200 alone"
  )
  func ids() async throws {
    let fixture = try await SandboxFixture.start()
    let peer = try await RawClient.connect(fixture)
    var request = RawRequest(authorization: try fixture.authorization())
    for id in ["0B1F3C5E-0000-4000-8000-00000000000A", "0b1f3c5e-0000-4000-8000-00000000000a"] {
      request["apns-id"] = id
      let answer = try await peer.send(request)
      #expect(answer.headers["apns-id"] == id)
      #expect(answer.headers["apns-unique-id"] != nil)
    }
    request["apns-id"] = nil
    let made = try #require(try await peer.send(request).headers["apns-id"])
    #expect(UUID(uuidString: made) != nil && made == made.uppercased())
    request["apns-priority"] = "7"
    let refused = try await peer.send(request)
    #expect(refused.status == 400)
    #expect(refused.headers["apns-unique-id"] == nil && refused.headers["apns-id"] != nil)
    await fixture.sandbox.stop()
  }
}
