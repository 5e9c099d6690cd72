import Glibc
import _EventLoop

/// An executor for the handlers of large bodies, with one thread of low priority.
///
/// Reading a body of a megabyte takes many milliseconds without a pause. On the runtime's own threads, one for each
/// processor, a few such bodies would keep all other requests waiting.
final class LargeBodyExecutor: TaskExecutor {
  /// The niceness of this thread, by which the other threads of the process go first.
  static let niceness: Int32 = 10

  private let loop: EventLoop

  init() throws(SystemError) {
    loop = try EventLoop(name: "martlet-bodies")
    // On Linux, the priority is set for the calling thread.
    _ = loop.schedule(at: .now) {
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    _ = loop.schedule(at: .now) { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
