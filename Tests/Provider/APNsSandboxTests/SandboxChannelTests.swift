import APNsConformance
import APNsTestSupport
import APNs
import APNsSandbox
import Foundation
import PushPayload
import Testing

@Suite("Broadcast channels in the sandbox", .timeLimit(.minutes(10)))
struct SandboxChannelTests {
  @Test("the client creates, reads, lists, sends to and deletes channels")
  func life() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    let channels = client.channels(ofBundleID: "com.example.app")
    let kept = try await channels.create(storing: .mostRecent)
    let unkept = try await channels.create(storing: .none)
    #expect(try await channels.read(kept.id) == kept)
    #expect(try await channels.read(unkept.id) == unkept)
    #expect(Set(try await channels.all()) == [kept.id, unkept.id])
    let broadcast = APNsBroadcast(
      to: kept, expiration: 2_000_000_000, payload: Array(#"{"aps":{}}"#.utf8))
    let outcome = await channels.send(broadcast)
    #expect(outcome.isSuccess)
    #expect(outcome.apnsID == broadcast.id)
    try await channels.delete(kept.id)
    #expect(try await channels.all() == [unkept.id])
    let error = await #expect(throws: APNsChannelError.self) {
      try await channels.read(kept.id)
    }
    #expect(error?.outcome.reason == .channelNotRegistered)
    let other = client.channels(ofBundleID: "com.example.other")
    #expect(try await other.all().isEmpty)
    let foreign = await #expect(throws: APNsChannelError.self) { try await other.read(unkept.id) }
    #expect(foreign?.outcome.reason == .topicMismatch)
    await client.close()
    await fixture.sandbox.stop()
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var reason: String
    var status = 400
    var path = Self.channels
    var edit: @Sendable (inout RawRequest) -> Void
    var testDescription: String { "\(path): \(reason)" }

    static let channels = "/1/apps/com.example.app/channels"
    static let broadcasts = "/4/broadcasts/apps/com.example.app"

    static func create(_ reason: String, _ body: String, status: Int = 400) -> Case {
      Case(reason: reason, status: status) {
        $0.body = body
        $0["apns-channel-id"] = nil
      }
    }

    static func send(
      _ reason: String, _ status: Int = 400, _ edit: @escaping @Sendable (inout RawRequest) -> Void
    ) -> Case { Case(reason: reason, status: status, path: broadcasts, edit: edit) }
  }

  static let cases: [Case] = [
    .create("PayloadEmpty", ""), .create("BadRequestPayload", "no JSON"),
    .create("BadRequestParams", #"{"message-storage-policy":2,"push-type":"LiveActivity"}"#),
    .create("MissingPushType", #"{"message-storage-policy":0}"#),
    .create("InvalidPushType", #"{"message-storage-policy":0,"push-type":"alert"}"#),
    .create("PayloadTooLarge", String(repeating: " ", count: 5121), status: 413),
    .init(reason: "MethodNotAllowed", status: 405) { $0[":method"] = "PUT" },
    .init(reason: "BadPath", status: 404, path: "/1/apps//channels") { _ in },
    .init(
      reason: "TopicDisallowed", path: "/1/apps/com.example.app.push-type.liveactivity/channels"
    ) { _ in },
    .init(reason: "BadMessageId") { $0["apns-request-id"] = "1" },
    .init(reason: "MissingProviderToken", status: 403) { $0["authorization"] = nil },
    .init(reason: "InvalidProviderToken", status: 403) { $0["authorization"] = "bearer x" },
    .init(reason: "MissingChannelId") {
      $0[":method"] = "GET"
      $0["apns-channel-id"] = nil
    },
    .init(reason: "BadChannelId") {
      $0[":method"] = "GET"
      $0["apns-channel-id"] = "%"
    },
    .init(reason: "ChannelNotRegistered") {
      $0[":method"] = "DELETE"
      $0["apns-channel-id"] = "dGVzdA=="
    },
    .send("ChannelNotRegistered") { $0["apns-channel-id"] = "dGVzdA==" },
    .send("MissingPushType") { $0["apns-push-type"] = nil },
    .send("InvalidPushType") { $0["apns-push-type"] = "alert" },
    .send("BadExpirationDate") { $0["apns-expiration"] = nil },
    .send("BadExpirationDate") { $0["apns-expiration"] = "1" },
    .send("BadPriority") { $0["apns-priority"] = nil },
    .send("BadPriority") { $0["apns-priority"] = "7" },
    .send("PayloadEmpty") { $0.body = "" },
    .send("PayloadTooLarge", 413) { $0.body = String(repeating: " ", count: 5121) },
    .send("MethodNotAllowed", 405) { $0[":method"] = "GET" },
  ]

  @Test("each invalid request gets Apple's reason")
  func reasons() async throws {
    let fixture = try await SandboxFixture.start()
    let peer = try await RawClient.connect(fixture, alpn: ["h2"])
    let authorization = try fixture.authorization()
    func request(_ path: String, _ body: String) -> RawRequest {
      var request = RawRequest(authorization: authorization)
      request["apns-id"] = nil
      request["apns-topic"] = nil
      request[":path"] = path
      request["apns-push-type"] = "liveactivity"
      request["apns-expiration"] = "0"
      request["apns-priority"] = "10"
      request.body = body
      return request
    }
    let create = #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#
    let made = try await peer.send(request(Case.channels, create))
    #expect(made.status == 201)
    let channel = try #require(made.headers["apns-channel-id"])
    #expect(UUID(uuidString: made.headers["apns-request-id"] ?? "") != nil)
    for test in Self.cases {
      var request = request(test.path, #"{"aps":{}}"#)
      request["apns-channel-id"] = channel
      test.edit(&request)
      let answer = try await peer.send(request)
      #expect(answer.status == test.status, "\(test.testDescription)")
      #expect(answer.json?["reason"]?.string == test.reason, "\(test.testDescription)")
    }
    await fixture.sandbox.stop()
  }

  @Test("at most a hundred apps have channels")
  func appLimit() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    for number in 1...100 {
      _ = try await client.channels(ofBundleID: "com.example.app\(number)").create(storing: .none)
    }
    let error = await #expect(throws: APNsChannelError.self) {
      try await client.channels(ofBundleID: "com.example.more").create(storing: .none)
    }
    #expect(error?.outcome.reason == .cannotCreateChannelConfig)
    _ = try await client.channels(ofBundleID: "com.example.app1").create(storing: .none)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("an app has at most 10,000 channels")
  func limit() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    let channels = client.channels(ofBundleID: "com.example.app")
    await withTaskGroup { group in
      for _ in 0..<100 {
        group.addTask { for _ in 0..<100 { _ = try? await channels.create(storing: .none) } }
      }
    }
    #expect(try await channels.all().count == 10_000)
    let error = await #expect(throws: APNsChannelError.self) {
      try await channels.create(storing: .none)
    }
    #expect(error?.outcome.reason == .cannotCreateChannelConfig)
    await client.close()
    await fixture.sandbox.stop()
  }
}
