/// The calls to a webhook that were not delivered yet.
package struct WebhookBacklog: Hashable, Sendable {
  /// The number of calls, counted up to ``countLimit``.
  package var count: Int
  /// The number of failed attempts of the oldest call.
  package var failures: Int
  /// Why the last attempt of the oldest call failed; `nil` if none has failed.
  package var failure: String?
  /// The time of the oldest call's event.
  package var since: Timestamp
  /// The time of the oldest call's next attempt, or of the end of its lease.
  package var dueAt: Timestamp

  package static let countLimit = 1000

  package init(
    count: Int, failures: Int, failure: String?, since: Timestamp, dueAt: Timestamp
  ) {
    self.count = count
    self.failures = failures
    self.failure = failure
    self.since = since
    self.dueAt = dueAt
  }
}
