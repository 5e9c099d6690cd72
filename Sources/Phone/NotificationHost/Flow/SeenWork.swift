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
    /// Whether the extension has replied or was killed.
    fileprivate var isOver = false
  }

  private let clock: any HostClock
  private let locked = Locked(State())

  init(clock: any HostClock) { self.clock = clock }

  var state: State { locked.withLock { $0 } }

  /// Starts watching blocks and jobs.
  func beginWatch() { locked.withLock { $0.isWatched = true } }

  /// Stops watching blocks and jobs, because the run is over.
  func endWatch() {
    locked.withLock { state in
      state.isOver = true
      // The later work of these threads must not count as work of another extension.
      for thread in state.calls.union(state.threads) { HostThreads.insert(thread) }
    }
  }

  /// Calls the extension on the calling thread, which is new.
  func call<Result>(_ body: () -> Result) -> Result {
    let thread = HostThreads.current
    locked.withLock { state in
      state.calls.insert(thread)
      if state.isOver { HostThreads.insert(thread) }
    }
    defer {
      locked.withLock { state in
        state.calls.remove(thread)
        HostThreads.remove(thread)
      }
    }
    return body()
  }

  /// Notes that a block or job waits for its turn.
  ///
  /// - Returns: A function that runs it; `nil` if the clock does not wait for it.
  func submit() -> (@Sendable (_ body: () -> Void) -> Void)? {
    guard let clock = clock as? VirtualClock else { return nil }
    let isNeeded = locked.withLock { state in
      guard state.isWatched, !state.isOver else { return false }
      state.queued += 1
      return true
    }
    guard isNeeded else { return nil }
    let hold = clock.holdForCall(freezeLimit: InProcessExtension.freezeLimit)
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
      guard !state.isOver else { return false }
      return state.threads.insert(thread).inserted
    }
    body()
    guard isFirst else { return }
    locked.withLock { state in
      state.threads.remove(thread)
      if state.isOver { HostThreads.remove(thread) }
    }
  }
}

/// An executor of an extension's tasks whose jobs the clock sees.
final class SeenExecutor: TaskExecutor {
  private let work: SeenWork

  init(_ work: SeenWork) { self.work = work }

  func enqueue(_ job: consuming ExecutorJob) {
    let quality = DispatchQoS.QoSClass(job.priority)
    let job = UnownedJob(job)
    let run = work.submit()
    DispatchQueue.global(qos: quality).async(group: nil) {
      let body = { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
      run?(body) ?? body()
    }
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
