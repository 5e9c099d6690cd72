import APNs
package import PushModel
import Synchronization

/// The counters and histograms of the server that `/metrics` shows.
package final class ServerMetrics: Sendable {
  /// The stages of a batch in this server.
  package enum Stage: String, CaseIterable, Sendable {
    /// The time from when the batch is due until a worker leases it.
    case wait
    /// The time from the lease until every payload is composed.
    case compose
    /// The time from handing the pushes to the APNs client until the last outcome.
    case deliver
    /// The time for storing the outcomes.
    case record
  }

  /// The result of a webhook call.
  package enum CallResult: String, CaseIterable, Sendable { case delivered, failed }

  /// The proof of the user in an update by a device key, if the app asks for one.
  package enum UserClaim: String, CaseIterable, Sendable {
    /// A user token proves the user.
    case proven
    /// The user is not proven but accepted, because the app only reports.
    case unproven
    /// The user is not proven and is dropped.
    case dropped
  }

  /// The reason why a new device of a device key was refused.
  package enum DeviceRefusal: String, CaseIterable, Sendable {
    /// The device's address has registered too many devices.
    case address
    /// The app has reached its limit of devices.
    case limit
  }

  /// Refused credentials: an API key, or those of a sign-in to the dashboard.
  package enum Refusal: String, CaseIterable, Sendable { case key, signIn = "sign_in" }

  struct Request: Hashable {
    var method: String
    var route: String
    var status: Int
  }

  struct ActivityLabel: Hashable {
    var event: ActivityPush.Event
    var priority: Int
  }

  struct State {
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
    var firstPushes = Histogram(bounds: ServerMetrics.sendBounds)
    var lastPushes = Histogram(bounds: ServerMetrics.sendBounds)
    /// The number of devices to which no push of a send was sent, by reason.
    var dropped: [String: Int] = [:]
  }

  /// The bounds of the durations of sends, in seconds.
  static let sendBounds = [
    0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600,
  ]

  private let state = Mutex(State())
  /// The durations of the store's calls, which the store measures itself.
  package let store: StoreTimings

  /// Makes counters that are all 0; `store` has the timings with which the store was opened.
  package init(store: StoreTimings = StoreTimings()) { self.store = store }

  /// The current counts.
  var snapshot: State { state.withLock(\.self) }

  /// The methods that are counted by name: those of RFC 9110, and PATCH.
  ///
  /// All others are counted as `other`, because callers can invent any number of methods.
  private static let methods: Set = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE",
  ]

  /// Counts an answered request by the route's pattern, because the ids in its path would make an
  /// unbounded number of labels.
  func answered(_ method: String, route: String, status: Int, in duration: Duration) {
    let method = Self.methods.contains(method) ? method : "other"
    state.withLock { state in
      state.requests[Request(method: method, route: route, status: status), default: 0] += 1
      state.requestDurations[route, default: Histogram()].add(duration)
    }
  }

  /// Counts a batch that has completed a stage.
  func passed(_ stage: Stage, in duration: Duration) {
    state.withLock { $0.stages[stage, default: Histogram()].add(duration) }
  }

  /// Counts the first push of a send, with the time since the send was due.
  func sentFirst(after duration: Duration) {
    state.withLock { $0.firstPushes.add(duration) }
  }

  /// Counts a complete send, with the time since it was due.
  func sentLast(after duration: Duration) {
    state.withLock { $0.lastPushes.add(duration) }
  }

  /// The reasons by which devices without a push are counted.
  ///
  /// Others count as `InvalidPush`, because a reason may be a text for people.
  static let dropReasons: Set = [
    "NoToken", "ChannelNotRegistered", "PayloadTooLarge", "TemplateFailed", "BadDeviceKey",
    "PayloadRefused", "NoAnswer", "Quiet", "Capped",
  ]

  /// Counts the devices of a batch that got no push, or whose push has an unknown result.
  func finished(_ outcomes: [Outcome]) {
    var dropped: [String: Int] = [:]
    for outcome in outcomes where outcome.status == nil && outcome.result == .rejected {
      let name = outcome.limit?.isCap == true ? "Capped" : outcome.reason
      let reason = name.flatMap { Self.dropReasons.contains($0) ? $0 : nil }
      dropped[reason ?? "InvalidPush", default: 0] += 1
    }
    guard !dropped.isEmpty else { return }
    state.withLock { $0.dropped.merge(dropped, uniquingKeysWith: +) }
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

  /// Counts devices that Apple reported as uninstalled, if there are too many at once to be believed.
  func left(unmarked count: Int) { state.withLock { $0.unmarked += count } }

  /// Counts a user's id or address in an update by a device key, by its proof.
  func named(_ claim: UserClaim) { state.withLock { $0.users[claim, default: 0] += 1 } }

  /// Counts a new device that was refused.
  func refusedDevice(_ reason: DeviceRefusal) {
    state.withLock { $0.refusedDevices[reason, default: 0] += 1 }
  }

  /// Counts an accepted push to a Live Activity.
  func accepted(_ push: ActivityPush) {
    let label = ActivityLabel(event: push.event, priority: push.priority)
    state.withLock { $0.activityPushes[label, default: 0] += 1 }
  }

  /// Makes the counters of one more APNs client.
  func counters() -> APNsCounters {
    let counters = APNsCounters()
    state.withLock { $0.counters.append(counters) }
    return counters
  }
}
