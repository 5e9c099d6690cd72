/// The apps of a server and the keys of its HTTP API.
package protocol AppStore: Sendable {
  /// Adds an app with its first keys.
  ///
  /// - Throws: ``StoreError/Code/conflict`` where the id of the app or of a key is taken, or the APNs
  ///   key is sealed with a secret that is not in use.
  func add(_ app: App, keys: [APIKey]) async throws(StoreError)
  /// All apps, the oldest first.
  func apps() async throws(StoreError) -> [App]
  func app(_ id: String) async throws(StoreError) -> App?
  /// Deletes an app with its keys, devices, sends and everything else of it.
  ///
  /// - Returns: `false` where there is no such app.
  @discardableResult
  func deleteApp(_ id: String) async throws(StoreError) -> Bool
  /// Replaces the app with the same id except for its icon, and purges an APNs key that was replaced from the files.
  ///
  /// - Returns: `false` where there is no such app.
  /// - Throws: ``StoreError/Code/conflict`` where the APNs key is sealed with a secret that is not in use.
  func update(_ app: App) async throws(StoreError) -> Bool
  /// Sets the icon of an app, an upload's name or `nil` for none, and leaves the rest of the app as it is.
  ///
  /// - Returns: `false` where there is no such app.
  func setIcon(_ icon: String?, app: String) async throws(StoreError) -> Bool

  /// Adds a key.
  ///
  /// - Throws: ``StoreError/Code/conflict`` where the id or the hash is taken.
  func add(_ key: APIKey) async throws(StoreError)
  /// The keys of an app, or with `nil` the server's own, the oldest first.
  func keys(app: String?) async throws(StoreError) -> [APIKey]
  func key(hash: [UInt8]) async throws(StoreError) -> APIKey?
  /// A key as an earlier ``key(hash:)`` found it, which may have been revoked since; `nil` where it is to be looked up.
  ///
  /// What a request with it asks for is done only where the change itself finds the key unchanged.
  func rememberedKey(hash: [UInt8]) -> APIKey?
  /// Deletes a key, which is refused from then on.
  ///
  /// - Returns: `false` where the app, or with `nil` the server, has no such key.
  @discardableResult
  func revokeKey(_ id: String, app: String?) async throws(StoreError) -> Bool

  /// Adds an identity key.
  ///
  /// - Throws: ``StoreError/Code/conflict`` where the app has the key, or ``IdentityKey/limit`` keys.
  func add(_ key: IdentityKey) async throws(StoreError)
  /// The identity keys of an app, the oldest first.
  func identityKeys(app: String) async throws(StoreError) -> [IdentityKey]
  /// Removes an identity key, with which nothing is proven from then on.
  ///
  /// - Returns: `false` where the app has no such key.
  func removeIdentityKey(_ id: String, app: String) async throws(StoreError) -> Bool
}
