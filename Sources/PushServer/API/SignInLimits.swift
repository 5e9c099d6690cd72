import NetworkAddresses
import PushStore
import Synchronization
import _HTTPServer

/// The limits of attempts to sign in with a password, a code, a passkey, or a provider of identities.
///
/// An attempt is counted before it is judged, so that many at once are not judged all; one that succeeds is given back.
struct SignInLimits {
  /// What an attempt is for.
  enum Step: String {
    case password, code, passkey, provider
  }

  /// The attempts of one address: 20, then one in 30 seconds.
  static let address = RateLimiter.Rate(burst: 20, perSecond: 1.0 / 30)
  /// The attempts for one account from one address: 5, then one a minute.
  static let accountAndAddress = RateLimiter.Rate(burst: 5, perSecond: 1.0 / 60)
  /// The attempts for one account from everywhere: 50, then one in 5 minutes, which is less than 100,000 guesses a year.
  static let account = RateLimiter.Rate(burst: 50, perSecond: 1.0 / 300)
  /// The codes for one account: 5, then one in 5 minutes, since a code has a million values only.
  static let code = RateLimiter.Rate(burst: 5, perSecond: 1.0 / 300)

  private var addresses = RateLimiter()
  private var accounts = RateLimiter()

  /// Counts an attempt.
  ///
  /// The address comes first: one caller cannot fill the table with names of accounts.
  ///
  /// - Returns: `nil` where it may be judged, else the whole seconds to wait.
  mutating func wait(
    _ step: Step, account: String, address: String, at now: Timestamp
  ) -> Int? {
    let network = NumericAddress.network(of: address)
    if let wait = addresses.wait(for: network, Self.address, at: now) { return wait }
    for (name, rate) in Self.buckets(step, account: account, network: network) {
      if let wait = accounts.wait(for: name, rate, at: now) { return wait }
    }
    return nil
  }

  /// Gives back the attempt that succeeded.
  mutating func succeeded(_ step: Step, account: String, address: String, at now: Timestamp) {
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
    case .code: [("code \(account)", Self.code)]
    // Nobody guesses a signature, and the provider judges for which account.
    case .passkey, .provider: []
    }
  }
}

extension API {
  /// Counts an attempt to sign in.
  ///
  /// - Returns: The whole seconds to wait; `nil` where the attempt may be judged.
  func waitBeforeSignIn(_ step: SignInLimits.Step, account: String, _ call: Call) -> Int? {
    let (address, now) = (call.request.remoteAddress, clock.now())
    return signIns.withLock { $0.wait(step, account: account, address: address, at: now) }
  }

  func signInSucceeded(_ step: SignInLimits.Step, account: String, _ call: Call) {
    let (address, now) = (call.request.remoteAddress, clock.now())
    signIns.withLock { $0.succeeded(step, account: account, address: address, at: now) }
  }
}
