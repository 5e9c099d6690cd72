import APNs
import PushStore

/// What an outcome at APNs means for a send.
enum Verdict: Equatable {
  case ended(Outcome.Result)
  /// Again later, as the same push: its id and its collapse id make a repeat replace itself.
  case again(APNsRetry)

  init(_ outcome: APNsOutcome) {
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

  /// How long to wait after attempts of which nothing came: 1 s, doubling to 30 s.
  static func delay(afterFruitless attempts: Int) -> Duration {
    .seconds(min(30, 1 << min(attempts, 5)))
  }
}
