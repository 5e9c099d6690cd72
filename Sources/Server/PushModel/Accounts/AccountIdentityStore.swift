/// The identities with which people sign in at an identity provider.
package protocol AccountIdentityStore: Sendable {
  /// The account whose person has an identity.
  func account(_ identity: AccountIdentity) async throws(StoreError) -> Account?
  /// Adds an identity to an account, names the account if it has no name, and removes its links.
  ///
  /// - Returns: `false` if another account has the identity, or the account has a different one of the issuer or was
  ///   removed.
  func connect(
    _ identity: AccountIdentity, to account: String, name: String?
  ) async throws(StoreError) -> Bool
  /// Removes an account's identities, unless it has no password.
  ///
  /// - Returns: `false` if the account has no identity, or nobody could sign in to it afterwards.
  func disconnect(_ account: String) async throws(StoreError) -> Bool
}
