import PushPayload

/// A queue that starts each job when the one before calls `done` (rule `serial-queue`).
final class SerialQueue: Sendable {
  typealias Job = @Sendable (_ done: @escaping @Sendable () -> Void) -> Void

  private struct State: Sendable {
    var isBusy = false
    var waiting: [Job] = []
  }

  private let state = Locked(State())

  func add(_ job: @escaping Job) {
    let isFree = state.withLock { state in
      guard state.isBusy else {
        state.isBusy = true
        return true
      }
      state.waiting.append(job)
      return false
    }
    if isFree { begin(job) }
  }

  private func begin(_ job: Job) { job { self.next() } }

  private func next() {
    let job: Job? = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isBusy = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    job.map(begin)
  }
}
