import Synchronization

/// The fault script that is running, shared by the sandbox's threads.
final class RunningScript: Sendable {
  private struct State {
    var script = FaultScriptState(FaultScript())
    var start = ContinuousClock.now
    var requestCount = 0
  }

  private let state = Mutex(State())
  private let isEmpty = Atomic(true)

  /// Starts another script, and returns its start and the times of faults that need no request.
  func begin(_ script: FaultScript) -> (start: ContinuousClock.Instant, moments: [Duration]) {
    state.withLock { state in
      state = State(script: FaultScriptState(script))
      isEmpty.store(state.script.isEmpty, ordering: .relaxed)
      return (state.start, state.script.moments)
    }
  }

  /// Counts a request, and returns the faults that apply to it.
  func onRequest(_ request: SandboxRequest) -> [FaultScriptState.Due] {
    if isEmpty.load(ordering: .relaxed) { return [] }
    let token = request.token ?? ""
    return state.withLock { state in
      state.requestCount += 1
      return state.script.onRequest(
        state.requestCount, token: token, elapsed: .now - state.start)
    }
  }

  /// Returns the faults that apply at a time since the start without a request.
  func onTime(_ moment: Duration) -> [FaultScriptState.Due] {
    state.withLock { $0.script.onTime(moment) }
  }
}
