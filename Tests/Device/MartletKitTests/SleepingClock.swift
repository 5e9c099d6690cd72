import Foundation
import PushPayload

@testable import MartletKit

/// A clock whose sleepers wake when a test says so.
final class SleepingClock: Sendable {
  private struct Sleeper {
    let number: Int
    let duration: Int64
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var sleepers: [Sleeper] = []
    var next = 0
  }

  private let state = Locked(State())

  /// How long those who sleep want to, in milliseconds.
  var sleeping: [Int64] { state.withLock { $0.sleepers.map(\.duration) } }

  /// Wakes all.
  func wake() {
    let sleepers = state.withLock { state in
      defer { state.sleepers = [] }
      return state.sleepers
    }
    for sleeper in sleepers { sleeper.continuation.resume() }
  }

  func sleep(_ duration: Int64) async throws {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCanceled = state.withLock { state in
          if Task.isCancelled { return true }
          state.sleepers.append(
            Sleeper(number: number, duration: duration, continuation: continuation))
          return false
        }
        if isCanceled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let index = state.sleepers.firstIndex { $0.number == number }
        return index.map { state.sleepers.remove(at: $0) }
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
