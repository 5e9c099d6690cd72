import Synchronization
import _PostgreSQL

/// A notifier that tells the other nodes through the database that there may be work.
///
/// A transaction with a `NOTIFY` locks out all other such transactions while it commits. So each notification has its
/// own transaction, which does not wait for the disk. One notification stands for all announcements that were made
/// during the previous one.
final class PostgreSQLNotifier: Sendable {
  private static let channel = "martlet_queue"

  private enum Announcing { case idle, underWay, askedAgain }

  private let url: String
  private let pool: PostgreSQLPool
  private let state = Mutex(Announcing.idle)

  init(url: String) {
    self.url = url
    pool = PostgreSQLPool(
      url: url, size: 1, patience: .zero,
      setUp: { db throws(PostgreSQLError) in try db.execute("SET synchronous_commit = off") })
  }

  /// Sends a notification soon, without waiting for it.
  func announce() {
    let isFirst = state.withLock { state in
      defer { state = state == .idle ? .underWay : .askedAgain }
      return state == .idle
    }
    guard isFirst else { return }
    Task {
      repeat {
        // After a lost notification, the other nodes find the work when they poll.
        _ = try? await pool.run { db in try db.execute("NOTIFY \(Self.channel)") }
      } while isAskedAgain()
    }
  }

  private func isAskedAgain() -> Bool {
    state.withLock { state in
      defer { state = state == .askedAgain ? .underWay : .idle }
      return state == .askedAgain
    }
  }

  /// A stream with an element after each notification; it ends with the task that reads it.
  func announcements() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let listener = PostgreSQLListener(url: url, channel: Self.channel) { continuation.yield() }
    continuation.onTermination = { _ in listener.stop() }
    return stream
  }
}
