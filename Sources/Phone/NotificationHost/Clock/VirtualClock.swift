import Foundation
public import RichNotifications

/// A clock that jumps to the time of the next scheduled work, so that waiting takes no real time.
///
/// Scheduled work runs on one thread, ordered by its time and then by the order of scheduling, so that a
/// simulation is repeatable. While there is a hold, virtual time advances with real time, but not past work
/// that has not run yet and not while work runs. Work that is due at 30 s runs at 30 s, even on a busy
/// machine. A host also watches for work of its extension that the clock does not see (docs/app/ios-model.md).
public final class VirtualClock: HostClock {
  private let core = Core()

  /// Creates a clock that starts at zero.
  public init() {
    let core = core
    let thread = Thread { HostThreads.run { core.run() } }
    thread.name = "martlet.virtual-clock"
    thread.start()
  }

  deinit { core.stop() }

  /// The virtual time since the clock was created.
  public var now: Duration { core.now }

  /// Calls a closure once after a delay.
  ///
  /// - Parameters:
  ///   - delay: The virtual time to wait.
  ///   - work: The closure, which is called on the clock's thread.
  /// - Returns: A handle that cancels the work.
  public func schedule(
    after delay: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    Entry(core: core, moment: core.add(after: delay, work))
  }

  /// Keeps the clock from jumping until the hold is released.
  ///
  /// - Parameter freezeLimit: The maximum time that virtual time stands still before it advances with real time.
  /// - Returns: The hold.
  public func hold(freezeLimit: Duration) -> any ClockHold {
    Hold(core: core, number: core.hold(freezeLimit: freezeLimit))
  }

  /// Asks a closure before each jump whether work is in progress that the clock does not see.
  ///
  /// As long as there is, virtual time advances with real time instead.
  ///
  /// - Parameter isBusy: Receives the distance of the jump. It is called on the clock's thread, without its lock.
  /// - Returns: A hold that ends the watch; it does not keep the clock from jumping by itself.
  func watch(_ isBusy: @escaping @Sendable (_ jump: Duration) -> Bool) -> any ClockHold {
    Watch(core: core, number: core.watch(isBusy))
  }

  /// Keeps the clock from jumping during a call of the extension, unless the watches see it wait for another thread.
  func holdForCall(freezeLimit: Duration) -> any ClockHold {
    Hold(core: core, number: core.hold(freezeLimit: freezeLimit, isCall: true))
  }

  private struct Watch: ClockHold {
    let core: Core
    let number: UInt64
    func release() { core.endWatch(number) }
  }

  private struct Hold: ClockHold {
    let core: Core
    let number: UInt64
    func release() { core.releaseHold(number) }
  }

  private struct Entry: ScheduledWork {
    let core: Core
    let moment: Moment
    func cancel() { core.cancel(moment) }
  }
}

/// The key of scheduled work: its time, then the order of scheduling.
private struct Moment: Comparable {
  var due: Duration
  var number: UInt64

  static func < (one: Moment, other: Moment) -> Bool {
    (one.due, one.number) < (other.due, other.number)
  }
}

/// The state of the clock and the loop of its thread.
///
/// `@unchecked Sendable`: every stored property is accessed only between `lock` and `unlock` of the
/// condition. Work is called after unlocking.
private final class Core: @unchecked Sendable {
  private struct Entry {
    var moment: Moment
    var work: @Sendable () -> Void
  }

  private let condition = NSCondition()
  private var time = Duration.zero
  /// The scheduled work, sorted by moment.
  private var entries: [Entry] = []
  private var lastNumber: UInt64 = 0
  /// The holds, each with the real time at which virtual time begins to advance.
  private var holds: [UInt64: ContinuousClock.Instant] = [:]
  /// The holds that do not count while no watch is busy.
  private var callHolds: Set<UInt64> = []
  /// The real time that corresponds to `time`.
  private var anchor = ContinuousClock.now
  /// Whether the thread runs scheduled work, during which virtual time stands still.
  private var isWorking = false
  private var isStopped = false
  private var watches: [UInt64: @Sendable (Duration) -> Bool] = [:]
  /// The real time at which virtual time began to advance for a busy watch; `nil` if no watch is busy.
  private var busySince: ContinuousClock.Instant?
  /// The time in seconds until busy watches are asked again.
  private var pause = Core.shortestPause
  /// The number of changes, so that one during the question to the watches is noticed.
  private var changes = 0

  private static let shortestPause = 0.0001
  private static let longestPause = 0.016

