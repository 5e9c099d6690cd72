import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("Audiences beside a store", .timeLimit(.minutes(10)))
struct AudiencesTests {
  private let tagged = Filter(field: .builtIn(.tags), criteria: [.equals("news")])

  private func audience(_ fixture: Fixture, _ filters: [Filter] = []) -> Audience {
    Audience(id: "a", app: fixture.app.id, filters: filters, createdAt: fixture.clock.now)
  }

  @Test("every node sees what was stored before the question")
  func nodes() async throws {
    let fixture = try await Fixture()
    let nodes = [Audiences(fixture.store), Audiences(fixture.store)]
    let audience = audience(fixture, [tagged])
    let (id, now) = (fixture.app.id, fixture.clock.now)
    func check(_ expected: [UInt32]) async throws {
      for node in nodes {
        #expect(Array(try await node.devices(of: audience, at: now)) == expected)
      }
    }
    try await check([])
    try await fixture.register("a") { $0.tags = .set(["news"]) }
    try await fixture.register("b")
    try await check([1])
    try await fixture.register("b") { $0.tags = .set(["sport", "news"]) }
    try await check([1, 2])
    try await fixture.register("a") { $0.tags = .set([]) }
    try await check([2])
    // One node after the other, so that one is behind the other.
    try await fixture.register("c") { $0.tags = .set(["news"]) }
    #expect(try await nodes[0].devices(of: audience, at: now).count == 2)
    _ = try await fixture.store.erase(device: "b", app: id, at: now)
    try await check([3])
  }

  @Test("a node that missed trimmed changes rebuilds its index")
  func trimmed() async throws {
    let fixture = try await Fixture()
    let audiences = Audiences(fixture.store)
    let (id, now) = (fixture.app.id, fixture.clock.now)
    try await audiences.prepare(app: id)
    for number in 0..<5 { try await fixture.register("d\(number)") }
    try await fixture.store.trimChanges(app: id, through: 4)
    #expect(try await audiences.devices(of: audience(fixture), at: now).count == 5)
    try await fixture.register("d5")
    #expect(try await audiences.devices(of: audience(fixture), at: now).count == 6)
  }

  @Test("concurrent writers find what they wrote")
  func together() async throws {
    let fixture = try await Fixture()
    let audiences = Audiences(fixture.store)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<40 {
        group.addTask {
          try await fixture.register("d\(number)") { $0.userID = .set("u\(number)") }
          let mine = Filter(
            field: .builtIn(.userID), criteria: [.equals(.string("u\(number)"))])
          let found = try await audiences.devices(
            of: audience(fixture, [mine]), at: fixture.clock.now)
          return found.count == 1
        }
      }
      for try await isFound in group { #expect(isFound) }
    }
  }

  @Test("a count has the devices with the app, those within reach of a push, and the quiet ones")
  func counts() async throws {
    let fixture = try await Fixture()
    let audiences = Audiences(fixture.store)
    try await fixture.register("a") { $0.tags = .set(["news"]) }
    try await fixture.register("b") {
      $0.tags = .set(["news"])
      $0.isPushEnabled = .set(false)
      $0.isPushQuiet = .set(true)
    }
    try await fixture.register("d") { $0.isPushQuiet = .set(true) }
    try await fixture.register("c") { $0.token = .set(nil) }
    let now = fixture.clock.now
    #expect(
      try await audiences.count(of: audience(fixture), at: now)
        == AudienceCount(targeted: 4, pushEnabled: 2, quiet: 1))
    #expect(
      try await audiences.count(of: audience(fixture, [tagged]), at: now)
        == AudienceCount(targeted: 2, pushEnabled: 1))
    #expect(
      Array(try await audiences.members(of: audience(fixture, [tagged]), at: now)) == [1, 2])
    let nobody = Audience(id: "x", app: "none", filters: [], createdAt: now)
    #expect(
      try await audiences.count(of: nobody, at: now) == AudienceCount(targeted: 0, pushEnabled: 0))
  }

  @Test("an audience is grouped by time zone")
  func zones() async throws {
    let fixture = try await Fixture()
    for (number, zone) in ["Europe/Berlin", nil, "Asia/Tokyo", "Europe/Berlin"].enumerated() {
      try await fixture.register("d\(number)") { $0.timeZone = .set(zone) }
    }
    let parts = try await Audiences(fixture.store).byTimeZone(
      DeviceNumbers([1, 2, 3, 4]), app: fixture.app.id)
    #expect(parts.map(\.timeZone) == ["Asia/Tokyo", "Europe/Berlin", nil])
    #expect(parts.map { Array($0.devices) } == [[3], [1, 4], [2]])
  }

  @Test("the index follows changes without a question")
  func following() async throws {
    let fixture = try await Fixture()
    let clock = fixture.clock
    let audiences = Audiences(fixture.store)
    let following = Task { await audiences.follow(clock: clock.serverClock) }
    try await audiences.prepare(app: fixture.app.id)
    try await fixture.register("a")
    clock.advance(by: .seconds(2))
    following.cancel()
    await following.value
    #expect(try await audiences.devices(of: audience(fixture), at: clock.now).count == 1)
  }
}
