/// Audiences: named sets of devices.
package protocol AudienceStore: Sendable {
  func audience(_ id: String, app: String) async throws(StoreError) -> Audience?
  /// Those with a name, the newest first.
  func audiences(
    app: String, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Audience>
  /// Stores one, in the place of the app's one with its id.
  func save(_ audience: Audience) async throws(StoreError)
  /// `false` where there is none; sends to it stay.
  @discardableResult
  func deleteAudience(_ id: String, app: String) async throws(StoreError) -> Bool
}
