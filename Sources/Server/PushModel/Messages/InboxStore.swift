/// The inboxes of devices: the messages for each device, and the read and hidden ones among them.
///
/// If a device has a user, the marks of read and hidden messages belong to the user, on all of the user's devices;
/// otherwise they belong to the device. A device that does not exist or was erased has an empty inbox.
package protocol InboxStore: Sendable {
  /// A page of the messages that a device shows at a moment, the last published first. The page's `total` is the
  /// number of unread messages on all pages.
  ///
  /// A page ends early if its messages take ``InboxMessage/pageBytes`` bytes. Messages that are published while pages
  /// are read come before the first page, so no message is on two pages.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor`` if the cursor is not one of this list.
  func inbox(
    device id: String, app: String, at now: Timestamp, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<InboxMessage>
  /// The number of unread messages of a device, for a caller that has shown the device's secret.
  ///
  /// - Returns: `nil` if the device has a different secret or no secret.
  func unreadCount(
    device id: String, app: String, provenBy secretHash: [UInt8], at now: Timestamp
  ) async throws(StoreError) -> Int?
  /// Marks messages as read or hidden; messages that are not in the inbox are skipped.
  func mark(
    _ marks: InboxMarks, device id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> MarkedInbox
}

/// A message in the inbox of one device.
package struct InboxMessage: Hashable, Sendable {
  package var message: Message
  package var isRead: Bool

  /// The number of bytes of content after which a page ends.
  package static let pageBytes = 512 * 1024

  package init(_ message: Message, isRead: Bool) {
    self.message = message
    self.isRead = isRead
  }
}

/// The messages that a person has read and hidden; marks are never undone.
package struct InboxMarks: Hashable, Sendable {
  /// The ids of messages that are read.
  package var read: [String]
  /// The time up to which all published messages are read.
  package var readUntil: Timestamp?
  /// The ids of hidden messages, which are not shown again and count as read.
  package var hidden: [String]

  package init(read: [String] = [], readUntil: Timestamp? = nil, hidden: [String] = []) {
    self.read = read
    self.readUntil = readUntil
    self.hidden = hidden
  }

  package var isEmpty: Bool { read.isEmpty && readUntil == nil && hidden.isEmpty }
}

/// An inbox after messages were marked.
package struct MarkedInbox: Hashable, Sendable {
  package var unread: Int
  /// The ids of the marks that are not in the inbox, without those of messages that were hidden before.
  package var missing: [String]

  package init(unread: Int, missing: [String] = []) {
    self.unread = unread
    self.missing = missing
  }
}
