public import RichNotifications

/// The time as the model of iOS sees it.
public protocol HostClock: DeliveryClock {
  /// Says that something real is under way — a thread of the extension's, a socket — so that virtual
  /// time must not jump over it.
  ///
  /// - Parameter patience: How long time stands still before it flows as it does outside: nothing for
  ///   a network, a while for code, so that a simulation repeats exactly and still ends.
  /// - Returns: What ends it; to be released once.
  func hold(patience: Duration) -> any ClockHold
}

/// A stretch during which virtual time does not jump.
public protocol ClockHold: Sendable {
  /// Ends it; without effect a second time.
  func release()
}

extension SystemDeliveryClock: HostClock {
  /// Does nothing: real time never jumps.
  ///
  /// - Parameter patience: Unused.
  /// - Returns: A hold without effect.
  public func hold(patience: Duration) -> any ClockHold { NoHold() }

  private struct NoHold: ClockHold { func release() {} }
}
