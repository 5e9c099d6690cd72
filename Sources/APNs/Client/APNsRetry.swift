/// Whether a push may be sent again, and when: Apple's advice as a table.
///
/// Sources: Apple's "Handling notification responses from APNs" for statuses and the six reasons that
/// are final; RFC 9113 section 8.7 for what was never processed.
public struct APNsRetry: Hashable, Sendable {
  /// Whether it may be sent again.
  public var isAllowed: Bool
  /// How long to wait at least.
  public var delay: Duration
  /// Whether each further attempt doubles the wait, up to ``longestDelay``.
  public var backsOff: Bool

  /// Never: the same push would be refused again, or might be shown twice.
  public static let never = APNsRetry(isAllowed: false, delay: .zero, backsOff: false)
  /// The most that a wait grows to: an hour.
  public static let longestDelay = Duration.seconds(3600)

  /// At once or later.
  static func after(_ delay: Duration, backsOff: Bool = true) -> APNsRetry {
    APNsRetry(isAllowed: true, delay: delay, backsOff: backsOff)
  }

  /// How long to wait after a number of attempts.
  ///
  /// - Parameter attempts: How often it was sent so far, from 1.
  /// - Returns: The wait; zero where it may go at once.
  public func delay(afterAttempts attempts: Int) -> Duration {
    guard backsOff else { return delay }
    let doublings = min(max(0, attempts - 1), 20)
    return min(delay * (1 << doublings), max(Self.longestDelay, delay))
  }
}

/// What answers of a kind mean for a push.
private struct RetryRule {
  var status: ClosedRange<Int>
  /// Apple's word; `nil` for any.
  var reason: APNsReason?
  var retry: APNsRetry

  /// The first that fits decides.
  static let table = [
    RetryRule(status: 200...299, retry: .never),
    // Of the client's own making: the next token, or another connection, and the same push.
    RetryRule(status: 403...403, reason: .expiredProviderToken, retry: .after(.seconds(1))),
    RetryRule(status: 403...403, reason: .unrelatedKeyIdInToken, retry: .after(.seconds(1))),
    RetryRule(status: 400...400, reason: .idleTimeout, retry: .after(.seconds(1))),
    // Too much for one device, or too many tokens: Apple names no time. A token is kept 20 minutes.
    RetryRule(
      status: 429...429, reason: .tooManyProviderTokenUpdates, retry: .after(.seconds(1200))),
    RetryRule(status: 429...429, retry: .after(.seconds(60))),
    RetryRule(status: 503...503, reason: .shutdown, retry: .after(.seconds(1))),
    RetryRule(status: 500...599, retry: .after(.seconds(900))),
    // The rest is the push's own fault: BadDeviceToken, DeviceTokenNotForTopic, Forbidden,
    // ExpiredToken, Unregistered, PayloadTooLarge and every other 4xx.
    RetryRule(status: 100...999, retry: .never),
  ]
}

extension APNsOutcome {
  /// Whether and when the same push may be sent again.
  ///
  /// One that was maybe sent is harmless to repeat only where a collapse id makes the repeat replace the
  /// first; otherwise it could show twice.
  ///
  /// - Parameter hasCollapseID: Whether the push has a collapse id, or its sender prefers twice to never.
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
