/// Counts by hour and by group.
package protocol StatStore: Sendable {
  /// Counts an opening of an app on a device: an open, a session, and an active device of the day. A device that does
  /// not exist is not counted.
  func recordOpen(device id: String, app: String, at now: Timestamp) async throws(StoreError)
  /// The hours or, for active users, the days that have a count, in order.
  func counts(
    of counter: Counter, app: String, from: Timestamp, to: Timestamp
  ) async throws(StoreError) -> [CounterValue]
  /// The sums over the notifications of an app that were created in a span of time.
  func totals(app: String, from: Timestamp, to: Timestamp) async throws(StoreError) -> SendTotals
  /// The sums over all notifications and in-app messages of each of some campaigns.
  func totals(
    ofCampaigns ids: [String], app: String
  ) async throws(StoreError) -> [String: SendTotals]
  /// The sums over the sends of a group that were accepted in a span of time.
  func groupStats(
    _ group: String, app: String, from: Timestamp, to: Timestamp
  ) async throws(StoreError) -> GroupStats
}
