import Dispatch

/// The time as the engine sees it, so that tests and simulators command it.
///
/// Scheduling by callback, not by `Task.sleep`, lets a virtual clock jump exactly to the next thing
/// that will happen; see docs/decisions/0002.
public protocol DeliveryClock: Sendable {
  /// The time since an arbitrary, fixed start; it never goes back.
  var now: Duration { get }

  /// Calls `work` once, later, from any thread, unless it is cancelled before.
  ///
  /// - Parameters:
  ///   - delay: How long from now; zero or less means as soon as possible.
  ///   - work: What to do.
  /// - Returns: What cancels it.
  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any ScheduledWork
}

/// Something that will happen unless it is cancelled.
public protocol ScheduledWork: Sendable {
  /// Cancels it; without effect once it runs.
  func cancel()
}

/// The system's monotonic clock.
public struct SystemDeliveryClock: DeliveryClock {
  private let start = ContinuousClock.now

  /// Starts a clock at zero.
  public init() {}

  /// The time since the clock was made.
  public var now: Duration { ContinuousClock.now - start }

  /// Runs `work` on a global queue after the delay.
  ///
  /// - Parameters:
  ///   - delay: How long from now.
  ///   - work: What to do.
  /// - Returns: What cancels it.
  public func schedule(
    after delay: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    let timer = Timer(DispatchSource.makeTimerSource(queue: .global(qos: .userInitiated)))
    timer.start(after: delay, work)
    return timer
  }

  /// `@unchecked Sendable`: the source is set up before anybody else has it, and then only canceled,
  /// which Dispatch allows from any thread.
  private final class Timer: ScheduledWork, @unchecked Sendable {
    private let source: any DispatchSourceTimer
    init(_ source: any DispatchSourceTimer) { self.source = source }

    /// The source keeps this object until it has fired or was canceled, so nobody else has to.
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
