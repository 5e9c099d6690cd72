/// Webhooks and the queue of calls to them.
package protocol WebhookStore: Sendable {
  func add(_ webhook: Webhook) async throws(StoreError)
  func webhooks(app: String) async throws(StoreError) -> [Webhook]
  /// Deletes a webhook with its queued calls.
  ///
  /// - Returns: `false` where the app has no such webhook.
  @discardableResult
  func deleteWebhook(_ id: String, app: String) async throws(StoreError) -> Bool
  /// Queues a call to each of the app's webhooks that subscribe to the event.
  ///
  /// A store queues the calls about the states of sends itself, in the transaction that changes
  /// them.
  ///
  /// - Returns: The number of webhooks.
  @discardableResult
  func enqueue(_ notice: WebhookNotice) async throws(StoreError) -> Int
  /// Leases the oldest due call of a webhook of which no other call is leased; `nil` where none is
  /// due.
  func leaseWebhookCall(
    owner: String, at now: Timestamp, until end: Timestamp
  ) async throws(StoreError) -> WebhookCall?
  /// Removes a call from the queue, or with a time makes it due again. A lapsed lease changes
  /// nothing.
  func finish(_ call: WebhookCall, retryAt: Timestamp?) async throws(StoreError)
}
