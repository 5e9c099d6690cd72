/// The second factors of accounts, and the attempts to enter their codes.
package protocol SecondFactorStore: Sendable {
  /// Sets the second factor and its recovery codes, or removes them.
  ///
  /// `session` is the hash of the session in which the person acts, the only one that stays; with `nil` all stay.
  ///
  /// - Returns: `changed` or `noAccount` if that session is not open, and nothing is set; otherwise `nil`.
  /// - Throws: ``StoreError/Code/conflict`` if the secret is sealed with a secret key that is not in use.
  func setSecondFactor(
    _ factor: SecondFactor?, of account: String, keeping session: [UInt8]?
  ) async throws(StoreError) -> AccountRefusal?
  /// Takes one of the account's attempts to enter a code, as ``CodeAttempts`` counts them.
  ///
  /// - Returns: The time to wait; `nil` if the code may be checked now.
  func takeCodeAttempt(of account: String, at now: Timestamp) async throws(StoreError) -> Duration?
  /// Gives back an attempt with a correct code.
  func restoreCodeAttempt(of account: String) async throws(StoreError)
  /// Uses the code of a time step.
  ///
  /// - Returns: `false` if the code of that step or of a later step was used before.
  func useStep(_ step: Int64, of account: String) async throws(StoreError) -> Bool
  /// Uses up a recovery code.
  ///
  /// - Returns: `false` if the account has no such code.
  func useRecoveryCode(_ hash: [UInt8], of account: String) async throws(StoreError) -> Bool
  /// The number of recovery codes that are left.
  func recoveryCodeCount(of account: String) async throws(StoreError) -> Int
}

extension SecondFactorStore {
  /// Sets the second factor and its recovery codes, or removes them; all sessions stay.
  package func setSecondFactor(
    _ factor: SecondFactor?, of account: String
  ) async throws(StoreError) {
    _ = try await setSecondFactor(factor, of: account, keeping: nil)
  }
}
