import PushModel
import Synchronization

/// The renewal of a batch's lease while a node sends the batch.
final class LeaseRenewal: Sendable {
  /// The duration of a lease, after which another node takes over a dead node's batch.
  static let leaseDuration = Duration.seconds(30)
  /// The time without an answer from APNs after which a warning is logged.
  private static let answerTimeout = Duration.seconds(10)

  private let batch: Batch
  private let store: any PushStore
  private let clock: ServerClock
  private let warnings: WarningLog
  /// The time at which the batch's pushes were given to the APNs client; `nil` if none are in flight.
  let sentAt = Mutex<Timestamp?>(nil)

  init(of batch: Batch, in store: any PushStore, clock: ServerClock, warnings: WarningLog) {
    self.batch = batch
    self.store = store
    self.clock = clock
    self.warnings = warnings
  }

  /// Renews the lease until the task is cancelled, and logs a warning if APNs does not answer.
  func run() async {
    while (try? await clock.sleep(Self.leaseDuration / 3)) != nil {
      let now = clock.now()
      if let sentAt = sentAt.withLock(\.self), now.since(sentAt) >= Self.answerTimeout {
        warnings.report(
          .outage, app: batch.send.app,
          "Apple has not answered a batch of pushes for 10 s; they wait")
      }
      // If the store fails, the next round tries again.
      try? await store.extend(batch, at: now, until: now + Self.leaseDuration)
    }
  }
}
