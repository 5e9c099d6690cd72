import RichNotifications

/// The host's clock for one run, whose timers and holds end with the run.
struct RunClock: HostClock {
  let scope: RunScope

  var now: Duration { scope.hostClock.now }

  func schedule(
    after delay: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    let number = scope.begin()
    guard let number else { return Handle(scope: scope, number: nil, end: {}) }
    let timer = scope.hostClock.schedule(after: delay) { [scope] in
      if scope.finish(number) { scope.enter(work) }
    }
    return keep(number) { timer.cancel() }
  }

  func hold(freezeLimit: Duration) -> any ClockHold {
    hold { $0.hold(freezeLimit: freezeLimit) }
  }

  /// Keeps the clock from jumping during a call of the extension, unless the watches see it wait for another thread.
  func holdForCall(freezeLimit: Duration) -> any ClockHold {
    hold {
      ($0 as? VirtualClock)?.holdForCall(freezeLimit: freezeLimit)
        ?? $0.hold(freezeLimit: freezeLimit)
    }
  }

  private func hold(_ begin: (any HostClock) -> any ClockHold) -> any ClockHold {
    guard let number = scope.begin() else { return Handle(scope: scope, number: nil, end: {}) }
    let hold = begin(scope.hostClock)
    return keep(number) { hold.release() }
  }

  private func keep(_ number: Int, end: @escaping @Sendable () -> Void) -> Handle {
    scope.keep(number, end: end)
    return Handle(scope: scope, number: number, end: end)
  }

  /// A timer or a hold of the run; without a number one that has never begun.
  private struct Handle: ScheduledWork, ClockHold {
    let scope: RunScope
    let number: Int?
    let end: @Sendable () -> Void

    func cancel() { release() }

    func release() {
      if let number, scope.finish(number) { end() }
    }
  }
}
