import Foundation
import PushPayload

/// The messages of an inbox that this device has read from the server, and what the person did with them here.
///
/// What is read or hidden here stays so, whatever an answer says that was made before the server knew it.
struct InboxRecord: Hashable, Sendable {
  /// The most messages that are kept; older ones are not read from the server.
  static let maximumCount = 500
  /// The most bytes of messages that are kept.
  static let maximumBytes = 2 << 20
  /// How many hidden messages are remembered.
  static let hiddenLimit = 500

  /// Whose inbox it is: the user's identifier, or an empty text for a device without a user.
  let owner: String
  private(set) var messages: [InboxMessage] = []
  private(set) var unread = 0
  /// What reads the next page; `nil` at the end of the inbox.
  private(set) var cursor: String?
  private var hidden: [String] = []

  init(owner: String) { self.owner = owner }

  var content: InboxContent {
    InboxContent(messages: messages, unreadCount: unread, hasMore: cursor != nil)
  }

  /// One page of the server's list.
  struct Page: Hashable, Sendable {
    var messages: [InboxMessage]
    var unread: Int
    var cursor: String?

    init(messages: [InboxMessage], unread: Int, cursor: String?) {
      self.messages = messages
      self.unread = unread
      self.cursor = cursor
    }

    /// Reads the server's answer; `nil` where it is none.
    ///
    /// A message that cannot be understood is left out.
    init?(_ json: JSONValue) {
      guard let messages = json["messages"]?.array, let unread = json["unread"]?.integer else {
        return nil
      }
      self.init(
        messages: messages.compactMap { InboxMessage($0) }, unread: max(0, Int(clamping: unread)),
        cursor: json["meta"]?["cursor"]?.string)
    }
  }

  /// Takes the first page.
  ///
  /// What was read behind it before stays where the page reaches it, and the server counts no fewer unread messages than are
  /// shown then: fewer were read on another device. `pending` are the marks that the server does not know yet.
  mutating func begin(with page: Page, pending: [InboxMark]) {
    let last = page.messages.last?.id
    let rest = messages.firstIndex { $0.id == last }.map { messages[($0 + 1)...] }
    let (shown, unread) = merged(page, pending)
    self.unread = unread
    if let rest, page.cursor != nil,
      shown.count(where: { !$0.isRead }) + rest.count(where: { !$0.isRead }) <= unread
    {
      messages = shown + rest
    } else {
      messages = shown
      cursor = page.cursor
    }
    trim()
  }

  /// Forgets the messages, before the first page is read again.
  mutating func restart() { (messages, cursor) = ([], nil) }

  /// Takes the page behind the last message.
  mutating func append(_ page: Page, pending: [InboxMark]) {
    let known = Set(messages.map(\.id))
    let (shown, unread) = merged(page, pending)
    self.unread = unread
    messages += shown.filter { !known.contains($0.id) }
    cursor = page.cursor
    trim()
  }

  /// The messages of a page with what was done here, and the number of unread ones after it.
  private func merged(
    _ page: Page, _ pending: [InboxMark]
  ) -> (messages: [InboxMessage], unread: Int) {
    let gone = Set(hidden).union(pending.filter { $0.kind == .hidden }.map(\.message))
    let read = Set(messages.filter(\.isRead).map(\.id)).union(pending.map(\.message))
    let until = pending.compactMap(\.until).max { $0.count < $1.count }
    var (shown, unread) = ([InboxMessage](), page.unread)
    for message in page.messages {
      var message = message
      let isRead =
        read.contains(message.id) || until.map { message.publishedAt <= $0.date } ?? false
      let isGone = gone.contains(message.id)
      if !message.isRead, isRead || isGone { unread -= 1 }
      message.isRead = message.isRead || isRead
      if !isGone { shown.append(message) }
    }
    return (shown, max(0, unread))
  }

  /// Drops the oldest messages beyond the limits; there is no page behind them then.
  private mutating func trim() {
    var (bytes, count) = (0, 0)
    for message in messages.prefix(Self.maximumCount) {
      bytes += JSONValue.object(message.json).serialized().count
      guard bytes <= Self.maximumBytes else { break }
      count += 1
    }
    if count < messages.count || count == Self.maximumCount { cursor = nil }
    messages = Array(messages.prefix(count))
  }

  /// Takes what the person did.
  mutating func apply(_ mark: InboxMark) {
    for index in messages.indices where mark.names(messages[index]) && !messages[index].isRead {
      messages[index].isRead = true
      unread = max(0, unread - 1)
    }
    if mark.until != nil { unread = messages.count { !$0.isRead } }
    guard mark.kind == .hidden else { return }
    messages.removeAll { $0.id == mark.message }
    hidden = hidden.suffix(Self.hiddenLimit - 1) + [mark.message]
  }

  /// Takes the server's number of unread messages, less what it does not know yet.
  mutating func count(_ number: Int, pending: [InboxMark]) {
    let isAllRead = pending.contains { $0.until != nil }
    let unknown = Set(pending.filter { $0.until == nil }.map(\.message)).count
    unread = isAllRead ? messages.count { !$0.isRead } : max(0, number - unknown)
  }

  // MARK: The file

  /// The record as the bytes of its file.
  var bytes: Data {
    var members: [String: JSONValue] = [
      "version": 2, "owner": .string(owner), "unread": .integer(Int64(unread)),
      "messages": .array(messages.map(\.stored)), "hidden": .array(hidden.map(JSONValue.string)),
    ]
    members["cursor"] = cursor.map(JSONValue.string)
    return CheckedJSON.bytes(members)
  }

  /// Reads the bytes of a record's file; `nil` where they are damaged, or another version wrote them.
  init?(_ bytes: Data) {
    guard let members = CheckedJSON.members(bytes), case let json = JSONValue.object(members),
      let owner = json["owner"]?.string, let messages = json["messages"]?.array
    else { return nil }
    self.init(owner: owner)
    self.messages = messages.compactMap { InboxMessage($0) }
    unread = max(0, Int(clamping: json["unread"]?.integer ?? 0))
    cursor = json["cursor"]?.string
    hidden = json["hidden"]?.array?.compactMap(\.string) ?? []
    guard CheckedJSON.members(self.bytes) == members else { return nil }
  }
}
