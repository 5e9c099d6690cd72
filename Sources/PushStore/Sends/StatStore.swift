/// Counters by the hour.
package protocol StatStore: Sendable {
  /// Counts that an app was opened on a device: an open, a session, and the day's active device.
  /// Nothing is counted for a device that is not there.
  func recordOpen(device id: String, app: String, at now: Timestamp) async throws(StoreError)
  /// The hours, or for active users the days, that counted anything, in order.
  func counts(
    of counter: Counter, app: String, from: Timestamp, to: Timestamp
  ) async throws(StoreError) -> [CounterValue]
  /// What all sends of a group that were accepted in a span of time came to.
  func groupStats(
    _ group: String, app: String, from: Timestamp, to: Timestamp
  ) async throws(StoreError) -> GroupStats
}
