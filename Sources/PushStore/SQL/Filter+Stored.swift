package import PushPayload

extension Filter {
  /// The JSON that the store keeps: the API's form of the filter, with dates in one form.
  package var stored: JSONValue {
    [
      "name": .string(field.apiName),
      "criteria": .array(
        criteria.map { criterion in
          switch criterion {
          case .equals(let value): value
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

  /// Reads a stored filter; `nil` where its field is unknown.
  package init?(stored: JSONValue) {
    guard let field = stored["name"]?.string.flatMap(Field.init(apiName:)) else { return nil }
    let criteria = (stored["criteria"]?.array ?? []).map { element -> Criterion in
      guard let members = element.object else { return .equals(element) }
      if let latitude = members["lat"]?.number, let longitude = members["lng"]?.number,
        let radius = members["radius"]?.number
      {
        return .within(Filter.Circle(latitude: latitude, longitude: longitude, radius: radius))
      }
      return .range(
        Bound.Comparison.allCases.compactMap { comparison in
          members[comparison.rawValue].map { Bound(comparison, $0) }
        })
    }
    self.init(
      field: field, criteria: criteria, isNegated: stored["not_filter"]?.bool ?? false)
  }
}
