import APNs
import APNsSandbox
import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing
import _TLS

@testable import PushServer

/// The scripts of `Examples/LiveActivities` against a server whose pushes go over HTTP/2 to the model of APNs.
@Suite("The examples of kept Live Activities", .timeLimit(.minutes(10)))
struct KeptActivityExampleTests {
  /// Runs a script, and ends when APNs has got pushes with these events.
  private func run(
    _ script: String, _ arguments: [String], until events: [String],
    after next: (ActivityWorld) async throws -> Void = { _ in }
  ) async throws -> [JSONValue] {
    let world = try await ActivityWorld(clock: .system)
    let fixture = world.fixture
    let apns = try await LocalAPNs(for: fixture.newApp)
    let sender = APNsSender(
      endpoints: .init(
        production: apns.endpoint, development: apns.endpoint,
        extraTrustPEM: apns.authority.certificatePEM),
      secretKey: fixture.secretKey)
    let server = try PushServer.started(
      .init(), store: fixture.store, secretKey: fixture.secretKey, sender: sender
    ) { _ in }
    for type in ["OrderAttributes", "MatchAttributes"] {
      let token = ActivityToken(
        .start(type: type), device: "phone", type: type, token: "aa")
      #expect(
        try await fixture.store.register(token, app: fixture.app.id, at: fixture.clock.now))
    }
    let key = fixture.keys[.push] ?? ""
    let environment = ["SERVER=http://127.0.0.1:\(server.port)", "PUSH_KEY=\(key)"]
    let path = Repository.url("Examples/LiveActivities/\(script)").path
    let run = await runProgram("/usr/bin/env", environment + ["sh", path] + arguments)
    #expect(run.status == 0, "\(run.output)")
    try await next(world)
    func found() -> [String] { apns.journal.compactMap { $0["payload"]?["aps"]?["event"]?.string } }
    try await until { found().count >= events.count }
    await server.stop()
    await apns.stop()
    // An end is repeated after five seconds, which a slow machine may take to stop.
    #expect(Array(found().prefix(events.count)) == events)
    let pushes = apns.journal.filter { $0["payload"]?["aps"]?["event"] != nil }
    return Array(pushes.prefix(events.count))
  }

  @Test("a delivery is started once, and ends with its last state when the token comes late")
  func delivery() async throws {
    let pushes = try await run("delivery.sh", ["order-8", "phone"], until: ["start", "end"]) {
      world in
      try await world.follow("order-8", token: "bb")
    }
    #expect(pushes.first?["payload"]?["aps"]?["content-state"] == ["status": "Packing"])
    #expect(pushes.last?["payload"]?["aps"]?["content-state"] == ["status": "Delivered"])
    #expect(pushes.last?["payload"]?["aps"]?["alert"]?["body"] == "It is at your door")
    #expect(pushes.map { $0["token"] } == ["aa", "bb"])
  }

  @Test("a goal of a match is one push on its channel")
  func match() async throws {
    let pushes = try await run("match.sh", ["match-1"], until: ["start", "update", "end"])
    #expect(pushes.first?["payload"]?["aps"]?["input-push-channel"]?.string != nil)
    #expect(
      pushes.dropFirst().allSatisfy { $0["path"]?.string?.hasPrefix("/4/broadcasts/apps/") == true }
    )
  }
}
