import Foundation
import PushPayload
import Synchronization
import _SQLite

/// A store in one SQLite file: write-ahead log, every commit synced, one writer with group commit, and
/// readers beside it.
///
/// The file holds people's tokens and attributes, so it is made readable by its owner only (0600),
/// and SQLite makes the log beside it alike.
package final class SQLitePushStore: PushStore {
  package let path: String
  package let writer: DatabaseQueue
  private let readers: [DatabaseQueue]
  /// How many connections read at the same time.
  private static let readerCount = 4

  /// Opens the file, makes it where it is absent, and brings it to this version's schema.
  ///
  /// Its directory must exist. `busyTimeout` is how long to wait for another process's lock.
  package init(path: String, busyTimeout: Duration = .seconds(5)) throws(StoreError) {
    self.path = path
    try Self.makeFile(path)
    do {
      let writing = try Self.connect(path, busyTimeout, cacheMiB: 32)
      try Migrations.run(on: writing, path: path)
      writer = DatabaseQueue(writing, label: "martlet.store.writer")
      readers = try (0..<Self.readerCount).map { number in
        DatabaseQueue(
          try Self.connect(path, busyTimeout, cacheMiB: 8), label: "martlet.store.reader.\(number)")
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
    _ body: @escaping @Sendable (SQLiteConnection) throws -> T
  ) async throws(StoreError) -> T {
    let reader = readers.min { $0.readsUnderWay < $1.readsUnderWay } ?? writer
    return try await reader.read(body)
  }

  /// Whether a file has this version's schema; what opening would refuse is refused here too, and
  /// nothing is changed.
  package static func isCurrent(path: String) throws(StoreError) -> Bool {
    do {
      let connection = try SQLiteConnection(path: path, busyTimeout: .seconds(5))
      return try Migrations.areDone(on: connection, path: path)
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
    try connection.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
      PRAGMA cache_size = -\(cacheMiB * 1024); PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON;
      """)
    return connection
  }
}

extension SQLiteValue {
  static func time(_ time: Timestamp) -> SQLiteValue { .integer(time.milliseconds) }
  static func time(_ time: Timestamp?) -> SQLiteValue { .optional(time?.milliseconds) }
  static func json(_ value: JSONValue) -> SQLiteValue {
    .text(String(decoding: value.serialized(), as: UTF8.self))
  }
}

extension SQLiteRow {
  func time(_ column: Int32) -> Timestamp { Timestamp(milliseconds: integer(column)) }
  func optionalTime(_ column: Int32) -> Timestamp? {
    optionalInteger(column).map(Timestamp.init(milliseconds:))
  }
  /// What the store wrote is JSON.
  func json(_ column: Int32) -> JSONValue { (try? JSONValue(parsing: text(column))) ?? .null }
}
