/// How long one provider's connection may keep the sandbox waiting.
///
/// Times are since any one moment that all of a server's connections share.
struct ConnectionTimeouts {
  struct Limits {
    var handshake: Duration
    var slow: Duration
    var idle: Duration

    init(_ configuration: APNsSandbox.Configuration) {
      handshake = configuration.handshakeTimeout
      slow = configuration.slowTimeout
      idle = configuration.idleTimeout
    }

    /// How late an end may be noticed: a quarter of the shortest, and a second at most.
    var period: Duration {
      min(max(min(handshake, slow, idle) / 4, .milliseconds(1)), .seconds(1))
    }
  }

  /// What a connection is doing.
  struct Standing {
    /// The handshake is done.
    var isOpen: Bool
    /// When the oldest request began of those that are not whole.
    var oldestArrival: Duration?
    /// Requests wait for their answers.
    var isAnswering: Bool
    /// Something is to be written that the socket does not take.
    var isBlocked: Bool
    /// How many bytes the socket has taken.
    var sent: Int
  }

  enum Verdict { case patient, idle, slow }

  private let limits: Limits
  private let acceptedAt: Duration
  private var heardAt: Duration
  /// When the socket last took something, and how much it had taken by then.
  private var sent: (at: Duration, count: Int)

  init(_ limits: Limits, at now: Duration) {
    self.limits = limits
    (acceptedAt, heardAt, sent) = (now, now, (now, 0))
  }

  /// The provider has said something.
  mutating func heard(at now: Duration) { heardAt = now }

  /// What is to be done about the connection now.
  mutating func judge(_ standing: Standing, at now: Duration) -> Verdict {
    guard standing.isOpen else { return now - acceptedAt < limits.handshake ? .patient : .slow }
    if let oldest = standing.oldestArrival, now - oldest >= limits.slow { return .slow }
    if !standing.isBlocked || standing.sent != sent.count { sent = (now, standing.sent) }
    if now - sent.at >= limits.slow { return .slow }
    let isBusy = standing.isAnswering || standing.oldestArrival != nil || standing.isBlocked
    return isBusy || now - heardAt < limits.idle ? .patient : .idle
  }
}
