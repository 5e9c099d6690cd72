package import PushPayload

/// A condition on one field of a device, which matches if one of its criteria matches.
package struct Filter: Hashable, Sendable {
  package var field: Field
  package var criteria: [Criterion]
  /// Whether the filter selects the devices that do not match, including those without the field.
  package var isNegated: Bool

  package init(field: Field, criteria: [Criterion], isNegated: Bool = false) {
    self.field = field
    self.criteria = criteria
    self.isNegated = isNegated
  }

  /// The property of a device that a filter compares.
  package enum Field: Hashable, Sendable {
    case builtIn(BuiltIn)
    case attribute(Attribute.Kind, name: String)
    /// The number of times that an event happened on the device; 0 if it never happened.
    case event(String)
  }

  /// The fields that every device has; the raw values are the API's names.
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

  /// The kind of a field's values, which decides the criteria that it takes.
  package enum Kind: Hashable, Sendable {
    case string, integer, float, boolean, date, version, place
  }

  package enum Criterion: Hashable, Sendable {
    /// The field has this value; a date is text in the form of ``Timestamp/iso8601``.
    case equals(JSONValue)
    /// One value of the field is within all of these bounds.
    case range([Bound])
    /// The location of the device is in this circle.
    case within(Circle)
    /// The field has a value, whichever it is.
    case exists
  }

  /// A location and a distance around it.
  package struct Circle: Hashable, Sendable {
    package var latitude: Double
    package var longitude: Double
    /// The distance in metres.
    package var radius: Double

    package init(latitude: Double, longitude: Double, radius: Double) {
      self.latitude = latitude
      self.longitude = longitude
      self.radius = radius
    }
  }

  /// One end of a range.
  package struct Bound: Hashable, Sendable {
    package enum Comparison: String, CaseIterable, Sendable { case gt, gte, lt, lte }
    package var comparison: Comparison
    /// The value to compare with; a date may also be text in the form of ``RelativeDate/text``.
    package var value: JSONValue

    package init(_ comparison: Comparison, _ value: JSONValue) {
      self.comparison = comparison
      self.value = value
    }
  }
}

extension Filter.Field {
  /// The kind of the field's values.
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

  /// The API's name of the field: "tags", "custom.integer.age" or "events.video_plays".
  package var apiName: String {
    switch self {
    case .builtIn(let field): field.rawValue
    case .attribute(let kind, let name): "custom.\(kind.rawValue).\(name)"
    case .event(let name): "events.\(name)"
    }
  }

  /// The prefix that older versions of the API gave the names of events.
  private static let oldEventPrefix = "Public Api:"

  /// The field of an event, whichever version of the API recorded it.
  package static func event(recordedAs name: String) -> Self {
    .event(
      name.hasPrefix(oldEventPrefix) ? String(name.dropFirst(oldEventPrefix.count)) : name)
  }

  /// Parses the API's name of a field; `nil` if the name is unknown.
  package init?(apiName: String) {
    // The profile's id is an attribute that the API's client sets.
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
