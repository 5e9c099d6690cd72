package import NotificationHost
package import RichNotifications

/// The outcome of one push on a simulated phone: the host's report and the engine's.
package struct SimulatedDelivery: Sendable {
  package var report: DeliveryReport
  /// What the engine delivered; `nil` where the extension did not run or was ended first.
  package var enriched: EngineOutcome?
  package var engineTrace: [TraceEvent]
  /// The media URLs that the payload asks for; empty for an encrypted payload, and for one that must be and is
  /// not.
  package var wanted: [String]

  package init(
    report: DeliveryReport, enriched: EngineOutcome? = nil, engineTrace: [TraceEvent] = [],
    wanted: [String] = []
  ) {
    self.report = report
    self.enriched = enriched
    self.engineTrace = engineTrace
    self.wanted = wanted
  }

  /// Whether the person sees all that the payload asks for.
  package var isComplete: Bool {
    guard report.outcome == .displayed, enriched?.decryption ?? "ok" == "ok" else { return false }
    // Where the engine tried nothing, what the payload asks for is missing.
    guard let media = enriched?.media, !media.isEmpty else { return wanted.isEmpty }
    return report.attachments.count == media.count
      && media.allSatisfy { $0.result == MediaOutcome.Result.attached.rawValue }
  }

  /// The decisions of the host and of the engine, in the order of time.
  package var trace: [TraceEvent] {
    // At equal times the engine's events follow the host's first, which is the launch.
    (report.trace.prefix(1) + engineTrace + report.trace.dropFirst()).enumerated()
      .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }
}
