import NotificationPreview
import Synchronization

/// An answer that arrives later; any number of previews may wait for it, each with its own time limit.
final class PendingAnswer: Sendable {
  private struct Waiter {
    var continuation: CheckedContinuation<MediaAnswer?, Never>
    var timer: Task<Void, Never>
  }

  private struct State {
    var answer: MediaAnswer?
    var waiters: [Int: Waiter] = [:]
    var lastID = 0
  }

  private let clock: ServerClock
  private let state = Mutex(State())

  init(clock: ServerClock) { self.clock = clock }

  /// Gives the answer to current and later waiters.
  func fulfill(_ answer: MediaAnswer) {
    let waiters = state.withLock { state in
      state.answer = answer
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters {
      waiter.timer.cancel()
      waiter.continuation.resume(returning: answer)
    }
  }

  /// Waits for the answer.
  ///
  /// - Returns: The answer; `nil` if it did not arrive within `limit`.
  func value(within limit: Duration) async -> MediaAnswer? {
    await withCheckedContinuation { continuation in
      let known: MediaAnswer?? = state.withLock { state in
        if let answer = state.answer { return .some(answer) }
        guard limit > .zero else { return .some(nil) }
        state.lastID += 1
        let id = state.lastID
        let timer = Task { [clock] in
          guard (try? await clock.sleep(limit)) != nil else { return }
          self.giveUp(id)
        }
        state.waiters[id] = Waiter(continuation: continuation, timer: timer)
        return nil
      }
      if let known { continuation.resume(returning: known) }
    }
  }

  private func giveUp(_ id: Int) {
    state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume(returning: nil)
  }
}
