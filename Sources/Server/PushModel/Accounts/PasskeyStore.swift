/// The passkeys of accounts.
package protocol PasskeyStore: Sendable {
  /// The passkeys of an account, in the order in which they were added.
  func passkeys(of account: String) async throws(StoreError) -> [Passkey]
  func passkey(_ id: [UInt8]) async throws(StoreError) -> Passkey?
  /// Adds a passkey to its account, in a session of its person.
  ///
  /// `session` is the hash of the session.
  ///
  /// - Returns: `changed` if the session is not open, `taken`, `tooMany` or `noAccount` if the passkey is not added;
  ///   `nil` if it is.
  func add(
    _ passkey: Passkey, in session: [UInt8]
  ) async throws(StoreError) -> AccountRefusal?
  /// Records the use of a passkey, with the authenticator's count of its signatures.
  ///
  /// A count that stays 0 is allowed: the authenticator does not count.
  ///
  /// - Returns: `notFound` or `repeatedCount` if the passkey may not be used; `nil` if it may.
  func usePasskey(
    _ id: [UInt8], count: Int64, at now: Timestamp
  ) async throws(StoreError) -> AccountRefusal?
  /// Removes all passkeys of an account.
  func removePasskeys(of account: String) async throws(StoreError)
  /// Removes a passkey of an account.
  ///
  /// - Returns: `false` if the account has no passkey with the id.
  func removePasskey(_ id: [UInt8], of account: String) async throws(StoreError) -> Bool
}
