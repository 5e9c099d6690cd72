import PushModel
import PushPayload

extension SQLPushStore {
  package func add(_ message: Message, for devices: DeviceNumbers?) async throws(StoreError) {
    try await write { db in
      guard let app = try Self.number(of: message.app, db) else { throw Self.noApp(message.app) }
      try Self.insert(message, for: devices, app: app, db)
    }
  }

  /// Adds a message, and returns its number.
  @discardableResult
  static func insert(
    _ message: Message, for devices: DeviceNumbers?, app: Int64, _ db: any SQLConnection
  ) throws -> Int64? {
    let isWide = (devices?.count ?? .max) > MessageDevices.listLimit
    let number = try db.run(
      """
      INSERT INTO messages (app, \(Message.columns), wide, for_all, seen_0, seen_1, seen_2)
      VALUES (\(app), \(message.values), \(isWide), \(devices == nil), 0, 0, 0) RETURNING number
      """,
      returning: { try $0.integer("number") })
    guard let number else { return nil }
    if let devices {
      let places = MessageDevices(app: app, message: number)
      if isWide {
        try places.insertShards(devices, db)
      } else {
        let users = try rows(of: devices, app: app, columns: "key, user_id", db) { row in
          (
            number: DeviceKeys.number(of: try row.integer("key")),
            user: try row.optionalText("user_id")
          )
        }
        try places.insert(users, db)
      }
    }
    let uploads = Upload.names(in: message.content.bytes)
    try recordUses(of: uploads, in: "message", number: number, app: app, db)
    return number
  }

  package func messages(
    ofRun id: String, app: String
  ) async throws(StoreError) -> [PublishedMessage] {
    try await read { db in
      guard let number = try Self.number(of: app, db) else { return [] }
      return try db.rows(
        """
        SELECT \(Message.columns), seen_0, seen_1, seen_2 FROM messages
        WHERE app = \(number) AND run = \(id) ORDER BY number
        """
      ) { row in
        // Columns must be read in order, so the message comes first.
        let message = try Message(row: &row, app: app)
        return PublishedMessage(
          message,
          seen: [
            .inApp: try row.int("seen_0"), .stream: try row.int("seen_1"),
            .detail: try row.int("seen_2"),
          ])
      }
    }
  }

  package func messageCounts(
    ofRun id: String, app: String
  ) async throws(StoreError) -> [String: MessageCounts] {
    try await read { db in
      guard let number = try Self.number(of: app, db) else { return [:] }
      let sums = Self.sums(of: ["targeted", "seen_0", "seen_1", "seen_2"])
      let rows = try db.rows(
        """
        SELECT variant, \(sums) FROM messages WHERE app = \(number)
        AND run = \(id) GROUP BY variant
        """
      ) { row in
        let variant = try row.text("variant")
        var counts = MessageCounts()
        counts.targeted = try row.int("targeted")
        counts.seen = [
          .inApp: try row.int("seen_0"), .stream: try row.int("seen_1"),
          .detail: try row.int("seen_2"),
        ]
        return (variant, counts)
      }
      return Dictionary(rows, uniquingKeysWith: { $1 })
    }
  }

