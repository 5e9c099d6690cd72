/// Advice whether a push may be sent again, and when.
///
/// Sources: Apple's "Handling notification responses from APNs" for statuses and reasons; RFC 9113 section 8.7 for
/// requests that were not processed.
public struct APNsRetry: Hashable, Sendable {
  /// Whether the push may be sent again.
  public var isAllowed: Bool
  /// The shortest delay before the next attempt.
  public var delay: Duration
  /// Whether the delay doubles with each further attempt, up to ``longestDelay``.
  public var backsOff: Bool

  /// The push must not be sent again: it would be refused again, or might be shown twice.
  public static let never = APNsRetry(isAllowed: false, delay: .zero, backsOff: false)
  /// The longest delay that doubling leads to: an hour.
  public static let longestDelay = Duration.seconds(3600)

  /// The push may be sent again after a delay.
  static func after(_ delay: Duration, backsOff: Bool = true) -> APNsRetry {
    APNsRetry(isAllowed: true, delay: delay, backsOff: backsOff)
  }

  /// The delay after a number of attempts.
  ///
  /// - Parameter attempts: The number of times that the push was sent so far, from 1.
  /// - Returns: The delay; zero if the push may be sent at once.
  public func delay(afterAttempts attempts: Int) -> Duration {
    guard backsOff else { return delay }
    let doublings = min(max(0, attempts - 1), 20)
    return min(delay * (1 << doublings), max(Self.longestDelay, delay))
  }
}

/// The advice for answers with a status and reason.
private struct RetryRule {
  var status: ClosedRange<Int>
  /// Apple's reason; `nil` matches any reason.
  var reason: APNsReason?
  var retry: APNsRetry

  /// All rules; the first one that matches an answer decides.
  static let table = [
    RetryRule(status: 200...299, retry: .never),
    // Caused by the client: the same push succeeds with the next token, or on another connection.
    RetryRule(status: 403...403, reason: .expiredProviderToken, retry: .after(.seconds(1))),
    RetryRule(status: 403...403, reason: .unrelatedKeyIdInToken, retry: .after(.seconds(1))),
    RetryRule(status: 400...400, reason: .idleTimeout, retry: .after(.seconds(1))),
    // Apple names no delay. A provider token has to be kept for 20 minutes.
    RetryRule(
      status: 429...429, reason: .tooManyProviderTokenUpdates, retry: .after(.seconds(1200))),
    RetryRule(status: 429...429, retry: .after(.seconds(60))),
    RetryRule(status: 503...503, reason: .shutdown, retry: .after(.seconds(1))),
    RetryRule(status: 500...599, retry: .after(.seconds(900))),
    // All other answers are about the push itself: BadDeviceToken, DeviceTokenNotForTopic, Forbidden, ExpiredToken,
    // Unregistered, PayloadTooLarge and every other 4xx.
    RetryRule(status: 100...999, retry: .never),
  ]
}

extension APNsOutcome {
  /// Whether and when the same push may be sent again.
  ///
  /// A push that was maybe sent can be repeated safely only with a collapse id, because the repeat then replaces the first
  /// one. Without it both could be shown.
  ///
  /// - Parameter hasCollapseID: Whether the push has a collapse id, or may be shown twice.
  /// - Returns: The advice.
  public func retry(hasCollapseID: Bool) -> APNsRetry {
    switch kind {
    case .neverSent: return isInvalid ? .never : .after(.seconds(1))
    case .maybeSent: return hasCollapseID ? .after(.seconds(1)) : .never
    case .answered:
      let rule = RetryRule.table.first { rule in
        rule.status.contains(status ?? 0) && (rule.reason == nil || rule.reason == reason)
      }
      return rule?.retry ?? .never
    }
  }
}
