import PushModel
import TestSupport
import Testing

@testable import PushServer

@Suite("The pauses of a node", .timeLimit(.minutes(10)))
struct NodePausesTests {
  @Test("a stop ends a pause that has begun")
  func ended() async throws {
    let clock = ManualClock()
    let pauses = NodePauses(clock: clock.serverClock)
    let pause = Task { try await pauses.wait(.seconds(15)) }
    try await until { clock.sleeperCount == 1 }
    pauses.stop()
    try await pause.value
    #expect(pauses.isStopping && clock.sleeperCount == 0)
  }

  @Test("a pause that begins after the stop is whole")
  func whole() async throws {
    let clock = ManualClock()
    let pauses = NodePauses(clock: clock.serverClock)
    pauses.stop()
    let end = clock.now + .seconds(1)
    let pause = Task { try await pauses.wait(.seconds(1)) }
    try await until { clock.nextWaking == end }
    clock.advance(by: .seconds(1))
    try await pause.value
  }

  @Test("a cancelled task does not wait")
  func cancelled() async throws {
    let clock = ManualClock()
    let pauses = NodePauses(clock: clock.serverClock)
    let pause = Task { try await pauses.wait(.seconds(15)) }
    try await until { clock.sleeperCount == 1 }
    pause.cancel()
    await #expect(throws: CancellationError.self) { try await pause.value }
  }
}
