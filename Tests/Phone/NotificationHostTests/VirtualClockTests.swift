import Foundation
import NotificationHost
import RichNotifications
import Synchronization
import Testing

@Suite("The virtual clock", .timeLimit(.minutes(10)))
struct VirtualClockTests {
  @Test("jumps from one event to the next, in order of time and of scheduling")
  func order() async {
    let clock = VirtualClock()
    let seen = Mutex<[String]>([])
    let hold = clock.hold(freezeLimit: .seconds(60))
    await withCheckedContinuation { continuation in
      _ = clock.schedule(after: .seconds(3600)) { continuation.resume() }
      for (delay, name) in [(20, "c"), (10, "a"), (10, "b")] {
        _ = clock.schedule(after: .seconds(delay)) {
          seen.withLock { $0.append("\(name)\(clock.now)") }
        }
      }
      clock.schedule(after: .seconds(5)) { seen.withLock { $0.append("never") } }.cancel()
      hold.release()
    }
    #expect(seen.withLock { $0 } == ["a10.0 seconds", "b10.0 seconds", "c20.0 seconds"])
    #expect(clock.now == .seconds(3600))
  }

  @Test("stands still during a hold")
  func still() {
    let clock = VirtualClock()
    let hold = clock.hold(freezeLimit: .seconds(60))
    let fired = Mutex(false)
    _ = clock.schedule(after: .seconds(1)) { fired.withLock { $0 = true } }
    #expect(clock.now == .zero)
    #expect(!fired.withLock { $0 })
    hold.release()
  }

  @Test("work runs at its time to the nanosecond, however late the machine is")
  func exact() async {
    let clock = VirtualClock()
    let seen = Mutex<[Duration]>([])
    let delays = (1...20).map { Duration.milliseconds($0) }
    let still = clock.hold(freezeLimit: .seconds(60))
    await withCheckedContinuation { continuation in
      for delay in delays {
        _ = clock.schedule(after: delay) {
          seen.withLock { $0.append(clock.now) }
          if delay == delays.last { continuation.resume() }
        }
      }
      // From here on time flows.
      let flowing = clock.hold(freezeLimit: .zero)
      _ = clock.schedule(after: .milliseconds(30)) { flowing.release() }
    }
    still.release()
    #expect(seen.withLock { $0 } == delays)
  }

  @Test("advances with real time during a hold of a network")
  func flows() async {
    let clock = VirtualClock()
    let start = ContinuousClock.now
    let hold = clock.hold(freezeLimit: .zero)
    await withCheckedContinuation { continuation in
      _ = clock.schedule(after: .milliseconds(30)) { continuation.resume() }
    }
    #expect(ContinuousClock.now - start >= .milliseconds(30))
    hold.release()
  }
}
