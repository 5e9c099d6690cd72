import PushModel

@testable import PushServer
@testable import PushStore

/// The store of one of several nodes, with the rules of `PostgreSQLPushStore` for what is repeated and what is not known.
struct SharedStore: SQLPushStore {
  let database: SharedDatabase
  let way: DatabaseWay
  let scheduler: Scheduler
  let groups = WriteGroups(lanes: 2)

  private struct Undone: Error {}

  func write<T: Sendable>(
    repeatable: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    while true {
      switch try way.fate() {
      case .committed:
        return try await database.store.write(repeatable: repeatable) { [way] db in
          // What was not sent yet when the node died is never sent.
          try way.checkLife()
          return try body(db)
        }
      case .undone: try await undo(body)
      case .answerLost(let isCommitted):
        try await run(body, isCommitted: isCommitted)
        guard repeatable else {
          throw StoreError(.unavailable, "the connection broke during a commit")
        }
      case .died(let isCommitted):
        try await run(body, isCommitted: isCommitted)
        throw StoreError(.unavailable, "the node has died")
      }
    }
  }

  /// Runs a transaction whose answer nobody sees.
  private func run<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T, isCommitted: Bool
  ) async throws(StoreError) {
    guard isCommitted else { return try await undo(body) }
    _ = try await database.store.write(repeatable: false, body)
  }

  private func undo<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) {
    do {
      try await database.store.write(repeatable: false) { db -> Void in
        _ = try body(db)
        throw Undone()
      }
    } catch {
      guard error.cause is Undone else { throw error }
    }
  }

  func change(_ change: DeviceChange, app: String) async throws(StoreError) -> [Device] {
    try await commit([change], app: app)[0].get()
  }

  func read<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try way.checkLife()
    return try await database.store.read(body)
  }

  var dialect: SQLDialect { .sqlite }
  func announce() { if !way.life.isOver { database.announce() } }
  func announcements() -> AsyncStream<Void>? { database.announcements() }
  func probe() async throws(StoreError) { try way.checkLife() }
  func purgeOverwrittenData() async throws(StoreError) {}

  /// Leases are compared with the database's clock, which is never set.
  func clockOffset(from now: Timestamp, _ db: any SQLConnection) throws -> Duration {
    scheduler.now.since(now)
  }

  func nextBatchTime(
    of sendClass: SendClass?, excluding apps: Set<Int64>, at now: Timestamp
  ) async throws(StoreError) -> Timestamp? {
    let next = try await read { db in try Self.nextDue(of: sendClass, excluding: apps, db) }
    return next.map { now + $0.since(scheduler.now) }
  }
}
