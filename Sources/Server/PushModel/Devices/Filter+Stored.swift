package import PushPayload

extension Filter {
  /// The stored JSON, in the API's form with dates in one form.
  package var stored: JSONValue {
    [
      "name": .string(field.apiName),
      "criteria": .array(
        criteria.map { criterion in
          switch criterion {
          case .equals(let value): value
          case .exists: ["exists": true]
          case .within(let circle):
            [
              "lat": .number(circle.latitude), "lng": .number(circle.longitude),
              "radius": .number(circle.radius),
            ]
          case .range(let bounds):
            .object(
              Dictionary(
                bounds.map { ($0.comparison.rawValue, $0.value) }, uniquingKeysWith: { $1 }))
          }
        }),
      "not_filter": .bool(isNegated),
    ]
  }

  /// Reads a stored filter; `nil` if its field, a criterion or a member is unknown.
  package init?(stored: JSONValue) {
    guard let members = stored.members(among: ["name", "criteria", "not_filter"]),
      let field = members["name"]?.string.flatMap(Field.init(apiName:)),
      let criteria = members["criteria"]?.array?.all(Criterion.init(stored:)),
      let isNegated = members["not_filter"]?.bool
    else { return nil }
    self.init(field: field, criteria: criteria, isNegated: isNegated)
  }
}

extension Filter.Criterion {
  fileprivate init?(stored: JSONValue) {
    guard let members = stored.object else {
      self = .equals(stored)
      return
    }
    if members["exists"] != nil {
      guard stored == ["exists": true] else { return nil }
      self = .exists
      return
    }
    if members["lat"] != nil {
      guard let members = stored.members(among: ["lat", "lng", "radius"]),
        let latitude = members["lat"]?.number, let longitude = members["lng"]?.number,
        let radius = members["radius"]?.number
      else { return nil }
      self = .within(Filter.Circle(latitude: latitude, longitude: longitude, radius: radius))
      return
    }
    let comparisons = Filter.Bound.Comparison.allCases
    guard !members.isEmpty, stored.members(among: Set(comparisons.map(\.rawValue))) != nil else {
      return nil
    }
    self = .range(
      comparisons.compactMap { comparison in
        members[comparison.rawValue].map { Filter.Bound(comparison, $0) }
      })
  }
}
