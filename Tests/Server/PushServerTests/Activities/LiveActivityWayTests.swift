import APNs
import APNsSandbox
import PushModel
import PushPayload
import TestSupport
import Testing
import _TLS

@testable import PushServer

/// A server over HTTP, whose pushes go over HTTP/2 to the model of APNs.
@Suite("Live Activities from the request to APNs", .timeLimit(.minutes(10)))
struct LiveActivityWayTests {
  private func sender(_ fixture: Fixture, _ apns: LocalAPNs) -> APNsSender {
    APNsSender(
      endpoints: .init(
        production: apns.endpoint, development: apns.endpoint,
        extraTrustPEM: apns.authority.certificatePEM),
      secretKey: fixture.secretKey)
  }

  private func serve(_ fixture: Fixture, _ apns: LocalAPNs) throws -> PushServer {
    try PushServer.started(
      .init(), store: fixture.store, secretKey: fixture.secretKey, sender: sender(fixture, apns)
    ) { _ in }
  }

  private func post(
    _ activity: JSONValue, _ fixture: Fixture, _ server: PushServer, id: String = "order-1"
  ) async throws -> String {
    let answer = try await curl(
      "POST", "http://127.0.0.1:\(server.port)/v6/activities/\(id)/notifications",
      key: fixture.keys[.push], body: JSONValue.object(["activity": activity]).text)
    #expect(answer.status == 201)
    return try #require(answer.json["notification"]?["id"]?.string)
  }

  private func events(_ apns: LocalAPNs) -> [String] {
    apns.journal.compactMap { $0["payload"]?["aps"]?["event"]?.string }
  }

  @Test("start, token, updates in order and end; a token that APNs refuses is removed")
  func wholeWay() async throws {
    let world = try await ActivityWorld(phones: ["phone", "gone"], clock: .system)
    let fixture = world.fixture
    let apns = try await LocalAPNs(for: fixture.newApp) { $0.goneTokens = ["dd": 1 << 50] }
    let server = try serve(fixture, apns)
    try await world.offer(token: "aa")
    let start = try await post(ActivityWorld.start, fixture, server)
    try await fixture.completion(of: start)
    try await world.follow("order-1", token: "bb")
    try await world.follow("order-1", on: "gone", token: "dd")
    for number in 0..<5 {
      let update = ActivityWorld.update.with(["content_state": ["n": .integer(Int64(number))]])
      try await fixture.completion(of: try await post(update, fixture, server))
    }
    try await fixture.completion(of: try await post(["event": "end"], fixture, server))
    await server.stop()
    await apns.stop()

    let lines = apns.journal
    #expect(lines.first?["token"] == "aa" && lines.first?["payload"]?["aps"]?["event"] == "start")
    let ofPhone = lines.filter { $0["token"] == "bb" }
    #expect(
      ofPhone.map { $0["payload"]?["aps"]?["event"]?.string }
        == Array(repeating: "update", count: 5) + ["end"])
    #expect(
      ofPhone.prefix(5).map { $0["payload"]?["aps"]?["content-state"]?["n"] }
        == (0..<5).map { .integer($0) })
    let times = lines.compactMap { $0["payload"]?["aps"]?["timestamp"]?.integer }
    #expect(Set(times.sorted()).count >= 7 && times == times.sorted())
    for line in lines {
      #expect(
        line["headers"]?["apns-topic"]?.string == fixture.app.bundleID + ".push-type.liveactivity")
      #expect(line["headers"]?["apns-push-type"] == "liveactivity")
    }
    // The gone phone was asked once.
    let gone = lines.filter { $0["token"] == "dd" }
    #expect(gone.map { $0["status"] } == [410])
    let activity = await world.activity()
    #expect(activity["phones"] == 0 && activity["failures"] == ["Unregistered": 1])
    #expect(
      activity["counts"] == ["targeted": 8, "sent": 7, "failed": 1, "tokens_removed": 2])
  }

  @Test("a channel is created at Apple, an update is broadcast on it, and it is deleted")
  func channels() async throws {
    let fixture = try await Fixture()
    let apns = try await LocalAPNs(for: fixture.newApp)
    let server = try serve(fixture, apns)
    let path = "http://127.0.0.1:\(server.port)/v6/apps/\(fixture.app.id)/channels"
    let key = fixture.keys[.push]
    let made = try await curl(
      "POST", path, key: key, body: #"{"channel":{"storage":"most_recent"}}"#)
    #expect(made.status == 201)
    let id = try #require(made.json["channel"]?["id"]?.string)
    let send = try await post(
      ActivityWorld.update.with(["channel_id": .string(id)]), fixture, server, id: "match-1")
    try await fixture.completion(of: send)
    let encoded = id.replacing("/", with: "%2F").replacing("+", with: "%2B")
      .replacing("=", with: "%3D")
    // Apple has it no more, and is asked again.
    let store = fixture.store
    let kept = try #require(try await store.channel(id, app: fixture.app.id))
    for _ in 0..<2 {
      let deleted = try await curl("DELETE", path + "/" + encoded, key: key)
      #expect(deleted.status == 200 && deleted.json["channel"]?["id"]?.string == id)
      try await store.add(kept)
    }
    // A broadcast that Apple refuses is a failure with Apple's reason.
    let refused = try await post(
      ["event": "end", "channel_id": .string(id)], fixture, server, id: "match-1")
    try await fixture.completion(of: refused)
    await server.stop()
    await apns.stop()
    let activity = try #require(
      try await store.activity("match-1", app: fixture.app.id, at: fixture.clock.now))
    #expect(activity.counts.sent == 1 && activity.failures == ["ChannelNotRegistered": 1])
    let broadcasts = apns.journal.filter {
      $0["path"]?.string == "/4/broadcasts/apps/\(fixture.app.bundleID)"
    }
    #expect(broadcasts.map { $0["status"] } == [200, 400])
  }

  @Test("while Apple is out of reach no channel is made, and an accepted push outlives the server")
  func outage() async throws {
    let world = try await ActivityWorld(clock: .system)
    let fixture = world.fixture
    try await world.follow("order-1", token: "aa")
    let before = try await LocalAPNs(for: fixture.newApp)
    await before.stop()
    let server = try serve(fixture, before)
    let id = try await post(ActivityWorld.update, fixture, server)
    let path = "http://127.0.0.1:\(server.port)/v6/apps/\(fixture.app.id)/channels"
    let refused = try await curl(
      "POST", path, key: fixture.keys[.push], body: #"{"channel":{"storage":"none"}}"#)
    #expect(refused.status == 503)
    await server.stop()
    #expect(try await fixture.store.send(id, app: fixture.app.id)?.counts.sent == 0)
    let after = try await LocalAPNs(
      port: before.port, authority: before.authority, for: fixture.newApp)
    let next = try serve(fixture, after)
    try await fixture.completion(of: id)
    await next.stop()
    await after.stop()
    #expect(events(after) == ["update"])
  }
}
