/// Webhooks and the queue of calls to them.
package protocol WebhookStore: Sendable {
  func add(_ webhook: Webhook) async throws(StoreError)
  func webhooks(app: String) async throws(StoreError) -> [Webhook]
  /// Deletes a webhook with its queued calls.
  ///
  /// - Returns: `false` if the app has no such webhook.
  @discardableResult
  func deleteWebhook(_ id: String, app: String) async throws(StoreError) -> Bool
  /// Queues a call to each of the app's webhooks that subscribe to the event.
  ///
  /// The store itself queues the calls about a send's state, in the transaction that changes the state.
  ///
  /// - Returns: The number of webhooks.
  @discardableResult
  func enqueue(_ notice: WebhookNotice) async throws(StoreError) -> Int
  /// Leases the oldest due call among the webhooks without a leased call; `nil` if no call is due.
  func leaseWebhookCall(
    owner: String, at now: Timestamp, until end: Timestamp
  ) async throws(StoreError) -> WebhookCall?
  /// The calls to a webhook that were not delivered yet; `nil` if there is none.
  func backlog(ofWebhook id: String, app: String) async throws(StoreError) -> WebhookBacklog?
  /// Removes a call from the queue or, with a time, makes it due again, and stores why it failed. A lapsed lease
  /// changes nothing. `now` is the time by the clock of `retryAt`.
  func finish(
    _ call: WebhookCall, retryAt: Timestamp?, at now: Timestamp
  ) async throws(StoreError)
}
