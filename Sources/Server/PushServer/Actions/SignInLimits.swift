import NetworkAddresses
import PushModel

/// The limits of attempts to sign in with a password, a passkey, or a provider of identities.
///
/// An attempt is counted before it is judged, so that many at once are not all judged. A successful one is given
/// back. Codes have ``CodeAttempts`` in the store.
struct SignInLimits {
  /// The kind of an attempt.
  enum Step: String {
    case password, code, passkey, provider
  }

  /// The attempts of one address: 20, then one in 30 seconds.
  static let address = RateLimiter.Rate(burst: 20, perSecond: 1.0 / 30)
  /// The attempts for one account from one address: 5, then one a minute.
  static let accountAndAddress = RateLimiter.Rate(burst: 5, perSecond: 1.0 / 60)
  /// The attempts for one account from everywhere: 50, then one in 5 minutes, which is less than 100,000 guesses a year.
  static let account = RateLimiter.Rate(burst: 50, perSecond: 1.0 / 300)
  /// The attempts in a browser that the account knows: 5, then one in 5 minutes.
  static let knownBrowser = RateLimiter.Rate(burst: 5, perSecond: 1.0 / 300)

  private var addresses = RateLimiter()
  private var accounts = RateLimiter()
  private var browsers = RateLimiter()

  /// Counts an attempt.
  ///
  /// The address comes first, so that one caller cannot fill the table with names of accounts.
  ///
  /// - Returns: `nil` if the attempt may be judged, or else the whole seconds to wait.
  mutating func wait(
    _ step: Step, account: String, address: String, browser: String? = nil, at now: Timestamp
  ) -> Int? {
    if let browser {
      let name = "\(step.rawValue) \(browser)"
      return browsers.wait(for: name, Self.knownBrowser, at: now)
    }
    let network = NumericAddress.network(of: address)
    if let wait = addresses.wait(for: network, Self.address, at: now) { return wait }
    for (name, rate) in Self.buckets(step, account: account, network: network) {
      if let wait = accounts.wait(for: name, rate, at: now) { return wait }
    }
    return nil
  }

  /// Gives back an attempt that succeeded.
  mutating func succeeded(
    _ step: Step, account: String, address: String, browser: String? = nil, at now: Timestamp
  ) {
    if let browser { return browsers.restore("\(step.rawValue) \(browser)", at: now) }
    let network = NumericAddress.network(of: address)
    addresses.restore(network, at: now)
    for (name, _) in Self.buckets(step, account: account, network: network) {
      accounts.restore(name, at: now)
    }
  }

  private static func buckets(
    _ step: Step, account: String, network: String
  ) -> [(name: String, rate: RateLimiter.Rate)] {
    switch step {
    case .password:
      [("\(account) \(network)", Self.accountAndAddress), (account, Self.account)]
    // The store counts attempts with codes. Nobody can guess a signature, and a provider says which account it is.
    case .code, .passkey, .provider: []
    }
  }
}
