package import PushPayload

/// A version of a payload that an app keeps under a name as a start for messages.
package struct StoredTemplate: Hashable, Sendable {
  package var app: String
  package var name: String
  /// The version, which rises with each save, even if the template was deleted meanwhile.
  package var version: Int
  package var payload: JSONValue
  package var savedAt: Timestamp
  /// The id of the key or the person that saved the version; `nil` if it is not known.
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

extension StoredTemplate {
  /// An order of the list of templates.
  package enum Order: String, CaseIterable, Sendable {
    case name
    /// The template that was saved last comes first.
    case saved
  }
}

/// The templates of apps, with all their versions.
package protocol TemplateStore: Sendable {
  /// The newest version of a template; `nil` if the template does not exist or was deleted.
  func template(_ name: String, app: String) async throws(StoreError) -> StoredTemplate?
  /// A version of a template, which may have been deleted.
  func template(
    _ name: String, version: Int, app: String
  ) async throws(StoreError) -> StoredTemplate?
  /// A page of the newest versions of an app's templates whose names contain a text.
  func templates(
    app: String, matching text: String, order: StoredTemplate.Order, after name: String?, limit: Int
  ) async throws(StoreError) -> Page<StoredTemplate>
  /// The versions of a template below a number, the newest first.
  func versions(
    ofTemplate name: String, app: String, before version: Int?, limit: Int
  ) async throws(StoreError) -> [StoredTemplate]
  /// Saves a payload as the next version of a template.
  ///
  /// `expected` is the newest version that the caller knows, or 0 if the caller expects no version; `nil` replaces
  /// any version.
  ///
  /// - Returns: The version that was saved.
  /// - Throws: ``StoreError/Code/conflict`` if `expected` is not the newest version, or if the app already has the
  ///   most templates.
  func save(
    _ template: StoredTemplate, after expected: Int?
  ) async throws(StoreError) -> StoredTemplate
  /// Removes a template from the list; its versions stay.
  ///
  /// - Returns: The newest version; `nil` if the template does not exist.
  /// - Throws: ``StoreError/Code/conflict`` if `expected` is not the newest version.
  func deleteTemplate(
    _ name: String, app: String, after expected: Int?
  ) async throws(StoreError) -> StoredTemplate?
}

extension TemplateStore {
  /// A page of the newest versions of an app's templates whose names contain a text, ordered by name.
  package func templates(
    app: String, matching text: String, after name: String?, limit: Int
  ) async throws(StoreError) -> Page<StoredTemplate> {
    try await templates(app: app, matching: text, order: .name, after: name, limit: limit)
  }
}
