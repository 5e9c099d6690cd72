package import PushPayload

/// Webhooks and the queue of what they are to be told.
package protocol WebhookStore: Sendable {
  func add(_ webhook: Webhook) async throws(StoreError)
  func webhooks(app: String) async throws(StoreError) -> [Webhook]
  /// Also forgets what it was still to be told; `false` where there is none.
  @discardableResult
  func deleteWebhook(_ id: String, app: String) async throws(StoreError) -> Bool
  /// Queues a body for each of an app's webhooks that wants an event; returns how many do.
  @discardableResult
  func enqueue(
    event: String, app: String, body: JSONValue, at now: Timestamp
  ) async throws(StoreError) -> Int
  /// Leases the oldest call that is due.
  func leaseWebhookCall(
    owner: String, at now: Timestamp, until end: Timestamp
  ) async throws(StoreError) -> WebhookCall?
  /// Ends a call, or makes it due again; a lease that has lapsed changes nothing.
  func finish(_ call: WebhookCall, retryAt: Timestamp?) async throws(StoreError)
}

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
