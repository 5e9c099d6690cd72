/// Apps and the keys of the HTTP API.
package protocol AppStore: Sendable {
  /// - Throws: ``StoreError/Code/conflict`` where an app has the id already.
  func add(_ app: App, keys: [APIKey]) async throws(StoreError)
  /// The oldest first.
  func apps() async throws(StoreError) -> [App]
  func app(_ id: String) async throws(StoreError) -> App?
  /// Removes an app and all that is its own; `false` where there is none.
  @discardableResult
  func deleteApp(_ id: String) async throws(StoreError) -> Bool
  /// Stores what has changed of an app but its id; of a key that was replaced nothing stays behind.
  /// `false` where there is none.
  func update(_ app: App) async throws(StoreError) -> Bool
  /// Puts a newly sealed key in the place of the old one, of which nothing stays behind.
  func replaceKey(of app: String, with sealedKey: [UInt8]) async throws(StoreError)

  func add(_ key: APIKey) async throws(StoreError)
  /// The keys of an app, or those of no app.
  func keys(app: String?) async throws(StoreError) -> [APIKey]
  func key(hash: [UInt8]) async throws(StoreError) -> APIKey?
  /// From here on the key opens nothing; `false` where the app has no such key.
  @discardableResult
  func revokeKey(_ id: String, app: String?) async throws(StoreError) -> Bool
}
