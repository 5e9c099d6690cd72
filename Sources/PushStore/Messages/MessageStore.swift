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
