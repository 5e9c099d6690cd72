import Foundation
import MediaLoading
import PushPayload
import RichNotifications

/// The writer of the log of one push, which stamps each event with the time since the push arrived.
package final class PushTrace: Sendable {
  let message: PushMessage
  private let clock: any HostClock
  private let start: Duration
  private let state: Locked<PushLog>

  init(_ message: PushMessage, clock: any HostClock, appGroup: URL?) {
    self.message = message
    self.clock = clock
    start = clock.now
    state = Locked(PushLog(message, start: start, appGroup: appGroup))
  }

  /// The log so far.
  package var log: PushLog { state.withLock { $0 } }

  private var time: Duration { clock.now - start }

  func begin() { change { $0.add(.began(at: $1)) } }

  @Sendable func note(_ rule: HostRule, _ message: String) { note(rule, message, stage: .host) }

  func note(_ rule: HostRule, _ message: String, stage: TraceEvent.Stage) {
    note(TraceEvent(at: .zero, stage: stage, rule: rule.name, message: message))
  }

  /// Adds a decision of the host or of the engine in the extension, or a limit of the model.
  func note(_ event: TraceEvent) {
    change { log, time in
      var event = event
      event.at = time
      log.add(.decided(event))
    }
  }

  func report(_ outcome: DeliveryReport.Outcome, by rule: HostRule, reason: String)
    -> DeliveryReport
  {
    note(rule, "\(outcome.rawValue): \(reason)")
    var report = DeliveryReport(outcome: outcome, reason: reason)
    report.rule = rule
    report.trace = log.decisions
    return report
  }

  /// Ends the push.
  ///
  /// - Returns: The report with the way to this log.
  func end(_ report: DeliveryReport) -> DeliveryReport {
    change { log, _ in log.report = report }
    var report = report
    report.push = self
    return report
  }

  // MARK: Requests

  func send(_ request: MediaRequest) -> Int {
    let time = time
    return state.withLock { $0.send(request, at: time) }
  }

  func answer(_ request: Int, _ head: MediaResponseHead) {
    change { $0.answer(request, head, at: $1) }
  }

  func receive(_ request: Int, bytes: Int) {
    change { log, _ in log.receive(request, bytes: bytes) }
  }

  func end(_ request: Int, _ error: MediaLoadError?) { change { $0.end(request, error, at: $1) } }

  private func change(_ change: @Sendable (inout PushLog, _ time: Duration) -> Void) {
    let time = time
    state.withLock { change(&$0, time) }
  }
}

extension TraceEvent.Stage {
  static let host = TraceEvent.Stage(rawValue: "host")
  static let attachments = TraceEvent.Stage(rawValue: "attachments")
  /// The code of the extension meets a limit of the model.
  static let model = TraceEvent.Stage(rawValue: "model")
}
