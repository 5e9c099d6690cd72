import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("Housekeeping", .timeLimit(.minutes(10)))
struct HousekeepingTests {
  @Test("outdated rows and files are removed at the start, and again within an hour")
  func hourly() async throws {
    let fixture = try await Fixture()
    let start = fixture.clock.now
    func add(_ id: String, endedDaysAgo days: Int) async throws {
      try await fixture.store.add(
        Message(
          id: id, app: fixture.app.id, audience: "a", title: "Hi", content: [:], createdAt: start,
          unpublishAt: start + (.zero - .days(days))))
    }
    func isThere(_ id: String) async throws -> Bool {
      try await fixture.store.message(id, app: fixture.app.id) != nil
    }
    try await add("old", endedDaysAgo: 31)
    try await add("next", endedDaysAgo: 30)
    try await add("new", endedDaysAgo: 29)
    let housekeeping = Housekeeping(
      store: fixture.store, retention: Retention(), uploads: nil,
      clock: fixture.clock.serverClock, log: { _ in })
    let running = Task { await housekeeping.run() }
    try await until { try await !isThere("old") }
    #expect(try await isThere("next"))
    try await until {
      fixture.clock.advance(by: .seconds(60))
      return try await !isThere("next")
    }
    running.cancel()
    await running.value
    #expect(try await isThere("new") || fixture.clock.now.since(start) > .days(1))
  }
}
