import APNs
import PushStore

/// What to do with a device after a push to it: store an outcome, retry, or pause the send.
enum DeliveryDecision: Equatable {
  case finish(Outcome.Result)
  /// Retry with the same push: by its `apns-id` and collapse id a repeat replaces the first, and by
  /// its timestamp a repeated update of a Live Activity changes nothing.
  case retry(APNsRetry)
  /// Apple refuses the app's key, for a reason that has nothing to do with the device.
  case keyRefused(APNsReason)

  /// Decides about an outcome; `isRepeatable` says whether a repeat of the push replaces the first.
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

  /// Without the reasons that concern one of Apple's environments: devices of the other are
  /// reached.
  private static let keyReasons: Set<APNsReason> = [
    .invalidProviderToken, .missingProviderToken, .expiredProviderToken, .unrelatedKeyIdInToken,
    .badCertificate,
  ]

  /// How often Apple must refuse the key for one device before the send is paused.
  ///
  /// Apple sometimes refuses a valid token once, and a token may have just expired.
  static let keyRefusalLimit = 2

  /// Returns how long a batch waits after attempts without any outcome: 1 s, doubling to 30 s.
  static func delay(afterFruitless attempts: Int) -> Duration {
    .seconds(min(30, 1 << min(attempts, 5)))
  }
}
