package import PushPayload

/// A version of a payload that an app keeps under a name, to begin messages with.
package struct StoredTemplate: Hashable, Sendable {
  package var app: String
  package var name: String
  /// Counted up with each save, also of a template that was deleted meanwhile.
  package var version: Int
  package var payload: JSONValue
  package var savedAt: Timestamp
  /// Who saved the version: the id of a key, or of a person; `nil` where it is not known.
  package var savedBy: String?

  package init(
    app: String, name: String, version: Int, payload: JSONValue, savedAt: Timestamp,
    savedBy: String? = nil
  ) {
    self.app = app
    self.name = name
    self.version = version
    self.payload = payload
    self.savedAt = savedAt
    self.savedBy = savedBy
  }
}

/// The templates of apps, of which each version stays.
package protocol TemplateStore: Sendable {
  /// The newest version of a template; `nil` where there is none, or where it was deleted.
  func template(_ name: String, app: String) async throws(StoreError) -> StoredTemplate?
  /// A version of a template, also of one that was deleted.
  func template(
    _ name: String, version: Int, app: String
  ) async throws(StoreError) -> StoredTemplate?
  /// A page of an app's templates, by name, of which each name has a text; the newest version of each.
  func templates(
    app: String, matching text: String, after name: String?, limit: Int
  ) async throws(StoreError) -> Page<StoredTemplate>
  /// The versions of a template, the newest first, from the one before a number.
  func versions(
    ofTemplate name: String, app: String, before version: Int?, limit: Int
  ) async throws(StoreError) -> [StoredTemplate]
  /// Saves a payload as the next version of a template.
  ///
  /// `expected` is the newest version that the caller knows, where 0 is none; `nil` replaces any.
  ///
  /// - Returns: The version that was saved.
  /// - Throws: ``StoreError/Code/conflict`` where another version is the newest, or where the app has as
  ///   many templates as it may have.
  func save(
    _ template: StoredTemplate, after expected: Int?
  ) async throws(StoreError) -> StoredTemplate
  /// Removes a template from the list; its versions stay.
  ///
  /// - Returns: The newest version; `nil` where there is no such template.
  /// - Throws: ``StoreError/Code/conflict`` where `expected` is not the newest version.
  func deleteTemplate(
    _ name: String, app: String, after expected: Int?
  ) async throws(StoreError) -> StoredTemplate?
}
