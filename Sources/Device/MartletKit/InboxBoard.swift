import Foundation
import PushPayload

/// The inbox on disk, and those who want to know of its changes.
final class InboxBoard: Sendable {
  private struct State {
    /// The inbox, once it was read from its file.
    var record: InboxRecord?
    var published: InboxContent?
    var listeners: [Int: AsyncStream<InboxContent>.Continuation] = [:]
    var nextNumber = 0
  }

  private let files: DeviceFiles
  private let state = Locked(State())

  init(_ files: DeviceFiles) { self.files = files }

  /// The inbox of the user whom the server has for this device; empty while that changes.
  var content: InboxContent { state.withLock { content(&$0) } }

  /// The inbox of a user.
  func record(of owner: String) -> InboxRecord { state.withLock { load(owner, &$0) } }

  /// Changes the inbox of a user, and publishes the change.
  ///
  /// An inbox that cannot be written is kept in memory.
  func change(_ owner: String, _ body: (inout InboxRecord) -> Void) {
    state.withLock { state in
      let old = load(owner, &state)
      var record = old
      body(&record)
      state.record = record
      if record != old { try? files.write(record) }
      publish(&state)
    }
  }

  /// Takes the server's number of unread messages.
  func count(_ number: Int, of owner: String) {
    let pending = pending(of: owner)
    change(owner) { $0.count(number, pending: pending) }
  }

  /// The marks that the server does not know yet.
  func pending(of owner: String) -> [InboxMark] {
    ((try? files.marks.waiting()) ?? []).compactMap { InboxMark($0) }.filter { $0.owner == owner }
  }

  /// Publishes the inbox after the device or its user has changed.
  func refresh() { state.withLock { publish(&$0) } }

  /// Removes the messages, because the device now has another user or none.
  func forget() {
    state.withLock { state in
      state.record = nil
      try? files.removeInbox()
      publish(&state)
    }
  }

  func stream() -> AsyncStream<InboxContent> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let number = state.withLock { state in
        state.nextNumber += 1
        state.listeners[state.nextNumber] = continuation
        let content = content(&state)
        state.published = content
        continuation.yield(content)
        return state.nextNumber
      }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { $0.listeners[number] = nil }
      }
    }
  }

  private func load(_ owner: String, _ state: inout State) -> InboxRecord {
    let record = state.record ?? files.inbox()
    guard let record, record.owner == owner else { return InboxRecord(owner: owner) }
    state.record = record
    return record
  }

  private func content(_ state: inout State) -> InboxContent {
    guard let owner = ((try? files.record()) ?? nil)?.inboxOwner else { return .empty }
    return load(owner, &state).content
  }

  private func publish(_ state: inout State) {
    guard !state.listeners.isEmpty else { return }
    let content = content(&state)
    guard content != state.published else { return }
    state.published = content
    for listener in state.listeners.values { listener.yield(content) }
  }
}
