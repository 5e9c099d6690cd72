import PushModel
import PushPayload

extension SQLPushStore {
  /// The number by which rows refer to an app; `nil` if the app does not exist.
  static func number(of app: String, _ db: any SQLConnection) throws -> Int64? {
    try db.row(numberQuery(of: app)) { try $0.integer("number") }
  }

  /// The query for the number of an app.
  static func numberQuery(of app: String) -> SQL {
    "SELECT number FROM apps WHERE id = \(app)"
  }

  /// Locks an app to change its devices, and returns its number; `nil` if the app does not exist.
  ///
  /// Until the transaction ends, no other transaction changes the app's devices, so the log of changes has the order
  /// of commits.
  static func lockedNumber(of app: String, _ db: any SQLConnection) throws -> Int64? {
    try db.row(lockingQuery(app: app, db.dialect)) { try $0.integer("number") }
  }

  /// The query of ``lockedNumber(of:_:)``.
  static func lockingQuery(app: String, _ dialect: SQLDialect) -> SQL {
    "SELECT number FROM apps WHERE id = \(app)\(dialect.forUpdate)"
  }

  /// Prevents other transactions from changing an app's devices until this one ends.
  ///
  /// - Returns: `false` if the app was deleted meanwhile.
  static func lockDevices(of app: Int64, _ db: any SQLConnection) throws -> Bool {
    guard let lock = db.dialect.deviceLock(of: app) else { return true }
    return try !db.rows(lock) { _ in }.isEmpty
  }

  /// Locks an app that must exist, as ``lockedNumber(of:_:)`` does, and returns its number.
  ///
  /// - Throws: ``StoreError/Code/notFound`` if the app does not exist.
  static func requiredNumber(of app: String, _ db: any SQLConnection) throws -> Int64 {
    guard let number = try lockedNumber(of: app, db) else { throw noApp(app) }
    return number
  }

  static func noApp(_ app: String) -> StoreError {
    StoreError(.notFound, "there is no app with the id \(app)")
  }

  /// The key of a send by its id; `nil` if the app has no such send.
  static func key(ofSend id: String, app: String, _ db: any SQLConnection) throws -> SendKey? {
    guard let app = try number(of: app, db) else { return nil }
    return try key(ofSend: id, app: app, db)
  }

  static func key(ofSend id: String, app: Int64, _ db: any SQLConnection) throws -> SendKey? {
    try db.row(
      "SELECT number FROM sends WHERE app = \(app) AND id = \(id)"
    ) { try SendKey(app: app, number: $0.integer("number")) }
  }

  /// Adds to a count of an app by hour or, for active users, by day.
  static func count(
    _ counter: Counter, by amount: Int, app: Int64, at time: Timestamp, _ db: any SQLConnection
  ) throws {
    guard amount > 0 else { return }
    let width: Int64 = counter == .activeUsers ? 86_400_000 : 3_600_000
    try db.queue(
      """
      INSERT INTO counters (app, counter, time, count)
      VALUES (\(app), \(counter.rawValue), \(time.milliseconds / width * width), \(amount))
      ON CONFLICT (app, counter, time) DO UPDATE SET count = counters.count + excluded.count
      """)
  }

  /// Adds to a count of a send by name.
  static func tally(
    _ kind: Tally, named name: String, by amount: Int64 = 1, send: SendKey, _ db: any SQLConnection
  ) throws {
    try db.queue(
      """
      INSERT INTO tallies (app, send, kind, name, count)
      VALUES (\(send.app), \(send.number), \(kind.rawValue), \(name), \(amount))
      ON CONFLICT (app, send, kind, name) DO UPDATE SET count = tallies.count + excluded.count
      """)
  }

  /// Adds amounts to the counts by name of an app's sends.
  static func tally(
    _ amounts: [ReportFold.NamedCount: Int64], app: Int64, _ db: any SQLConnection
  ) throws {
    // Sorted by key, so that two transactions lock the rows in the same order.
    let rows = amounts.sorted {
      ($0.key.send, $0.key.kind.rawValue, $0.key.name)
        < ($1.key.send, $1.key.kind.rawValue, $1.key.name)
    }
    try db.queue(
      given: [.integer("send"), .text("kind"), .text("name"), .integer("count")],
      rows: rows.map { key, amount in
        [.integer(key.send), .text(key.kind.rawValue), .text(key.name), .integer(amount)]
      }
    ) { given in
      """
      INSERT INTO tallies (app, send, kind, name, count)
      SELECT \(app), given.* FROM \(given) WHERE TRUE
      ON CONFLICT (app, send, kind, name) DO UPDATE SET count = tallies.count + excluded.count
      """
    }
  }

  static func tallies(
    _ kind: Tally, send: SendKey, _ db: any SQLConnection
  ) throws -> [String: Int] {
    let rows = try db.rows(
      """
      SELECT name, count FROM tallies WHERE app = \(send.app) AND send = \(send.number)
      AND kind = \(kind.rawValue)
      """
    ) { try ($0.text("name"), $0.int("count")) }
    return Dictionary(rows, uniquingKeysWith: +)
  }

  /// The number in the cursor of a list that is ordered by a number; `start` without a cursor.
  static func position(_ cursor: String?, else start: Int64) throws -> Int64 {
    guard let cursor else { return start }
    guard let position = Int64(cursor) else { throw expired(cursor) }
    return position
  }

  static func expired(_ cursor: String) -> StoreError {
    StoreError(.expiredCursor, "the cursor has expired; list again without a cursor")
  }

  /// A page of rows, of which one more was read than the page may have.
  static func page<T>(
    _ rows: [(number: Int64, element: T)], limit: Int, total: Int
  ) -> Page<T> {
    let shown = rows.prefix(limit)
    return Page(
      shown.map(\.element),
      cursor: rows.count > limit ? shown.last.map { String($0.number) } : nil, total: total)
  }
}

/// The keys of an app's devices, with the app's number in the upper 32 bits and the device's in the lower.
struct DeviceKeys {
  let app: Int64

  var first: SQLValue { .integer(app << 32) }
  var last: SQLValue { .integer(app << 32 | Int64(UInt32.max)) }

  func key(of number: UInt32) -> Int64 { app << 32 | Int64(number) }
  func key(_ number: UInt32) -> SQLValue { .integer(key(of: number)) }
  /// The condition by which a device's row is found.
  func isDevice(_ number: UInt32) -> SQL { "app = \(app) AND key = \(key(number))" }

  static func number(of key: Int64) -> UInt32 { UInt32(truncatingIfNeeded: key) }
}