  var now: Duration { locked { current } }

  func add(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> Moment {
    locked {
      changes += 1
      lastNumber += 1
      let moment = Moment(due: current + max(delay, .zero), number: lastNumber)
      entries.insert(Entry(moment: moment, work: work), at: index(of: moment))
      return moment
    }
  }

  func cancel(_ moment: Moment) {
    let removed: Entry? = locked {
      changes += 1
      let index = index(of: moment)
      guard index < entries.count, entries[index].moment == moment else { return nil }
      return entries.remove(at: index)
    }
    // What it holds, such as this clock, must not end while the lock is held.
    withExtendedLifetime(removed) {}
  }

  /// The index of a moment, or the one to insert it at.
  private func index(of moment: Moment) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].moment < moment { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func hold(freezeLimit: Duration, isCall: Bool = false) -> UInt64 {
    locked {
      changes += 1
      endFlow()
      lastNumber += 1
      holds[lastNumber] = .now + freezeLimit
      if isCall { callHolds.insert(lastNumber) }
      return lastNumber
    }
  }

  func releaseHold(_ number: UInt64) {
    locked {
      changes += 1
      synchronize()
      holds[number] = nil
      callHolds.remove(number)
    }
  }

  func watch(_ isBusy: @escaping @Sendable (Duration) -> Bool) -> UInt64 {
    locked {
      lastNumber += 1
      watches[lastNumber] = isBusy
      return lastNumber
    }
  }

  func endWatch(_ number: UInt64) {
    let removed = locked {
      changes += 1
      endFlow()
      return watches.removeValue(forKey: number)
    }
    withExtendedLifetime(removed) {}
  }

  func stop() { locked { isStopped = true } }

  func run() {
    while let work = next() { work() }
  }

  /// Waits for the next work; `nil` ends the thread.
  private func next() -> (@Sendable () -> Void)? {
    condition.lock()
    defer { condition.unlock() }
    if isWorking { (anchor, isWorking) = (.now, false) }
    while !isStopped {
      if let first = entries.first {
        let left = first.moment.due - current
        if left <= .zero || holds.isEmpty && watches.isEmpty {
          return begin()
        }
        guard !watches.isEmpty, holds.count == callHolds.count else {
          let wait = left + max(.zero, flowStart - .now)
          _ = condition.wait(until: Date(timeIntervalSinceNow: wait / .seconds(1)))
          continue
        }
        let before = changes
        let isBusy = askWatches(left)
        guard changes == before else { continue }
        guard isBusy else { return begin() }
        if holds.isEmpty, busySince == nil {
          synchronize()
          busySince = .now
        }
        let wait = min(left / .seconds(1), pause)
        pause = min(pause * 2, Self.longestPause)
        _ = condition.wait(until: Date(timeIntervalSinceNow: wait))
      } else {
        condition.wait()
      }
    }
    return nil
  }

  /// Jumps to the time of the first work, and returns that work.
  private func begin() -> @Sendable () -> Void {
    busySince = nil
    pause = Self.shortestPause
    let first = entries.removeFirst()
    (time, isWorking) = (first.moment.due, true)
    return first.work
  }

  /// Asks the watches without the lock, because their answer takes a while.
  private func askWatches(_ jump: Duration) -> Bool {
    var watches = watches.values.map(\.self)
    condition.unlock()
    defer { condition.lock() }
    let isBusy = watches.contains { $0(jump) }
    // An ended watch may be the last one to hold this clock, whose end needs the lock.
    watches = []
    return isBusy
  }

  /// Ends the advance with real time for a busy watch.
  private func endFlow() {
    synchronize()
    busySince = nil
    pause = Self.shortestPause
  }

  /// The virtual time.
  ///
  /// This and the following members need the lock.
  private var current: Duration {
    if isWorking { return time }
    let advanced = time + max(.zero, .now - flowStart)
    return entries.first.map { min($0.moment.due, advanced) } ?? advanced
  }

  /// The real time at which virtual time begins to advance; in the future while it stands still.
  private var flowStart: ContinuousClock.Instant {
    guard let first = [holds.values.min(), busySince].compactMap(\.self).min() else {
      return .now + .seconds(3600)
    }
    return max(first, anchor)
  }

  private func synchronize() { (time, anchor) = (current, .now) }

  private func locked<Result>(_ body: () -> Result) -> Result {
    condition.lock()
    defer {
      condition.signal()
      condition.unlock()
    }
    return body()
  }
}
