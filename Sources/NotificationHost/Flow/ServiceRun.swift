import Foundation
import RichNotifications

/// One run of the service extension as the system watches it: two timers, one reply.
final class ServiceRun: Sendable {
  /// What it came to: the reply, or why there was none.
  struct Ending: Sendable {
    var reply: ContentCopy?
    var rule: HostRule
    var message: String
    var run: DeliveryReport.ExtensionRun
  }

  /// A delay that virtual time does not spend while the extension's code runs.
  private static let moment = Duration.nanoseconds(1)

  private let clock: any HostClock
  private let behavior: HostBehavior
  private let note: @Sendable (HostRule, String) -> Void
  private let ended: @Sendable (Ending) -> Void
  private let start: Duration
  private let life = HostLocked(ExtensionLife())
  private let timers = HostLocked<[any ScheduledWork]>([])
  private let running = HostLocked<(any RunningExtension)?>(nil)

  init(
    clock: any HostClock, behavior: HostBehavior,
    note: @escaping @Sendable (HostRule, String) -> Void,
    ended: @escaping @Sendable (Ending) -> Void
  ) {
    self.clock = clock
    self.behavior = behavior
    self.note = note
    self.ended = ended
    start = clock.now
  }

  func begin(_ runner: any ExtensionRunning, _ request: RequestCopy) {
    // Held before the timers are set: virtual time must not jump to them before the launch.
    let hold = clock.hold(patience: .seconds(1))
    if !behavior.isDebugging { setTimers() }
    let running = runner.start(request) { self.receive($0) }
    self.running.withLock { $0 = running }
    // The end may have come before there was anything to kill.
    if life.withLock({ $0.isKilled }) { dismiss() }
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
      note(.firstReply, "the handler was called again, without effect")
      perform(.repliedAgain)
    case .ended(let end): perform(.ended, end: end)
    }
  }

  private func perform(
    _ event: ExtensionLife.Event, _ content: ContentCopy? = nil, end ownEnd: ExtensionEnd? = nil
  ) {
    switch life.withLock({ $0.on(event) }) {
    case .warn:
      note(.expiryWarning, "serviceExtensionTimeWillExpire is called")
      running.withLock { $0 }?.warn()
    case .warnSoon: _ = clock.schedule(after: Self.moment) { self.perform(.graceBegins) }
    case .accept: end(content, .firstReply, "the extension called its handler")
    case .discard:
      for file in content?.moved ?? [] { try? FileManager.default.removeItem(at: file) }
    case .kill: timeIsUp()
    case .giveUp: end(nil, ownEnd?.rule ?? .noReply, ownEnd?.message ?? "")
    case .nothing: break
    }
  }

  private func timeIsUp() {
    dismiss()
    if life.withLock({ $0.isLaunched }) {
      end(nil, .timeLimit, "the extension did not call its handler in time")
    } else {
      end(nil, .launchTime, "the extension used up its time in starting")
    }
  }

  private func dismiss() { running.withLock { $0 }?.kill() }

  private func end(_ reply: ContentCopy?, _ rule: HostRule, _ message: String) {
    for timer in timers.withLock({ $0 }) { timer.cancel() }
    let elapsed = clock.now - start
    // Off the extension's thread, since what follows is the system's; and a moment later, so that
    // further calls of the handler in the same turn are counted.
    _ = clock.schedule(after: Self.moment) {
      let running = self.running.withLock { running in
        defer { running = nil }
        return running
      }
      let life = self.life.withLock { $0 }
      let run = DeliveryReport.ExtensionRun(
        ran: true, handlerCalls: life.handlerCalls, expired: life.expired, elapsed: elapsed,
        peakMemoryBytes: running?.peakMemoryBytes)
      self.ended(Ending(reply: reply, rule: rule, message: message, run: run))
    }
  }
}
