import PushPayload
import Testing

/// A fault on the way of a notification to a phone, and the cause that the timeline must name first.
struct DeliveryFault: Sendable, CustomTestStringConvertible {
  typealias Step = @Sendable (inout DeliveryWorld) async throws -> Void

  let name: String
  /// A public issue of somebody who looked for the cause, or the explanation code that it belongs to.
  let source: String
  /// The code of the verdict.
  let code: String
  /// Happens before the notification is posted; the device is registered.
  var before: Step = { _ in }
  /// Happens between the call and the delivery.
  var between: Step = { _ in }
  /// Happens after the delivery.
  var after: Step = { _ in }

  var testDescription: String { name }

  init(
    _ name: String, _ code: String, from source: String, before: @escaping Step = { _ in },
    between: @escaping Step = { _ in }, after: @escaping Step = { _ in }
  ) {
    (self.name, self.code, self.source) = (name, code, source)
    (self.before, self.between, self.after) = (before, between, after)
  }

  /// Lets the fault happen on the way of one notification, and returns the timeline.
  func run() async throws -> JSONValue { await (try await happen()).explain() }

  /// Lets the fault happen on the way of one notification.
  func happen() async throws -> DeliveryWorld {
    var world = try await DeliveryWorld()
    await world.register([:])
    world.fixture.clock.advance(by: .seconds(10))
    try await before(&world)
    if world.query == nil { await world.send() }
    try await between(&world)
    try await world.deliver()
    try await after(&world)
    return world
  }
}
