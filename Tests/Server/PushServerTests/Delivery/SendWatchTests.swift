import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("The events of a send", .timeLimit(.minutes(10)))
struct SendWatchTests {
  /// A send that nobody delivers, so that only orders change its state.
  private struct World {
    let fixture: Fixture
    let send: Send

    static func make() async throws -> World {
      let fixture = try await Fixture()
      try await fixture.register("d")
      let sent = await fixture.send(["alert": "Hi"])
      let id = try #require(sent.json["notification"]?["id"]?.string)
      let send = try #require(try await fixture.store.send(id, app: fixture.app.id))
      return World(fixture: fixture, send: send)
    }

    var events: AsyncStream<[UInt8]> {
      SendWatch(send: send, store: fixture.store, clock: fixture.clock.serverClock).events()
    }

    func order(_ order: SendLifecycle.Order) async throws {
      let ordered = try await fixture.store.order(
        order, send: send.id, app: fixture.app.id, at: fixture.clock.now)
      #expect(ordered != nil)
    }

    /// Waits until the watch sleeps, and so has written what it has read.
    func settle() async throws { try await until { fixture.clock.sleeperCount == 1 } }

    /// Lets the watch read the store a number of times.
    func read(times: Int = 1) async throws {
      for _ in 0..<times {
        try await settle()
        fixture.clock.advance(by: .milliseconds(500))
      }
    }
  }

  /// The state in an event; otherwise the event's text.
  private static func text(of event: [UInt8]?) throws -> String? {
    guard let event else { return nil }
    let text = String(decoding: event, as: UTF8.self)
    guard text.hasPrefix("data: ") else { return text }
    return try JSONValue(parsing: String(text.dropFirst(6).dropLast(2)))["state"]?.string
  }

  @Test("a reader for whom one state waits gets it")
  func oneWaits() async throws {
    let world = try await World.make()
    var events = world.events.makeAsyncIterator()
    try await world.settle()
    let first = await events.next()
    #expect(try Self.text(of: first) == "scheduled")
    try await world.order(.pause)
    try await world.read()
    try await world.settle()
    let second = await events.next()
    #expect(try Self.text(of: second) == "paused")
  }

  @Test("a reader that is two states behind gets the newest one, and then the end")
  func twoWait() async throws {
    let world = try await World.make()
    var events = world.events.makeAsyncIterator()
    try await world.settle()
    try await world.order(.pause)
    try await world.read()
    try await world.settle()
    let newest = await events.next()
    #expect(try Self.text(of: newest) == "paused")
    try await world.order(.cancel)
    try await world.read()
    let last = await events.next()
    #expect(try Self.text(of: last) == "canceled")
    #expect(await events.next() == nil)
  }

  @Test("the comment that keeps the connection open takes the place of no state")
  func comment() async throws {
    let world = try await World.make()
    var events = world.events.makeAsyncIterator()
    try await world.read(times: 30)
    try await world.settle()
    let state = await events.next()
    #expect(try Self.text(of: state) == "scheduled")
    try await world.read(times: 30)
    let comment = await events.next()
    #expect(try Self.text(of: comment) == ": still here\n\n")
  }
}
