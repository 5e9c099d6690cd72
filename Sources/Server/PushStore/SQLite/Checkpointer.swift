import PushModel
import Synchronization
import _SQLite

/// A checkpointer of the write-ahead log with its own connection, so that no commit waits for a checkpoint.
final class Checkpointer: Sendable {
  /// The number of 4 KiB pages in the log at which it is checkpointed.
  private static let threshold = 4096
  /// The number of pages at which the writer itself checkpoints the log, because SQLite restarts the log only if
  /// nothing is written meanwhile.
  private static let limit = 32768

  private let queue: DatabaseQueue
  private let isUnderWay = Atomic(false)

  init(_ connection: sending SQLiteConnection, runner: DatabaseQueue.Runner?) {
    queue = DatabaseQueue(connection, label: "martlet.store.checkpointer", runner: runner)
  }

  /// Checkpoints the whole log and empties it, after waiting for readers and the writer.
  ///
  /// - Throws: ``StoreError/Code/locked`` if a reader, such as a backup, goes on for longer than the busy timeout.
  func emptyLog() async throws(StoreError) {
    // SQLite reports a reader that holds the log in a row, not as an error.
    let isBlocked = try await queue.read { db in
      try db.row("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) } != 0
    }
    guard isBlocked else { return }
    throw StoreError(
      .locked,
      "the change is stored, but its old value stays in the database's log while another reader, such as"
        + " a backup, goes on; make the change again when it has ended")
  }

  /// Checkpoints the log if it has grown enough; the writer calls this between two commits.
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
