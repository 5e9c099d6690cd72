/// The apps of a server and the keys of its HTTP API.
package protocol AppStore: Sendable {
  /// Adds an app with its first keys.
  ///
  /// - Throws: ``StoreError/Code/conflict`` if the id of the app or of a key is taken, or the APNs key is sealed with
  ///   a secret that is not in use.
  func add(_ app: App, keys: [APIKey]) async throws(StoreError)
  /// All apps, the oldest first.
  func apps() async throws(StoreError) -> [App]
  func app(_ id: String) async throws(StoreError) -> App?
  /// Deletes an app with all its data, such as keys, devices and sends.
  ///
  /// - Returns: `false` if the app does not exist.
  @discardableResult
  func deleteApp(_ id: String) async throws(StoreError) -> Bool
  /// Replaces the app with the same id except for its icon, and purges an APNs key that was replaced from the files.
  ///
  /// `old` is the app as it was read; another icon does not matter.
  ///
  /// - Returns: `false` if the app does not exist.
  /// - Throws: ``StoreError/Code/conflict`` if the app is not as it was read, or if the APNs key is sealed with a secret
  ///   that is not in use.
  func update(_ app: App, from old: App) async throws(StoreError) -> Bool
  /// Sets the name of the upload that is an app's icon, or removes the icon with `nil`.
  ///
  /// - Returns: `false` if the app does not exist.
  func setIcon(_ icon: String?, app: String) async throws(StoreError) -> Bool

  /// Adds a key.
  ///
  /// - Throws: ``StoreError/Code/conflict`` if the id or the hash is taken.
  func add(_ key: APIKey) async throws(StoreError)
  /// The keys of an app or, with `nil`, of the server, the oldest first.
  func keys(app: String?) async throws(StoreError) -> [APIKey]
  func key(hash: [UInt8]) async throws(StoreError) -> APIKey?
  /// Records a use of a key, unless the store has one from less than ``APIKey/Use/interval`` before.
  func record(_ use: APIKey.Use, ofKey id: String) async throws(StoreError)
  /// Deletes a key. Requests with it are refused from then on.
  ///
  /// - Returns: `false` if the app or, with `nil`, the server has no such key.
  @discardableResult
  func revokeKey(_ id: String, app: String?) async throws(StoreError) -> Bool

  /// Adds an identity key.
  ///
  /// - Throws: ``StoreError/Code/conflict`` if the app has this key, or ``IdentityKey/limit`` keys.
  func add(_ key: IdentityKey) async throws(StoreError)
  /// The identity keys of an app, the oldest first.
  func identityKeys(app: String) async throws(StoreError) -> [IdentityKey]
  /// Removes an identity key. It verifies no user tokens from then on.
  ///
  /// - Returns: `false` if the app has no such key.
  func removeIdentityKey(_ id: String, app: String) async throws(StoreError) -> Bool
}
