import Foundation
import PushPayload
import Synchronization
import _SQLite

/// A store in one SQLite file: write-ahead log, every commit synced, one writer with group commit, and
/// readers beside it.
///
/// The file holds people's tokens and attributes, so it is made readable by its owner only (0600),
/// and SQLite makes the log beside it alike.
package final class SQLitePushStore: SQLPushStore {
  package let path: String
  package let writer: DatabaseQueue
  private let readers: [DatabaseQueue]
  private let checkpointer: Checkpointer
  /// How many connections read at the same time.
  private static let readerCount = 4

  /// Opens the file, makes it where it is absent, and brings it to this version's schema.
  ///
  /// Its directory must exist. `busyTimeout` is how long to wait for another process's lock.
  package init(path: String, busyTimeout: Duration = .seconds(5)) throws(StoreError) {
    self.path = path
    try Self.makeFile(path)
    do {
      let writing = try SQLiteConnection(path: path, busyTimeout: busyTimeout)
      // Before anything is set, so that a file that is refused stays as it is.
      try SQLiteMigrations.version(of: writing, path: path)
      try Self.configure(writing, cacheMiB: 32)
      try SQLiteMigrations.run(on: writing, path: path)
      writing.countLog()
      let checkpointer = Checkpointer(try Self.connect(path, busyTimeout, cacheMiB: 1))
      self.checkpointer = checkpointer
      writer = DatabaseQueue(writing, label: "martlet.store.writer") { pages, connection in
        checkpointer.logGrew(to: pages, connection)
      }
      readers = try (0..<Self.readerCount).map { number in
        DatabaseQueue(
          try Self.connect(path, busyTimeout, cacheMiB: 4), label: "martlet.store.reader.\(number)")
      }
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Makes a file that only its owner reads, where it is absent; or, new, only there.
  static func makeFile(_ path: String, isNew: Bool = false) throws(StoreError) {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | (isNew ? O_EXCL : 0), 0o600)
    guard file >= 0 else {
      throw StoreError(
        .cannotOpen, "cannot open the database \(path): \(String(cString: strerror(errno)))")
    }
    close(file)
  }

  /// Runs a body that only reads, on the connection with the fewest others before it.
  func read<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    let reader = readers.min { $0.readsUnderWay < $1.readsUnderWay } ?? writer
    return try await reader.read { try body(SQLiteSession(connection: $0)) }
  }

  /// A few pages, nearly always in memory: to go to another thread and back would cost many times as
  /// much.
  func readFewRows<T: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    for reader in readers {
      let value = try reader.readNow { try body(SQLiteSession(connection: $0)) }
      if let value { return value }
    }
    return try await read(body)
  }

  func write<T: Sendable>(
    repeatable: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await writer.write { try body(SQLiteSession(connection: $0)) }
  }

  var dialect: SQLDialect { .sqlite }

  /// There is one node only.
  func announce() {}
  package func announcements() -> AsyncStream<Void>? { nil }

  func purgeOverwrittenData() async throws(StoreError) {
    // The log still holds the page.
    try await checkpointer.emptyLog()
  }

  package func probe() async throws(StoreError) {
    _ = try await read { db in try db.row("SELECT 1") { _ in } }
    guard !writer.hasJustWritten else { return }
    try await write { db in
      try db.run("INSERT INTO probes VALUES (zeroblob(16384))", [])
      try db.run("DELETE FROM probes", [])
    }
  }

  /// One file is one machine's, and so is the clock.
  func clockOffset(from now: Timestamp, _ db: any SQLConnection) -> Duration { .zero }

  /// Whether a file has this version's schema; what opening would refuse is refused here too, and
  /// nothing is changed.
  package static func isCurrent(path: String) throws(StoreError) -> Bool {
    do {
      let connection = try SQLiteConnection(path: path, busyTimeout: .seconds(5))
      return try SQLiteMigrations.areDone(on: connection, path: path)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(error, path: path)
    }
  }

  private static func connect(
    _ path: String, _ busyTimeout: Duration, cacheMiB: Int
  ) throws -> sending SQLiteConnection {
    let connection = try SQLiteConnection(path: path, busyTimeout: busyTimeout)
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
