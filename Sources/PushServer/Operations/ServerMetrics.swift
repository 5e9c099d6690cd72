import APNs
import Synchronization

/// Counts what the server does, for `/metrics`.
package final class ServerMetrics: Sendable {
  /// What a push goes through inside of this server.
  package enum Stage: String, CaseIterable, Sendable {
    /// From when a batch fell due until a worker took it.
    case wait
    /// From taking a batch to its payloads being made.
    case compose
    /// From handing a batch to the client to its last outcome.
    case deliver
    /// Writing the outcomes down.
    case record
  }

  /// How a call of a webhook ended.
  package enum CallResult: String, CaseIterable, Sendable { case delivered, failed }

  private struct Request: Hashable {
    var method: String
    var route: String
    var status: Int
  }

  private struct State {
    var requests: [Request: Int] = [:]
    var requestDurations: [String: Histogram] = [:]
    var stages: [Stage: Histogram] = [:]
    var calls: [CallResult: Int] = [:]
    var callDurations = Histogram()
    var unmarked = 0
    var counters: [APNsCounters] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// A request has its answer; `route` is its pattern, so that ids make no new rows.
  func answered(_ method: String, route: String, status: Int, in duration: Duration) {
    state.withLock { state in
      state.requests[Request(method: method, route: route, status: status), default: 0] += 1
      state.requestDurations[route, default: Histogram()].add(duration)
    }
  }

  /// A batch has left a stage.
  func passed(_ stage: Stage, in duration: Duration) {
    state.withLock { $0.stages[stage, default: Histogram()].add(duration) }
  }

  /// A webhook was called.
  func called(_ result: CallResult, in duration: Duration) {
    state.withLock { state in
      state.calls[result, default: 0] += 1
      state.callDurations.add(duration)
    }
  }

  /// Apple called so many devices gone, and too many to be believed.
  func left(unmarked count: Int) { state.withLock { $0.unmarked += count } }

  /// Numbers for one more client.
  func counters() -> APNsCounters {
    let counters = APNsCounters()
    state.withLock { $0.counters.append(counters) }
    return counters
  }

  /// Everything, as Prometheus reads it.
  ///
  /// `oldestWait` is how long the batch that is due longest has been waiting.
  func text(version: String, oldestWait: Duration) -> String {
    let state = state.withLock { $0 }
    var text = PrometheusText()
    text.family("martlet_build_info", .gauge, "Which martlet this is.")
    text.sample("martlet_build_info", 1, ["version": version])
    text.family(
      "martlet_queue_oldest_wait_seconds", .gauge,
      "How long the batch that is due longest has been waiting.")
    text.sample("martlet_queue_oldest_wait_seconds", oldestWait / .seconds(1))
    Self.write(state, to: &text)
    Self.write(state.counters.map(\.snapshot), to: &text)
    return text.text
  }

  private static func write(_ state: State, to text: inout PrometheusText) {
    text.family("martlet_http_requests_total", .counter, "Answered requests.")
    let requests = state.requests.sorted {
      ($0.key.route, $0.key.method, $0.key.status) < ($1.key.route, $1.key.method, $1.key.status)
    }
    for (request, count) in requests {
      text.sample(
        "martlet_http_requests_total", count,
        ["method": request.method, "route": request.route, "status": String(request.status)])
    }
    text.family("martlet_http_request_duration_seconds", .histogram, "From request to answer.")
    for (route, histogram) in state.requestDurations.sorted(by: { $0.key < $1.key }) {
      text.histogram("martlet_http_request_duration_seconds", histogram, ["route": route])
    }
    text.family("martlet_batch_stage_duration_seconds", .histogram, "Batches by stage.")
    for stage in Stage.allCases {
      guard let histogram = state.stages[stage] else { continue }
      text.histogram("martlet_batch_stage_duration_seconds", histogram, ["stage": stage.rawValue])
    }
    text.family("martlet_webhook_calls_total", .counter, "Calls of webhooks by how they ended.")
    for result in CallResult.allCases {
      text.sample(
        "martlet_webhook_calls_total", state.calls[result] ?? 0, ["result": result.rawValue])
    }
    text.family("martlet_webhook_call_duration_seconds", .histogram, "Calls of webhooks.")
    text.histogram("martlet_webhook_call_duration_seconds", state.callDurations, [:])
    text.family(
      "martlet_devices_unmarked_total", .counter,
      "Devices that Apple called gone and that were not marked, for too many were.")
    text.sample("martlet_devices_unmarked_total", state.unmarked)
  }

  private static func write(_ clients: [APNsCounters.Snapshot], to text: inout PrometheusText) {
    var ended: [APNsCounters.Label: Int] = [:]
    for client in clients { ended.merge(client.ended, uniquingKeysWith: +) }
    text.family("martlet_pushes_total", .counter, "Ended pushes by topic, status and reason.")
    let rows = ended.sorted {
      ($0.key.topic, $0.key.status ?? 0, $0.key.reason)
        < ($1.key.topic, $1.key.status ?? 0, $1.key.reason)
    }
    for (label, count) in rows { text.sample("martlet_pushes_total", count, label.names) }
    text.family("martlet_push_duration_seconds", .histogram, "From the wire to Apple's answer.")
    for (label, _) in rows {
      let durations = clients.compactMap { $0.durations[label] }
      guard !durations.isEmpty else { continue }
      text.histogram("martlet_push_duration_seconds", Histogram(answers: durations), label.names)
    }
    let gauges: [(String, String, KeyPath<APNsCounters.Snapshot, Int>)] = [
      ("martlet_apns_in_flight", "Pushes that wait for Apple's answer.", \.inFlight),
      ("martlet_apns_waiting", "Pushes that wait for a stream.", \.waiting),
      ("martlet_apns_connections", "Open connections to Apple.", \.connections.count),
    ]
    for (name, help, value) in gauges {
      text.family(name, .gauge, help)
      text.sample(name, clients.reduce(0) { $0 + $1[keyPath: value] })
    }
    text.family("martlet_apns_connections_opened_total", .counter, "Connections made to Apple.")
    text.sample(
      "martlet_apns_connections_opened_total", clients.reduce(0) { $0 + $1.opened })
  }
}

extension APNsCounters.Label {
  fileprivate var names: KeyValuePairs<String, String> {
    ["topic": topic, "status": status.map(String.init) ?? "none", "reason": reason]
  }
}

extension Histogram {
  /// What the clients have timed, together.
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
