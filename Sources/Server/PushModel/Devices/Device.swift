/// One installation of an app.
package struct Device: Hashable, Sendable {
  package var id: String
  /// The store's number of the device, counted from 1 in each app; 0 until the device is stored.
  package var number: UInt32 = 0
  package var userID: String?
  package var userEmail: String?
  /// The push token in lower-case hex.
  package var token: String?
  package var platform = "iOS"
  /// Whether the token belongs to Apple's development environment.
  package var isDevelopment = false
  package var isPushEnabled = true
  /// Whether notifications are delivered quietly, as with provisional authorization.
  package var isPushQuiet = false
  /// The settings that the app has reported; `nil` if it has reported none.
  package var settings: DeviceSettings?
  package var tags: [String] = []
  package var attributes: [String: Attribute] = [:]
  package var locale: String?
  package var timeZone: String?
  package var appVersion: String?
  package var osVersion: String?
  package var sdkVersion: String?
  package var location = Location()
  /// The keys for encrypted payloads (RFC 8291), in base64url.
  package var publicKey: String?
  package var authSecret: String?
  package var badge: Int64?
  /// The SHA-256 of the device's own secret; `nil` if the app has not shown a secret yet.
  package var secretHash: [UInt8]?
  package var events: [String: EventCount] = [:]
  package var createdAt: Timestamp
  package var updatedAt: Timestamp
  /// The time of the token's last registration; a 410 from APNs about an earlier time is ignored.
  package var tokenAt: Timestamp?
  /// The time at which APNs reported the token as unregistered.
  package var uninstalledAt: Timestamp?
  package var lastOpenedAt: Timestamp?
  /// The time at which the device was erased.
  package var erasedAt: Timestamp?

  package init(id: String, createdAt: Timestamp) {
    self.id = id
    self.createdAt = createdAt
    updatedAt = createdAt
  }
}

extension Device {
  /// The most event names that a device counts; events with further names are dropped.
  package static let eventLimit = 100

  /// Counts events; an event without a date happened now.
  package mutating func count(_ newEvents: [DeviceEvent], at now: Timestamp) {
    for event in newEvents {
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

  /// A copy of the device that keeps only its id, its number and the time of its creation.
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
