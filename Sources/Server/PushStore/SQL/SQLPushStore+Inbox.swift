import PushModel
import PushPayload

extension SQLPushStore {
  package func inbox(
    device id: String, app: String, at now: Timestamp, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<InboxMessage> {
    try await read { db in
      let after = try cursor.map(Self.inboxPlace)
      guard let owner = try Self.inboxOwner(device: id, app: app, db)?.owner else {
        return Page([], cursor: nil, total: 0)
      }
      let shown = try owner.entries(at: now, db).filter { $0.state != .hidden }
      let unread = shown.count { $0.state == .unread }
      let rest = shown.drop { entry in
        after.map { (entry.publishedAt, entry.number) >= $0 } ?? false
      }
      var messages: [InboxMessage] = []
      var (bytes, last) = (0, InboxOwner.Entry?.none)
      for entry in rest.prefix(limit) {
        let message = try db.row(
          """
          SELECT \(Message.columns) FROM messages WHERE app = \(owner.app)
          AND number = \(entry.number)
          """
        ) { try Message(row: &$0, app: app) }
        guard let message else { continue }
        messages.append(InboxMessage(message, isRead: entry.state == .read))
        last = entry
        bytes += message.content.bytes.count
        if bytes >= InboxMessage.pageBytes { break }
      }
      let isEnd = last == nil || last == rest.last
      return Page(messages, cursor: isEnd ? nil : last.map(Self.inboxCursor), total: unread)
    }
  }

  package func unreadCount(
    device id: String, app: String, provenBy secretHash: [UInt8], at now: Timestamp
  ) async throws(StoreError) -> Int? {
    try await readFewRows { db in
      guard let (owner, device) = try Self.inboxOwner(device: id, app: app, db),
        device.isProven(by: secretHash)
      else { return nil }
      return try owner.unreadCount(at: now, db)
    }
  }

  package func mark(
    _ marks: InboxMarks, device id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> MarkedInbox {
    try await write { db in
      let ids = marks.read + marks.hidden
      guard let owner = try Self.inboxOwner(device: id, app: app, db)?.owner else {
        return MarkedInbox(unread: 0, missing: ids)
      }
      let entries = try owner.entries(at: now, db)
      let numbers = try Self.numbers(ofMessages: ids, app: owner.app, db)
      let isShown = Set(entries.map(\.number))
      func known(_ ids: [String]) -> [Int64] {
        ids.compactMap { numbers[$0] }.filter(isShown.contains)
      }
      let until = entries.filter { entry in
        entry.state == .unread && marks.readUntil.map { entry.publishedAt <= $0 } ?? false
      }
      try owner.mark(known(marks.read) + until.map(\.number), isHidden: false, at: now, db)
      try owner.mark(known(marks.hidden), isHidden: true, at: now, db)
      let missing = ids.filter { id in numbers[id].map { !isShown.contains($0) } ?? true }
      return MarkedInbox(unread: try owner.unreadCount(at: now, db), missing: missing)
    }
  }

  /// The owner of the inbox that a device shows, and of the device; `nil` if the device does not exist or was erased.
  private static func inboxOwner(
    device id: String, app: String, _ db: any SQLConnection
  ) throws -> (owner: InboxOwner, device: DeviceOwner)? {
    guard let app = try number(of: app, db) else { return nil }
    let found = try db.row(
      "SELECT key, user_id, secret_hash, erased_at FROM devices WHERE app = \(app) AND id = \(id)"
    ) { row in
      let number = try DeviceKeys.number(of: row.integer("key"))
      let owner = try InboxOwner(app: app, device: number, user: row.optionalText("user_id"))
      let hash = try row.optionalBlob("secret_hash")
      let isErased = try row.optionalTime("erased_at") != nil
      return (owner: owner, device: DeviceOwner(secretHash: hash, isErased: isErased))
    }
    guard let found, !found.device.isErased else { return nil }
    return found
  }

  /// The numbers of messages by their ids.
  private static func numbers(
    ofMessages ids: [String], app: Int64, _ db: any SQLConnection
  ) throws -> [String: Int64] {
    guard !ids.isEmpty else { return [:] }
    let rows = try db.rows(
      """
      SELECT id, number FROM messages
      WHERE app = \(app) AND id IN (
        SELECT value FROM \(db.dialect.given(.array(ids.map(JSONValue.string)))))
      """
    ) { try ($0.text("id"), $0.integer("number")) }
    return Dictionary(rows, uniquingKeysWith: { $1 })
  }

  /// The cursor of a page, which names the page's last message.
  private static func inboxCursor(_ entry: InboxOwner.Entry) -> String {
    "\(entry.publishedAt.milliseconds)-\(entry.number)"
  }

  private static func inboxPlace(_ cursor: String) throws -> (Timestamp, Int64) {
    let parts = cursor.split(separator: "-").map { Int64($0) }
    guard parts.count == 2, let time = parts[0], let number = parts[1] else {
      throw expired(cursor)
    }
    return (Timestamp(milliseconds: time), number)
  }
}
