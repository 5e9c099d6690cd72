import Synchronization

/// The pauses of one node between attempts, and whether the node stops.
final class NodePauses: Sendable {
  private struct State {
    var isStopping = false
    var tasks: [Task<Void, Never>] = []
  }

  private let clock: ServerClock
  private let state = Mutex(State())

  init(clock: ServerClock) { self.clock = clock }

  var isStopping: Bool { state.withLock(\.isStopping) }

  /// Ends the pauses that have begun.
  func stop() {
    let tasks = state.withLock { state in
      state.isStopping = true
      return state.tasks
    }
    for task in tasks { task.cancel() }
  }

  /// Waits for a pause, which ``stop()`` ends early.
  ///
  /// A pause that begins after ``stop()`` is whole, so that the last attempts of a stopping node are not made at once.
  ///
  /// - Throws: `CancellationError` if the current task is cancelled.
  func wait(_ pause: Duration) async throws {
    let task = state.withLock { state in
      let task = Task<Void, Never> { [clock] in _ = try? await clock.sleep(pause) }
      if !state.isStopping { state.tasks.append(task) }
      return task
    }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    state.withLock { $0.tasks.removeAll { $0 == task } }
    try Task.checkCancellation()
  }
}
