import Synchronization
import _SQLite

/// Checkpoints the write-ahead log on a connection of its own, so that no commit waits for it.
final class Checkpointer: Sendable {
  /// The pages of 4 KiB in the log from which it is checkpointed.
  private static let threshold = 4096
  /// The pages in the log from which the writer itself checkpoints it, for SQLite restarts the log
  /// only when nothing is written meanwhile.
  private static let limit = 32768

  private let queue: DatabaseQueue
  private let isUnderWay = Atomic(false)

  init(_ connection: sending SQLiteConnection) {
    queue = DatabaseQueue(connection, label: "martlet.store.checkpointer")
  }

  /// Checkpoints the whole log and empties it; waits for readers and the writer.
  func emptyLog() async throws(StoreError) {
    try await queue.read { db in try db.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
  }

  /// Checkpoints the log where it has grown enough; called between two commits.
  ///
  /// A checkpoint that fails is repeated after a later commit.
  func logGrew(to pages: Int, _ writer: SQLiteConnection) {
    if pages >= Self.limit {
      try? writer.checkpoint()
    } else if pages >= Self.threshold, !isUnderWay.exchange(true, ordering: .relaxed) {
      queue.runLater { connection in
        try? connection.checkpoint()
        self.isUnderWay.store(false, ordering: .relaxed)
      }
    }
  }
}
