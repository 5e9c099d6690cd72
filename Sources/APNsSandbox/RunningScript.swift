import Synchronization

/// The script that all of a sandbox's threads go by.
final class RunningScript: Sendable {
  private struct State {
    var script = FaultScriptState(FaultScript())
    var start = ContinuousClock.now
    var requestCount = 0
  }

  private let state = Mutex(State())
  private let isEmpty = Atomic(true)

  /// Begins another script, and says when something of it happens without a request.
  func begin(_ script: FaultScript) -> (start: ContinuousClock.Instant, moments: [Duration]) {
    state.withLock { state in
      state = State(script: FaultScriptState(script))
      isEmpty.store(state.script.isEmpty, ordering: .relaxed)
      return (state.start, state.script.moments)
    }
  }

  /// Counts a request, and says what it meets.
  func onRequest(_ request: SandboxRequest) -> [FaultScriptState.Due] {
    if isEmpty.load(ordering: .relaxed) { return [] }
    let token = request.token ?? ""
    return state.withLock { state in
      state.requestCount += 1
      return state.script.onRequest(
        state.requestCount, token: token, elapsed: .now - state.start)
    }
  }

  /// What happens by itself at a time since the start.
  func onTime(_ moment: Duration) -> [FaultScriptState.Due] {
    state.withLock { $0.script.onTime(moment) }
  }
}
