import APNs

// In your package: the product Metrics of github.com/apple/swift-metrics.
#if canImport(Metrics)
  import Metrics
#endif

/// Passes the metrics of an `APNsClient` to swift-metrics.
///
///     configuration.metrics = APNsMetricsRecorder()
///
/// Topics and reasons are labels, so there is one series for each app and reason.
struct APNsMetricsRecorder: APNsMetrics {
  func ended(_ outcome: APNsOutcome, topic: String, connection: Int?, duration: Duration?) {
    let dimensions = [
      ("topic", topic), ("status", outcome.status.map(String.init) ?? "none"),
      ("reason", outcome.reason?.rawValue ?? ""), ("outcome", outcome.kind.rawValue),
    ]
    Counter(label: "apns_pushes_total", dimensions: dimensions).increment()
    guard let duration else { return }
    let (seconds, attoseconds) = duration.components
    Timer(label: "apns_push_duration", dimensions: [("topic", topic)])
      .recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  func opened(connection: Int) { Counter(label: "apns_connections_opened_total").increment() }

  func closed(connection: Int, reason: String) {
    Counter(label: "apns_connections_closed_total", dimensions: [("reason", reason)]).increment()
  }

  func load(inFlight: Int, waiting: Int) {
    Gauge(label: "apns_pushes_in_flight").record(inFlight)
    Gauge(label: "apns_pushes_waiting").record(waiting)
  }
}
