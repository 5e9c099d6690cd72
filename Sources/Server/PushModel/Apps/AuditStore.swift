/// The audit log of changes and the people and keys that made them.
package protocol AuditStore: Sendable {
  func append(_ entry: AuditEntry) async throws(StoreError)
  /// A page of the entries of a log that match a query, the newest first. `app` is `nil` for the log of the server.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor`` if the cursor is not one of this list.
  func audit(
    app: String?, matching query: AuditQuery, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<AuditEntry>
  /// The newest entries of an app about an object, the newest first.
  func audit(
    of object: String, app: String, limit: Int
  ) async throws(StoreError) -> [AuditEntry]
}

extension AuditStore {
  /// A page of all entries of a log, the newest first.
  package func audit(
    app: String?, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<AuditEntry> {
    try await audit(app: app, matching: AuditQuery(), after: cursor, limit: limit)
  }
}
