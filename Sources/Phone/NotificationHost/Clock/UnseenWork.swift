import Dispatch
import PushPayload
import RichNotifications
import _Spawn

/// The work of one run that the clock does not see; while it lasts, virtual time advances with real time.
///
/// Only the first ``HostBehavior/unseenWorkLimit`` of it counts, so that a process that is never idle cannot keep a run
/// from ending. After that the clock waits only for the work that it sees, and until other work that waits for a thread
/// has begun.
final class UnseenWork: Sendable {
  typealias Note = @Sendable (HostRule, String) -> Void

  private struct State: Sendable {
    /// The time at which the process was last found busy.
    var busyAt: ContinuousClock.Instant?
    var waited = Duration.zero
    var isNoted = false
    /// The markers of the next jump; `nil` before the first question about it.
    var markers: Markers?
    var lastMarkers = 0
  }

  /// Blocks and tasks that begin after everything that waits for a thread in the queues of this process.
  private struct Markers: Sendable {
    var number: Int
    /// The number of blocks and tasks that have not begun.
    var waiting: Int
    /// The time at which the clock stops waiting for them.
    var end: ContinuousClock.Instant
  }

  /// The shortest wait that the trace mentions.
  private static let shortestNote = Duration.milliseconds(50)
  /// The time within which work that has begun is expected to reply or to wait.
  private static let grace = Duration.milliseconds(20)
  /// The time that the clock waits for queued work to begin.
  private static let queueLimit = Duration.seconds(5)
  private static let priorities: [TaskPriority] = [.high, .medium, .low, .background]

  private let activity: ProcessActivity
  private let seen: SeenWork?
  private let limit: Duration
  private let note: Note
  private let state = Locked(State())

  /// Creates the watch of a run.
  ///
  /// - Parameters:
  ///   - activity: The activity of the extension's process.
  ///   - seen: The work of the run that the clock sees.
  ///   - behavior: The host's switches.
  ///   - note: Receives a line of the trace.
  init(
    _ activity: ProcessActivity, seen: SeenWork? = nil, behavior: HostBehavior,
    note: @escaping Note
  ) {
    self.activity = activity
    self.seen = seen
    self.note = note
    // Work of others cannot be told from the extension's.
    limit = activity.isShared ? behavior.unseenWorkLimit / 20 : behavior.unseenWorkLimit
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
      work.noteWait()
    }
  }

  /// Whether a jump must wait for work in progress.
  func isBusy(for jump: Duration) -> Bool {
    let seen = seen?.state ?? SeenWork.State()
    // The limit does not apply to work that is seen to run: it is busy unless it waits for a thread.
    if !seen.calls.union(seen.threads).allSatisfy(ProcessThreads.waitsForThread) {
      state.withLock { $0.busyAt = nil }
      return true
    }
    let now = ContinuousClock.now
    let waited = state.withLock { state in
      if let busyAt = state.busyAt { state.waited += now - busyAt }
      state.busyAt = nil
      return state.waited
    }
    if waited >= (seen.queued > 0 ? Self.queueLimit : limit) {
      noteWait()
      return !seen.calls.isEmpty || !markersHaveBegun(at: now)
    }
    let isBusy = seen.queued > 0 || activity.isBusy(for: jump)
    if isBusy { state.withLock { $0.busyAt = now } }
    return isBusy
  }

  /// Whether all work has begun that waited for a thread at the first question before a jump.
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
        end: now + Self.queueLimit + Self.grace)
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

  /// Notes once the time that the clock has waited.
  private func noteWait() {
    let waited: Duration? = state.withLock { state in
      guard !state.isNoted else { return nil }
      state.isNoted = true
      if let busyAt = state.busyAt { state.waited += .now - busyAt }
      return state.waited
    }
    guard let waited, waited >= min(limit, Self.shortestNote) else { return }
    let milliseconds = Int(waited / .milliseconds(1))
    var text = "waited \(milliseconds) ms of real time for work that the clock does not see"
    if waited >= limit {
      text += ", which is \(activity.isShared ? "a twentieth of " : "")HostBehavior.unseenWorkLimit"
      if activity.isShared { text += " because other code of the process runs too" }
    }
    note(.timeLimit, text)
  }
}
