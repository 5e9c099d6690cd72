/// The audit log: who changed what.
package protocol AuditStore: Sendable {
  func append(_ entry: AuditEntry) async throws(StoreError)
  /// A page of the log of an app, or with `nil` of the server, the newest entry first.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor`` where the cursor is not one of this list.
  func audit(
    app: String?, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<AuditEntry>
}
