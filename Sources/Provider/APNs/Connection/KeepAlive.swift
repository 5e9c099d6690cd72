/// The state machine that finds out by PING whether the peer of a connection is still there.
///
/// A connection that a network drops without a reset looks like one whose peer is slow. So a peer that owes
/// answers and is silent gets a PING, and one that does not answer it is lost. An idle connection gets one an
/// hour, as Apple advises ("Establishing a connection to APNs").
struct KeepAlive {
  enum Action: Equatable {
    case wait
    case ping
    case lost
  }

  /// The longest silence of a peer that owes answers before it gets a PING.
  var silence = Duration.seconds(5)
  /// The time within which a peer must answer a PING.
  var pingTimeout = Duration.seconds(5)
  /// The longest silence of an idle connection before it gets a PING.
  var idle = Duration.seconds(3600)
  /// The time of the PING that is not answered yet.
  private var pinged: ContinuousClock.Instant?

  init() {}

  /// Decides about the next action.
  mutating func on(
    now: ContinuousClock.Instant, lastReceived: ContinuousClock.Instant, owesAnswers: Bool
  ) -> Action {
    if let pinged {
      // Anything that came since the PING shows that the peer is there.
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
