package import PushPayload

/// Whom a send is for: the devices that every filter lets through.
package struct Audience: Hashable, Sendable {
  package var id: String
  package var app: String
  /// `nil` for one that a send made on the fly.
  package var name: String?
  /// Whether it is for trying things out.
  package var isTest = false
  /// No filter means every device.
  package var filters: [Filter]
  package var createdAt: Timestamp
  package var updatedAt: Timestamp

  package init(id: String, app: String, filters: [Filter], createdAt: Timestamp) {
    self.id = id
    self.app = app
    self.filters = filters
    self.createdAt = createdAt
    updatedAt = createdAt
  }
}

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
  }

  /// The fields every device has, by the API's names.
  package enum BuiltIn: String, CaseIterable, Sendable {
    case tags, locale, badge, platform, development
    case deviceID = "device_id"
    case userID = "user_id"
    case userEmail = "user_email"
    case timeZone = "time_zone"
    case osName = "os_name"
    case osVersion = "os_version"
    case appVersion = "app_version"
    case pushEnabled = "push_enabled"
    case createdAt = "created_at"
    case registeredAt = "registered_at"
  }

  package enum Criterion: Hashable, Sendable {
    case equals(JSONValue)
    /// All of these hold.
    case range([Bound])
  }

  package struct Bound: Hashable, Sendable {
    package enum Comparison: String, CaseIterable, Sendable { case gt, gte, lt, lte }
    package var comparison: Comparison
    package var value: JSONValue

    package init(_ comparison: Comparison, _ value: JSONValue) {
      self.comparison = comparison
      self.value = value
    }
  }
}

extension Filter.Field {
  /// The kind of value a criterion has.
  package var kind: Attribute.Kind {
    switch self {
    case .attribute(let kind, _): kind
    case .builtIn(.badge): .integer
    case .builtIn(.development), .builtIn(.pushEnabled): .boolean
    case .builtIn(.createdAt), .builtIn(.registeredAt): .date
    case .builtIn: .string
    }
  }
}

extension Filter.Field {
  /// `tags`, `custom.integer.age`.
  package var apiName: String {
    switch self {
    case .builtIn(let field): field.rawValue
    case .attribute(let kind, let name): "custom.\(kind.rawValue).\(name)"
    }
  }

  package init?(apiName: String) {
    if let field = Filter.BuiltIn(rawValue: apiName) {
      self = .builtIn(field)
      return
    }
    let parts = apiName.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "custom",
      let kind = Attribute.Kind(rawValue: String(parts[1])),
      Attribute.isName(parts[2])
    else { return nil }
    self = .attribute(kind, name: String(parts[2]))
  }
}
