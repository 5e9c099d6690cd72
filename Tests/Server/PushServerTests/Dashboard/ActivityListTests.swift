import APNs
import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The page of Live Activities", .timeLimit(.minutes(10)))
struct ActivityListTests {
  @Test("before the first push the page says how one is made, and the list of sends leads to it")
  func empty() async throws {
    let client = try await DashboardClient.signedIn(Fixture(), as: .push)
    let sends = await client.get(client.path("sends"))
    #expect(sends.text.contains(#"href="\#(client.path("sends/activities"))""#))
    let page = await client.get(client.path("sends/activities"))
    #expect(page.status == 200 && page.text.contains("home/help/activities"))
  }

  @Test("an activity has its type, its last push, its phones and its counts, the latest first")
  func counts() async throws {
    let world = try await ActivityWorld(phones: ["phone", "tablet"])
    try await world.follow("order-1", token: "aa")
    try await world.follow("order-1", on: "tablet", token: "bb")
    try await world.follow("order-2", token: "cc")
    world.fixture.apple.answer { push in
      push.deviceToken == "bb"
        ? APNsOutcome(kind: .answered, status: 400, reason: .badDeviceToken, apnsID: push.id)
        : APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
    }
    #expect(await world.push(ActivityWorld.update).status == 201)
    await world.deliver()
    world.fixture.clock.advance(by: .seconds(5))
    #expect(await world.push(ActivityWorld.update, to: "order-2").status == 201)
    await world.deliver()

    let client = try await DashboardClient.signedIn(world.fixture, as: .push)
    let text = await client.get(client.path("sends/activities")).text
    let rows = text.split(separator: "<tr>").dropFirst(2).map(String.init)
    #expect(rows.count == 2 && rows[0].contains("order-2") && rows[1].contains("order-1"))
    for part in ["OrderAttributes", "update", "BadDeviceToken: 1"] {
      #expect(rows[1].contains(part), "\(part)")
    }
    let numbers = rows.map { row in
      row.split(separator: #"<td class="number">"#).dropFirst().map { $0.prefix { $0 != "<" } }
    }
    #expect(numbers == [["1", "1", "0"], ["1", "1", "1"]])
  }

  @Test("a key without access to sends does not see it")
  func access() async throws {
    let client = try await DashboardClient.signedIn(Fixture(), as: .analytics)
    #expect(await client.get(client.path("sends/activities")).status == 403)
  }
}
