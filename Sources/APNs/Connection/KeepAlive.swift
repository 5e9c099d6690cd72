/// Whether the peer of a connection still lives.
///
/// A connection that a network dropped without a word looks like one whose peer is slow. So a peer that
/// owes answers and is silent is asked by PING, and one that does not answer that is gone. An idle
/// connection is asked once an hour, as Apple advises ("Establishing a connection to APNs").
struct KeepAlive {
  enum Action: Equatable {
    case wait
    case ping
    case lost
  }

  /// How long a peer that owes answers may be silent.
  var silence = Duration.seconds(5)
  /// How long it may take to answer a PING.
  var pingTimeout = Duration.seconds(5)
  /// How long an idle connection is left alone.
  var idle = Duration.seconds(3600)
  private var pinged: ContinuousClock.Instant?

  init() {}

  /// Says what to do now.
  mutating func on(
    now: ContinuousClock.Instant, lastReceived: ContinuousClock.Instant, owesAnswers: Bool
  ) -> Action {
    if let pinged {
      // Whatever came since is a sign of life.
      guard lastReceived >= pinged else {
        return pinged.duration(to: now) >= pingTimeout ? .lost : .wait
      }
      self.pinged = nil
    }
    guard lastReceived.duration(to: now) >= (owesAnswers ? silence : idle) else { return .wait }
    pinged = now
    return .ping
  }
}
