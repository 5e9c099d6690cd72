/// A count of an app by hour or, for active users, by day.
package enum Counter: String, CaseIterable, Sendable {
  case opens, installs, sessions, uninstalls
  case activeUsers = "active_users"
  case pushesSent = "pushes_sent"
  case pushesRejected = "pushes_rejected"
  /// The pushes that APNs rejected because of an invalid token, except those of a send that a person has resumed
  /// after an alarm of ``InvalidationGuard``.
  case pushesInvalid = "pushes_invalid"
}

/// The value of a counter in one hour or day.
package struct CounterValue: Hashable, Sendable {
  /// The start of the hour or day, UTC.
  package var time: Timestamp
  package var count: Int

  package init(time: Timestamp, count: Int) {
    self.time = time
    self.count = count
  }
}
