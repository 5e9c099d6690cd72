import Dispatch

/// One thread for the handlers of large bodies.
///
/// Whoever reads a body of a megabyte computes for many milliseconds without a pause. On the runtime's own threads, one for
/// each processor, a few such bodies would keep every other request waiting; between threads the system divides the time.
final class LargeBodyExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "martlet.large-bodies")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
