/// What a device reports about a notification it got.
package struct Receipt: Hashable, Sendable {
  package enum Event: String, CaseIterable, Sendable {
    case received, displayed, opened, dismissed, action
  }

  package var id: String
  package var send: String
  package var device: String
  package var event: Event
  package var at: Timestamp
  /// What became of the media, and why where it failed.
  package var media: String?
  package var reason: String?
  package var milliseconds: Int64?

  package init(id: String, send: String, device: String, event: Event, at: Timestamp) {
    self.id = id
    self.send = send
    self.device = device
    self.event = event
    self.at = at
  }
}

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
