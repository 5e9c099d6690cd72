import APNsTestSupport
import APNs
import Synchronization
import Testing

@testable import APNs

@Suite("Broadcast channels", .timeLimit(.minutes(10)))
struct ChannelTests {
  static let bundleID = "com.example.app"

  /// The responses of Apple's channel management API, as its documentation describes them.
  final class Channels: Sendable {
    private let made = Mutex<[(id: String, policy: Int)]>([])

    init(_ ids: [String] = []) { made.withLock { $0 = ids.map { ($0, 0) } } }

    func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
      guard request.fields["authorization"]?.hasPrefix("bearer ") == true else {
        return .refusal(403, "MissingProviderToken")
      }
      let channel = request.fields["apns-channel-id"]
      return made.withLock { made in
        let place = made.firstIndex { $0.id == channel }
        switch (request.method, request.path) {
        case ("POST", "/1/apps/com.example.app/channels"):
          let policy = request.text == #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
          made.append(("dGVz+/\(made.count)==", policy ? 1 : 0))
          return .init(status: 201, fields: ["apns-channel-id": made[made.count - 1].id])
        case ("GET", "/1/apps/com.example.app/channels"):
          guard let place else { return .refusal(400, "ChannelNotRegistered") }
          let policy = made[place].policy
          return .init(body: #"{"message-storage-policy":\#(policy),"push-type":"LiveActivity"}"#)
        case ("DELETE", "/1/apps/com.example.app/channels"):
          guard let place else { return .refusal(400, "ChannelNotRegistered") }
          made.remove(at: place)
          return .init(status: 204)
        case ("GET", "/1/apps/com.example.app/all-channels"):
          let list = made.map { "\"\($0.id)\"" }.joined(separator: ",")
          return .init(body: #"{"channels":[\#(list)]}"#)
        case ("POST", "/4/broadcasts/apps/com.example.app"):
          guard place != nil else { return .refusal(400, "BadChannelId") }
          return .init(fields: ["apns-unique-id": "unique"])
        default: return .refusal(404, "BadPath")
        }
      }
    }
  }

