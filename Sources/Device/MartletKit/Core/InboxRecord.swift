import Foundation
import PushPayload

/// The messages of an inbox that this device has read from the server, with the marks that the person set here.
///
/// A message that is read or hidden here stays so, even if an answer is older than the mark and says otherwise.
struct InboxRecord: Hashable, Sendable {
  /// The most messages that are kept; older ones are not read from the server.
  static let maximumCount = 500
  /// The most bytes of messages that are kept.
  static let maximumBytes = 2 << 20
  /// The number of hidden messages that are remembered.
  static let hiddenLimit = 500

  /// The identifier of the inbox's user, or an empty text for a device without a user.
  let owner: String
  private(set) var messages: [InboxMessage] = []
  private(set) var unread = 0
  /// The cursor that reads the next page; `nil` at the end of the inbox.
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
    /// The server's time; `nil` if the server has not said.
    var time: Milliseconds?

    init(
      messages: [InboxMessage], unread: Int, cursor: String?, time: Milliseconds? = nil
    ) {
      self.messages = messages
      self.unread = unread
      self.cursor = cursor
      self.time = time
    }

    /// Reads the server's answer; `nil` if it has no messages or no number of unread ones.
    ///
    /// A message that cannot be understood is left out.
    init?(_ json: JSONValue) {
      guard let messages = json["messages"]?.array, let unread = json["unread"]?.integer else {
        return nil
      }
      self.init(
        messages: messages.compactMap { InboxMessage($0) }, unread: max(0, Int(clamping: unread)),
        cursor: json["meta"]?["cursor"]?.string,
        time: json["server_time"]?.string.flatMap(Milliseconds.init(_:)))
    }

    /// Whether inboxes no longer showed a message when the server answered.
    func isAfterEnd(of message: InboxMessage) -> Bool {
      guard let time, let end = message.end else { return false }
      return end.count <= time.count
    }
  }

  /// Merges the first page into the messages.
  ///
  /// Messages behind the page stay if the page reaches them, and if the server counts at least as many unread messages as are
  /// then shown; a lower count means that some were read on another device. Those that have ended go. `pending` are the marks
  /// that were not sent yet.
  mutating func begin(with page: Page, pending: [InboxMark]) {
    let last = page.messages.last?.id
    let rest = messages.firstIndex { $0.id == last }.map { place in
      messages[(place + 1)...].filter { !page.isAfterEnd(of: $0) }
    }
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

  /// The messages of a page with this device's marks applied, and the resulting number of unread messages.
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

  /// Drops the oldest messages beyond the limits; no further page is read then.
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

  /// Applies a mark that the person set.
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

  /// Takes the server's number of unread messages, minus those whose marks it does not know yet.
  mutating func count(_ number: Int, pending: [InboxMark]) {
    let isAllRead = pending.contains { $0.until != nil }
    let unknown = Set(pending.filter { $0.until == nil }.map(\.message)).count
    unread = isAllRead ? messages.count { !$0.isRead } : max(0, max(0, number) - unknown)
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

  /// Reads the bytes of a record's file; `nil` if they are damaged or another version wrote them.
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
