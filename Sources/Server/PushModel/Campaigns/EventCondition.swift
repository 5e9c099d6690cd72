package import PushPayload

/// A condition on the data of a trigger's event: a member that has one of some values, or is in one of some ranges.
package struct EventCondition: Hashable, Sendable {
  package enum Criterion: Hashable, Sendable {
    case equals(JSONValue)
    /// The bounds of a number, all of which hold.
    case range([Filter.Bound.Comparison: Double])
  }

  /// The name for the number of a purchase's items, which hides a member of the data with the same name.
  package static let items = "items"

  package var name: String
  /// The criteria, one of which the value must meet.
  package var criteria: [Criterion]
  package var isNegated: Bool

  package init(_ name: String, _ criteria: [Criterion], isNegated: Bool = false) {
    self.name = name
    self.criteria = criteria
    self.isNegated = isNegated
  }

  /// Whether an event meets the condition.
  ///
  /// An absent value meets no criterion, so it meets a negated condition. An array meets a criterion if one of its
  /// elements does.
  package func holds(for event: DeviceEvent) -> Bool {
    let value: JSONValue? =
      name == Self.items && !event.items.isEmpty
      ? .integer(Int64(event.items.count)) : event.data?[name]
    let values = value.map { $0.array ?? [$0] } ?? []
    return values.contains { value in criteria.contains { $0.holds(for: value) } } != isNegated
  }
}

extension EventCondition.Criterion {
  fileprivate func holds(for value: JSONValue) -> Bool {
    switch self {
    case .equals(let wanted):
      if let number = wanted.number { return value.number == number }
      return value == wanted
    case .range(let bounds):
      guard let number = value.number else { return false }
      return bounds.allSatisfy { comparison, bound in
        switch comparison {
        case .gt: number > bound
        case .gte: number >= bound
        case .lt: number < bound
        case .lte: number <= bound
        }
      }
    }
  }

  fileprivate var json: JSONValue {
    switch self {
    case .equals(let value): value
    case .range(let bounds):
      .object(
        Dictionary(
          uniqueKeysWithValues: bounds.map { ($0.key.rawValue, JSONValue.number($0.value)) }))
    }
  }

  /// Reads a value or a range, such as `"red"` or `{"gte": 1}`; `nil` if the JSON is neither.
  package init?(json: JSONValue) {
    guard let members = json.object else {
      guard json.string != nil || json.number != nil || json.bool != nil else { return nil }
      self = .equals(json)
      return
    }
    var bounds: [Filter.Bound.Comparison: Double] = [:]
    for (name, value) in members {
      guard let comparison = Filter.Bound.Comparison(rawValue: name), let number = value.number
      else { return nil }
      bounds[comparison] = number
    }
    guard !bounds.isEmpty else { return nil }
    self = .range(bounds)
  }
}

extension EventCondition {
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "name": .string(name), "criteria": .array(criteria.map(\.json)),
    ]
    if isNegated { members["not_filter"] = true }
    return .object(members)
  }

  init?(json: JSONValue) {
    guard let members = json.members(among: ["name", "criteria", "not_filter"]),
      let name = members["name"]?.string,
      let criteria = members["criteria"]?.array?.all(Criterion.init(json:)),
      // It is written only if it is true.
      let isNegated = members["not_filter", default: false].bool
    else { return nil }
    self.init(name, criteria, isNegated: isNegated)
  }
}

/// A pattern of events: a name, and conditions that must all hold.
package struct EventMatch: Hashable, Sendable {
  package var name: String
  package var conditions: [EventCondition]

  package init(_ name: String, where conditions: [EventCondition] = []) {
    self.name = name
    self.conditions = conditions
  }

  func matches(_ event: DeviceEvent) -> Bool {
    conditions.allSatisfy { $0.holds(for: event) }
  }

  var json: JSONValue {
    ["event": .string(name), "where": .array(conditions.map(\.json))]
  }

  init?(json: JSONValue) {
    guard let members = json.members(among: ["event", "where"]),
      let name = members["event"]?.string,
      let conditions = members["where"]?.array?.all(EventCondition.init(json:))
    else { return nil }
    self.init(name, where: conditions)
  }
}
