import MediaLoading
import NotificationHost
import PushPayload

/// A network that does not answer, and keeps the clock from jumping, until a test ends its loads.
final class SilentNetwork: MediaLoader {
  private struct State: Sendable {
    var clock: VirtualClock?
    var loads: [any MediaSink] = []
    var holds: [any ClockHold] = []
  }

  private struct Load: MediaLoad {
    func cancel() {}
  }

  private let state = Locked(State())
  private let (requests, request) = AsyncStream.makeStream(of: Void.self)

  func use(_ clock: VirtualClock) { state.withLock { $0.clock = clock } }

  func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    state.withLock { state in
      if let hold = state.clock?.hold(freezeLimit: .seconds(3600)) { state.holds.append(hold) }
      state.loads.append(sink)
    }
    self.request.yield()
    return Load()
  }

  /// Waits for the first request.
  func hasRequest() async {
    for await _ in requests { return }
  }

  /// Ends all loads.
  func end() {
    let last = state.withLock { state in
      defer { state = State() }
      return state
    }
    for sink in last.loads { sink.finish(nil) }
    for hold in last.holds { hold.release() }
  }
}
