/// The messages that an app shows in its own stream.
package protocol MessageStore: Sendable {
  /// Adds a message to the inboxes of some devices; `nil` is every device, including those that are
  /// added later.
  ///
  /// - Throws: ``StoreError/Code/conflict`` where the id is taken.
  func add(_ message: Message, for devices: DeviceNumbers?) async throws(StoreError)
  func message(_ id: String, app: String) async throws(StoreError) -> Message?
  /// A page of an app's messages, the newest first, with or without those of triggered campaigns, of which each step
  /// may have one every five seconds.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor`` where the cursor is not one of this list.
  func messages(
    app: String, leavesOutTriggered: Bool, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Message>
  /// Changes the title, the content and the end of a message from what they were.
  ///
  /// - Returns: `false` where there is no such message.
  /// - Throws: ``StoreError/Code/conflict`` where it is not as `old` says.
  func update(_ message: Message, from old: Message) async throws(StoreError) -> Bool
  /// The devices to whose inboxes a message was added, without those that were erased since; none for a
  /// message for every device.
  func devices(ofMessage id: String, app: String) async throws(StoreError) -> DeviceNumbers
  /// How many users, and devices without one, have read a message, and how many of them have hidden it.
  func readers(
    of message: String, app: String
  ) async throws(StoreError) -> (read: Int, hidden: Int)
  /// Counts that a device has seen a message, once for each device and kind of impression; one in
  /// detail marks the message as read.
  ///
  /// - Returns: `false` where it was counted before, or there is no such message or device.
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
    try await messages(app: app, leavesOutTriggered: false, after: cursor, limit: limit)
  }

  /// Adds a message for every device.
  package func add(_ message: Message) async throws(StoreError) {
    try await add(message, for: nil)
  }
}
