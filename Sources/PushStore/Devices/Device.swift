package import PushPayload

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

/// A value an app keeps about a device, by which an audience may select.
package struct Attribute: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case string, integer, float, boolean, date
  }

  package var kind: Kind
  /// A scalar of that kind, or an array of them; a date is text as ``Timestamp/iso8601`` writes it.
  package var value: JSONValue

  package init(kind: Kind, value: JSONValue) {
    self.kind = kind
    self.value = value
  }

  /// `{"type": …, "value": …}`, as the API and the store write it.
  package var json: JSONValue { ["type": .string(kind.rawValue), "value": value] }

  package init?(json: JSONValue) {
    guard let kind = json["type"]?.string.flatMap(Kind.init), let value = json["value"] else {
      return nil
    }
    self.init(kind: kind, value: value)
  }
}

/// What one update says about a device; what it does not name stays as it is.
package struct DevicePatch: Hashable, Sendable {
  package enum Edit<Value: Hashable & Sendable>: Hashable, Sendable {
    case keep
    case set(Value)

    func apply(to value: inout Value) { if case .set(let new) = self { value = new } }
  }

  package var userID: Edit<String?> = .keep
  package var userEmail: Edit<String?> = .keep
  package var token: Edit<String?> = .keep
  package var platform: Edit<String> = .keep
  package var isDevelopment: Edit<Bool> = .keep
  package var isPushEnabled: Edit<Bool> = .keep
  package var isPushQuiet: Edit<Bool> = .keep
  package var tags: Edit<[String]> = .keep
  /// Merged by name; `nil` removes one.
  package var attributes: [String: Attribute?] = [:]
  package var locale: Edit<String?> = .keep
  package var timeZone: Edit<String?> = .keep
  package var appVersion: Edit<String?> = .keep
  package var osVersion: Edit<String?> = .keep
  package var sdkVersion: Edit<String?> = .keep
  package var location: Edit<Location> = .keep
  package var publicKey: Edit<String?> = .keep
  package var authSecret: Edit<String?> = .keep
  package var badge: Edit<Int64?> = .keep

  package init() {}
}

extension Device {
  /// How many attributes a device may have; new ones beyond it are dropped.
  package static let attributeLimit = 50

  /// Merges one update; a token in it registers the device anew.
  package mutating func apply(_ patch: DevicePatch, at now: Timestamp) {
    patch.userID.apply(to: &userID)
    patch.userEmail.apply(to: &userEmail)
    patch.platform.apply(to: &platform)
    patch.isDevelopment.apply(to: &isDevelopment)
    patch.isPushEnabled.apply(to: &isPushEnabled)
    patch.isPushQuiet.apply(to: &isPushQuiet)
    patch.tags.apply(to: &tags)
    patch.locale.apply(to: &locale)
    patch.timeZone.apply(to: &timeZone)
    patch.appVersion.apply(to: &appVersion)
    patch.osVersion.apply(to: &osVersion)
    patch.sdkVersion.apply(to: &sdkVersion)
    patch.location.apply(to: &location)
    patch.publicKey.apply(to: &publicKey)
    patch.authSecret.apply(to: &authSecret)
    patch.badge.apply(to: &badge)
    if case .set(let new) = patch.token {
      token = new
      tokenAt = new == nil ? nil : now
      uninstalledAt = nil
    }
    merge(patch.attributes)
    updatedAt = now
  }

  private mutating func merge(_ patch: [String: Attribute?]) {
    guard !patch.isEmpty else { return }
    for (name, attribute) in patch where attribute == nil { attributes[name] = nil }
    for (name, attribute) in patch.sorted(by: { $0.key < $1.key }) {
      guard let attribute else { continue }
      guard attributes[name] != nil || attributes.count < Self.attributeLimit else { continue }
      attributes[name] = attribute
    }
  }

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

/// One line of an import: what is known of a token.
package struct ImportedDevice: Hashable, Sendable {
  /// The id the device gets if no device has the token yet; with ``isNamed``, the device's own.
  package var id: String
  /// Whether the import names the device: then it takes the token, whoever has it.
  package var isNamed = false
  package var token: String
  package var patch: DevicePatch

  package init(id: String, token: String, patch: DevicePatch) {
    self.id = id
    self.token = token
    self.patch = patch
  }
}

extension Attribute {
  /// Whether a name can be stored and selected by: 1 to 255 characters, no quote, backslash or
  /// control character (a JSON path cannot name those).
  package static func isName(_ name: some StringProtocol) -> Bool {
    (1...255).contains(name.unicodeScalars.count)
      && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }
  }
}
