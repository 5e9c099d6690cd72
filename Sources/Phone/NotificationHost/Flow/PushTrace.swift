import PushPayload
import RichNotifications

/// The decisions of the host about one push, each with its rule and time.
final class PushTrace: Sendable {
  let message: PushMessage
  private let clock: any HostClock
  private let start: Duration
  private let events = Locked<[TraceEvent]>([])

  init(_ message: PushMessage, clock: any HostClock) {
    self.message = message
    self.clock = clock
    start = clock.now
  }

  @Sendable func note(_ rule: HostRule, _ message: String) { note(rule, message, stage: .host) }

  func note(_ rule: HostRule, _ message: String, stage: TraceEvent.Stage) {
    let event = TraceEvent(at: clock.now - start, stage: stage, rule: rule.name, message: message)
    events.withLock { $0.append(event) }
  }

  /// Adds a decision of the engine in the extension.
  func note(_ event: TraceEvent) {
    var event = event
    event.at = clock.now - start
    events.withLock { [event] in $0.append(event) }
  }

  func report(_ outcome: DeliveryReport.Outcome, by rule: HostRule, reason: String)
    -> DeliveryReport
  {
    note(rule, "\(outcome.rawValue): \(reason)")
    var report = DeliveryReport(outcome: outcome, reason: reason)
    report.rule = rule
    report.trace = events.withLock { $0 }
    return report
  }
}

extension TraceEvent.Stage {
  static let host = TraceEvent.Stage(rawValue: "host")
  static let attachments = TraceEvent.Stage(rawValue: "attachments")
}
