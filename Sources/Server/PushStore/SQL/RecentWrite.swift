import Synchronization

/// What the database did with the last writes, so that a probe need not write, and does not trust a small write where
/// others find no room.
struct RecentWrite: ~Copyable, Sendable {
  private static let span = Duration.seconds(1)
  /// For how long the disk counts as full after a write that found no room: a small one may find some.
  private static let problemSpan = Duration.seconds(10)

  /// When the database took the last write; `nil` where it did not take it.
  private let time = Mutex<ContinuousClock.Instant?>(nil)
  private let refusal = Mutex<(error: StoreError, at: ContinuousClock.Instant)?>(nil)

  /// Whether the database took the last write, and that within a second.
  var isKnown: Bool { time.withLock { $0.map { ContinuousClock.now - $0 < Self.span } ?? false } }

  /// Why the disk took no write within the last ten seconds; `nil` where it took every one.
  func problem(at now: ContinuousClock.Instant = .now) -> StoreError? {
    refusal.withLock { $0.flatMap { now - $0.at < Self.problemSpan ? $0.error : nil } }
  }

  func succeeded() { time.withLock { $0 = .now } }

  func failed(_ error: StoreError? = nil, at now: ContinuousClock.Instant = .now) {
    time.withLock { $0 = nil }
    if let error, error.code == .unwritable { refusal.withLock { $0 = (error, now) } }
  }
}
