import PushModel
import PushPayload

@testable import PushStore

/// The real store with a planted fault, or without a statement.
struct FaultyStore: SQLPushStore {
  let base: any SQLPushStore
  var fault: PlantedFault?
  var statements: Statements?
  let chance: Chance

  private struct Undone<T: Sendable>: Error { let value: T }

  func write<T: Sendable>(
    repeatable: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    if fault == .answersAreNotSynced {
      return try await base.lease(syncedIf: { (_: T) in false }, body)
    }
    guard fault == .writeIsLost, chance.isTrue(50) else {
      return try await base.write(repeatable: repeatable) { [fault, statements] db in
        try body(FaultyConnection(db, fault, statements))
      }
    }
    do {
      return try await base.write(repeatable: repeatable) { db -> T in
        throw Undone(value: try body(db))
      }
    } catch {
      guard let undone = error.cause as? Undone<T> else { throw error }
      return undone.value
    }
  }

  func lease<T: Sendable>(
    syncedIf mustSync: @escaping @Sendable (T) -> Bool,
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await base.lease(syncedIf: mustSync) { [fault, statements] db in
      try body(FaultyConnection(db, fault, statements))
    }
  }

  func change(_ change: DeviceChange, app: String) async throws(StoreError) -> [Device] {
    try await commit([change], app: app)[0].get()
  }

  func read<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T { try await base.read(body) }

  func readFewRows<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T { try await base.readFewRows(body) }

  func nextBatchTime(
    of sendClass: SendClass?, excluding apps: Set<Int64>, at now: Timestamp
  ) async throws(StoreError) -> Timestamp? {
    try await base.nextBatchTime(of: sendClass, excluding: apps, at: now)
  }

  var groups: WriteGroups { base.groups }
  var dialect: SQLDialect { base.dialect }
  func announce() { base.announce() }
  func announcements() -> AsyncStream<Void>? { base.announcements() }
  func probe() async throws(StoreError) { try await base.probe() }
  func purgeOverwrittenData() async throws(StoreError) { try await base.purgeOverwrittenData() }
  func clockOffset(from now: Timestamp, _ db: any SQLConnection) throws -> Duration {
    try base.clockOffset(from: now, db)
  }
}
