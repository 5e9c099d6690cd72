import Dispatch

/// A clock that schedules callbacks, which tests and simulators replace.
///
/// Work is scheduled by callback and not by `Task.sleep`, so that a virtual clock can jump to the time of
/// the next callback; see docs/contributing/decisions/0002.
public protocol DeliveryClock: Sendable {
  /// The time since an arbitrary, fixed start. It never decreases.
  var now: Duration { get }

  /// Calls a closure once after a delay, from any thread.
  ///
  /// - Parameters:
  ///   - delay: The time to wait; zero or less means as soon as possible.
  ///   - work: The closure. It is not called if the work is canceled first.
  /// - Returns: A handle that cancels the work.
  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any ScheduledWork
}

/// A handle of work that a ``DeliveryClock`` has scheduled.
public protocol ScheduledWork: Sendable {
  /// Cancels the work. Has no effect once the work has started.
  func cancel()
}

/// The system's monotonic clock.
public struct SystemDeliveryClock: DeliveryClock {
  private let start = ContinuousClock.now

  /// Creates a clock that starts at zero.
  public init() {}

  /// The time since the clock was created.
  public var now: Duration { ContinuousClock.now - start }

  /// Calls a closure on a global queue after a delay.
  ///
  /// - Parameters:
  ///   - delay: The time to wait; zero or less means as soon as possible.
  ///   - work: The closure. It is not called if the work is canceled first.
  /// - Returns: A handle that cancels the work.
  public func schedule(
    after delay: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    let timer = Timer(DispatchSource.makeTimerSource(queue: .global(qos: .userInitiated)))
    timer.start(after: delay, work)
    return timer
  }

  /// A Dispatch timer that fires once.
  ///
  /// `@unchecked Sendable`: the source is configured before it is shared, and then only canceled, which
  /// Dispatch allows from any thread.
  private final class Timer: ScheduledWork, @unchecked Sendable {
    private let source: any DispatchSourceTimer
    init(_ source: any DispatchSourceTimer) { self.source = source }

    /// The source's event handler retains this object until it has fired or was canceled.
    func start(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
      source.setEventHandler {
        self.cancel()
        work()
      }
      source.schedule(deadline: .now() + max(0, delay / .seconds(1)))
      source.activate()
    }

    func cancel() { source.cancel() }
  }
}
