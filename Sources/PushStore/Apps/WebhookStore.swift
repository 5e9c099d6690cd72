/// Webhooks and the queue of what they are to be told.
package protocol WebhookStore: Sendable {
  func add(_ webhook: Webhook) async throws(StoreError)
  func webhooks(app: String) async throws(StoreError) -> [Webhook]
  /// Also forgets what it was still to be told; `false` where there is none.
  @discardableResult
  func deleteWebhook(_ id: String, app: String) async throws(StoreError) -> Bool
  /// Queues news for each of the app's webhooks that wants to hear of it; returns how many do.
  ///
  /// What a store itself knows, the states of sends, it queues in the transaction that changes them.
  @discardableResult
  func enqueue(_ news: WebhookNotice) async throws(StoreError) -> Int
  /// Leases the oldest call that is due, of a webhook of which no other call is leased.
  func leaseWebhookCall(
    owner: String, at now: Timestamp, until end: Timestamp
  ) async throws(StoreError) -> WebhookCall?
  /// Ends a call, or makes it due again; a lease that has lapsed changes nothing.
  func finish(_ call: WebhookCall, retryAt: Timestamp?) async throws(StoreError)
}
