import PushModel
import PushPayload

/// The owner of the read state that a device shows: its user or, without a user, the device itself.
struct InboxOwner: Hashable {
  let app: Int64
  let device: UInt32
  let user: String?
  /// The owner's name in the rows of `message_states`.
  let name: String

  init(app: Int64, device: UInt32, user: String?) {
    self.app = app
    self.device = device
    self.user = user
    name = user.map(Self.name(ofUser:)) ?? Self.name(ofDevice: device)
  }

  static func name(ofUser id: String) -> String { "u" + id }
  static func name(ofDevice number: UInt32) -> String { "d\(number)" }

  /// A message of the inbox, without its content.
  struct Entry: Hashable {
    enum State { case unread, read, hidden }

    var number: Int64
    var publishedAt: Timestamp
    var state: State
  }

  /// The query for the messages for a few devices, including this one.
  ///
  /// Messages for the device's previous user are not shown to another user.
  func listed(at now: Timestamp) -> SQL {
    """
    SELECT m.number, m.publish_at, s.message IS NOT NULL AS read, coalesce(s.hidden,
      FALSE) AS hidden
    FROM message_devices AS d
    JOIN messages AS m ON m.app = \(app) AND m.number = d.message
    LEFT JOIN message_states AS s ON s.app = $1 AND s.owner = \(name) AND s.message = m.number
    WHERE d.app = $1 AND d.device = \(device) AND m.publish_at <= \(now) AND m.unpublish_at > $4
      AND (d.user_id IS NULL OR d.user_id = \(user))
    """
  }

  /// The query for the messages for many devices, with the bits of the device's shard.
  func wide(at now: Timestamp) -> SQL {
    """
    SELECT m.number, m.publish_at, s.message IS NOT NULL AS read, coalesce(s.hidden,
      FALSE) AS hidden,
      m.for_all, h.devices
    FROM messages AS m
    LEFT JOIN message_states AS s ON s.app = \(app) AND s.owner = \(name) AND s.message = m.number
    LEFT JOIN message_shards AS h ON h.app = $1 AND h.message = m.number
      AND h.shard = \(MessageDevices.shard(of: device))
    WHERE m.app = $1 AND m.wide AND m.publish_at <= \(now) AND m.unpublish_at > $4
    """
  }

  /// A condition that keeps only messages without a row of state.
  static let unread: SQL = " AND s.message IS NULL"

  /// The messages that are published now, the last published first; with `onlyUnread`, only those without a state.
  func entries(
    at now: Timestamp, onlyUnread: Bool = false, _ db: any SQLConnection
  ) throws -> [Entry] {
    let end = onlyUnread ? Self.unread : ""
    var entries = try db.rows("\(listed(at: now))\(end)") { try Entry(row: &$0) }
    entries += try db.rows("\(wide(at: now))\(end)") { row -> Entry? in
      let entry = try Entry(row: &row)
      let (isForAll, bits) = try (row.bool("for_all"), row.optionalBlob("devices"))
      return isForAll || MessageDevices.contains(device, in: bits ?? []) ? entry : nil
    }.compactMap(\.self)
    return entries.sorted { ($0.publishedAt, $0.number) > ($1.publishedAt, $1.number) }
  }

  func unreadCount(at now: Timestamp, _ db: any SQLConnection) throws -> Int {
    try entries(at: now, onlyUnread: true, db).count
  }

  /// Marks messages by their numbers; a mark is never removed.
  func mark(
    _ messages: [Int64], isHidden: Bool, at now: Timestamp, _ db: any SQLConnection
  ) throws {
    let conflict: SQL =
      isHidden ? "(app, owner, message) DO UPDATE SET hidden = excluded.hidden" : "DO NOTHING"
    for message in messages {
      try db.queue(
        """
        INSERT INTO message_states (app, owner, message, hidden, at)
        VALUES (\(app), \(name), \(message), \(isHidden), \(now))
        ON CONFLICT \(conflict)
        """)
    }
  }

  /// Removes the read state of an erased device, and of its user if the user has no other device.
  static func forget(_ device: Device, app: Int64, _ db: any SQLConnection) throws {
    var names = [name(ofDevice: device.number)]
    if let user = device.userID {
      let other = try db.row(
        "SELECT 1 FROM devices WHERE app = \(app) AND user_id = \(user) LIMIT 1", map: { _ in true }
      )
      if other == nil { names.append(name(ofUser: user)) }
    }
    try db.queue("DELETE FROM message_devices WHERE app = \(app) AND device = \(device.number)")
    for name in names {
      try db.queue("DELETE FROM message_states WHERE app = \(app) AND owner = \(name)")
    }
  }
}

extension InboxOwner.Entry {
  fileprivate init(row: inout SQLRow) throws {
    number = try row.integer("number")
    publishedAt = try row.time("publish_at")
    let (isRead, isHidden) = try (row.bool("read"), row.bool("hidden"))
    state = isHidden ? .hidden : isRead ? .read : .unread
  }
}
