/// The timeouts of one provider's connection.
///
/// Times are measured from one moment that all connections of a server share.
struct ConnectionTimeouts {
  /// The limits of all connections.
  struct Limits {
    var handshake: Duration
    var slow: Duration
    var idle: Duration

    init(_ configuration: VirtualAPNs.Configuration) {
      handshake = configuration.handshakeTimeout
      slow = configuration.slowTimeout
      idle = configuration.idleTimeout
    }

    /// The interval between checks of connections: a quarter of the shortest limit, at most a second.
    var period: Duration {
      min(max(min(handshake, slow, idle) / 4, .milliseconds(1)), .seconds(1))
    }
  }

  /// The activity of a connection.
  struct Activity {
    /// Whether the TLS handshake is done.
    var isOpen: Bool
    /// The time at which the oldest incomplete request began.
    var oldestArrival: Duration?
    /// Whether requests wait for their answers.
    var isAnswering: Bool
    /// Whether output waits for the socket to take it.
    var isBlocked: Bool
    /// The number of bytes that the socket has taken.
    var sent: Int
  }

  /// The decision about a connection.
  enum Verdict {
    case keep
    /// No request came for too long: close the connection with GOAWAY.
    case idle
    /// The provider is too slow: close the connection at once.
    case slow
  }

  private let limits: Limits
  private let acceptedAt: Duration
  private var receivedAt: Duration
  /// The time at which the socket last took bytes, and the number of bytes that it had taken by then.
  private var sent: (at: Duration, count: Int)

  init(_ limits: Limits, at now: Duration) {
    self.limits = limits
    (acceptedAt, receivedAt, sent) = (now, now, (now, 0))
  }

  /// The provider has sent something.
  mutating func received(at now: Duration) { receivedAt = now }

  /// Checks a connection against the limits.
  mutating func check(_ activity: Activity, at now: Duration) -> Verdict {
    guard activity.isOpen else { return now - acceptedAt < limits.handshake ? .keep : .slow }
    if let oldest = activity.oldestArrival, now - oldest >= limits.slow { return .slow }
    if !activity.isBlocked || activity.sent != sent.count { sent = (now, activity.sent) }
    if now - sent.at >= limits.slow { return .slow }
    let isBusy = activity.isAnswering || activity.oldestArrival != nil || activity.isBlocked
    return isBusy || now - receivedAt < limits.idle ? .keep : .idle
  }
}