  package func devices(
    ofMessage id: String, app: String
  ) async throws(StoreError) -> DeviceNumbers {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return DeviceNumbers() }
      let message = try db.row(
        "SELECT number, wide FROM messages WHERE app = \(app) AND id = \(id)"
      ) { try (number: $0.integer("number"), isWide: $0.bool("wide")) }
      guard let message else { return DeviceNumbers() }
      let places = MessageDevices(app: app, message: message.number)
      return message.isWide ? try places.readShards(db) : try places.read(db)
    }
  }

  /// Ends the messages of a run that inboxes still show.
  static func unpublish(
    messagesOf run: String, app: Int64, at now: Timestamp, _ db: any SQLConnection
  ) throws {
    try db.queue(
      """
      UPDATE messages SET unpublish_at = \(now) WHERE app = \(app) AND run = \(run)
      AND unpublish_at > $1
      """)
  }

  package func message(_ id: String, app: String) async throws(StoreError) -> Message? {
    try await read { db in
      guard let number = try Self.number(of: app, db) else { return nil }
      return try db.row(
        "SELECT \(Message.columns) FROM messages WHERE app = \(number) AND id = \(id)"
      ) { try Message(row: &$0, app: app) }
    }
  }

  package func messages(
    app: String, matching query: MessageQuery, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Message> {
    try await read { db in
      guard let number = try Self.number(of: app, db) else {
        return Page([], cursor: nil, total: 0)
      }
      let condition = Self.condition(of: query, app: number)
      let isNewest = query.order == .newest
      let position = try Self.position(cursor, else: isNewest ? .max : .min)
      let rows = try db.rows(
        """
        SELECT number, \(Message.columns) FROM messages
        WHERE \(condition) AND number \(raw: isNewest ? "<" : ">") \(position)
        ORDER BY number \(raw: isNewest ? "DESC" : "ASC") LIMIT \(Int64(limit) + 1)
        """
      ) { try (number: $0.integer("number"), element: Message(row: &$0, app: app)) }
      let total = try db.row(
        "SELECT count(*) AS count FROM messages WHERE \(condition)"
      ) { try $0.int("count") }
      return Self.page(rows, limit: limit, total: total ?? 0)
    }
  }

  private static func condition(of query: MessageQuery, app: Int64) -> SQL {
    var conditions: [SQL] = ["app = \(app)"]
    if query.leavesOutTriggered { conditions.append(Campaign.isNotTriggered(app: app)) }
    if !query.text.isEmpty {
      let pattern = "%\(escaped(asciiLowercased(query.text)))%"
      conditions.append("lower(title) LIKE \(pattern) ESCAPE '!'")
    }
    switch query.state {
    case (.planned, let time)?:
      conditions.append("publish_at > \(time) AND unpublish_at > \(time)")
    case (.published, let time)?:
      conditions.append("publish_at <= \(time) AND unpublish_at > \(time)")
    case (.ended, let time)?: conditions.append("unpublish_at <= \(time)")
    case nil: break
    }
    let matches = conditions.joined(separator: " AND ")
    guard query.foldsRuns else { return matches }
    // In the inner statement, the names of columns are those of the other message of the run.
    return """
      \(matches) AND NOT EXISTS (SELECT 1 FROM messages AS later
        WHERE \(matches) AND later.run = messages.run AND later.number > messages.number)
      """
  }

  package func update(_ message: Message, from old: Message) async throws(StoreError) -> Bool {
    let uploads = Upload.names(in: message.content.bytes)
    return try await write { db in
      guard let app = try Self.number(of: message.app, db) else { return false }
      let found = try db.row(
        """
        SELECT number, \(Message.columns) FROM messages WHERE app = \(app)
        AND id = \(message.id)\(db.dialect.forUpdate)
        """
      ) { try (number: $0.integer("number"), message: Message(row: &$0, app: message.app)) }
      guard let found else { return false }
      guard found.message == old else {
        throw StoreError(
          .conflict, "the message \(message.id) was changed meanwhile; read it again")
      }
      try db.queue(
        """
        UPDATE messages SET title = \(message.title), content = \(message.content),
          unpublish_at = \(message.unpublishAt) WHERE app = \(app) AND number = \(found.number)
        """)
      try db.queue("DELETE FROM upload_uses WHERE app = \(app) AND message = \(found.number)")
      try Self.recordUses(of: uploads, in: "message", number: found.number, app: app, db)
      return true
    }
  }

  package func readers(
    of message: String, app: String
  ) async throws(StoreError) -> (read: Int, hidden: Int) {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return (0, 0) }
      let states = try db.rows(
        """
        SELECT s.hidden, count(*) AS count FROM messages m
        JOIN message_states s ON s.app = \(app) AND s.message = m.number
        WHERE m.app = $1 AND m.id = \(message) GROUP BY s.hidden
        """
      ) { try (isHidden: $0.bool("hidden"), count: $0.int("count")) }
      let hidden = states.filter(\.isHidden).reduce(0) { $0 + $1.count }
      return (states.reduce(0) { $0 + $1.count }, hidden)
    }
  }

  package func record(
    _ impression: Message.Impression, of message: String, device id: String, app: String,
    at now: Timestamp
  ) async throws(StoreError) -> Bool {
    let request = ImpressionRequest(
      impression: impression, message: message, device: id, at: now, record: changeRecord)
    return try await groups.impressions.answer(to: request, of: app) {
      requests async throws(StoreError) in
      try await self.writeUnrecorded { db in
        try Self.store(requests, app: app, db).map { Result<Bool, StoreError>.success($0) }
      }
    }
  }

  package func impressions(
    of message: String, app: String
  ) async throws(StoreError) -> [Message.Impression: Int] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [:] }
      return try db.row(
        "SELECT seen_0, seen_1, seen_2 FROM messages WHERE app = \(app) AND id = \(message)"
      ) { row in
        [
          .inApp: try row.int("seen_0"), .stream: try row.int("seen_1"),
          .detail: try row.int("seen_2"),
        ]
      } ?? [:]
    }
  }
}

extension Message {
  static let columns: SQL = """
    id, audience, title, content, created_at, unpublish_at, publish_at, send, campaign, run, phase,
    variant, targeted
    """

  /// The values of ``columns``.
  fileprivate var values: [SQLValue] {
    [
      .text(id), .text(audience), .text(title), .json(content), .time(createdAt),
      .time(unpublishAt), .time(publishAt), .optional(send), .optional(origin?.campaign),
      .optional(origin?.run), .optional(origin?.phase.rawValue), .optional(origin?.variant),
      .integer(Int64(targeted)),
    ]
  }

  init(row: inout SQLRow, app: String) throws {
    self.init(
      id: try row.text("id"), app: app, audience: try row.text("audience"),
      title: try row.text("title"),
      content: try row.json("content"), createdAt: try row.time("created_at"),
      unpublishAt: try row.time("unpublish_at"))
    publishAt = try row.time("publish_at")
    send = try row.optionalText("send")
    origin = try Send.RunOrigin(row: &row)
    targeted = try row.int("targeted")
  }
}
