import CLinux
import Dispatch

/// A serial queue for work that computes for long or waits for a disk, on threads that do not
/// interrupt those of event loops.
///
/// Linux lets a thread that becomes ready interrupt another one that has run for longer. A thread
/// that reads a thousand rows at a time would so interrupt the thread of a connection at each read,
/// while the peer of the connection waits. Under `SCHED_BATCH` (sched(7)) it begins where a
/// processor is free, or when the other thread has had its share.
package struct WorkQueue: Sendable {
  private let queue: DispatchQueue

  /// Makes a queue; debuggers show its label.
  package init(label: String) { queue = DispatchQueue(label: label) }

  /// Runs work after that which was passed before, without waiting for it.
  package func async(_ work: @escaping @Sendable () -> Void) {
    queue.async {
      martlet_schedule_as_batch()
      work()
    }
  }
}
