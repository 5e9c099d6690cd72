/// The audit log of changes and the people and keys that made them.
package protocol AuditStore: Sendable {
  func append(_ entry: AuditEntry) async throws(StoreError)
  /// A page of the log of an app or, with `nil`, of the server, the newest entry first.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor`` if the cursor is not one of this list.
  func audit(
    app: String?, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<AuditEntry>
  /// The newest entries of an app about an object, the newest first.
  func audit(
    of object: String, app: String, limit: Int
  ) async throws(StoreError) -> [AuditEntry]
}
