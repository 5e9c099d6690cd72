import APNsTestSupport
import APNsSandbox
import Foundation
import TestSupport
import Testing

@testable import APNs

/// Faults of the sandbox while ten thousand pushes are in flight.
///
/// Ten connections of a thousand streams each carry ten thousand pushes. The sandbox receives them all and
/// answers none before the fault, so that the fault meets all of them in flight.
@Suite("Ten thousand pushes in flight", .timeLimit(.minutes(10)), .serialized)
struct InFlightTests {
  @Test(
    "each push has one outcome, none is lost or sent twice, and the counters match the journal",
    arguments: InFlightCase.all.sampled(8))
  func balance(_ fault: InFlightCase) async throws {
    let run = try await InFlightRun.start(fault)
    async let sending = run.client.send(run.pushes(InFlightCase.count + fault.waiting))
    await run.gate.holds(fault.held)
    let struck = ContinuousClock.now
    try await run.strike(fault)
    run.gate.open()
    try await fault.meanwhileAnswered?(run)
    let outcomes = await sending
    try await fault.after?(run, struck)
    try await run.finish(fault, outcomes)
  }

  @Test(
    "all pushes arrive at a peer that reads no bodies at first and then sixteen bytes at a time")
  func slowReading() async throws {
    let fault = InFlightCase(name: "slow reading", endings: [.ok: InFlightCase.all10])
    let run = try await InFlightRun.start(fault)
    // Both settings are in one frame: a client that knows the limit knows the window.
    await run.fixture.sandbox.run(
      FaultScript([.init(.settings(limit: 1001, window: 0), at: .zero)]))
    try await run.untilStreams(are: 1001)
    await run.fixture.sandbox.run(FaultScript([InFlightRun.latency]))
    async let sending = run.client.send(run.pushes(InFlightCase.count))
    try await until { run.counters.snapshot.inFlight == InFlightCase.count }
    #expect(run.gate.heldCount == 0, "no request is complete")
    await run.fixture.sandbox.run(
      FaultScript([.init(.slowReading(), at: .zero), InFlightRun.latency]))
    await run.gate.holds(InFlightCase.count)
    run.gate.open()
    try await run.finish(fault, await sending)
  }
}
