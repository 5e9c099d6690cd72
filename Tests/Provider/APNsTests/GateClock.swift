import Synchronization

/// A clock that holds short sleeps until it is opened.
///
/// A sandbox that uses it reads requests and answers none of them before ``open()``. Sleeps of half a
/// second and more, which the sandbox's periodic checks use, take their real time.
final class GateClock: Swift.Clock {
  typealias Instant = ContinuousClock.Instant

  private struct State {
    var isOpen = false
    var held: [CheckedContinuation<Void, Never>] = []
    var watcher: (count: Int, continuation: CheckedContinuation<Void, Never>)?
  }

  private let state = Mutex(State())

  var now: Instant { .now }
  var minimumResolution: Duration { .nanoseconds(1) }
  /// The number of sleeps that are held.
  var heldCount: Int { state.withLock { $0.held.count } }

  func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    if now.duration(to: deadline) >= .milliseconds(500) {
      return try await Task.sleep(until: deadline, tolerance: tolerance, clock: .continuous)
    }
    await withCheckedContinuation { continuation in
      let due = state.withLock { state -> [CheckedContinuation<Void, Never>] in
        if state.isOpen { return [continuation] }
        state.held.append(continuation)
        guard let watcher = state.watcher, state.held.count >= watcher.count else { return [] }
        state.watcher = nil
        return [watcher.continuation]
      }
      for continuation in due { continuation.resume() }
    }
  }

  /// Returns once at least `count` sleeps are held.
  func holds(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.held.count >= count { return true }
        state.watcher = (count, continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Resumes all held sleeps, and holds no later ones.
  func open() {
    let held = state.withLock { state in
      defer { state.held = [] }
      state.isOpen = true
      return state.held
    }
    for continuation in held { continuation.resume() }
  }
}
