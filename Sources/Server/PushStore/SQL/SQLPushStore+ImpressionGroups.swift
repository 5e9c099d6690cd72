import PushModel

/// A device's impression of a message.
struct ImpressionRequest: Sendable {
  var impression: Message.Impression
  var message: String
  var device: String
  var at: Timestamp
  var record: ChangeRecord?
}

/// The key of an impression in its app.
private struct ImpressionKey: Hashable {
  var device: UInt32
  var message: Int64
  var kind: Int
}

extension SQLPushStore {
  /// Stores impressions as if each came after the previous one.
  ///
  /// The rows of the messages are locked first. Rows are never share-locked.
  ///
  /// - Returns: Whether each impression was counted.
  static func store(
    _ requests: [ImpressionRequest], app id: String, _ db: any SQLConnection
  ) throws -> [Bool] {
    guard let app = try number(of: id, db) else { return requests.map { _ in false } }
    let messages = try lockMessages(Set(requests.map(\.message)), app: app, db)
    let owners = try owners(Set(requests.map(\.device)), app: app, db)
    var times: [ImpressionKey: Timestamp] = [:]
    var details: [InboxOwner: [Int64: Timestamp]] = [:]
    let keys = requests.map { request -> ImpressionKey? in
      guard let message = messages[request.message], let owner = owners[request.device] else {
        return nil
      }
      let key = ImpressionKey(
        device: owner.device, message: message, kind: request.impression.rawValue)
      times[key] = times[key] ?? request.at
      if request.impression == .detail {
        details[owner, default: [:]][message] = details[owner]?[message] ?? request.at
      }
      return key
    }
    try mark(details, app: app, db)
    var new = Set(try insert(times, app: app, db))
    let answers = keys.map { key in key.map { new.remove($0) != nil } ?? false }
    try count(zip(keys, answers).compactMap { $1 ? $0 : nil }, app: app, db)
    let records = zip(requests, answers).compactMap { $1 ? $0.record : nil }
    for entry in records.compactMap(\.entry) { try append(entry, db) }
    _ = try enqueue(records.compactMap(\.notice), app: app, db)
    return answers
  }

  private static func lockMessages(
    _ ids: Set<String>, app: Int64, _ db: any SQLConnection
  ) throws -> [String: Int64] {
    let rows = try db.rows(
      """
      SELECT id, number FROM messages
      WHERE \(db.dialect.unindexed)app = \(app) AND id \(db.dialect.among(ids))
      ORDER BY number\(db.dialect.forUpdate)
      """
    ) { try ($0.text("id"), $0.integer("number")) }
    return Dictionary(rows, uniquingKeysWith: { $1 })
  }

  /// The owners of the inboxes of unerased devices, by the devices' ids.
  private static func owners(
    _ ids: Set<String>, app: Int64, _ db: any SQLConnection
  ) throws -> [String: InboxOwner] {
    let rows = try db.rows(
      """
      SELECT id, key, user_id FROM devices
      WHERE app = \(app) AND erased_at IS NULL AND id \(db.dialect.among(ids))
      """
    ) { row in
      let id = try row.text("id")
      let number = try DeviceKeys.number(of: row.integer("key"))
      return try (id, InboxOwner(app: app, device: number, user: row.optionalText("user_id")))
    }
    return Dictionary(rows, uniquingKeysWith: { $1 })
  }

  /// Marks messages that devices have shown in detail as read; a mark is never removed.
  private static func mark(
    _ details: [InboxOwner: [Int64: Timestamp]], app: Int64, _ db: any SQLConnection
  ) throws {
    let rows = details.flatMap { owner, messages in
      messages.map { (owner: owner.name, message: $0.key, at: $0.value) }
    }
    try db.queue(
      given: [.text("owner"), .integer("message"), .integer("at")],
      rows: rows.sorted { ($0.owner, $0.message, $0.at) < ($1.owner, $1.message, $1.at) }
        .map { [.text($0.owner), .integer($0.message), .time($0.at)] }
    ) { given in
      """
      INSERT INTO message_states (app, owner, message, hidden, at)
      SELECT \(app), owner, message, FALSE, at FROM \(given) WHERE TRUE ON CONFLICT DO NOTHING
      """
    }
  }

  /// Adds impressions that are not stored yet.
  ///
  /// - Returns: The keys of the added impressions.
  private static func insert(
    _ times: [ImpressionKey: Timestamp], app: Int64, _ db: any SQLConnection
  ) throws -> [ImpressionKey] {
    try db.run(
      given: [.integer("device"), .integer("message"), .integer("kind"), .integer("at")],
      rows: times.map { key, time in
        [
          .integer(Int64(key.device)), .integer(key.message), .integer(Int64(key.kind)),
          .time(time),
        ]
      }
    ) { given in
      """
      INSERT INTO impressions (app, device, message, kind, at)
      SELECT \(app), given.* FROM \(given) WHERE TRUE
      ON CONFLICT DO NOTHING RETURNING device, message, kind
      """
    } returning: { row in
      ImpressionKey(
        device: try row.deviceNumber("device"),
        message: try row.integer("message"), kind: try row.int("kind"))
    }
  }

  private static func count(
    _ new: [ImpressionKey], app: Int64, _ db: any SQLConnection
  ) throws {
    let kinds = Message.Impression.allCases
    let rows = Dictionary(grouping: new, by: \.message).sorted { $0.key < $1.key }.map {
      message, keys in
      [SQLValue.integer(message)]
        + kinds.map { kind in .integer(Int64(keys.count { $0.kind == kind.rawValue })) }
    }
    let more = kinds.map { kind in
      "seen_\(kind.rawValue) = messages.seen_\(kind.rawValue) + given.more_\(kind.rawValue)"
    }
    try db.queue(
      given: [.integer("message")] + kinds.map { .integer("more_\($0.rawValue)") }, rows: rows
    ) { given in
      """
      UPDATE messages SET \(raw: more.joined(separator: ", "))
      FROM \(given) WHERE \(db.dialect.unindexed)messages.app = \(app)
      AND messages.number = given.message
      """
    }
  }
}
