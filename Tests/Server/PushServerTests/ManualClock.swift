import PushModel
import Synchronization

@testable import PushServer

/// Time that moves when a test says so.
final class ManualClock: Sendable {
  private struct State {
    var now = Timestamp(milliseconds: 1_700_000_000_000)
    var sleepers: [Int: (until: Timestamp, wake: CheckedContinuation<Void, any Error>)] = [:]
    var nextID = 0
  }

  private let state = Mutex(State())

  var now: Timestamp { state.withLock(\.now) }
  /// The number of tasks that sleep.
  var sleeperCount: Int { state.withLock(\.sleepers.count) }
  /// The time at which the next task wakes; `nil` if none sleeps.
  var nextWaking: Timestamp? { state.withLock { $0.sleepers.values.map(\.until).min() } }

  var serverClock: ServerClock {
    ServerClock(now: { self.now }, sleep: { try await self.sleep($0) })
  }

  /// Sets the clock, while the sleeps last as long as before.
  func set(ahead duration: Duration) {
    state.withLock { state in
      state.now = state.now + duration
      state.sleepers = state.sleepers.mapValues { ($0.until + duration, $0.wake) }
    }
  }

  func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now + duration
      let due = state.sleepers.filter { $0.value.until <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.map(\.wake)
    }
    for wake in due { wake.resume() }
  }

  private func sleep(_ duration: Duration) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wake in
        let isOver = state.withLock { state in
          if Task.isCancelled { return true }
          state.sleepers[id] = (state.now + duration, wake)
          return false
        }
        if isOver { wake.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id)?.wake }?
        .resume(throwing: CancellationError())
    }
  }
}
