import APNs
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("The lanes of a node", .timeLimit(.minutes(10)))
struct LaneTests {
  @Test("a retry is sent when it is due, and not when the lease would have ended")
  func retried() async throws {
    let fixture = try await Fixture()
    try await fixture.register("device")
    fixture.apple.answer { APNsOutcome(kind: .neverSent, apnsID: $0.id) }
    let dispatcher = fixture.dispatcher()
    let run = Task { await dispatcher.run() }
    _ = await fixture.send(["alert": "Hi"])
    let due = fixture.clock.now + .seconds(1)
    dispatcher.signal()
    try await until { fixture.clock.nextWaking == due }
    fixture.apple.answer { APNsOutcome(kind: .answered, status: 200, apnsID: $0.id) }
    fixture.clock.advance(by: .seconds(1))
    try await until { fixture.apple.taken.count == 2 }
    dispatcher.stop()
    await run.value
  }
}
