/// The pushes that keepers have sent to one phone for an app, against the budgets that the phone enforces silently.
///
/// A phone has one budget for all activities of an app, so all keepers share this value.
package struct PhoneBudget: Hashable, Sendable {
  /// The most starts in ``startWindow``.
  ///
  /// Apple's engineers speak of about ten in a short time (developer forums, thread 799505). Two are left to the app's
  /// server.
  package static let startLimit = 8
  package static let startWindow = Duration.seconds(24 * 3600)
  /// The time in which pushes with priority 10 are counted.
  package static let urgentWindow = Duration.seconds(3600)

  /// The times of starts, and of updates and ends with priority 10, the oldest first.
  package internal(set) var starts: [Timestamp] = []
  package internal(set) var urgent: [Timestamp] = []

  package init() {}

  /// The time at which the phone may get a start; `nil` if it may get one now.
  package func nextStart(at now: Timestamp) -> Timestamp? {
    let counted = starts.filter { $0 + Self.startWindow > now }
    guard counted.count >= Self.startLimit else { return nil }
    return counted[counted.count - Self.startLimit] + Self.startWindow
  }

  /// Counts a start.
  package mutating func spendStart(at now: Timestamp) {
    starts = starts.filter { $0 + Self.startWindow > now } + [now]
  }

  /// Gives back a start that APNs has refused.
  package mutating func returnStart(of time: Timestamp) {
    if let index = starts.lastIndex(of: time) { starts.remove(at: index) }
  }

  /// Counts a push with priority 10, if fewer than `limit` were sent within an hour.
  ///
  /// - Returns: `false` if the push is to have priority 5.
  package mutating func spendUrgent(of limit: Int, at now: Timestamp) -> Bool {
    urgent.removeAll { $0 + Self.urgentWindow <= now }
    guard urgent.count < limit else { return false }
    urgent.append(now)
    return true
  }
}
