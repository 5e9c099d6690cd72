import Foundation
package import PushModel
import PushPayload
import Synchronization
import _SQLite

/// A store in one SQLite file, with a write-ahead log, one writer that commits in groups, and several
/// readers.
///
/// The file contains people's tokens and attributes, so only its owner can read it (mode 0600). SQLite gives its log
/// the same mode.
package final class SQLitePushStore: SQLPushStore {
  package let path: String
  package let writer: DatabaseQueue
  /// The readers of requests, and those of tasks of low priority, such as the batches of campaigns.
  private let readers: [DatabaseQueue]
  private let lowReaders: [DatabaseQueue]
  private let checkpointer: Checkpointer
  private let timings: StoreTimings
  let groups = WriteGroups(lanes: 1)
  /// The numbers of connections for concurrent reads.
  private static let readerCount = 3
  private static let lowReaderCount = 2

  /// Opens a file, creates it if it does not exist, and brings it to this version's schema.
  ///
  /// `path` is the file, in an existing directory. `busyTimeout` is the time for which a statement waits for another
  /// process's lock. `timings` gets the duration of each call. Tests have `steps`, a `disk` and a `runner` of their
  /// own: the name of a file system that is registered with SQLite, and the maker of a runner for each connection.
  package init(
    path: String, busyTimeout: Duration = .seconds(5), timings: StoreTimings = StoreTimings(),
    steps: SchemaSteps = .sqlite, disk: String? = nil,
    runner: (() -> DatabaseQueue.Runner)? = nil
  ) throws(StoreError) {
    self.path = path
    self.timings = timings
    try Self.makeFile(path)
    do {
      let writing = try SQLiteConnection(path: path, busyTimeout: busyTimeout, disk: disk)
      // This comes before any setting, so that a refused file stays as it is.
      try SQLiteMigrations.version(of: writing, path: path, steps: steps)
      try Self.configure(writing, cacheMiB: 32)
      try SQLiteMigrations.run(on: writing, path: path, steps: steps)
      writing.countLog()
      let checkpointer = Checkpointer(
        try Self.connect(path, busyTimeout, cacheMiB: 1, disk: disk), runner: runner?())
      self.checkpointer = checkpointer
      // All callers wait for a commit, so its thread does not yield to others.
      writer = DatabaseQueue(
        writing, label: "martlet.store.writer", yields: false, runner: runner?()
      ) { pages, connection in
        checkpointer.logGrew(to: pages, connection)
      }
      readers = try (0..<Self.readerCount).map { number in
        DatabaseQueue(
          try Self.connect(path, busyTimeout, cacheMiB: 4, disk: disk),
          label: "martlet.store.reader.\(number)", yields: false, runner: runner?())
      }
      lowReaders = try (0..<Self.lowReaderCount).map { number in
        DatabaseQueue(
          try Self.connect(path, busyTimeout, cacheMiB: 4, disk: disk),
          label: "martlet.store.low.\(number)", runner: runner?())
      }
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Creates a file that only its owner can read, unless the file exists.
  ///
  /// `isNew` says whether an existing file is an error.
  static func makeFile(_ path: String, isNew: Bool = false) throws(StoreError) {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | (isNew ? O_EXCL : 0), 0o600)
    guard file >= 0 else {
      throw StoreError(
        .cannotOpen,
        "cannot open the database \(path): \(String(cString: strerror(errno))); check its directory"
          + " and permissions")
    }
    close(file)
  }

  /// Runs a body that only reads, on the reader with the shortest queue.
  func read<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await timings.measure(.read) { () async throws(StoreError) in try await queue(body) }
  }

  /// The readers for the current task.
  private var ownReaders: [DatabaseQueue] { Task.hasLowPriority ? lowReaders : readers }

  private func queue<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    let reader = ownReaders.min { $0.readsUnderWay < $1.readsUnderWay } ?? writer
    return try await reader.read { try body(SQLiteSession(connection: $0)) }
  }

  /// Reads on the calling thread if a reader is free.
  ///
  /// The few pages are nearly always in memory, and a switch of threads would take many times as long.
  func readFewRows<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await timings.measure(.read) { () async throws(StoreError) in
      for reader in ownReaders {
        let value = try reader.readNow { try body(SQLiteSession(connection: $0)) }
        if let value { return value }
      }
      return try await queue(body)
    }
  }

  func write<T: Sendable>(
    repeatable: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await timings.measure(.write) { () async throws(StoreError) in
      try await writer.write { try body(SQLiteSession(connection: $0)) }
    }
  }

  func lease<T: Sendable>(
    syncedIf mustSync: @escaping @Sendable (T) -> Bool,
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await timings.measure(.write) { () async throws(StoreError) in
      try await writer.write(syncedIf: mustSync) { try body(SQLiteSession(connection: $0)) }
    }
  }

  /// Commits a change of devices; the writer's queue commits it together with others.
  func change(_ change: DeviceChange, app: String) async throws(StoreError) -> [Device] {
    let outcomes = try await commit([change], app: app)
    return try outcomes[0].get()
  }

  var dialect: SQLDialect { .sqlite }

  /// Does nothing, because a file has only one node.
  func announce() {}
  package func announcements() -> AsyncStream<Void>? { nil }

  func purgeOverwrittenData() async throws(StoreError) {
    // `secure_delete` overwrites values in the file, but the log still has the old pages.
    try await checkpointer.emptyLog()
  }

  package func probe() async throws(StoreError) {
    _ = try await read { db in try db.row("SELECT 1") { _ in } }
    guard !writer.hasJustWritten else { return }
    try await write { db in
      try db.queue("INSERT INTO probes VALUES (zeroblob(16384))")
      try db.queue("DELETE FROM probes")
    }
  }

  /// The offset is zero, because the file is used on one machine, whose clock leases use.
  func clockOffset(from now: Timestamp, _ db: any SQLConnection) -> Duration { .zero }

  /// Whether a file has this version's schema; the file is not changed.
  ///
  /// - Throws: ``StoreError`` if ``init(path:busyTimeout:timings:steps:disk:runner:)`` would refuse the file.
  package static func isCurrent(path: String) throws(StoreError) -> Bool {
    try version(of: path, steps: .sqlite) == SchemaSteps.sqlite.newestVersion
  }

  /// Whether a file has an older schema that ``init(path:busyTimeout:timings:steps:disk:runner:)`` would bring forward;
  /// the file is not changed.
  package static func isOutdated(
    path: String, steps: SchemaSteps = .sqlite
  ) throws(StoreError) -> Bool {
    let version = try version(of: path, steps: steps)
    return version > 0 && version < steps.newestVersion
  }

  private static func version(
    of path: String, steps: SchemaSteps
  ) throws(StoreError) -> Int {
    do {
      let connection = try SQLiteConnection(path: path, busyTimeout: .seconds(5))
      return try SQLiteMigrations.version(of: connection, path: path, steps: steps)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(error, path: path)
    }
  }

  private static func connect(
    _ path: String, _ busyTimeout: Duration, cacheMiB: Int, disk: String?
  ) throws -> sending SQLiteConnection {
    let connection = try SQLiteConnection(path: path, busyTimeout: busyTimeout, disk: disk)
    try configure(connection, cacheMiB: cacheMiB)
    return connection
  }

  private static func configure(_ connection: SQLiteConnection, cacheMiB: Int) throws {
    try connection.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
      PRAGMA cache_size = -\(cacheMiB * 1024); PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON;
      PRAGMA journal_size_limit = 67108864;
      """)
  }
}

extension SQLitePushStore: BackupStore {
  package func backup(to path: String) async throws(StoreError) {
    let source = self.path
    try await read { _ in try SQLiteBackup.make(of: source, at: path) }
  }
}
