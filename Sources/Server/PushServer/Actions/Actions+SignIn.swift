import NetworkAddresses
import PushModel
import Synchronization

extension Actions {
  /// Counts an attempt to sign in.
  ///
  /// `browser` is the name of a browser that the account knows; `nil` if it does not know the browser.
  ///
  /// - Returns: The whole seconds to wait; `nil` if the attempt may be judged.
  func waitBeforeSignIn(
    _ step: SignInLimits.Step, account: String, browser: String? = nil, from address: String
  ) -> Int? {
    let now = clock.now()
    return signIns.withLock {
      $0.wait(step, account: account, address: address, browser: browser, at: now)
    }
  }

  func signInSucceeded(
    _ step: SignInLimits.Step, account: String, browser: String? = nil, from address: String
  ) {
    let now = clock.now()
    signIns.withLock {
      $0.succeeded(step, account: account, address: address, browser: browser, at: now)
    }
  }

  /// Counts an attempt to enter a code: in the browser if the account knows it, or else in the store, for
  /// the account.
  ///
  /// - Returns: The whole seconds to wait; `nil` if the code may be judged.
  func waitBeforeCode(
    of account: Account, browser: String?, from address: String
  ) async throws -> Int? {
    if let wait = waitBeforeSignIn(.code, account: account.id, browser: browser, from: address) {
      return wait
    }
    guard browser == nil,
      let wait = try await store.takeCodeAttempt(of: account.id, at: clock.now())
    else { return nil }
    return Int(wait.components.seconds) + (wait.components.attoseconds > 0 ? 1 : 0)
  }

  func codeSucceeded(of account: Account, browser: String?, from address: String) async throws {
    signInSucceeded(.code, account: account.id, browser: browser, from: address)
    if browser == nil { try await store.restoreCodeAttempt(of: account.id) }
  }

  /// Counts refused credentials, and writes an audit entry, which names the key if it is known, unless the address has
  /// had too many.
  ///
  /// Valid credentials are never counted, so that nobody can lock out anybody else.
  ///
  /// - Returns: The seconds until the address may try again; `nil` if it may try at once.
  func refused(
    _ kind: ServerMetrics.Refusal, of key: APIKey? = nil, from address: String
  ) async throws -> Int? {
    metrics.refused(kind)
    let now = clock.now()
    let network = NumericAddress.network(of: address)
    if let wait = refusals.withLock({ $0.wait(for: kind.rawValue + network, .refusal, at: now) }) {
      return wait
    }
    // The entries of all addresses together have a limit too, to save disk space.
    guard refusals.withLock({ $0.wait(for: kind.rawValue, .refusalAudit, at: now) }) == nil else {
      return nil
    }
    let action = kind == .key ? "key.refused" : "session.refused"
    try await store.append(
      AuditEntry(
        app: key?.app, key: key?.id, account: nil, name: key?.name, action: action, object: nil,
        address: address, at: now))
    return nil
  }
}
