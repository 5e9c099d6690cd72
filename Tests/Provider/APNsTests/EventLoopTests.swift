import Synchronization
import Testing
import _EventLoop

@Suite("Timers of an event loop", .timeLimit(.minutes(1)))
struct EventLoopTests {
  @Test("a timer that another one cancels does not run, also if both are due at the same time")
  func cancelled() async throws {
    let loop = try EventLoop(name: "test")
    let runs = Mutex<[String]>([])
    await withCheckedContinuation { continuation in
      _ = loop.schedule(at: .now) {
        // All three are due in the loop's next turn, in this order.
        let deadline = ContinuousClock.now
        let later = Mutex<EventLoop.Registration?>(nil)
        _ = loop.schedule(at: deadline) {
          runs.withLock { $0.append("first") }
          if let registration = later.withLock(\.self) { loop.cancel(registration) }
        }
        later.withLock { $0 = loop.schedule(at: deadline) { runs.withLock { $0.append("later") } } }
        _ = loop.schedule(at: deadline) { continuation.resume() }
      }
    }
    #expect(runs.withLock(\.self) == ["first"])
  }
}
