import NotificationHost
import PushModel
import PushServer
import Synchronization

extension ServerClock {
  /// A server's clock that jumps with a virtual one.
  static func virtual(_ clock: VirtualClock) -> ServerClock {
    ServerClock(
      now: { Timestamp(milliseconds: 1_700_000_000_000) + clock.now },
      sleep: { duration in
        let sleep = VirtualSleep()
        try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { sleep.begin($0, for: duration, on: clock) }
        } onCancel: {
          sleep.end(throwing: CancellationError())
        }
      })
  }
}

/// One sleep on a virtual clock.
private final class VirtualSleep: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Void, any Error>?
    var isOver = false
  }

  private let state = Mutex(State())

  func begin(
    _ continuation: CheckedContinuation<Void, any Error>, for duration: Duration,
    on clock: VirtualClock
  ) {
    let isOver = state.withLock { state in
      if !state.isOver { state.continuation = continuation }
      return state.isOver
    }
    guard !isOver else { return continuation.resume(throwing: CancellationError()) }
    _ = clock.schedule(after: duration) { self.end() }
  }

  func end(throwing error: (any Error)? = nil) {
    let continuation = state.withLock { state in
      defer { state = State(isOver: true) }
      return state.continuation
    }
    if let error {
      continuation?.resume(throwing: error)
    } else {
      continuation?.resume()
    }
  }
}
