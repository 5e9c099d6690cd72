import Synchronization
import _PostgreSQL

/// What nodes tell each other through the database: that there may be something to do.
///
/// A transaction that notifies holds a lock on all others that do until it is committed, so it is
/// one of its own, waits for no disk, and stands for all that was announced meanwhile.
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

  func announce() {
    let isFirst = state.withLock { state in
      defer { state = state == .idle ? .underWay : .askedAgain }
      return state == .idle
    }
    guard isFirst else { return }
    Task {
      repeat {
        // Lost, it costs the others the time until they look by themselves.
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

  /// Ends with the task that reads it.
  func announcements() -> AsyncStream<Void> {
    let (hints, rope) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let listener = PostgreSQLListener(url: url, channel: Self.channel) { rope.yield() }
    rope.onTermination = { _ in listener.stop() }
    return hints
  }
}
