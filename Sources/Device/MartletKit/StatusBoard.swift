import PushPayload

/// The status, and those who want to know of its changes.
final class StatusBoard: Sendable {
  /// The most problems with single events that are remembered.
  private static let problemLimit = 20

  private struct State {
    var status = PushStatus(.off)
    var refused: [String: DeviceRecord.Refusal] = [:]
    var others: [PushStatus.Problem] = []
    var listeners: [Int: AsyncStream<PushStatus>.Continuation] = [:]
    var nextNumber = 0
  }

  private let state = Locked(State())

  var status: PushStatus { state.withLock(\.status) }

  /// Sets the state, adds a problem, and replaces the refusals; `nil` leaves the earlier refusals.
  func publish(
    _ newState: PushStatus.State, _ problem: PushStatus.Problem? = nil,
    refused: [String: DeviceRecord.Refusal]? = nil
  ) {
    state.withLock { state in
      if let refused { state.refused = refused }
      if let problem, !state.others.contains(problem), !problem.path.hasPrefix("$") {
        state.others = state.others.suffix(Self.problemLimit - 1) + [problem]
      }
      var problems = state.refused.sorted { $0.key < $1.key }.map { key, refusal in
        PushStatus.Problem(path: MemberKey.path(of: key), reason: refusal.reason)
      }
      problems += state.others
      let status = PushStatus(newState, problems: problems)
      guard status != state.status else { return }
      state.status = status
      for listener in state.listeners.values { listener.yield(status) }
    }
  }

  /// Adds a problem that does not come from a request.
  func note(_ problem: PushStatus.Problem) { publish(status.state, problem) }

  func stream() -> AsyncStream<PushStatus> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let number = state.withLock { state in
        state.nextNumber += 1
        state.listeners[state.nextNumber] = continuation
        continuation.yield(state.status)
        return state.nextNumber
      }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { $0.listeners[number] = nil }
      }
    }
  }
}
