import PushModel

/// A store in a SQL database, whose connections a conforming type provides.
protocol SQLPushStore: PushStore {
  var dialect: SQLDialect { get }
  /// Makes a change of devices together with other changes of the app, and returns the changed devices.
  func change(_ change: DeviceChange, app: String) async throws(StoreError) -> [Device]
  /// The requests that wait to be committed together.
  var groups: WriteGroups { get }
  /// The record that is written into the transaction of each change through this store.
  var changeRecord: ChangeRecord? { get }
  /// Runs a body that writes, as ``write(repeatable:_:)`` does, but without the change's record.
  func writeUnrecorded<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T
  /// Runs a body that only reads.
  func read<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T
  /// Runs a body that reads a few rows by key.
  func readFewRows<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T
  /// Runs a body that writes in one transaction; the transaction is durable when this returns.
  ///
  /// The body is run again after a deadlock or a serialization failure.
  ///
  /// `repeatable` says whether the body may also run again after the connection broke during the commit. The
  /// transaction may then have been committed before.
  func write<T: Sendable>(
    repeatable: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T
  /// Runs a body that leases work, as ``write(repeatable:_:)`` does.
  ///
  /// Unless `mustSync` returns `true` for the body's value, the transaction may be lost if the store's machine loses
  /// power. The work is then due again. The body may run several times.
  func lease<T: Sendable>(
    syncedIf mustSync: @escaping @Sendable (T) -> Bool,
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T
  /// Tells other nodes that there may be work; a lost announcement does no harm, because they also poll.
  func announce()
  /// Removes overwritten values from files that the store itself manages.
  func purgeOverwrittenData() async throws(StoreError)
  /// The time by which the clock of leases is ahead of the caller's clock.
  ///
  /// `now` is the time by the caller's clock.
  func clockOffset(from now: Timestamp, _ db: any SQLConnection) throws -> Duration
  /// The query of ``clockOffset(from:_:)``, which can be fetched ahead; `nil` if the offset needs no query.
  var clockQuery: SQL? { get }
}

extension SQLPushStore {
  var changeRecord: ChangeRecord? { nil }
  var clockQuery: SQL? { nil }

  func writeUnrecorded<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await write(repeatable: false, body)
  }

  func lease<T: Sendable>(
    syncedIf mustSync: @escaping @Sendable (T) -> Bool,
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await write(repeatable: false, body)
  }

  func readFewRows<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await read(body)
  }

  func write<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await write(repeatable: false, body)
  }
}
