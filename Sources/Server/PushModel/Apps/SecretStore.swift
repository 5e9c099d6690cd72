/// The mark of the secret that seals the store's values.
///
/// A sealed value begins with the mark of its secret. The store has one mark at a time. It refuses a value with a
/// different mark, so a value that is sealed with a replaced secret is never stored.
package protocol SecretStore: Sendable {
  /// The mark of the secret in use; `nil` if no mark was set yet.
  func sealMark() async throws(StoreError) -> [UInt8]?
  /// Sets the mark, unless the store has one.
  ///
  /// - Returns: The mark in use.
  func claimSealMark(_ mark: [UInt8]) async throws(StoreError) -> [UInt8]
  /// Seals every value anew and changes the mark, in one transaction, and purges the old values from the files.
  ///
  /// `seal` returns the replacement of a value.
  ///
  /// - Returns: The number of values.
  /// - Throws: ``StoreError/Code/conflict`` if `old` is not the mark in use, and the errors of `seal`.
  func reseal(
    from old: [UInt8], to new: [UInt8],
    _ seal: @escaping @Sendable (SealedValue) throws(StoreError) -> [UInt8]
  ) async throws(StoreError) -> Int
}

/// A sealed value in the store, with the id of its owner.
package enum SealedValue: Hashable, Sendable {
  /// The APNs key of an app.
  case apnsKey(app: String, [UInt8])
  /// The secret of a webhook.
  case webhookSecret(webhook: String, [UInt8])
  /// The secret of a person's one-time passwords.
  case secondFactor(account: String, [UInt8])
}
