/// Who did what.
package protocol AuditStore: Sendable {
  func append(_ entry: AuditEntry) async throws(StoreError)
  /// The newest first, of an app or of the server itself.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor``.
  func audit(
    app: String?, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<AuditEntry>
}
