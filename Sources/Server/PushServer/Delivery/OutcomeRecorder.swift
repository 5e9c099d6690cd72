import PushModel
import Synchronization

/// The storing of one node's outcomes, which is repeated until the store accepts them.
///
/// A push cannot be taken back, so its outcome is kept until then.
final class OutcomeRecorder: Sendable {
  /// The first and the longest pause between two attempts; each pause is twice the previous one.
  static let firstPause = Duration.seconds(1)
  private static let longestPause = Duration.seconds(15)
  /// The number of attempts of a stopping node.
  private static let lastAttempts = 3
  /// The number of times that the store refuses a batch's outcomes, outages not counted, until the send is paused.
  static let refusalLimit = 5

  private let store: any PushStore
  private let clock: ServerClock
  private let metrics: ServerMetrics
  private let warnings: WarningLog
  private let pauses: NodePauses
  private let log: @Sendable (String) -> Void
  /// The number of batches whose outcomes the store currently does not accept.
  private let unstoredBatches = Mutex(0)

  init(
    store: any PushStore, clock: ServerClock, metrics: ServerMetrics, warnings: WarningLog,
    pauses: NodePauses, log: @escaping @Sendable (String) -> Void
  ) {
    self.store = store
    self.clock = clock
    self.metrics = metrics
    self.warnings = warnings
    self.pauses = pauses
    self.log = log
  }

  /// Whether outcomes wait for the store, which would not accept those of more pushes either.
  var isWaiting: Bool { unstoredBatches.withLock { $0 > 0 } }

  /// Stores Apple's answers to a batch, and tries again while the store does not accept them.
  ///
  /// A send whose outcomes the store refuses again and again is paused or stopped. Otherwise its pushes would be
  /// repeated without end.
  ///
  /// - Throws: ``StoreError`` if the node stops before the store accepts the outcomes, or `CancellationError`.
  func record(_ delivery: Delivery, of batch: Batch) async throws {
    var pause = Self.firstPause
    var attemptsLeft = Self.lastAttempts
    var refusals = 0
    var isCounted = false
    defer { if isCounted { unstoredBatches.withLock { $0 -= 1 } } }
    while true {
      do throws(StoreError) {
        return try await attempt(delivery, of: batch, isLast: refusals + 1 >= Self.refusalLimit)
      } catch {
        if pauses.isStopping { attemptsLeft -= 1 }
        guard attemptsLeft > 0 else { throw error }
        if !error.isTransient { refusals += 1 }
        log("notification \(batch.send.id): the outcomes of a batch cannot be stored: \(error)")
      }
      if !isCounted {
        isCounted = true
        unstoredBatches.withLock { $0 += 1 }
      }
      try await pauses.wait(pause)
      pause = pauses.isStopping ? Self.firstPause : min(pause * 2, Self.longestPause)
    }
  }

  /// Stores the outcomes, or ends a batch whose outcomes cannot be stored.
  ///
  /// `isLast` says whether the send is paused if the store refuses the outcomes.
  private func attempt(
    _ delivery: Delivery, of batch: Batch, isLast: Bool
  ) async throws(StoreError) {
    let now = clock.now()
    do throws(StoreError) {
      let end = try await store.finish(
        batch, outcomes: delivery.outcomes, retries: delivery.retries(at: now),
        alarm: delivery.pauseReason, at: now)
      logPause(end, of: batch)
      if let reason = end.doubt { warnings.report(.doubt, app: batch.send.app, reason) }
      metrics.left(unmarked: end.unmarked)
      metrics.finished(delivery.outcomes)
      if end.isComplete, batch.send.throttlePerSecond == nil, let due = batch.send.startTime {
        metrics.sentLast(after: max(.zero, now.since(due)))
      }
    } catch {
      if error.code == .damaged {
        // No later attempt can read the row.
        try await store.stop(batch, because: error.message, at: now)
        log("notification \(batch.send.id) is stopped: \(error.message)")
      } else if isLast, !error.isTransient {
        let all = Retry(
          DeviceNumbers(batch.targets.map(\.number)), dueAt: now, mayHaveArrived: true)
        let reason = """
          Apple's answers cannot be stored: \(error.message). Mend this, then resume: \
          \(batch.targets.count) devices get the same push again
          """
        let end = try await store.finish(
          batch, outcomes: [], retries: [all], alarm: reason, at: now)
        logPause(end, of: batch)
      } else {
        throw error
      }
    }
  }

  private func logPause(_ end: BatchEnd, of batch: Batch) {
    if let reason = end.pause { log("notification \(batch.send.id) is paused: \(reason)") }
  }
}

extension Send {
  /// The time from which the send's duration is measured; `nil` if each device has its own time.
  var startTime: Timestamp? {
    isLocalTime ? nil : max(createdAt, scheduledAt ?? createdAt)
  }
}
