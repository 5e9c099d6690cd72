/// One installation of an app.
package struct Device: Hashable, Sendable {
  package var id: String
  /// The store's own number, dense in its app; 0 until it is stored.
  package var number: UInt32 = 0
  package var userID: String?
  package var userEmail: String?
  /// The push token in lower-case hex.
  package var token: String?
  package var platform = "iOS"
  /// Whether Apple's development host has the token.
  package var isDevelopment = false
  package var isPushEnabled = true
  /// Whether pushes come to the notification centre alone, as under a provisional authorization.
  package var isPushQuiet = false
  package var tags: [String] = []
  package var attributes: [String: Attribute] = [:]
  package var locale: String?
  package var timeZone: String?
  package var appVersion: String?
  package var osVersion: String?
  package var sdkVersion: String?
  package var location = Location()
  package var publicKey: String?
  package var authSecret: String?
  package var badge: Int64?
  package var events: [String: EventCount] = [:]
  package var createdAt: Timestamp
  package var updatedAt: Timestamp
  /// When the token was last registered; Apple's 410 counts only if it is not older.
  package var tokenAt: Timestamp?
  package var uninstalledAt: Timestamp?
  package var lastOpenedAt: Timestamp?
  /// Since when nothing is known of it and nothing will be.
  package var erasedAt: Timestamp?

  package init(id: String, createdAt: Timestamp) {
    self.id = id
    self.createdAt = createdAt
    updatedAt = createdAt
  }
}

extension Device {
  /// How many names of events are counted; those of more names are dropped.
  package static let eventLimit = 100

  /// Counts events; those without a date are of now.
  package mutating func count(_ happened: [DeviceEvent], at now: Timestamp) {
    for event in happened {
      let time = event.date ?? now
      if var count = events[event.name] {
        count.count += 1
        count.first = min(count.first, time)
        count.last = max(count.last, time)
        events[event.name] = count
      } else if events.count < Self.eventLimit {
        events[event.name] = EventCount(count: 1, first: time, last: time)
      }
    }
  }

  /// What is left of it once it is erased.
  package func erased(at now: Timestamp) -> Device {
    var erased = Device(id: id, createdAt: createdAt)
    erased.number = number
    erased.platform = "Unknown"
    erased.isPushEnabled = false
    erased.updatedAt = now
    erased.erasedAt = now
    return erased
  }
}
