import APNsTestSupport
import APNsSandbox
import Foundation
import TestSupport
import Testing

@testable import APNs

/// Apple's side loses, delays and refuses; the client's books must still balance.
///
/// Ten connections of a thousand streams each carry ten thousand pushes. The sandbox takes them all and
/// answers none until the fault has struck, so that it strikes all of them in flight.
@Suite("Ten thousand pushes in flight", .timeLimit(.minutes(10)), .serialized)
struct InFlightTests {
  @Test(
    "each has one outcome, none is lost or sent twice, and the counts are the journal's",
    arguments: InFlightCase.all)
  func balance(_ fault: InFlightCase) async throws {
    let run = try await InFlightRun.start(fault)
    async let sending = run.client.send(run.pushes(InFlightCase.count + fault.waiting))
    await run.gate.holds(fault.held)
    let struck = ContinuousClock.now
    try await run.strike(fault)
    run.gate.open()
    let outcomes = await sending
    try await fault.after?(run, struck)
    try await run.finish(fault, outcomes)
  }

  @Test("bodies that are read not at all, and then sixteen bytes at a time")
  func slowReading() async throws {
    let fault = InFlightCase(name: "slow reading", endings: [.ok: InFlightCase.all10])
    let run = try await InFlightRun.start(fault)
    // Both are in one frame: who has read the one knows the other.
    await run.fixture.sandbox.run(
      FaultScript([.init(.settings(limit: 1001, window: 0), at: .zero)]))
    try await run.untilStreams(are: 1001)
    await run.fixture.sandbox.run(FaultScript([InFlightRun.latency]))
    async let sending = run.client.send(run.pushes(InFlightCase.count))
    try await until { run.counters.snapshot.inFlight == InFlightCase.count }
    #expect(run.gate.heldCount == 0, "no request is whole")
    await run.fixture.sandbox.run(
      FaultScript([.init(.slowReading(), at: .zero), InFlightRun.latency]))
    await run.gate.holds(InFlightCase.count)
    run.gate.open()
    try await run.finish(fault, await sending)
  }
}
