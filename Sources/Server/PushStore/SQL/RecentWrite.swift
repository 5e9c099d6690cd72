import PushModel
import Synchronization

/// The results of recent writes, for probes.
///
/// After a recent write, a probe need not write itself. It also does not trust its own small write after larger
/// writes have found the disk full.
struct RecentWrite: ~Copyable, Sendable {
  private static let span = Duration.seconds(1)
  /// The time for which the disk counts as full after a write found no room, although a small write may still
  /// succeed.
  private static let problemSpan = Duration.seconds(10)

  /// The time at which the database took the last write; `nil` if that write failed or was never made.
  private let time = Mutex<ContinuousClock.Instant?>(nil)
  private let refusal = Mutex<(error: StoreError, at: ContinuousClock.Instant)?>(nil)

  /// Whether the database took the last write within the last second.
  var isKnown: Bool { time.withLock { $0.map { ContinuousClock.now - $0 < Self.span } ?? false } }

  /// The error of a write that the disk refused within the last ten seconds; `nil` if it refused no write.
  func problem(at now: ContinuousClock.Instant = .now) -> StoreError? {
    refusal.withLock { $0.flatMap { now - $0.at < Self.problemSpan ? $0.error : nil } }
  }

  func succeeded() { time.withLock { $0 = .now } }

  func failed(_ error: StoreError? = nil, at now: ContinuousClock.Instant = .now) {
    time.withLock { $0 = nil }
    if let error, error.code == .unwritable { refusal.withLock { $0 = (error, now) } }
  }
}
