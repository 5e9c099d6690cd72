import APNs
import PushStore
import Synchronization

/// The counters and histograms of the server, for `/metrics`.
package final class ServerMetrics: Sendable {
  /// The stages of a batch in this server.
  package enum Stage: String, CaseIterable, Sendable {
    /// From the batch's due time until a worker leases it.
    case wait
    /// From the lease until every payload is composed.
    case compose
    /// From handing the pushes to the APNs client until the last outcome.
    case deliver
    /// Storing the outcomes.
    case record
  }

  /// The result of a webhook call.
  package enum CallResult: String, CaseIterable, Sendable { case delivered, failed }

  /// What an update by a device key said of its user, where the app asks for a proof.
  package enum UserClaim: String, CaseIterable, Sendable {
    /// A user token proves it.
    case proven
    /// It is not proven, and taken: the app only reports.
    case unproven
    /// It is not proven, and dropped.
    case dropped
  }

  /// Why a new device of a device key was refused.
  package enum DeviceRefusal: String, CaseIterable, Sendable {
    /// Its address has registered too many.
    case address
    /// The app has as many devices as it may have.
    case limit
  }

  /// Credentials that were refused: an API key, or a key of the dashboard's sign-in form.
  package enum Refusal: String, CaseIterable, Sendable { case key, signIn = "sign_in" }

  private struct Request: Hashable {
    var method: String
    var route: String
    var status: Int
  }

  private struct ActivityLabel: Hashable {
    var event: ActivityPush.Event
    var priority: Int
  }

  private struct State {
    var requests: [Request: Int] = [:]
    var requestDurations: [String: Histogram] = [:]
    var stages: [Stage: Histogram] = [:]
    var calls: [CallResult: Int] = [:]
    var callDurations = Histogram()
    var unmarked = 0
    var users: [UserClaim: Int] = [:]
    var refusedDevices: [DeviceRefusal: Int] = [:]
    var refusals: [Refusal: Int] = [:]
    var activityPushes: [ActivityLabel: Int] = [:]
    var counters: [APNsCounters] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// The methods that are counted by name: those of RFC 9110 and PATCH.
  ///
  /// Any other one is `other`, since callers can invent methods without end.
  private static let methods: Set = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE",
  ]

  /// Counts an answered request, by the route's pattern instead of its path, whose ids would be
  /// labels without bound.
  func answered(_ method: String, route: String, status: Int, in duration: Duration) {
    let method = Self.methods.contains(method) ? method : "other"
    state.withLock { state in
      state.requests[Request(method: method, route: route, status: status), default: 0] += 1
      state.requestDurations[route, default: Histogram()].add(duration)
    }
  }

  /// Counts a batch that has left a stage.
  func passed(_ stage: Stage, in duration: Duration) {
    state.withLock { $0.stages[stage, default: Histogram()].add(duration) }
  }

  /// Counts a webhook call.
  func called(_ result: CallResult, in duration: Duration) {
    state.withLock { state in
      state.calls[result, default: 0] += 1
      state.callDurations.add(duration)
    }
  }

  /// Counts credentials that were refused.
  func refused(_ kind: Refusal) { state.withLock { $0.refusals[kind, default: 0] += 1 } }

  /// Counts devices that Apple reported as uninstalled, but too many at once to be believed.
  func left(unmarked count: Int) { state.withLock { $0.unmarked += count } }

  /// Counts a user's id or address in an update by a device key.
  func named(_ claim: UserClaim) { state.withLock { $0.users[claim, default: 0] += 1 } }

  /// Counts a new device that was refused.
  func refusedDevice(_ reason: DeviceRefusal) {
    state.withLock { $0.refusedDevices[reason, default: 0] += 1 }
  }

  /// Counts a push to a Live Activity that was accepted.
  func accepted(_ push: ActivityPush) {
    let label = ActivityLabel(event: push.event, priority: push.priority)
    state.withLock { $0.activityPushes[label, default: 0] += 1 }
  }

  /// Makes the counters of another APNs client.
  func counters() -> APNsCounters {
    let counters = APNsCounters()
    state.withLock { $0.counters.append(counters) }
    return counters
  }

  /// Returns all metrics in Prometheus's text format.
  ///
  /// `oldestWait` says how long the oldest due batch has been waiting. `devices` has the number of
  /// each app's devices.
  func text(version: String, oldestWait: Duration, devices: AppDevices? = nil) -> String {
    let state = state.withLock { $0 }
    var text = PrometheusText()
    text.family("martlet_build_info", .gauge, help: "The version of this program.")
    text.sample("martlet_build_info", 1, labels: ["version": version])
    text.family(
      "martlet_queue_oldest_wait_seconds", .gauge,
      help: "How long the oldest due batch has been waiting.")
    text.sample("martlet_queue_oldest_wait_seconds", oldestWait / .seconds(1))
    devices?.write(to: &text)
    Self.write(state, to: &text)
    Self.write(state.counters.map(\.snapshot), to: &text)
    return text.text
  }

  private static func write(_ state: State, to text: inout PrometheusText) {
    text.family(
      "martlet_http_requests_total", .counter,
      help: "Answered HTTP requests by method, route and status.")
    let requests = state.requests.sorted {
      ($0.key.route, $0.key.method, $0.key.status) < ($1.key.route, $1.key.method, $1.key.status)
    }
    for (request, count) in requests {
      text.sample(
        "martlet_http_requests_total", count,
        labels: [
          "method": request.method, "route": request.route, "status": String(request.status),
        ])
    }
    text.family(
      "martlet_http_request_duration_seconds", .histogram,
      help: "The time from a request to its answer, by route.")
    for (route, histogram) in state.requestDurations.sorted(by: { $0.key < $1.key }) {
      text.histogram("martlet_http_request_duration_seconds", histogram, labels: ["route": route])
    }
    text.family(
      "martlet_batch_stage_duration_seconds", .histogram,
      help: "The time of batches in each stage of delivery.")
    for stage in Stage.allCases {
      guard let histogram = state.stages[stage] else { continue }
      text.histogram(
        "martlet_batch_stage_duration_seconds", histogram, labels: ["stage": stage.rawValue])
    }
    text.family("martlet_webhook_calls_total", .counter, help: "Webhook calls by result.")
    for result in CallResult.allCases {
      text.sample(
        "martlet_webhook_calls_total", state.calls[result] ?? 0, labels: ["result": result.rawValue]
      )
    }
    text.family(
      "martlet_webhook_call_duration_seconds", .histogram, help: "The time of webhook calls.")
    text.histogram("martlet_webhook_call_duration_seconds", state.callDurations)
    text.family(
      "martlet_devices_unmarked_total", .counter,
      help: "Devices that Apple reported as uninstalled, but too many at once to be marked so.")
    text.sample("martlet_devices_unmarked_total", state.unmarked)
    text.family(
      "martlet_user_claims_total", .counter,
      help: "Users' ids and addresses that device keys named, by whether a user token proves them.")
    for claim in UserClaim.allCases {
      text.sample(
        "martlet_user_claims_total", state.users[claim] ?? 0, labels: ["result": claim.rawValue])
    }
    text.family(
      "martlet_devices_refused_total", .counter,
      help: "New devices of device keys that were refused, by the limit that was reached.")
    for reason in DeviceRefusal.allCases {
      text.sample(
        "martlet_devices_refused_total", state.refusedDevices[reason] ?? 0,
        labels: ["limit": reason.rawValue])
    }
    text.family(
      "martlet_refused_credentials_total", .counter,
      help: "Refused API keys, and refused keys of the sign-in form.")
    for kind in Refusal.allCases {
      text.sample(
        "martlet_refused_credentials_total", state.refusals[kind] ?? 0,
        labels: ["kind": kind.rawValue])
    }
    text.family(
      "martlet_activity_pushes_total", .counter,
      help: "Accepted sends to Live Activities by event and priority.")
    for event in ActivityPush.Event.allCases {
      for priority in [5, 10] {
        let label = ActivityLabel(event: event, priority: priority)
        text.sample(
          "martlet_activity_pushes_total", state.activityPushes[label] ?? 0,
          labels: ["event": event.rawValue, "priority": String(priority)])
      }
    }
  }

  private static func write(_ clients: [APNsCounters.Snapshot], to text: inout PrometheusText) {
    var ended: [APNsCounters.Label: Int] = [:]
    for client in clients { ended.merge(client.ended, uniquingKeysWith: +) }
    text.family(
      "martlet_pushes_total", .counter, help: "Finished pushes by topic, status and reason.")
    let rows = ended.sorted {
      ($0.key.topic, $0.key.status ?? 0, $0.key.reason)
        < ($1.key.topic, $1.key.status ?? 0, $1.key.reason)
    }
    for (label, count) in rows { text.sample("martlet_pushes_total", count, labels: label.names) }
    text.family(
      "martlet_push_duration_seconds", .histogram,
      help: "The time from sending a push to Apple's answer.")
    for (label, _) in rows {
      let durations = clients.compactMap { $0.durations[label] }
      guard !durations.isEmpty else { continue }
      text.histogram(
        "martlet_push_duration_seconds", Histogram(answers: durations), labels: label.names)
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
