import CDeterminism

/// The jobs of Swift concurrency that one thread enqueues, in place of the threads of the global executor.
///
/// A job is a piece of a task between two points at which it may wait. The thread chooses which one runs next, so the
/// same choices give the same run. Jobs of a `@MainActor`, the sleep of `Task.sleep`, and what a Dispatch queue or
/// another thread resumes are not caught.
package enum CapturedJobs {
  /// Keeps the jobs that this thread enqueues while a body runs.
  ///
  /// - Parameter body: What runs the jobs.
  /// - Returns: The body's value.
  package static func capture<T>(_ body: () throws -> T) rethrows -> T {
    martlet_jobs_capture(1)
    defer { martlet_jobs_capture(0) }
    return try body()
  }

  /// The number of jobs that wait.
  package static var count: Int { martlet_jobs_count() }

  /// Runs the job at an index of those that wait, of which the earliest is the first.
  package static func run(at index: Int) {
    guard let job = unsafe martlet_jobs_take(index) else { return }
    unsafe unsafeBitCast(job, to: UnownedJob.self)
      .runSynchronously(on: executor.asUnownedTaskExecutor())
  }

  private static let executor = Executor()

  /// The executor that jobs run on, to which `Task.yield` gives them back.
  private final class Executor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      unsafe martlet_jobs_add(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
    }
  }

  /// Forgets all jobs that wait. Their tasks never go on.
  package static func forget() { martlet_jobs_forget() }
}

/// OpenSSL's random bytes on this thread, of which ids and keys are made.
package enum RandomBytes {
  /// Lets the bytes follow from a seed.
  package static func seed(_ seed: UInt64) { martlet_random_seed(seed) }
}
