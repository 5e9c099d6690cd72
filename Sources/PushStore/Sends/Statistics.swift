/// What is counted by the hour, or, of users, by the day.
package enum Counter: String, CaseIterable, Sendable {
  case opens, installs, sessions, uninstalls
  case activeUsers = "active_users"
  case pushesSent = "pushes_sent"
  case pushesRejected = "pushes_rejected"
  /// For devices that Apple called invalid, unless a person has looked at their send and believes it.
  case pushesInvalid = "pushes_invalid"
}

package struct CounterValue: Hashable, Sendable {
  /// The start of the hour or day.
  package var time: Timestamp
  package var count: Int

  package init(time: Timestamp, count: Int) {
    self.time = time
    self.count = count
  }
}

/// What the sends of a transactional group came to.
package struct GroupStats: Hashable, Sendable {
  package var sent = 0
  package var opened = 0
  package var openedIndirectly = 0
  package var conversions: [String: Int] = [:]
  /// By the names of what was bought.
  package var purchases: [String: Purchases] = [:]

  package init() {}
}

/// How many of one thing were bought, and for how much.
package struct Purchases: Hashable, Sendable {
  package var count = 0
  /// In the smallest unit of the currency.
  package var value = 0

  package init(count: Int = 0, value: Int = 0) {
    self.count = count
    self.value = value
  }
}
