import APNs
import PushModel

/// The next step for a device after a push: store an outcome, retry, or pause the send.
enum DeliveryDecision: Equatable {
  case finish(Outcome.Result)
  /// Retry with the same push.
  ///
  /// By its `apns-id` and collapse id a repeat replaces the first push, and by its timestamp a
  /// repeated update of a Live Activity changes nothing.
  case retry(APNsRetry)
  /// Apple refuses the app's key for a reason unrelated to the device.
  case keyRefused(APNsReason)

  /// Decides about an outcome; `isRepeatable` says whether a repeated push replaces the first.
  init(_ outcome: APNsOutcome, isRepeatable: Bool = true) {
    if outcome.status == 403, let reason = outcome.reason, Self.keyReasons.contains(reason) {
      self = .keyRefused(reason)
      return
    }
    let retry = outcome.retry(hasCollapseID: isRepeatable)
    if retry.isAllowed {
      self = .retry(retry)
      return
    }
    switch outcome.status {
    case 200: self = .finish(.sent)
    case 410: self = .finish(.uninstalled)
    default: self = .finish(.rejected)
    }
  }

  /// The reasons that concern only one of Apple's environments are not included, because devices of
  /// the other are reached.
  private static let keyReasons: Set<APNsReason> = [
    .invalidProviderToken, .missingProviderToken, .expiredProviderToken, .unrelatedKeyIdInToken,
    .badCertificate,
  ]

  /// Returns the wait of a batch after attempts without any outcome: 1 s, doubling to 30 s.
  static func delay(afterFruitless attempts: Int) -> Duration {
    .seconds(min(30, 1 << min(attempts, 5)))
  }
}
