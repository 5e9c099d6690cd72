import RichNotifications

/// One push on its way through the host: when it came, and what was noted.
final class Arrival: Sendable {
  private let clock: any HostClock
  private let start: Duration
  private let trace = HostLocked<[TraceEvent]>([])

  init(clock: any HostClock) {
    self.clock = clock
    start = clock.now
  }

  var lastNote: String { trace.withLock { $0.last?.message ?? "" } }

  func note(_ stage: String, _ message: String) {
    let event = TraceEvent(
      at: clock.now - start, stage: .init(rawValue: stage), rule: stage, message: message)
    trace.withLock { $0.append(event) }
  }

  func report(_ outcome: DeliveryReport.Outcome, _ reason: String) -> DeliveryReport {
    note("host", "\(outcome.rawValue): \(reason)")
    var report = DeliveryReport(outcome: outcome, reason: reason)
    report.trace = trace.withLock { $0 }
    return report
  }
}
