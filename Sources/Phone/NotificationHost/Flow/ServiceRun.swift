import Foundation
import PushPayload
import RichNotifications

/// One run of the service extension: its two timers, its reply, and the end of all that it has started.
final class ServiceRun: Sendable {
  /// The end of a run: the reply, or the reason why no reply came.
  struct Ending: Sendable {
    var reply: ContentCopy?
    var rule: HostRule
    var message: String
    var run: DeliveryReport.ExtensionRun
  }

  /// A delay that passes in virtual time only after the extension's code has returned.
  private static let shortDelay = Duration.nanoseconds(1)

  private let clock: any HostClock
  private let behavior: HostBehavior
  private let note: @Sendable (HostRule, String) -> Void
  private let ended: @Sendable (Ending) -> Void
  private let start: Duration
  private let scope: RunScope
  private let life = Locked(ExtensionLifecycle())
  private let timers = Locked<[any ScheduledWork]>([])
  private let state = Locked(State())

  private struct State: Sendable {
    var running: (any RunningExtension)?
    /// Whether the extension that the runner has not returned yet is to be warned.
    var isWarned = false
    /// Ends the extension that the runner has not returned yet.
    var end: (@Sendable (any RunningExtension) -> Void)?
  }

  init(
    clock: any HostClock, behavior: HostBehavior,
    note: @escaping @Sendable (HostRule, String) -> Void,
    ended: @escaping @Sendable (Ending) -> Void
  ) {
    self.clock = clock
    self.behavior = behavior
    self.note = note
    self.ended = ended
    scope = RunScope(clock)
    start = clock.now
  }

  func begin(_ runner: any ExtensionRunner, _ request: RequestCopy, record: RunRecord) {
    // Held before the timers are set, so that virtual time does not jump to them before the launch.
    let hold = clock.hold(freezeLimit: .seconds(1))
    if !behavior.isDebugging { setTimers() }
    let running = runner.start(request, record: record, scope: scope) { self.receive($0) }
    let (isWarned, end) = state.withLock { state in
      if state.end == nil { state.running = running }
      defer { (state.isWarned, state.end) = (false, nil) }
      return (state.isWarned, state.end)
    }
    if isWarned { running.warn() }
    end?(running)
    hold.release()
  }

  private func setTimers() {
    let grace = behavior.timeLimit - behavior.expiryGrace
    let warning = clock.schedule(after: grace) { self.perform(.graceBegins) }
    let end = clock.schedule(after: behavior.timeLimit) { self.perform(.timeIsUp) }
    timers.withLock { $0 = [warning, end] }
  }

  private func receive(_ event: ExtensionEvent) {
    switch event {
    case .launched: perform(.launched)
    case .replied(let content): perform(.replied, content)
    case .repliedAgain:
      note(.firstReply, "the content handler was called again, without effect")
      perform(.repliedAgain)
    case .ended(let end): perform(.ended, end: end)
    }
  }

  private func perform(
    _ event: ExtensionLifecycle.Event, _ content: ContentCopy? = nil,
    end ownEnd: ExtensionEnd? = nil
  ) {
    switch life.withLock({ $0.on(event) }) {
    case .warn:
      note(.expiryWarning, "serviceExtensionTimeWillExpire is called")
      let running = state.withLock { state in
        state.isWarned = state.running == nil
        return state.running
      }
      running?.warn()
    case .warnSoon: _ = clock.schedule(after: Self.shortDelay) { self.perform(.graceBegins) }
    case .accept:
      endSoon(with: content, by: .firstReply, message: "the extension called the content handler")
    case .discard:
      for file in content?.moved ?? [] { try? FileManager.default.removeItem(at: file) }
    case .kill: timeIsUp()
    case .giveUp: endSoon(by: ownEnd?.rule ?? .noReply, message: ownEnd?.message ?? "")
    case .nothing: break
    }
  }

  private func timeIsUp() {
    let elapsed = clock.now - start
    if life.withLock({ $0.isLaunched }) {
      let message = "the extension did not call the content handler in time"
      end(elapsed, by: .timeLimit, message: message)
    } else {
      end(elapsed, by: .launchTime, message: "the extension used up its time for the launch")
    }
  }

  private func endSoon(with reply: ContentCopy? = nil, by rule: HostRule, message: String) {
    for timer in timers.withLock({ $0 }) { timer.cancel() }
    let elapsed = clock.now - start
    // On the clock's thread instead of the extension's, and after a delay, so that further calls of the handler
    // on the same thread are counted.
    _ = clock.schedule(after: Self.shortDelay) {
      self.end(elapsed, with: reply, by: rule, message: message)
    }
  }

  /// Ends everything that the run has started, and reports when nothing of the extension runs any more.
  private func end(
    _ elapsed: Duration, with reply: ContentCopy? = nil, by rule: HostRule, message: String
  ) {
    // Held so that the report is made at this time.
    let hold = clock.hold(freezeLimit: .seconds(3600))
    scope.end()
    let end: @Sendable (any RunningExtension) -> Void = { running in
      running.end {
        let life = self.life.withLock { $0 }
        let run = DeliveryReport.ExtensionRun(
          ran: true, handlerCalls: life.handlerCalls, expired: life.expired, elapsed: elapsed,
          peakMemoryBytes: running.peakMemoryBytes)
        self.ended(Ending(reply: reply, rule: rule, message: message, run: run))
        hold.release()
      }
    }
    let running = state.withLock { state in
      if state.running == nil { state.end = end }
      defer { state.running = nil }
      return state.running
    }
    running.map(end)
  }
}
