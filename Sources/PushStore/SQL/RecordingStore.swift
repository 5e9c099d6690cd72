import PushPayload

extension SQLPushStore {
  package func recording(_ trace: ChangeRecord) -> any PushStore {
    RecordingStore(base: self, trace: trace)
  }
}

/// A store that writes a trace into each transaction that changes something.
struct RecordingStore<Base: SQLPushStore>: SQLPushStore {
  let base: Base
  let trace: ChangeRecord

  func write<T: Sendable>(
    repeatable: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await base.write(repeatable: repeatable) { [trace] db in
      let watched = RecordingConnection(db)
      let value = try body(watched)
      if watched.hasChanged {
        if let entry = trace.entry { try Self.append(entry, db) }
        if let news = trace.news { _ = try Self.enqueue(news, db) }
      }
      return value
    }
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
}

/// A connection that remembers whether a statement has changed a row.
private final class RecordingConnection: SQLConnection {
  private let base: any SQLConnection
  private(set) var hasChanged = false

  init(_ base: any SQLConnection) { self.base = base }

  var dialect: SQLDialect { base.dialect }

  func run(_ sql: String, _ values: [SQLValue]) throws -> Int {
    let count = try base.run(sql, values)
    hasChanged = hasChanged || count > 0
    return count
  }

  func run<T>(
    _ sql: String, _ values: [SQLValue], returning map: (inout SQLRow) -> T
  ) throws -> T? {
    let row = try base.run(sql, values, returning: map)
    hasChanged = hasChanged || row != nil
    return row
  }

  func insert(into table: String, columns: [String], _ nextRow: () -> [SQLValue]?) throws {
    try base.insert(into: table, columns: columns, nextRow)
    hasChanged = true
  }

  func rows<T>(_ sql: String, _ values: [SQLValue], _ map: (inout SQLRow) -> T) throws -> [T] {
    try base.rows(sql, values, map)
  }

  func row<T>(_ sql: String, _ values: [SQLValue], _ map: (inout SQLRow) -> T) throws -> T? {
    try base.row(sql, values, map)
  }
}
