import APNs
import PushPayload
import Testing

@testable import PushServer

@Suite("The end of a kept Live Activity while pushes wait", .timeLimit(.minutes(10)))
struct KeptActivityEndTests {
  private static let wish: JSONValue = [
    "type": "OrderAttributes", "devices": ["phone"], "attributes": ["number": 7],
    "content_state": ["status": "cooking"], "alert": ["title": "Your order"],
  ]
  private static let end: JSONValue = ["ended": true, "content_state": ["status": "delivered"]]

  private func keep(_ world: ActivityWorld, _ activity: JSONValue) async {
    let answer = await world.request("PUT", "/v6/activities/order-1", ["activity": activity])
    #expect(answer.status == 200, "\(answer.text)")
  }

  /// Handles what is due for the keepers, and delivers what waits.
  private func settle(_ world: ActivityWorld) async throws {
    for _ in 0..<3 {
      try await world.router.actions.keeperRunner.runDue { Issue.record("\($0)") }
      await world.deliver()
    }
  }

  /// A world in which the phone shows the activity.
  private func shown() async throws -> ActivityWorld {
    let world = try await ActivityWorld()
    try await world.offer(token: "aa")
    await keep(world, Self.wish)
    try await settle(world)
    try await world.follow("order-1", token: "bb")
    try await settle(world)
    return world
  }

  private func events(_ world: ActivityWorld) -> [String?] {
    world.fixture.apple.taken.map { $0.payload["aps"]?["event"]?.string }
  }

  @Test("an update that waits is withdrawn, and the end is sent in its place")
  func update() async throws {
    let world = try await shown()
    await keep(world, ["content_state": ["status": "on its way"]])
    await keep(world, Self.end)
    try await settle(world)
    #expect(events(world) == ["start", "end"])
    let last = world.fixture.apple.taken.last
    #expect(last?.payload["aps"]?["content-state"] == ["status": "delivered"])
  }

  @Test("a start that waits is withdrawn, and nothing is left to end")
  func start() async throws {
    let world = try await ActivityWorld()
    try await world.offer(token: "aa")
    await keep(world, Self.wish)
    await keep(world, Self.end)
    try await settle(world)
    #expect(events(world) == [])
    #expect(await world.activity()["kept"]?["state"] == "finished")
  }

  @Test("an end that waits is withdrawn when the phone has ended the activity")
  func end() async throws {
    let world = try await shown()
    await keep(world, Self.end)
    let gone = await world.ask("DELETE", "/v6/activities/order-1/tokens/phone", ["token": "bb"])
    #expect(gone.status == 204)
    try await settle(world)
    #expect(events(world) == ["start"])
    #expect(await world.activity()["kept"]?["state"] == "finished")
  }

  @Test("on a channel only the end is broadcast")
  func channel() async throws {
    let world = try await ActivityWorld()
    await keep(world, Self.wish.with(["channel": ["above": 0]]))
    try await settle(world)
    await keep(world, ["content_state": ["status": "on its way"]])
    await keep(world, Self.end)
    try await settle(world)
    let sent = world.fixture.apple.broadcasts
    let payloads = try sent.map {
      try JSONValue(parsing: String(decoding: $0.broadcast.payload, as: UTF8.self))
    }
    #expect(payloads.map { $0["aps"]?["event"]?.string } == ["end"])
  }
}
