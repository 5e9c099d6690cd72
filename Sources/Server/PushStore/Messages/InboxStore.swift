/// The inboxes of devices: the messages for each of them, and what a person has read or hidden.
///
/// What is read is the user's where the device has a user, on all of the user's devices; otherwise it
/// is the device's. The inbox of a device that does not exist, or was erased, is empty.
package protocol InboxStore: Sendable {
  /// A page of the messages that a device shows at a moment, the one published last first. The page's
  /// `total` is the number of unread messages on all pages.
  ///
  /// A page ends early where its messages take ``InboxMessage/pageBytes`` bytes. Messages that are
  /// published while pages are read come before the first page, so no message is on two pages.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor`` where the cursor is not one of this list.
  func inbox(
    device id: String, app: String, at now: Timestamp, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<InboxMessage>
  /// The number of unread messages of a device, for a caller that shows the hash of the device's
  /// secret.
  ///
  /// - Returns: `nil` where the device has another secret or none.
  func unreadCount(
    device id: String, app: String, provenBy secretHash: [UInt8], at now: Timestamp
  ) async throws(StoreError) -> Int?
  /// Marks messages as read or hidden; those that the inbox does not have are passed over.
  func mark(
    _ marks: InboxMarks, device id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> MarkedInbox
}

/// A message in the inbox of one device.
package struct InboxMessage: Hashable, Sendable {
  package var message: Message
  package var isRead: Bool

  /// The bytes of content after which a page ends.
  package static let pageBytes = 512 * 1024

  package init(_ message: Message, isRead: Bool) {
    self.message = message
    self.isRead = isRead
  }
}

/// What a person has read and hidden, which is never undone.
package struct InboxMarks: Hashable, Sendable {
  /// The ids of messages that are read.
  package var read: [String]
  /// The time up to which all published messages are read.
  package var readUntil: Timestamp?
  /// The ids of messages that are not shown again; they are read too.
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
  /// The ids of the marks that the inbox has no message of; one that was hidden before is no such id.
  package var missing: [String]

  package init(unread: Int, missing: [String] = []) {
    self.unread = unread
    self.missing = missing
  }
}
