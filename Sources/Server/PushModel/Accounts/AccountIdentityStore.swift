/// The identities with which people sign in at an identity provider.
package protocol AccountIdentityStore: Sendable {
  /// The account whose person has an identity.
  func account(_ identity: AccountIdentity) async throws(StoreError) -> Account?
  /// Adds an identity to an account, names the account if it has no name, and removes its links.
  ///
  /// `session` is the hash of the session in which the person connects it; `nil` if the identity itself signs in.
  ///
  /// - Returns: `changed` if the session is not open, `taken`, `otherIdentity` or `noAccount` if it is not added;
  ///   `nil` if the account has it.
  func connect(
    _ identity: AccountIdentity, to account: String, name: String?, in session: [UInt8]?
  ) async throws(StoreError) -> AccountRefusal?
  /// Removes an account's identities, unless it has no password.
  ///
  /// - Returns: `noAccount`, `notFound` or `lastWay` if nothing is removed; `nil` if the identities are.
  @discardableResult
  func disconnect(_ account: String) async throws(StoreError) -> AccountRefusal?
}
