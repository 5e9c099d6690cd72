import Synchronization

/// Whether the database took a write a short while ago, so that nobody need write to it to find out.
struct RecentWrite: ~Copyable, Sendable {
  private static let span = Duration.seconds(1)

  /// When it last took one; `nil` where it did not take the last.
  private let time = Mutex<ContinuousClock.Instant?>(nil)

  var isKnown: Bool { time.withLock { $0.map { ContinuousClock.now - $0 < Self.span } ?? false } }

  func succeeded() { time.withLock { $0 = .now } }

  func failed() { time.withLock { $0 = nil } }
}
