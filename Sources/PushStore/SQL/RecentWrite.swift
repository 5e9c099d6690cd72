import Synchronization

/// Whether the database took the last write, and that within a second, so that a probe need not
/// write.
struct RecentWrite: ~Copyable, Sendable {
  private static let span = Duration.seconds(1)

  /// When the database took the last write; `nil` where it did not take it.
  private let time = Mutex<ContinuousClock.Instant?>(nil)

  var isKnown: Bool { time.withLock { $0.map { ContinuousClock.now - $0 < Self.span } ?? false } }

  func succeeded() { time.withLock { $0 = .now } }

  func failed() { time.withLock { $0 = nil } }
}
