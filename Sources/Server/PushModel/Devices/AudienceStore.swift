/// Audiences: sets of devices that are selected by filters.
package protocol AudienceStore: Sendable {
  func audience(_ id: String, app: String) async throws(StoreError) -> Audience?
  /// A page of the named audiences that match a query; audiences that cannot be read are listed separately.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor`` if the cursor is not one of this list.
  func audiences(
    app: String, matching query: AudienceQuery, after cursor: String?, limit: Int
  ) async throws(StoreError) -> AudiencePage
  /// The newest named audiences of an app, without their conditions, which may have thousands of values.
  ///
  /// Damaged audiences are among them, since their conditions are not read.
  func audienceNames(app: String, limit: Int) async throws(StoreError) -> [AudienceName]
  /// The audiences of an app with some ids, without their conditions.
  func audienceNames(_ ids: [String], app: String) async throws(StoreError) -> [AudienceName]
  /// Adds an audience, or replaces the app's audience with the same id.
  func save(_ audience: Audience) async throws(StoreError)
  /// Deletes an audience, but not the sends to it.
  ///
  /// - Returns: `false` if the app has no such audience.
  @discardableResult
  func deleteAudience(_ id: String, app: String) async throws(StoreError) -> Bool
}

extension AudienceStore {
  /// A page of all named audiences, the newest first.
  package func audiences(
    app: String, after cursor: String?, limit: Int
  ) async throws(StoreError) -> AudiencePage {
    try await audiences(app: app, matching: AudienceQuery(), after: cursor, limit: limit)
  }
}

/// An audience as a menu shows it.
package struct AudienceName: Hashable, Sendable {
  package var id: String
  /// The name; `nil` if the audience belongs to one send.
  package var name: String?
  package var isTest: Bool

  package init(id: String, name: String?, isTest: Bool) {
    (self.id, self.name, self.isTest) = (id, name, isTest)
  }
}

/// A query for the named audiences of an app.
package struct AudienceQuery: Hashable, Sendable {
  /// An order of the list.
  package enum Order: String, CaseIterable, Sendable { case newest, oldest, name }

  /// A part of the audience's name, ignoring the case of ASCII letters.
  package var text: String
  /// Whether the audiences are for tests; `nil` for all of them.
  package var isTest: Bool?
  package var order = Order.newest

  /// Makes a query; without arguments, it matches every audience.
  package init(_ text: String = "") { self.text = text }
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
