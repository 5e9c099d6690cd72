import CLinux
import Dispatch

/// A serial queue for long computations and disk access, which must not block a thread of Swift
/// concurrency.
///
/// Linux lets a thread that becomes ready interrupt another one that has run for longer. A thread
/// that reads a thousand rows at a time would therefore interrupt a connection's thread at each
/// read, while the connection's peer waits. A thread that yields runs under `SCHED_BATCH`
/// (sched(7)). It begins when a processor is free, or when the other thread has had its share.
package struct WorkQueue: Sendable {
  private let queue: DispatchQueue
  private let yields: Bool

  /// Makes a queue with a label that debuggers show.
  ///
  /// `yields` says whether its threads avoid interrupting others.
  package init(label: String, yields: Bool) {
    // On Linux each quality of service has threads of its own, so that no other queue gets a thread that yields.
    queue = DispatchQueue(label: label, qos: yields ? .utility : .unspecified)
    self.yields = yields
  }

  /// Runs work after earlier work, and returns without waiting for it.
  package func async(_ work: @escaping @Sendable () -> Void) {
    queue.async {
      martlet_schedule_as_batch(yields)
      work()
    }
  }
}
