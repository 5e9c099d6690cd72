import PushModel
import Testing

struct SendLifecycleTests {
  private static let start = Timestamp(milliseconds: 1_700_000_000_000)
  typealias State = SendLifecycle.State

  @Test(
    "each order does what the state lets it",
    arguments: [
      (.pause, State.scheduled, 0, SendLifecycle.Action.hold, State.paused),
      (.pause, .sending, 2, .hold, .pausing),
      (.pause, .sending, 0, .hold, .paused),
      (.pause, .paused, 0, .none, .paused),
      (.alarm("gone"), .sending, 1, .hold, .pausing),
      (.alarm("gone"), .complete, 0, .refuse, .complete),
      (.pause, .complete, 0, .refuse, .complete),
      (.resume, .pausing, 1, .release, .sending),
      (.resume, .paused, 0, .release, .sending),
      (.resume, .sending, 0, .none, .sending),
      (.resume, .canceled, 0, .refuse, .canceled),
      (.cancel, .scheduled, 0, .drop, .canceled),
      (.cancel, .paused, 0, .drop, .canceled),
      (.cancel, .canceled, 0, .none, .canceled),
      (.cancel, .complete, 0, .refuse, .complete),
      (.fail("why"), .sending, 1, .drop, .failed),
      (.fail("why"), .canceled, 0, .refuse, .canceled),
    ] as [(SendLifecycle.Order, State, Int, SendLifecycle.Action, State)])
  func orders(
    order: SendLifecycle.Order, before: State, leased: Int, action: SendLifecycle.Action,
    after: State
  ) {
    var lifecycle = SendLifecycle(state: before, hasStarted: before != .scheduled)
    #expect(lifecycle.on(.order(order), leased: leased) == action)
    #expect(lifecycle.state == after)
  }

  @Test("no event changes a send that has ended", arguments: State.allCases.filter(\.isOver))
  func over(state: State) {
    for event in [.leased, .settled(leased: 0, hasWork: false), .expired(leased: 0)]
      as [SendLifecycle.Event]
    {
      var lifecycle = SendLifecycle(state: state, hasStarted: true)
      #expect(lifecycle.on(event) == .none)
      #expect(lifecycle.state == state)
    }
  }

  @Test("the last batch completes a send, and a pause takes effect once no batch is leased")
  func settling() {
    var lifecycle = SendLifecycle(state: .scheduled, hasStarted: false)
    _ = lifecycle.on(.leased)
    #expect(lifecycle.state == .sending)
    _ = lifecycle.on(.order(.pause), leased: 2)
    _ = lifecycle.on(.settled(leased: 1, hasWork: true))
    #expect(lifecycle.state == .pausing)
    _ = lifecycle.on(.settled(leased: 0, hasWork: true))
    #expect(lifecycle.state == .paused)
    _ = lifecycle.on(.settled(leased: 0, hasWork: false))
    #expect(lifecycle.state == .complete)
  }

  private func cut(
    _ taken: Int = 0, of count: Int, due: Int = 0, throttle: Int? = nil, at now: Int = 0
  ) -> SegmentSplit {
    SegmentSplit(
      taken: taken, of: count, dueAt: Self.start + .milliseconds(due),
      throttlePerSecond: throttle, at: Self.start + .milliseconds(now))
  }

  @Test("a segment is split into batches of 2000, a bounded number at a time")
  func cutting() {
    #expect(cut(of: 4500).batches == [0..<2000, 2000..<4000, 4000..<4500])
    #expect(cut(of: 4500).nextDue == nil)
    #expect(cut(4000, of: 4500).batches == [4000..<4500])
    let large = cut(of: 1_000_000, at: 5)
    #expect(large.batches.count == SegmentSplit.batchLimit)
    #expect(large.taken == 8000)
    #expect(large.nextDue == Self.start + .milliseconds(5))
  }

  @Test("a throttled segment keeps its rate, and catches up with at most a second")
  func throttling() {
    let slow = cut(of: 100, throttle: 5)
    #expect(slow.batches == [0..<5])
    #expect(slow.nextDue == Self.start + .seconds(1))
    let fast = cut(of: 10_000, throttle: 8000, at: 500)
    #expect(fast.batches == [0..<2000, 2000..<4000, 4000..<6000])
    #expect(fast.nextDue == Self.start + .milliseconds(750))
    let late = cut(of: 10_000, throttle: 1000, at: 3_600_000)
    #expect(late.batches == [0..<1000, 1000..<2000])
    #expect(cut(of: 3, throttle: 1).batches == [0..<1])
    // What follows a segment that has ended is due when the segment's next batch would have been.
    #expect(cut(of: 5, throttle: 5).nextDue == nil)
    #expect(cut(of: 5, throttle: 5).followingDue == Self.start + .seconds(1))
    #expect(cut(of: 5, at: 7).followingDue == Self.start + .milliseconds(7))
  }
}
