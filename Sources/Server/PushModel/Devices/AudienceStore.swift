/// Audiences: sets of devices that are selected by filters.
package protocol AudienceStore: Sendable {
  func audience(_ id: String, app: String) async throws(StoreError) -> Audience?
  /// A page of the named audiences, the newest first; audiences that cannot be read are listed separately.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor`` if the cursor is not one of this list.
  func audiences(
    app: String, after cursor: String?, limit: Int
  ) async throws(StoreError) -> AudiencePage
  /// Adds an audience, or replaces the app's audience with the same id.
  func save(_ audience: Audience) async throws(StoreError)
  /// Deletes an audience, but not the sends to it.
  ///
  /// - Returns: `false` if the app has no such audience.
  @discardableResult
  func deleteAudience(_ id: String, app: String) async throws(StoreError) -> Bool
}

/// A page of an app's named audiences.
package struct AudiencePage: Sendable {
  package var elements: [Audience]
  package var damaged: [DamagedAudience]
  /// The cursor of the next page; `nil` if this is the last page.
  package var cursor: String?
  /// The number of audiences on all pages, including damaged ones.
  package var total: Int

  package init(elements: [Audience], damaged: [DamagedAudience], cursor: String?, total: Int) {
    self.elements = elements
    self.damaged = damaged
    self.cursor = cursor
    self.total = total
  }
}

/// An audience whose devices are unknown, because its row is damaged or a newer version wrote it.
package struct DamagedAudience: Hashable, Sendable {
  package var id: String
  /// An explanation of the damage, its place and a remedy.
  package var problem: String

  package init(id: String, problem: String) {
    self.id = id
    self.problem = problem
  }
}
