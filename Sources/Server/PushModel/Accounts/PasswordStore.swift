/// The passwords of accounts, as hashes.
package protocol PasswordStore: Sendable {
  /// Replaces a password, removes the account's links, and ends its sessions except one.
  ///
  /// - Returns: `false` if the password was changed meanwhile.
  func changePassword(
    of account: String, from old: String, to new: String, keeping session: [UInt8]
  ) async throws(StoreError) -> Bool
  /// Replaces the hash of a password by a new hash of the same password. Sessions stay.
  func rehashPassword(of account: String, from old: String, to new: String)
    async throws(StoreError)
}
