import Foundation
import PushPayload
import RichNotifications

/// One run of the service extension: its two timers and its reply.
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
  private let life = Locked(ExtensionLifecycle())
  private let timers = Locked<[any ScheduledWork]>([])
  private let running = Locked<(any RunningExtension)?>(nil)

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

  func begin(_ runner: any ExtensionRunner, _ request: RequestCopy, record: RunRecord) {
    // Held before the timers are set, so that virtual time does not jump to them before the launch.
    let hold = clock.hold(freezeLimit: .seconds(1))
    if !behavior.isDebugging { setTimers() }
    let running = runner.start(request, record: record) { self.receive($0) }
    self.running.withLock { $0 = running }
    // The time limit may have passed before `start` returned.
    if life.withLock({ $0.isKilled }) { killExtension() }
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
      running.withLock { $0 }?.warn()
    case .warnSoon: _ = clock.schedule(after: Self.shortDelay) { self.perform(.graceBegins) }
    case .accept:
      endRun(with: content, by: .firstReply, message: "the extension called the content handler")
    case .discard:
      for file in content?.moved ?? [] { try? FileManager.default.removeItem(at: file) }
    case .kill: timeIsUp()
    case .giveUp: endRun(by: ownEnd?.rule ?? .noReply, message: ownEnd?.message ?? "")
    case .nothing: break
    }
  }

  private func timeIsUp() {
    killExtension()
    if life.withLock({ $0.isLaunched }) {
      endRun(by: .timeLimit, message: "the extension did not call the content handler in time")
    } else {
      endRun(by: .launchTime, message: "the extension used up its time for the launch")
    }
  }

  private func killExtension() { running.withLock { $0 }?.kill() }

  private func endRun(with reply: ContentCopy? = nil, by rule: HostRule, message: String) {
    for timer in timers.withLock({ $0 }) { timer.cancel() }
    let elapsed = clock.now - start
    // On the clock's thread instead of the extension's, and after a delay, so that further calls of the handler
    // on the same thread are counted.
    _ = clock.schedule(after: Self.shortDelay) {
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
