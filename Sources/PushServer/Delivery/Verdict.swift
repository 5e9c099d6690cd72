import APNs
import PushStore

/// What an outcome at APNs means for a send.
enum Verdict: Equatable {
  case ended(Outcome.Result)
  /// Again later, as the same push: its id and its collapse id make a repeat replace itself.
  case again

  init(_ outcome: APNsOutcome) {
    guard outcome.kind == .answered, let status = outcome.status else {
      // A push that APNs can only refuse will not get better.
      self = outcome.isFlawed ? .ended(.rejected) : .again
      return
    }
    switch status {
    case 200: self = .ended(.sent)
    case 410: self = .ended(.uninstalled)
    case 429, 500...599: self = .again
    // The client signs a new token by itself; a clock that is a little off must not end a send.
    case 403 where outcome.reason == .expiredProviderToken: self = .again
    default: self = .ended(.rejected)
    }
  }

  /// How long to wait after attempts of which nothing came: 1 s, doubling to 30 s.
  static func delay(afterFruitless attempts: Int) -> Duration {
    .seconds(min(30, 1 << min(attempts, 5)))
  }
}
