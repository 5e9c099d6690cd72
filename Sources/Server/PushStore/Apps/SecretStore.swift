/// What a store knows of the secret with which its values are sealed: how to tell its values from others.
///
/// A sealed value begins with the mark of its secret. The store has one mark at a time, and refuses
/// a value with another one, so that nothing is stored that is sealed with a secret that was
/// replaced.
package protocol SecretStore: Sendable {
  /// The mark of the secret in use; `nil` where there was none yet.
  func sealMark() async throws(StoreError) -> [UInt8]?
  /// Sets the mark where there is none.
  ///
  /// - Returns: The mark in use.
  func claimSealMark(_ mark: [UInt8]) async throws(StoreError) -> [UInt8]
  /// Seals every value anew and changes the mark, in one transaction; purges the old values from
  /// the files.
  ///
  /// `seal` returns the value that replaces another one.
  ///
  /// - Returns: The number of values.
  /// - Throws: ``StoreError/Code/conflict`` where `old` is not the mark in use; what `seal` throws.
  func reseal(
    from old: [UInt8], to new: [UInt8],
    _ seal: @escaping @Sendable (SealedValue) throws(StoreError) -> [UInt8]
  ) async throws(StoreError) -> Int
}

/// A value that is stored sealed, with what it belongs to.
package enum SealedValue: Hashable, Sendable {
  /// The APNs key of an app.
  case apnsKey(app: String, [UInt8])
  /// The secret of a webhook.
  case webhookSecret(webhook: String, [UInt8])
  /// The secret of a person's one-time passwords.
  case secondFactor(account: String, [UInt8])
}
