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
  func nextBatchTime() async throws(StoreError) -> Timestamp? { try await base.nextBatchTime() }
  func clockOffset(from now: Timestamp, _ db: any SQLConnection) throws -> Duration {
    try base.clockOffset(from: now, db)
  }
  var clockQuery: SQLQuery? { base.clockQuery }
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

  func queue(_ sql: String, _ values: [SQLValue], changed: @escaping (Int) -> Void) throws {
    hasQueued = true
    try base.queue(sql, values) { [self] count in
      hasChanged = hasChanged || count > 0
      changed(count)
    }
  }

  func flush() throws { try base.flush() }
  func fetchAhead(_ query: @autoclosure () -> SQLQuery) throws { try base.fetchAhead(query()) }

  func run(_ sql: String, _ values: [SQLValue]) throws -> Int {
    let count = try base.run(sql, values)
    hasChanged = hasChanged || count > 0
    return count
  }

  func run<T>(
    _ sql: String, _ values: [SQLValue], returning map: (inout SQLRow) throws -> T
  ) throws -> T? {
    let row = try base.run(sql, values, returning: map)
    hasChanged = hasChanged || row != nil
    return row
  }

  func changedRows<T>(
    _ sql: String, _ values: [SQLValue], map: (inout SQLRow) throws -> T
  ) throws -> [T] {
    let rows = try base.changedRows(sql, values, map: map)
    hasChanged = hasChanged || !rows.isEmpty
    return rows
  }

  func insert(into table: String, columns: [String], _ nextRow: () -> [SQLValue]?) throws {
    try base.insert(into: table, columns: columns, nextRow)
    hasChanged = true
  }

  func planForSize() throws { try base.planForSize() }

  func forEachRow(
    of sql: String, _ values: [SQLValue], _ read: (inout SQLRow) throws -> Void
  ) throws {
    try base.forEachRow(of: sql, values, read)
  }

  func row<T>(_ sql: String, _ values: [SQLValue], map: (inout SQLRow) throws -> T) throws -> T? {
    try base.row(sql, values, map: map)
  }
}
