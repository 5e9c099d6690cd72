public import RichNotifications

/// A clock of the model, which may be virtual or real.
public protocol HostClock: DeliveryClock {
  /// Keeps virtual time from jumping while something real happens, such as a thread of the extension or a
  /// socket.
  ///
  /// - Parameter freezeLimit: The maximum time that virtual time stands still. After it, virtual time advances
  ///   with real time until the hold is released. It is zero for a real network, and short for code, so that a
  ///   simulation is repeatable but blocked code does not stop it.
  /// - Returns: The hold, to be released once.
  func hold(freezeLimit: Duration) -> any ClockHold
}

/// A period during which virtual time does not jump.
public protocol ClockHold: Sendable {
  /// Ends the period. Has no effect a second time.
  func release()
}

extension SystemDeliveryClock: HostClock {
  /// Returns a hold without effect, because real time never jumps.
  ///
  /// - Parameter freezeLimit: Unused.
  /// - Returns: A hold without effect.
  public func hold(freezeLimit: Duration) -> any ClockHold { NoHold() }

  private struct NoHold: ClockHold { func release() {} }
}
