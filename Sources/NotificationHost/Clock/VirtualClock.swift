import Foundation
public import RichNotifications

/// A clock that jumps: whenever nothing real is under way, it goes straight to the next thing that is
/// scheduled, so thirty seconds of waiting take none.
///
/// Scheduled work runs on one thread, in the order of its time, and of its scheduling where times are
/// equal: a simulation repeats exactly. While something holds the clock, time flows as it does outside,
/// but never past work that has not run yet, and not during it: what is due at 30 s runs at 30 s,
/// however late a busy machine gets to it.
public final class VirtualClock: HostClock {
  private let core = Core()

  /// Starts a clock at zero.
  public init() {
    let core = core
    let thread = Thread { core.run() }
    thread.name = "martlet.virtual-clock"
    thread.start()
  }

  deinit { core.stop() }

  /// The virtual time since the start.
  public var now: Duration { core.now }

  /// Puts work on the time line.
  ///
  /// - Parameters:
  ///   - delay: How long from now, in virtual time.
  ///   - work: What to do, on the clock's thread.
  /// - Returns: What cancels it.
  public func schedule(
    after delay: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    Entry(core: core, moment: core.add(after: delay, work))
  }

  /// Stops the jumping until the hold is released.
  ///
  /// - Parameter patience: How long time stands still before it flows as it does outside.
  /// - Returns: What ends it.
  public func hold(patience: Duration) -> any ClockHold {
    Hold(core: core, number: core.hold(patience: patience))
  }

  private struct Hold: ClockHold {
    let core: Core
    let number: UInt64
    func release() { core.release(number) }
  }

  private struct Entry: ScheduledWork {
    let core: Core
    let moment: Moment
    func cancel() { core.cancel(moment) }
  }
}

/// A place on the time line.
private struct Moment: Comparable {
  var due: Duration
  var number: UInt64

  static func < (one: Moment, other: Moment) -> Bool {
    (one.due, one.number) < (other.due, other.number)
  }
}

/// The time line and the thread that walks it.
///
/// `@unchecked Sendable`: every stored property is reached between `lock` and `unlock` of the condition
/// alone; work is run after unlocking.
private final class Core: @unchecked Sendable {
  private struct Entry {
    var moment: Moment
    var work: @Sendable () -> Void
  }

  private let condition = NSCondition()
  private var time = Duration.zero
  /// By their moments.
  private var entries: [Entry] = []
  private var lastNumber: UInt64 = 0
  /// What holds the clock, and from when on time flows under it.
  private var holds: [UInt64: ContinuousClock.Instant] = [:]
  /// The moment outside at which `time` was right.
  private var anchor = ContinuousClock.now
  /// Whether the thread is at scheduled work, for which time stands still.
  private var isWorking = false
  private var isStopped = false

  var now: Duration { locked { current } }

  func add(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> Moment {
    locked {
      lastNumber += 1
      let moment = Moment(due: current + max(delay, .zero), number: lastNumber)
      entries.insert(Entry(moment: moment, work: work), at: place(of: moment))
      return moment
    }
  }

  func cancel(_ moment: Moment) {
    locked {
      let place = place(of: moment)
      if place < entries.count, entries[place].moment == moment { entries.remove(at: place) }
    }
  }

  /// Where a moment stands, or would stand.
  private func place(of moment: Moment) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].moment < moment { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func hold(patience: Duration) -> UInt64 {
    locked {
      synchronize()
      lastNumber += 1
      holds[lastNumber] = .now + patience
      return lastNumber
    }
  }

  func release(_ number: UInt64) {
    locked {
      synchronize()
      holds[number] = nil
    }
  }

  func stop() { locked { isStopped = true } }

  func run() {
    while let work = next() { work() }
  }

  /// Waits for the next entry; `nil` ends the thread.
  private func next() -> (@Sendable () -> Void)? {
    condition.lock()
    defer { condition.unlock() }
    if isWorking { (anchor, isWorking) = (.now, false) }
    while !isStopped {
      if let first = entries.first {
        let now = current
        if holds.isEmpty || first.moment.due <= now {
          (time, isWorking) = (first.moment.due, true)
          return entries.removeFirst().work
        }
        let left = first.moment.due - now + max(.zero, flowStart - .now)
        _ = condition.wait(until: Date(timeIntervalSinceNow: left / .seconds(1)))
      } else {
        condition.wait()
      }
    }
    return nil
  }

  /// The time now; this and what follows with the lock held.
  private var current: Duration {
    if isWorking { return time }
    let flown = time + max(.zero, .now - flowStart)
    return entries.first.map { min($0.moment.due, flown) } ?? flown
  }

  /// From when on time has flowed since the anchor; in the future where it stands still.
  private var flowStart: ContinuousClock.Instant {
    guard let first = holds.values.min() else { return .now + .seconds(3600) }
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