  @Test("requests to create, read, list, send to and delete a channel are as Apple documents them")
  func life() async throws {
    let apple = Channels()
    let server = try ScriptedServer { apple.answer($0) }
    defer { server.stop() }
    let client = try server.client()
    let channels = client.channels(ofBundleID: Self.bundleID)
    let kept = try await channels.create(storing: .mostRecent)
    let unkept = try await channels.create(storing: .none)
    #expect(kept.storage == .mostRecent)
    #expect(try await channels.read(kept.id) == kept)
    #expect(try await channels.read(unkept.id) == unkept)
    #expect(try await channels.all() == [kept.id, unkept.id])

    let payload = Array(#"{"aps":{"event":"update"}}"#.utf8)
    let outcome = await channels.send(
      APNsBroadcast(to: kept, expiration: 1_800_000_000, priority: 5, payload: payload))
    #expect(outcome.isSuccess)
    #expect(outcome.apnsUniqueID == "unique")
    let sent = try #require(server.requests.last)
    #expect(sent.body == payload)
    #expect(outcome.apnsID == sent.fields["apns-request-id"])
    let expected = [
      "apns-channel-id": kept.id, "apns-push-type": "liveactivity", "apns-priority": "5",
      "apns-expiration": "1800000000",
    ]
    #expect(sent.fields.filter { expected[$0.key] != nil } == expected)
    #expect(sent.fields["apns-topic"] == nil)
    #expect(await channels.send(APNsBroadcast(to: unkept, payload: payload)).isSuccess)
    #expect(server.requests.last?.fields["apns-expiration"] == "0")

    try await channels.delete(kept.id)
    #expect(try await channels.all() == [unkept.id])
    let error = await #expect(throws: APNsChannelError.self) { try await channels.read(kept.id) }
    #expect(error?.outcome.reason == .channelNotRegistered)
    #expect(error?.description == "APNs answered 400 ChannelNotRegistered")
    await client.close()
  }

  @Test("a list of 10,000 channels is read whole, and one over 4 MiB is refused")
  func longList() async throws {
    let ids = (0..<10_000).map { "channel-\($0)-\(String(repeating: "x", count: 30))" }
    let apple = Channels(ids)
    let server = try ScriptedServer { apple.answer($0) }
    defer { server.stop() }
    let client = try server.client()
    #expect(try await client.channels(ofBundleID: Self.bundleID).all() == ids)
    await client.close()

    let long = String(repeating: "x", count: ChannelCall.listLimit)
    let endless = try ScriptedServer { _ in .init(body: #"{"channels":["\#(long)"]}"#) }
    defer { endless.stop() }
    let other = try endless.client()
    let error = await #expect(throws: APNsChannelError.self) {
      try await other.channels(ofBundleID: Self.bundleID).all()
    }
    #expect(error?.description == "APNs answered 200: the list of channels is longer than 4 MiB")
    await other.close()
  }

  @Test(
    "a malformed response is an error",
    arguments: ["", "[]", #"{"channels":1}"#, #"{"channels":[1]}"#, "\u{0}\u{ff}"])
  func foreignAnswers(body: String) async throws {
    let server = try ScriptedServer { request in
      .init(status: request.method == "POST" ? 201 : 200, body: body)
    }
    defer { server.stop() }
    let client = try server.client()
    let channels = client.channels(ofBundleID: Self.bundleID)
    await #expect(throws: APNsChannelError.self) { try await channels.all() }
    await #expect(throws: APNsChannelError.self) { try await channels.read("x") }
    await #expect(throws: APNsChannelError.self) { try await channels.create(storing: .none) }
    await #expect(throws: APNsChannelError.self) { try await channels.delete("x") }
    await client.close()
  }

  static func broadcast(_ edit: (inout APNsBroadcast) -> Void) -> APNsBroadcast {
    var broadcast = APNsBroadcast(
      to: APNsChannel(id: "c", storage: APNsChannel.Storage.none), payload: Array("{}".utf8))
    edit(&broadcast)
    return broadcast
  }

  @Test(
    "a broadcast that APNs would refuse is never sent",
    arguments: [
      (broadcast { _ in }, nil),
      (broadcast { $0.payload = .init(repeating: 0x20, count: 5120) }, nil),
      (broadcast { $0.payload = .init(repeating: 0x20, count: 5121) }, "at most 5120"),
      (broadcast { $0.payload = [] }, "payload is empty"),
      (broadcast { $0.priority = 1 }, nil), (broadcast { $0.priority = 2 }, "priority 2"),
      (broadcast { $0.expiration = 1 }, "must be 0"),
      (
        broadcast {
          $0.expiration = 1; $0.channel.storage = .mostRecent
        }, nil
      ),
      (
        broadcast {
          $0.expiration = 1; $0.channel.storage = nil
        }, nil
      ),
      (broadcast { $0.expiration = -1 }, "before 1970"),
      (broadcast { $0.channel.id = "" }, "channel id"),
      (broadcast { $0.channel.id = "a b" }, "channel id"),
      (broadcast { $0.id = "1" }, "UUID"),
    ])
  func rules(broadcast: APNsBroadcast, problem: String?) {
    let found = ChannelCall(.broadcast(broadcast), bundleID: Self.bundleID).problem
    #expect((found == nil) == (problem == nil))
    if let problem { #expect(found?.contains(problem) == true) }
  }

  @Test(
    "a bundle id that would change the path, or ends in a topic suffix, is never sent",
    arguments: ["", "..", "a/b", "a b", "a%2e", "ü", "com.example.app.push-type.liveactivity"])
  func badBundleID(text: String) { #expect(ChannelCall(.list, bundleID: text).problem != nil) }

  @Test("channel management uses Apple's hosts and ports")
  func hosts() {
    #expect(APNsEndpoint.production.channels == .productionChannels)
    #expect(APNsEndpoint.development.channels == .developmentChannels)
    #expect(APNsEndpoint.productionChannels.port == 2196)
    #expect(APNsEndpoint.developmentChannels.port == 2195)
    let own = APNsEndpoint.custom(host: "localhost", port: 1)
    #expect(own.channels == own)
  }

  @Test("a request to an unreachable host is never sent, and cancellation ends it")
  func unreachable() async throws {
    let server = try ScriptedServer()
    server.stop()
    let client = try server.client()
    let channels = client.channels(ofBundleID: Self.bundleID)
    let error = await #expect(throws: APNsChannelError.self) { try await channels.all() }
    #expect(error?.outcome.kind == .neverSent)
    #expect(error?.description.contains("cannot connect") == true)
    await client.close()
  }
}
