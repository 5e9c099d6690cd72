import Synchronization
import _SQLite

/// Moves the write-ahead log into the file beside the writer, so that no commit waits for it.
final class Checkpointer: Sendable {
  /// Pages of 4 KiB in the log that are worth it, and how many there may be before the writer does it
  /// itself: only then, when it has nothing to add, does the log start over.
  private static let (worth, limit) = (4096, 32768)

  private let queue: DatabaseQueue
  private let isUnderWay = Atomic(false)

  init(_ connection: sending SQLiteConnection) {
    queue = DatabaseQueue(connection, label: "martlet.store.checkpointer")
  }

  /// Moves all of the log, which is then empty; waits for those that read or write.
  func emptyLog() async throws(StoreError) {
    try await queue.read { db in try db.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
  }

  /// Called between two commits.
  ///
  /// What fails is tried again after a later one.
  func logGrew(to pages: Int, _ writer: SQLiteConnection) {
    if pages >= Self.limit {
      try? writer.checkpoint()
    } else if pages >= Self.worth, !isUnderWay.exchange(true, ordering: .relaxed) {
      queue.runLater { connection in
        try? connection.checkpoint()
        self.isUnderWay.store(false, ordering: .relaxed)
      }
    }
  }
}
