import Foundation
import PushPayload
import _Spawn

/// The owner of all that one run of an extension starts, which ends with the run.
///
/// Timers and holds of ``clock``, loads of a ``RunNetwork`` and calls of the extension's code belong to it. After
/// ``end()`` nothing of them reaches the extension: later answers are dropped.
final class RunScope: Sendable {
  private struct State: Sendable {
    var hasEnded = false
    var lastNumber = 0
    /// The closures that end what has begun, by number.
    var ends: [Int: @Sendable () -> Void] = [:]
    /// The number of calls of the extension on each thread, where one call may be within another.
    var calls: [Int32: Int] = [:]
  }

  /// The maximum real time that the end of a run waits for code of the extension.
  private static let patience = Duration.seconds(5)
  /// The number of milliseconds after which a thread that does not run counts as blocked.
  private static let idleMilliseconds = 10

  /// The clock of the host, which outlives the run.
  let hostClock: any HostClock
  private let state = Locked(State())

  init(_ clock: any HostClock) { hostClock = clock }

  /// The host's clock, whose timers and holds end with the run.
  var clock: RunClock { RunClock(scope: self) }

  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Calls code of the extension on the calling thread.
  ///
  /// - Returns: The result; `nil` if the run has ended and the code was not called.
  @discardableResult func enter<Result>(_ body: () -> Result) -> Result? {
    let thread = HostThreads.current
    let isEntered = state.withLock { state in
      guard !state.hasEnded else { return false }
      state.calls[thread, default: 0] += 1
      return true
    }
    guard isEntered else { return nil }
    defer { leave(thread) }
    return body()
  }

  private func leave(_ thread: Int32) {
    state.withLock { state in
      let left = (state.calls[thread] ?? 1) - 1
      state.calls[thread] = left == 0 ? nil : left
      if left == 0, state.hasEnded { HostThreads.remove(thread) }
    }
  }

  // MARK: What has begun

  /// Begins something that ends with the run.
  ///
  /// - Returns: Its number; `nil` if the run has ended.
  func begin() -> Int? {
    state.withLock { state in
      guard !state.hasEnded else { return nil }
      state.lastNumber += 1
      state.ends[state.lastNumber] = {}
      return state.lastNumber
    }
  }

  /// Stores the closure that ends something, or calls it if that is over already.
  func keep(_ number: Int, end: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      guard state.ends[number] != nil else { return true }
      state.ends[number] = end
      return false
    }
    if isOver { end() }
  }

  /// Notes that something is over.
  ///
  /// - Returns: Whether it was not over before.
  @discardableResult func finish(_ number: Int) -> Bool {
    state.withLock { $0.ends.removeValue(forKey: number) != nil }
  }

  // MARK: The end

  /// Ends everything that has begun, and lets nothing begin any more.
  func end() {
    let ends = state.withLock { state in
      state.hasEnded = true
      // Later work of these threads must not count as work of another extension.
      for thread in state.calls.keys { HostThreads.insert(thread) }
      defer { state.ends = [:] }
      return state.ends.values.map(\.self)
    }
    for end in ends { end() }
  }

  /// Calls a closure when the calls of the extension that began before the end have returned.
  ///
  /// A call that is blocked, and one that takes too long, is not waited for: a thread cannot be ended.
  func whenQuiet(_ body: @escaping @Sendable () -> Void) {
    guard !state.withLock({ $0.calls.isEmpty }) else { return body() }
    Thread.detachNewThread {
      HostThreads.run {
        let latest = ContinuousClock.now + Self.patience
        var idle = 0
        while idle < Self.idleMilliseconds, .now < latest {
          Thread.sleep(forTimeInterval: 0.001)
          let threads = self.state.withLock { $0.calls.keys.map(\.self) }
          if threads.isEmpty { break }
          idle = threads.contains(where: ProcessThreads.isRunning) ? 0 : idle + 1
        }
        body()
      }
    }
  }
}
