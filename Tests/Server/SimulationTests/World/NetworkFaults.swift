import Synchronization
import TestSupport

/// How often the way to Apple fails, and how long it takes.
final class NetworkFaults: Sendable {
  /// What becomes of one push.
  enum Fate: Hashable, Sendable {
    /// It comes to Apple, and the answer comes back.
    case whole
    /// No connection is made, or the server closes it and names an earlier push as the last one that it took (GOAWAY).
    case refused
    /// The connection breaks before Apple has the push.
    case lost
    /// The connection breaks when Apple has the push.
    case answerLost
    /// Apple answers without judging the push.
    case busy(status: Int, reason: String)
  }

  /// The shares of each kind of failure, of a thousand pushes.
  struct Shares: Hashable, Sendable {
    var refused = 0
    var lost = 0
    var answerLost = 0
    var busy = 0
  }

  private static let busyAnswers: [Fate] = [
    .busy(status: 429, reason: "TooManyRequests"),
    .busy(status: 500, reason: "InternalServerError"),
    .busy(status: 503, reason: "ServiceUnavailable"), .busy(status: 503, reason: "Shutdown"),
  ]

  let latency: ClosedRange<Int>
  private let shares: Shares
  private let state = Mutex((isHealthy: false, isOut: false))

  init(_ shares: Shares, latency: ClosedRange<Int>) {
    (self.shares, self.latency) = (shares, latency)
  }

  /// Ends all failures.
  func heal() { state.withLock { $0 = (true, false) } }

  /// Makes Apple unreachable, or reachable again.
  func setOut(_ isOut: Bool) { state.withLock { $0.isOut = isOut && !$0.isHealthy } }

  func fate(of chance: Chance) -> Fate {
    let (isHealthy, isOut) = state.withLock(\.self)
    if isHealthy { return .whole }
    if isOut { return .refused }
    let number = chance.number(in: 0...999)
    var bound = 0
    for (share, fate) in [
      (shares.refused, Fate.refused), (shares.lost, .lost), (shares.answerLost, .answerLost),
    ] {
      bound += share
      if number < bound { return fate }
    }
    guard number < bound + shares.busy else { return .whole }
    return Self.busyAnswers[chance.number(in: 0...(Self.busyAnswers.count - 1))]
  }
}
