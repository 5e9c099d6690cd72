import PushPayload

extension SQLPushStore {
  package func add(_ message: Message) async throws(StoreError) {
    let uploads = Upload.names(in: message.content.bytes)
    try await write { db in
      guard let app = try Self.number(of: message.app, db) else { throw Self.noApp(message.app) }
      let number = try db.run(
        """
        INSERT INTO messages (app, \(Message.columns), seen_0, seen_1, seen_2)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0) RETURNING number
        """,
        [
          .integer(app), .text(message.id), .text(message.audience), .text(message.title),
          .json(message.content), .time(message.createdAt), .time(message.unpublishAt),
          .time(message.publishAt), .optional(message.send),
          message.devices.map { .blob($0.packed) } ?? .null,
        ],
        returning: { $0.integer("number") })
      guard let number else { return }
      try Self.recordUses(of: uploads, in: "message", number: number, app: app, db)
    }
  }

  package func message(_ id: String, app: String) async throws(StoreError) -> Message? {
    try await read { db in
      guard let number = try Self.number(of: app, db) else { return nil }
      return try db.row(
        "SELECT \(Message.columns) FROM messages WHERE app = ? AND id = ?",
        [.integer(number), .text(id)]
      ) { Message(row: &$0, app: app) }
    }
  }

  package func messages(
    app: String, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Message> {
    try await read { db in
      guard let number = try Self.number(of: app, db) else {
        return Page([], cursor: nil, total: 0)
      }
      let rows = try db.rows(
        """
        SELECT number, \(Message.columns) FROM messages WHERE app = ? AND number < ?
        ORDER BY number DESC LIMIT ?
        """,
        [
          .integer(number), .integer(try Self.position(cursor, else: .max)),
          .integer(Int64(limit) + 1),
        ]
      ) { (number: $0.integer("number"), element: Message(row: &$0, app: app)) }
      let total = try db.row(
        "SELECT count(*) AS count FROM messages WHERE app = ?", [.integer(number)]
      ) { $0.int("count") }
      return Self.page(rows, limit: limit, total: total ?? 0)
    }
  }

  package func stream(
    device id: String, app: String, at now: Timestamp, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<StreamMessage> {
    try await read { db in
      guard let number = try Self.number(of: app, db),
        let device = try Self.device(where: .id, is: id, app: number, db), device.erasedAt == nil
      else { return Page([], cursor: nil, total: 0) }
      let after = try Self.position(cursor, else: .max)
      var shown: [(number: Int64, element: StreamMessage)] = []
      var unread = 0
      // The devices of a message are a packed set, so every published message is read.
      let rows = try db.rows(
        """
        SELECT number, \(Message.columns), EXISTS (
          SELECT 1 FROM impressions
          WHERE impressions.app = ?3 AND message = number AND device = ?1 AND kind = ?2) AS is_read
        FROM messages WHERE app = ?3 AND publish_at <= ?4 AND unpublish_at > ?4
        ORDER BY number DESC
        """,
        [
          .integer(Int64(device.number)), .integer(Int64(Message.Impression.detail.rawValue)),
          .integer(number), .time(now),
        ]
      ) { row in
        (
          number: row.integer("number"),
          message: StreamMessage(Message(row: &row, app: app), isRead: row.bool("is_read"))
        )
      }
      for (place, message) in rows
      where message.message.devices?.contains(device.number) ?? true {
        if !message.isRead { unread += 1 }
        if place < after, shown.count <= limit { shown.append((place, message)) }
      }
      return Self.page(shown, limit: limit, total: unread)
    }
  }

  package func record(
    _ impression: Message.Impression, of message: String, device id: String, app: String,
    at now: Timestamp
  ) async throws(StoreError) -> Bool {
    try await write { db in
      guard let app = try Self.number(of: app, db),
        let number = try db.row(
          "SELECT number FROM messages WHERE app = ? AND id = ?", [.integer(app), .text(message)],
          map: { $0.integer("number") }),
        let device = try Self.device(where: .id, is: id, app: app, db)
      else { return false }
      let isNew = try db.run(
        """
        INSERT INTO impressions (app, device, message, kind, at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING
        """,
        [
          .integer(app), .integer(Int64(device.number)), .integer(number),
          .integer(Int64(impression.rawValue)), .time(now),
        ])
      guard isNew > 0 else { return false }
      let column = "seen_\(impression.rawValue)"
      try db.run(
        "UPDATE messages SET \(column) = \(column) + 1 WHERE app = ? AND number = ?",
        [.integer(app), .integer(number)])
      return true
    }
  }

  package func impressions(
    of message: String, app: String
  ) async throws(StoreError) -> [Message.Impression: Int] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [:] }
      return try db.row(
        "SELECT seen_0, seen_1, seen_2 FROM messages WHERE app = ? AND id = ?",
        [.integer(app), .text(message)]
      ) { row in
        [.inApp: row.int("seen_0"), .stream: row.int("seen_1"), .detail: row.int("seen_2")]
      } ?? [:]
    }
  }
}

extension Message {
  fileprivate static let columns = """
    id, audience, title, content, created_at, unpublish_at, publish_at, send, devices
    """

  fileprivate init(row: inout SQLRow, app: String) {
    self.init(
      id: row.text("id"), app: app, audience: row.text("audience"), title: row.text("title"),
      content: row.json("content"), createdAt: row.time("created_at"),
      unpublishAt: row.time("unpublish_at"))
    publishAt = row.time("publish_at")
    send = row.optionalText("send")
    devices = row.optionalBlob("devices").map { DeviceNumbers(packed: $0) ?? DeviceNumbers() }
  }
}
