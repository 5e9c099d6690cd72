import Foundation
import PushPayload

/// The messages that were sent to the inbox of this device's user, with or without a push.
///
/// ```swift
/// let messages = try await push.inbox.refresh()
/// await push.inbox.markRead(messages.prefix(1).map(\.id))
/// ```
///
/// The marks "read" and "hidden" belong to the user: another phone of the same person shows them once both were online. If the
/// device has no user, they belong to the device. The messages that were read last are kept on disk for times without a network,
/// at most 500 messages and 2 MiB.
public struct Inbox: Sendable {
  let push: PushDevice

  /// The content of the inbox as this device knows it, without asking the server.
  public var content: InboxContent { push.inboxBoard.content }

  /// The number of unread messages in the server's last answer, minus the messages that were read here after it.
  public var unreadCount: Int { content.unreadCount }

  /// The inbox now and after each change, as a stream of its own for each window that asks.
  ///
  /// ```swift
  /// for await content in push.inbox.changes {
  ///   print(content.unreadCount, content.messages.map(\.title))
  /// }
  /// ```
  public var changes: AsyncStream<InboxContent> { push.inboxBoard.stream() }

  /// Sends the changes that wait, and then reads the newest messages from the server.
  ///
  /// - Returns: All messages that are known afterwards, the one published last first.
  /// - Throws: ``PushError`` if the server cannot be reached or refuses; ``content`` then keeps its messages.
  @discardableResult
  public func refresh() async throws(PushError) -> [InboxMessage] {
    await push.synchronize()
    try await read(nil)
    return content.messages
  }

  /// Reads the messages after the last known one.
  ///
  /// - Returns: All messages that are known afterwards; the same as before at the end of the inbox.
  /// - Throws: ``PushError`` if the server cannot be reached or refuses.
  @discardableResult
  public func loadMore() async throws(PushError) -> [InboxMessage] {
    let (_, owner) = try owner()
    if let cursor = push.inboxBoard.record(of: owner).cursor { try await read(cursor) }
    return content.messages
  }

  /// Marks messages as read.
  ///
  /// It returns when the mark is on disk. The mark is sent to the server soon, and once.
  ///
  /// - Parameter ids: The identifiers of the messages.
  public func markRead(_ ids: some Sequence<InboxMessage.ID> & Sendable) async {
    add(ids.map { id in { owner in InboxMark.read(id, owner: owner) } })
  }

  /// Marks all messages as read that were published until the newest one that is known.
  public func markAllRead() async {
    guard let newest = content.messages.map(\.publishedAt).max() else { return }
    add([{ owner in InboxMark.allRead(until: Milliseconds(newest), owner: owner) }])
  }

  /// Removes a message from the inbox, for good and on each device of the person.
  ///
  /// - Parameter id: The identifier of the message.
  public func hide(_ id: InboxMessage.ID) async {
    add([{ owner in InboxMark.hidden(id, owner: owner) }])
  }

  private func add(_ marks: [(String) -> InboxMark]) {
    guard let record = (try? push.files.record()) ?? nil, record.phase == .active else { return }
    // While the user changes, the app's messages come from a push to the new user.
    let owner = record.inboxOwner ?? record.wanted[MemberKey.userID]?.string ?? ""
    let marks = marks.map { $0(owner) }.filter { mark in
      mark.until != nil || (1...64).contains(mark.message.unicodeScalars.count)
    }
    guard !marks.isEmpty else { return }
    let now = push.environment.now()
    push.memory.add(marks.map { .mark($0.fact(at: now)) })
    if record.inboxOwner != nil {
      push.inboxBoard.change(owner) { inbox in
        for mark in marks { inbox.apply(mark) }
      }
    }
    push.changed()
  }

  private func owner() throws(PushError) -> (DeviceRecord, owner: String) {
    let record: DeviceRecord?
    do {
      record = try push.files.record()
    } catch let error as PushError {
      throw error
    } catch {
      throw PushError(.storage, "the device's record cannot be read", cause: error)
    }
    guard let record, let owner = record.inboxOwner else {
      throw PushError(.unreachable, "the server does not know the device and its user yet")
    }
    return (record, owner)
  }

  /// Reads one page.
  private func read(_ cursor: String?) async throws(PushError) {
    let (record, owner) = try owner()
    let response: PushResponse
    do {
      response = try await push.environment.transport.send(
        push.requests.inbox(record, after: cursor))
    } catch {
      throw PushError(.unreachable, "the server cannot be reached", cause: error)
    }
    if response.status == 404, cursor != nil {
      // The cursor is too old, so the list is read from the beginning.
      push.inboxBoard.change(owner) { $0.restart() }
      return try await read(nil)
    }
    let json = try? JSONValue(parsing: response.body)
    guard response.status == 200, let page = json.flatMap(InboxRecord.Page.init) else {
      throw PushError(
        RetryTable.verdict(response.status, for: .sync) == .later ? .unreachable : .refused,
        "the server answered with status \(response.status)")
    }
    // Another person may have signed in meanwhile.
    guard try self.owner().owner == owner else {
      throw PushError(.refused, "the device's user has changed meanwhile")
    }
    let pending = push.inboxBoard.pending(of: owner)
    push.inboxBoard.change(owner) { inbox in
      if cursor == nil {
        inbox.begin(with: page, pending: pending)
      } else if inbox.cursor == cursor {
        // A page that two windows asked for is added once.
        inbox.append(page, pending: pending)
      }
    }
  }
}
