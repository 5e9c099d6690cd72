/// The messages that an app shows in its own stream.
package protocol MessageStore: Sendable {
  /// Adds a message to the inboxes of some devices or, with `nil`, of every device, including those added later.
  ///
  /// - Throws: ``StoreError/Code/conflict`` if the id is taken.
  func add(_ message: Message, for devices: DeviceNumbers?) async throws(StoreError)
  func message(_ id: String, app: String) async throws(StoreError) -> Message?
  /// A page of an app's messages that match a query.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor`` if the cursor is not one of this list.
  func messages(
    app: String, matching query: MessageQuery, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Message>
  /// Changes the title, the content and the end of a message, if it is stored as `old`.
  ///
  /// - Returns: `false` if the message does not exist.
  /// - Throws: ``StoreError/Code/conflict`` if the stored message differs from `old`.
  func update(_ message: Message, from old: Message) async throws(StoreError) -> Bool
  /// The devices to whose inboxes a message was added, without erased ones; empty for a message to every device.
  func devices(ofMessage id: String, app: String) async throws(StoreError) -> DeviceNumbers
  /// The number of users, and of devices without a user, that have read a message, and that have hidden it.
  func readers(
    of message: String, app: String
  ) async throws(StoreError) -> (read: Int, hidden: Int)
  /// Counts an impression of a message, once for each device and kind; an impression in detail marks the message as
  /// read.
  ///
  /// - Returns: `false` if it was counted before, or the message or the device does not exist.
  @discardableResult
  func record(
    _ impression: Message.Impression, of message: String, device id: String, app: String,
    at now: Timestamp
  ) async throws(StoreError) -> Bool
  func impressions(
    of message: String, app: String
  ) async throws(StoreError) -> [Message.Impression: Int]
}

extension MessageStore {
  /// A page of all messages of an app, the newest first.
  package func messages(
    app: String, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Message> {
    try await messages(app: app, matching: MessageQuery(), after: cursor, limit: limit)
  }

  /// Adds a message for every device.
  package func add(_ message: Message) async throws(StoreError) {
    try await add(message, for: nil)
  }
}
