import APNs
import PushModel

/// One page of metrics: the counters, and values that are read for the page.
struct MetricsPage: Sendable {
  var version: String
  /// The store's values; `nil` if the store does not answer.
  var queue: Queue?
  /// The time since the audience index that is the furthest behind had every change of the store.
  var indexLag = Duration.zero
  var process: ProcessStatus?

  struct Queue: Sendable {
    /// The time that the oldest due batch has been waiting.
    var oldestWait: Duration
    var devices: AppDevices
  }

  /// The page in Prometheus's text format.
  func text(_ metrics: ServerMetrics) -> PrometheusText {
    var text = PrometheusText()
    text.family("martlet_build_info", .gauge, help: "The version of this program.")
    text.sample("martlet_build_info", 1, labels: ["version": version])
    text.family("martlet_store_up", .gauge, help: "Whether the database answers: 1 or 0.")
    text.sample("martlet_store_up", queue == nil ? 0 : 1)
    if let queue {
      text.single(
        "martlet_queue_oldest_wait_seconds", .gauge,
        help: "How long the oldest due batch has been waiting.",
        value: queue.oldestWait / .seconds(1))
      queue.devices.write(to: &text)
    }
    text.single(
      "martlet_audience_index_lag_seconds", .gauge,
      help: "How long ago the audience index that is the furthest behind was up to date.",
      value: indexLag / .seconds(1))
    let state = metrics.snapshot
    state.writeRequests(to: &text)
    state.writeDelivery(to: &text)
    state.writeDevices(to: &text)
    Self.write(metrics.store.snapshot, to: &text)
    Self.write(state.counters.map(\.snapshot), to: &text)
    process?.write(to: &text)
    return text
  }

  private static func write(
    _ store: [StoreTimings.Operation: StoreTimings.Counts], to text: inout PrometheusText
  ) {
    let name = "martlet_store_operation_duration_seconds"
    text.family(
      name, .histogram, help: "The time of reads and writes of the database, with their waits.")
    for operation in StoreTimings.Operation.allCases {
      guard let counts = store[operation] else { continue }
      let histogram = Histogram(
        bounds: StoreTimings.bounds.map { Double($0) / 1000 }, counts: counts.buckets,
        sum: counts.total / .seconds(1))
      text.histogram(name, histogram, labels: ["operation": operation.rawValue])
    }
    text.family(
      "martlet_store_failures_total", .counter,
      help: "Reads and writes that failed because the database is out of reach, locked or full.")
    for operation in StoreTimings.Operation.allCases {
      text.sample(
        "martlet_store_failures_total", store[operation]?.failures ?? 0,
        labels: ["operation": operation.rawValue])
    }
  }

  private static func write(_ clients: [APNsCounters.Snapshot], to text: inout PrometheusText) {
    var ended: [APNsCounters.Label: Int] = [:]
    // The durations are by status only, because a histogram for each app and reason would be most of the page.
    var durations: [String: [APNsCounters.Durations]] = [:]
    for client in clients {
      ended.merge(client.ended, uniquingKeysWith: +)
      for (label, times) in client.durations {
        durations[label.statusText, default: []].append(times)
      }
    }
    text.family(
      "martlet_pushes_total", .counter, help: "Finished pushes by topic, status and reason.")
    let rows = ended.sorted {
      ($0.key.topic, $0.key.status ?? 0, $0.key.reason)
        < ($1.key.topic, $1.key.status ?? 0, $1.key.reason)
    }
    for (label, count) in rows {
      text.sample(
        "martlet_pushes_total", count,
        labels: ["topic": label.topic, "status": label.statusText, "reason": label.reason])
    }
    text.family(
      "martlet_push_duration_seconds", .histogram,
      help: "The time from sending a push to Apple's answer, by its status.")
    for (status, times) in durations.sorted(by: { $0.key < $1.key }) {
      text.histogram(
        "martlet_push_duration_seconds", Histogram(answers: times), labels: ["status": status])
    }
    let gauges: [(String, String, KeyPath<APNsCounters.Snapshot, Int>)] = [
      ("martlet_apns_in_flight", "Pushes that are waiting for Apple's answer.", \.inFlight),
      ("martlet_apns_waiting", "Pushes that are waiting for a free HTTP/2 stream.", \.waiting),
      ("martlet_apns_connections", "Open connections to Apple.", \.connections.count),
    ]
    for (name, help, value) in gauges {
      text.family(name, .gauge, help: help)
      text.sample(name, clients.reduce(0) { $0 + $1[keyPath: value] })
    }
    text.family(
      "martlet_apns_connections_opened_total", .counter, help: "Connections opened to Apple.")
    text.sample("martlet_apns_connections_opened_total", clients.reduce(0) { $0 + $1.opened })
  }
}

extension APNsCounters.Label {
  fileprivate var statusText: String { status.map(String.init) ?? "none" }
}

extension Histogram {
  /// Adds up the durations of several clients.
  fileprivate init(answers: [APNsCounters.Durations]) {
    var counts = [Int](repeating: 0, count: APNsCounters.bounds.count + 1)
    for answer in answers {
      for (index, count) in answer.counts.enumerated() { counts[index] += count }
    }
    let total = answers.reduce(Duration.zero) { $0 + $1.total }
    self.init(
      bounds: APNsCounters.bounds.map { Double($0) / 1000 }, counts: counts,
      sum: total / .seconds(1))
  }
}
