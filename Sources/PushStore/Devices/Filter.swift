package import PushPayload

/// Devices of which a field meets any one of the criteria; or, negated, none.
package struct Filter: Hashable, Sendable {
  package var field: Field
  package var criteria: [Criterion]
  /// `true` lets through the devices that do not match, those without the field among them.
  package var isNegated: Bool

  package init(field: Field, criteria: [Criterion], isNegated: Bool = false) {
    self.field = field
    self.criteria = criteria
    self.isNegated = isNegated
  }

  /// What a filter looks at.
  package enum Field: Hashable, Sendable {
    case builtIn(BuiltIn)
    case attribute(Attribute.Kind, name: String)
    /// How often an event happened; a device on which it never did counts 0.
    case event(String)
  }

  /// The fields every device has, by the API's names.
  package enum BuiltIn: String, CaseIterable, Sendable {
    case tags, locale, badge, platform, development, country, city, location
    case deviceID = "device_id"
    case userID = "user_id"
    case userEmail = "user_email"
    case timeZone = "time_zone"
    case osName = "os_name"
    case osVersion = "os_version"
    case appVersion = "app_version"
    case sdkVersion = "sdk_version"
    case pushEnabled = "push_enabled"
    case pushQuiet = "push_quiet"
    case createdAt = "created_at"
    case registeredAt = "registered_at"
    case lastOpened = "last_opened"
  }

  /// What a field's values are, and so what its criteria may be.
  package enum Kind: Hashable, Sendable {
    case string, integer, float, boolean, date, version, place
  }

  package enum Criterion: Hashable, Sendable {
    /// A date is text as ``Timestamp/iso8601`` writes it.
    case equals(JSONValue)
    /// All of these hold, of one and the same value.
    case range([Bound])
    case within(Circle)
  }

  /// A place on the Earth and how far around it.
  package struct Circle: Hashable, Sendable {
    package var latitude: Double
    package var longitude: Double
    /// In metres.
    package var radius: Double

    package init(latitude: Double, longitude: Double, radius: Double) {
      self.latitude = latitude
      self.longitude = longitude
      self.radius = radius
    }
  }

  package struct Bound: Hashable, Sendable {
    package enum Comparison: String, CaseIterable, Sendable { case gt, gte, lt, lte }
    package var comparison: Comparison
    /// A date may be a ``RelativeDate`` too, as that writes it.
    package var value: JSONValue

    package init(_ comparison: Comparison, _ value: JSONValue) {
      self.comparison = comparison
      self.value = value
    }
  }
}

extension Filter.Field {
  package var kind: Filter.Kind {
    switch self {
    case .event: .integer
    case .attribute(.string, _): .string
    case .attribute(.integer, _): .integer
    case .attribute(.float, _): .float
    case .attribute(.boolean, _): .boolean
    case .attribute(.date, _): .date
    case .builtIn(.badge): .integer
    case .builtIn(.development), .builtIn(.pushEnabled), .builtIn(.pushQuiet): .boolean
    case .builtIn(.createdAt), .builtIn(.registeredAt), .builtIn(.lastOpened): .date
    case .builtIn(.osVersion), .builtIn(.appVersion), .builtIn(.sdkVersion): .version
    case .builtIn(.location): .place
    case .builtIn: .string
    }
  }

  /// `tags`, `custom.integer.age`, `events.video_plays`.
  package var apiName: String {
    switch self {
    case .builtIn(let field): field.rawValue
    case .attribute(let kind, let name): "custom.\(kind.rawValue).\(name)"
    case .event(let name): "events.\(name)"
    }
  }

  /// The prefix with which the API once stored the names of events it was sent.
  private static let oldEventPrefix = "Public Api:"

  /// The event as filters know it: one and the same, whichever version of the API it came by.
  package static func event(recordedAs name: String) -> Self {
    .event(
      name.hasPrefix(oldEventPrefix) ? String(name.dropFirst(oldEventPrefix.count)) : name)
  }

  package init?(apiName: String) {
    // The profile's id is an attribute that a caller sets.
    if apiName == "sid" {
      self = .attribute(.string, name: "sid")
      return
    }
    if let field = Filter.BuiltIn(rawValue: apiName) {
      self = .builtIn(field)
      return
    }
    let parts = apiName.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    if parts[0] == "events" {
      let field = Self.event(recordedAs: String(parts[1]))
      guard case .event(let name) = field, Attribute.isName(name) else { return nil }
      self = field
      return
    }
    let path = parts[1].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts[0] == "custom", path.count == 2,
      let kind = Attribute.Kind(rawValue: String(path[0])), Attribute.isName(path[1])
    else { return nil }
    self = .attribute(kind, name: String(path[1]))
  }
}
