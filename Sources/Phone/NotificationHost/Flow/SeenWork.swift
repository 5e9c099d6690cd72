import Dispatch
import PushPayload
import RichNotifications
import _Spawn

/// The work of one run in this process that the clock sees: calls of the extension, its blocks in queues, and the
/// jobs of its tasks.
///
/// Virtual time does not jump while such work waits for its turn or runs, unless it waits for another thread.
final class SeenWork: Sendable {
  struct State: Sendable {
    /// The threads on which the host calls the extension.
    var calls: Set<Int32> = []
    /// The threads that run a block or a job.
    var threads: Set<Int32> = []
    /// The number of blocks and jobs that have not begun.
    var queued = 0
    /// Whether a watch asks for this work.
    fileprivate var isWatched = false
  }

  fileprivate let scope: RunScope
  private let locked = Locked(State())

  init(_ scope: RunScope) { self.scope = scope }

  var state: State { locked.withLock { $0 } }

  /// Starts watching blocks and jobs.
  func beginWatch() { locked.withLock { $0.isWatched = true } }

  /// Calls the extension on the calling thread, which is new.
  func call<Result>(_ body: () -> Result) -> Result {
    let thread = HostThreads.current
    locked.withLock { _ = $0.calls.insert(thread) }
    defer { locked.withLock { _ = $0.calls.remove(thread) } }
    return body()
  }

  /// Notes that a block or job waits for its turn.
  ///
  /// - Returns: A function that runs it; `nil` if the clock does not wait for it.
  func submit() -> (@Sendable (_ body: () -> Void) -> Void)? {
    guard scope.hostClock is VirtualClock, !scope.hasEnded else { return nil }
    let isNeeded = locked.withLock { state in
      if state.isWatched { state.queued += 1 }
      return state.isWatched
    }
    guard isNeeded else { return nil }
    let hold = scope.clock.holdForCall(freezeLimit: InProcessExtension.freezeLimit)
    return { body in
      self.run(body)
      hold.release()
    }
  }

  private func run(_ body: () -> Void) {
    let thread = HostThreads.current
    // A block may run within another one, for example in a run loop.
    let isFirst = locked.withLock { state in
      state.queued -= 1
      return state.threads.insert(thread).inserted
    }
    body()
    if isFirst { locked.withLock { _ = $0.threads.remove(thread) } }
  }
}

/// An executor of an extension's tasks whose jobs the clock sees, and which runs no task after the end of the run.
final class SeenExecutor: TaskExecutor {
  private let work: SeenWork

  init(_ work: SeenWork) { self.work = work }

  func enqueue(_ job: consuming ExecutorJob) {
    let quality = DispatchQoS.QoSClass(job.priority)
    let job = UnownedJob(job)
    let run = work.submit()
    DispatchQueue.global(qos: quality).async(group: nil) {
      let body = { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
      let isRun: Void? = self.work.scope.enter { run?(body) ?? body() }
      if isRun == nil, !job.isOfTask { body() }
    }
  }
}

extension UnownedJob {
  /// Whether the job continues one task, as its description says, and is not that of an actor with waiting tasks.
  ///
  /// A dropped job of a task ends the task, but a dropped one of an actor would lock the actor for all later runs.
  fileprivate var isOfTask: Bool {
    description.split(separator: "(id: ").last.flatMap { Int($0.dropLast()) } != nil
  }
}

extension DispatchQoS.QoSClass {
  /// The class with which the runtime runs a job of a priority.
  fileprivate init(_ priority: JobPriority) {
    self =
      switch TaskPriority(priority) {
      case .some(let priority) where priority >= .userInitiated: .userInitiated
      case .some(let priority) where priority < .low: .background
      case .some(let priority) where priority < .medium: .utility
      default: .default
      }
  }
}
