import PushModel
import PushPayload

extension SQLPushStore {
  package func recording(_ record: ChangeRecord) -> any PushStore {
    RecordingStore(base: self, record: record)
  }

  /// Writes the audit entry and the webhook notice of a change.
  static func append(_ record: ChangeRecord, _ db: any SQLConnection) throws {
    if let entry = record.entry { try append(entry, db) }
    if let notice = record.notice { _ = try enqueue(notice, db) }
  }
}

/// A store that writes a record into each transaction that changes rows.
struct RecordingStore<Base: SQLPushStore>: SQLPushStore {
  let base: Base
  let record: ChangeRecord

  func write<T: Sendable>(
    repeatable: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await base.write(repeatable: repeatable) { [record] db in
      let recording = RecordingConnection(db)
      let value = try body(recording)
      if try recording.hasChangedRows() {
        try Self.append(record, db)
      }
      return value
    }
  }

  func change(_ change: DeviceChange, app: String) async throws(StoreError) -> [Device] {
    var recorded = change
    recorded.record = record
    return try await base.change(recorded, app: app)
  }

  var groups: WriteGroups { base.groups }
  var changeRecord: ChangeRecord? { record }

  func writeUnrecorded<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await base.writeUnrecorded(body)
  }

  func read<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await base.read(body)
  }

  func readFewRows<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await base.readFewRows(body)
  }

  var dialect: SQLDialect { base.dialect }
  func announce() { base.announce() }
  func announcements() -> AsyncStream<Void>? { base.announcements() }
  func probe() async throws(StoreError) { try await base.probe() }
  func purgeOverwrittenData() async throws(StoreError) { try await base.purgeOverwrittenData() }
  func nextBatchTime(
    of sendClass: SendClass?, excluding apps: Set<Int64>, at now: Timestamp
  ) async throws(StoreError) -> Timestamp? {
    try await base.nextBatchTime(of: sendClass, excluding: apps, at: now)
  }
  func clockOffset(from now: Timestamp, _ db: any SQLConnection) throws -> Duration {
    try base.clockOffset(from: now, db)
  }
  var clockQuery: SQL? { base.clockQuery }
}

/// A connection that records whether a statement has changed rows.
final class RecordingConnection: SQLConnection {
  private let base: any SQLConnection
  private var hasChanged = false
  private var hasQueued = false

  init(_ base: any SQLConnection) { self.base = base }

  /// Whether a statement has changed rows; runs those that are queued, unless the answer is known without them.
  func hasChangedRows() throws -> Bool {
    if !hasChanged, hasQueued { try base.flush() }
    return hasChanged
  }

  var dialect: SQLDialect { base.dialect }

  func queue(_ sql: SQL, changed: @escaping (Int) -> Void) throws {
    hasQueued = true
    try base.queue(sql) { [self] count in
      hasChanged = hasChanged || count > 0
      changed(count)
    }
  }

  func flush() throws { try base.flush() }
  func fetchAhead(_ query: @autoclosure () -> SQL) throws { try base.fetchAhead(query()) }

  func run(_ sql: SQL) throws -> Int {
    let count = try base.run(sql)
    hasChanged = hasChanged || count > 0
    return count
  }

  func run<T>(_ sql: SQL, returning map: (inout SQLRow) throws -> T) throws -> T? {
    let row = try base.run(sql, returning: map)
    hasChanged = hasChanged || row != nil
    return row
  }

  func changedRows<T>(_ sql: SQL, map: (inout SQLRow) throws -> T) throws -> [T] {
    let rows = try base.changedRows(sql, map: map)
    hasChanged = hasChanged || !rows.isEmpty
    return rows
  }

  func insert(into table: String, columns: [String], _ nextRow: () -> [SQLValue]?) throws {
    try base.insert(into: table, columns: columns, nextRow)
    hasChanged = true
  }

  func planForSize() throws { try base.planForSize() }

  func forEachRow(of sql: SQL, _ read: (inout SQLRow) throws -> Void) throws {
    try base.forEachRow(of: sql, read)
  }

  func row<T>(_ sql: SQL, map: (inout SQLRow) throws -> T) throws -> T? {
    try base.row(sql, map: map)
  }
}
