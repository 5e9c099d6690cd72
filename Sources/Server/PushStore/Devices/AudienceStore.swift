/// Audiences: sets of devices that are selected by filters.
package protocol AudienceStore: Sendable {
  func audience(_ id: String, app: String) async throws(StoreError) -> Audience?
  /// A page of the audiences that have a name, the newest first; one that is not understood is named apart.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor`` where the cursor is not one of this list.
  func audiences(
    app: String, after cursor: String?, limit: Int
  ) async throws(StoreError) -> AudiencePage
  /// Adds an audience, or replaces the app's audience with the same id.
  func save(_ audience: Audience) async throws(StoreError)
  /// Deletes an audience; sends to it stay.
  ///
  /// - Returns: `false` where the app has no such audience.
  @discardableResult
  func deleteAudience(_ id: String, app: String) async throws(StoreError) -> Bool
}

/// A page of an app's named audiences.
package struct AudiencePage: Sendable {
  package var elements: [Audience]
  package var damaged: [DamagedAudience]
  /// What reads the next page; `nil` on the last one.
  package var cursor: String?
  /// The number of audiences on all pages, the damaged ones included.
  package var total: Int
}

/// An audience whose row is damaged, or that a newer version wrote: nobody knows its devices.
package struct DamagedAudience: Hashable, Sendable {
  package var id: String
  /// What is wrong, where, and what to do.
  package var problem: String
}
