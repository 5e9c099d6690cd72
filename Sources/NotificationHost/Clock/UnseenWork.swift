import Dispatch
import RichNotifications
import _Spawn

/// The work of one run that the clock does not see, for which virtual time advances with real time.
///
/// The first ``HostBehavior/unseenWorkLimit`` of it counts, so that a process that is never idle does not keep a run
/// from ending. From then on the clock waits only until work has begun that waits for a thread.
final class UnseenWork: Sendable {
  typealias Note = @Sendable (HostRule, String) -> Void

  private struct State: Sendable {
    /// The time of the last question to which the answer was yes.
    var busyAt: ContinuousClock.Instant?
    var waited = Duration.zero
    var isOver = false
    /// The markers of the next jump; `nil` before the first question about it.
    var markers: Markers?
    var lastMarkers = 0
  }

  /// Blocks and tasks that begin after everything that waits for a thread in the queues of this process.
  private struct Markers: Sendable {
    var number: Int
    /// How many have not begun.
    var waiting: Int
    /// The time from which the clock does not wait for them any longer.
    var end: ContinuousClock.Instant
  }

  /// The shortest wait that the trace mentions.
  private static let shortestNote = Duration.milliseconds(50)
  /// The time in which work that has begun is expected to reply or to wait.
  private static let grace = Duration.milliseconds(20)
  private static let priorities: [TaskPriority] = [.high, .medium, .low, .background]

  private let activity: ProcessActivity
  private let calls: @Sendable () -> Set<Int32>
  private let limit: Duration
  private let note: Note
  private let state = HostLocked(State())

  /// Creates the watch of a run.
  ///
  /// - Parameters:
  ///   - activity: The activity of the extension's process.
  ///   - calls: Returns the threads of this process on which the host calls the extension.
  ///   - behavior: The host's switches.
  ///   - note: Receives a line of the trace.
  init(
    _ activity: ProcessActivity, calls: @escaping @Sendable () -> Set<Int32> = { [] },
    behavior: HostBehavior, note: @escaping Note
  ) {
    self.activity = activity
    self.calls = calls
    self.note = note
    // Work of others cannot be told from the extension's.
    limit = activity.isShared ? behavior.unseenWorkLimit / 10 : behavior.unseenWorkLimit
  }

  /// Makes a clock wait for the work until the hold is released; `nil` if the clock does not jump.
  func watched(by clock: any HostClock) -> (any ClockHold)? {
    guard let clock = clock as? VirtualClock else { return nil }
    return Watch(hold: clock.watch { self.isBusy(for: $0) }, work: self)
  }

  private struct Watch: ClockHold {
    let hold: any ClockHold
    let work: UnseenWork

    func release() {
      hold.release()
      work.end()
    }
  }

  private func isBusy(for jump: Duration) -> Bool {
    // A call that has not returned is seen, so the limit does not apply to it. It is busy unless it waits for a thread.
    let calls = calls()
    if !calls.allSatisfy(ProcessThreads.waitsForThread) {
      state.withLock { $0.busyAt = nil }
      return true
    }
    let now = ContinuousClock.now
    let isExhausted = state.withLock { state in
      if let busyAt = state.busyAt { state.waited += now - busyAt }
      state.busyAt = nil
      return state.isOver || state.waited >= limit
    }
    if isExhausted {
      end()
      return !calls.isEmpty || !markersHaveBegun(at: now)
    }
    let isBusy = activity.isBusy(for: jump)
    if isBusy { state.withLock { $0.busyAt = now } }
    return isBusy
  }

  /// Whether all work has begun that waited for a thread when this was first asked before a jump.
  private func markersHaveBegun(at now: ContinuousClock.Instant) -> Bool {
    let (haveBegun, number): (Bool, Int?) = state.withLock { state in
      if let markers = state.markers {
        let haveBegun = now >= markers.end
        if haveBegun { state.markers = nil }
        return (haveBegun, nil)
      }
      state.lastMarkers += 1
      state.markers = Markers(
        number: state.lastMarkers, waiting: Self.priorities.count + 1,
        end: now + limit + Self.grace)
      return (false, state.lastMarkers)
    }
    guard let number else { return haveBegun }
    let begin: @Sendable () -> Void = { [state] in
      state.withLock { state in
        guard var markers = state.markers, markers.number == number else { return }
        markers.waiting -= 1
        if markers.waiting == 0 { markers.end = .now + Self.grace }
        state.markers = markers
      }
    }
    for priority in Self.priorities { Task.detached(priority: priority) { begin() } }
    DispatchQueue.main.async(execute: begin)
    return false
  }

  /// Notes once how long the clock has waited.
  private func end() {
    let waited: Duration? = state.withLock { state in
      guard !state.isOver else { return nil }
      state.isOver = true
      if let busyAt = state.busyAt { state.waited += .now - busyAt }
      return state.waited
    }
    guard let waited, waited >= min(limit, Self.shortestNote) else { return }
    let milliseconds = Int(waited / .milliseconds(1))
    var text = "waited \(milliseconds) ms of real time for work that the clock does not see"
    if waited >= limit {
      text += ", which is \(activity.isShared ? "a tenth of " : "")HostBehavior.unseenWorkLimit"
      if activity.isShared { text += " because other code of the process runs too" }
    }
    note(.timeLimit, text)
  }
}
