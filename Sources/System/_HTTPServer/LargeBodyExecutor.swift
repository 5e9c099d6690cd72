import Glibc
import _EventLoop

/// One thread, of low priority, for the handlers of large bodies.
///
/// Whoever reads a body of a megabyte computes for many milliseconds without a pause. On the runtime's own threads, one for
/// each processor, a few such bodies would keep every other request waiting.
final class LargeBodyExecutor: TaskExecutor {
  /// How much the other threads of the process precede this one.
  static let niceness: Int32 = 10

  private let loop: EventLoop

  init() throws(SystemError) {
    loop = try EventLoop(name: "martlet-bodies")
    // On Linux the priority is one of the calling thread.
    _ = loop.schedule(at: .now) {
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    _ = loop.schedule(at: .now) { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
