/// Audiences: sets of devices that are selected by filters.
package protocol AudienceStore: Sendable {
  func audience(_ id: String, app: String) async throws(StoreError) -> Audience?
  /// A page of the audiences that have a name, the newest first.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor`` where the cursor is not one of this list.
  func audiences(
    app: String, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Audience>
  /// Adds an audience, or replaces the app's audience with the same id.
  func save(_ audience: Audience) async throws(StoreError)
  /// Deletes an audience; sends to it stay.
  ///
  /// - Returns: `false` where the app has no such audience.
  @discardableResult
  func deleteAudience(_ id: String, app: String) async throws(StoreError) -> Bool
}
