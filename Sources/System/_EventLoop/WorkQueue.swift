import CLinux
import Dispatch

/// A serial queue for work that computes for long or waits for a disk, in place of a thread of
/// Swift concurrency.
///
/// Linux lets a thread that becomes ready interrupt another one that has run for longer. A thread
/// that reads a thousand rows at a time would so interrupt the thread of a connection at each read,
/// while the peer of the connection waits. A thread that yields runs under `SCHED_BATCH` (sched(7)):
/// it begins where a processor is free, or when the other thread has had its share.
package struct WorkQueue: Sendable {
  private let queue: DispatchQueue
  private let yields: Bool

  /// Makes a queue, whose label debuggers show.
  ///
  /// `yields` says whether its threads interrupt no others.
  package init(label: String, yields: Bool) {
    queue = DispatchQueue(label: label)
    self.yields = yields
  }

  /// Runs work after that which was passed before, without waiting for it.
  package func async(_ work: @escaping @Sendable () -> Void) {
    queue.async {
      martlet_schedule_as_batch(yields)
      work()
    }
  }
}
