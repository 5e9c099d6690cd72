package import Foundation
package import PushPayload

/// The Live Activities of one app on a phone, as a value: pushes start, update and end them, and the system ends them
/// after eight hours.
///
/// The caller brings the time and the tokens. Times never go back.
package struct PhoneActivities: Sendable {
  /// An activity that runs, or that has ended and is still on the lock screen.
  package struct Running: Sendable {
    /// The token that updates it.
    package let token: String
    package let attributes: JSONValue?
    package let startedAt: Date
    package fileprivate(set) var state: JSONValue?
    package fileprivate(set) var staleDate: Date?
    /// The time at which it ends, or has ended.
    package fileprivate(set) var endsAt: Date
    /// The time at which it leaves the lock screen.
    package fileprivate(set) var leavesAt: Date
    /// The timestamp of the last push.
    fileprivate var timestamp: Date?
  }

  /// The time for which an activity runs, and the time for which it stays on the lock screen after that.
  ///
  /// Source: Apple, "Displaying live data with Live Activities".
  package static let life: TimeInterval = 8 * 3600
  package static let stay: TimeInterval = 4 * 3600

  private let behavior: HostBehavior
  private var activities: [Running] = []
  /// The times at which pushes have started activities, and those of updates and ends with priority 10.
  private var (starts, urgent): ([Date], [Date]) = ([], [])

  package init(behavior: HostBehavior = HostBehavior()) { self.behavior = behavior }

  /// The activities that a person sees at a time.
  package func visible(at now: Date) -> [Running] { activities.filter { now < $0.leavesAt } }

  /// Whether a token belongs to an activity that runs.
  package func runs(_ token: String, at now: Date) -> Bool {
    activities.contains { $0.token == token && now < $0.endsAt }
  }

  /// Starts an activity by a push; `token` is the one that the activity gets.
  ///
  /// - Returns: The rule by which the phone ignores the push; `nil` if the activity was started.
  package mutating func start(_ push: LiveActivity, token: String, at now: Date) -> HostRule? {
    activities.removeAll { $0.leavesAt <= now }
    if let window = behavior.pushToStartWindow {
      starts.removeAll { $0.addingTimeInterval(Double(window.components.seconds)) <= now }
    }
    guard starts.count < behavior.pushToStartBudget ?? .max else { return .pushToStartBudget }
    starts.append(now)
    begin(push, token: token, at: now)
    return nil
  }

  /// Starts an activity as the app does, which has no budget.
  package mutating func begin(_ push: LiveActivity, token: String, at now: Date) {
    let end = now.addingTimeInterval(Self.life)
    activities.append(
      Running(
        token: token, attributes: push.attributes, startedAt: now, state: push.contentState,
        staleDate: push.staleDate, endsAt: end,
        leavesAt: end.addingTimeInterval(Self.stay), timestamp: push.timestamp))
  }

  /// Updates or ends the activity with a token.
  ///
  /// - Returns: The rule by which the phone ignores the push; `nil` if it was applied.
  package mutating func receive(
    _ push: LiveActivity, to token: String, priority: Int, at now: Date
  ) -> HostRule? {
    guard let index = activities.firstIndex(where: { $0.token == token && now < $0.endsAt }) else {
      return .activityToken
    }
    if let limit = behavior.activityUpdateBudget, priority == 10 {
      urgent.removeAll { $0.addingTimeInterval(3600) <= now }
      guard urgent.count < limit else { return .activityUpdateBudget }
      urgent.append(now)
    }
    if let last = activities[index].timestamp, let new = push.timestamp, new < last {
      return .activityOrder
    }
    activities[index].timestamp = push.timestamp ?? activities[index].timestamp
    activities[index].state = push.contentState ?? activities[index].state
    activities[index].staleDate = push.staleDate
    guard push.event == "end" else { return nil }
    let latest = now.addingTimeInterval(Self.stay)
    activities[index].endsAt = now
    activities[index].leavesAt = max(now, min(push.dismissalDate ?? latest, latest))
    return nil
  }

  /// Removes an activity as a person does.
  package mutating func dismiss(_ token: String) { activities.removeAll { $0.token == token } }
}
