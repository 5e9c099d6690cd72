/// The links with which people choose how they sign in.
package protocol AccountLinkStore: Sendable {
  /// Adds a link in place of the account's earlier ones.
  ///
  /// - Returns: `false` if the account does not exist.
  func add(_ link: AccountLink) async throws(StoreError) -> Bool
  /// The account of a link; `nil` if the link has expired or its maker no longer manages the account.
  func account(link hash: [UInt8], at now: Timestamp) async throws(StoreError) -> Account?
  /// Sets the name of a link's account and how its person signs in, removes its links and passkeys and ends its sessions.
  ///
  /// An identity replaces the account's earlier one of its issuer.
  ///
  /// - Returns: The account; `nil` if the link was used, has expired, or its maker no longer manages the account.
  /// - Throws: ``StoreError/Code/conflict`` if another account has the identity. The link can then be used again.
  func redeem(
    link hash: [UInt8], name: String, with credential: AccountCredential, at now: Timestamp
  ) async throws(StoreError) -> Account?
}
