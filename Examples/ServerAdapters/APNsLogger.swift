import APNs

// In your package: the product Logging of github.com/apple/swift-log.
#if canImport(Logging)
  import Logging
#endif

/// Logs what a person should know of an `APNsClient`, and passes all of its metrics on.
///
///     configuration.metrics = APNsLogger(Logger(label: "apns"), next: APNsMetricsRecorder())
///
/// No device token is logged.
struct APNsLogger: APNsMetrics {
  private let logger: Logger
  private let next: any APNsMetrics

  init(_ logger: Logger, next: any APNsMetrics = APNsCounters()) {
    self.logger = logger
    self.next = next
  }

  func ended(_ outcome: APNsOutcome, topic: String, connection: Int?, duration: Duration?) {
    next.ended(outcome, topic: topic, connection: connection, duration: duration)
    guard !outcome.isSuccess else { return }
    logger.info(
      "a push was not accepted",
      metadata: [
        "apns-id": "\(outcome.apnsID)", "topic": "\(topic)", "outcome": "\(outcome.kind.rawValue)",
        "reason": "\(outcome.reason?.rawValue ?? outcome.message ?? "")",
      ])
  }

  func opened(connection: Int) {
    next.opened(connection: connection)
    logger.debug("connected to APNs", metadata: ["connection": "\(connection)"])
  }

  func closed(connection: Int, reason: String) {
    next.closed(connection: connection, reason: reason)
    logger.debug(
      "a connection to APNs has ended",
      metadata: ["connection": "\(connection)", "reason": "\(reason)"])
  }

  func load(inFlight: Int, waiting: Int) { next.load(inFlight: inFlight, waiting: waiting) }

  func warned(_ message: String) {
    next.warned(message)
    logger.warning("\(message)")
  }
}
