/// Messages that an app's own stream shows.
package protocol MessageStore: Sendable {
  /// - Throws: ``StoreError/Code/conflict`` where the id is taken.
  func add(_ message: Message) async throws(StoreError)
  func message(_ id: String, app: String) async throws(StoreError) -> Message?
  /// The newest first.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor``.
  func messages(
    app: String, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Message>
  /// What a device's stream shows at a moment: those for it that are out and not over, the newest
  /// first; `total` is how many of them it has not read.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor``.
  func stream(
    device id: String, app: String, at now: Timestamp, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<StreamMessage>
  /// Counts that a device saw a message, once a device and kind; `false` where that was known.
  @discardableResult
  func record(
    _ impression: Message.Impression, of message: String, device id: String, app: String,
    at now: Timestamp
  ) async throws(StoreError) -> Bool
  func impressions(
    of message: String, app: String
  ) async throws(StoreError) -> [Message.Impression: Int]
}

/// What devices report about notifications.
package protocol ReceiptStore: Sendable {
  /// Takes receipts, each id of a device once, and counts them on their sends. Those that name no
  /// send or device of the app are dropped.
  ///
  /// - Returns: How many were new.
  @discardableResult
  func record(_ receipts: [Receipt], app: String, at now: Timestamp) async throws(StoreError) -> Int
  /// How many media failed for each reason.
  func mediaFailures(of send: String, app: String) async throws(StoreError) -> [String: Int]
  /// What one device reported of a send, in the order of its clock; the first hundred.
  func receipts(of send: String, device: Device, app: String) async throws(StoreError) -> [Receipt]
  /// What a send came to hour by hour, in order; hours in which nothing happened are left out.
  func hours(of send: String, app: String) async throws(StoreError) -> [SendHour]
  /// How often each event was credited to a send.
  func conversions(of send: String, app: String) async throws(StoreError) -> [String: Int]
}

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
