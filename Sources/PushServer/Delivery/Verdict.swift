import APNs
import PushStore

/// What an outcome at APNs means for a send.
enum Verdict: Equatable {
  case ended(Outcome.Result)
  /// Again later, as the same push: its id and its collapse id make a repeat replace itself.
  case again(APNsRetry)
  /// Apple refuses who sends, for which no device can do anything.
  case refusedSender(APNsReason)

  init(_ outcome: APNsOutcome) {
    if outcome.status == 403, let reason = outcome.reason, Self.aboutSender.contains(reason) {
      self = .refusedSender(reason)
      return
    }
    // Every push of a send has a collapse id.
    let retry = outcome.retry(hasCollapseID: true)
    if retry.isAllowed {
      self = .again(retry)
      return
    }
    switch outcome.status {
    case 200: self = .ended(.sent)
    case 410: self = .ended(.uninstalled)
    default: self = .ended(.rejected)
    }
  }

  /// Not those about one of Apple's environments: the devices of the other get their pushes.
  private static let aboutSender: Set<APNsReason> = [
    .invalidProviderToken, .missingProviderToken, .expiredProviderToken, .unrelatedKeyIdInToken,
    .badCertificate,
  ]

  /// How often Apple must refuse who sends until that is believed: now and then a token that is
  /// good is refused, or one that has just expired.
  static let refusalLimit = 2

  /// How long to wait after attempts of which nothing came: 1 s, doubling to 30 s.
  static func delay(afterFruitless attempts: Int) -> Duration {
    .seconds(min(30, 1 << min(attempts, 5)))
  }
}
