import PushModel
import PushPayload

/// The `to` of a request: everyone, an audience's id, users, filters, or a choice of these.
enum Target: Sendable {
  case everyone
  case audience(id: String, path: String)
  case filters([Filter])
  case choice(TargetChoice)

  init(_ field: BodyValue) throws(RequestError) {
    switch field.value {
    case .string("*"): self = .everyone
    case .string(let id): self = .audience(id: id, path: field.path)
    case .object(let members):
      if let users = field["user_ids"] {
        try Self.refuseOthers(of: field, beside: "user_ids")
        self = .filters([try Self.users(users)])
      } else if field["audience"] == nil, TargetChoice.isOne(members) {
        self = .choice(try TargetChoice(field))
      } else {
        let audience = try field.required("audience")
        try Self.refuseOthers(of: field, beside: "audience")
        self = .audience(id: try audience.string(), path: audience.path)
      }
    case .array: self = .filters(try Self.filters(field))
    default:
      throw .wrongType(
        field,
        expected: "\"*\", an audience's id, {\"audience\": ID}, {\"user_ids\": […]}, filters or an"
          + " object with all, any and except")
    }
  }

  /// The largest number of filters in a list.
  static let filterLimit = 100

  /// Reads a list of filters, all of which match.
  static func filters(_ field: BodyValue) throws(RequestError) -> [Filter] {
    let elements = try field.elements()
    guard !elements.isEmpty else {
      throw .refused(field.path, "must have at least one filter; use \"*\" for every device")
    }
    guard elements.count <= filterLimit else {
      throw .refused(field.path, "must have at most \(filterLimit) filters")
    }
    var filters: [Filter] = []
    for element in elements { filters.append(try Filter(element)) }
    return filters
  }

  /// Refuses other members beside one that selects the devices alone.
  private static func refuseOthers(of field: BodyValue, beside name: String) throws(RequestError) {
    for other in try field.object().keys.sorted() where other != name && field[other] != nil {
      throw .refused(
        field.path(to: other), "must not be with \(name), which alone says which devices are meant")
    }
  }

  /// The largest number of ids in `user_ids`.
  static let userLimit = 10_000

  private static func users(_ field: BodyValue) throws(RequestError) -> Filter {
    let elements = try field.elements()
    guard (1...userLimit).contains(elements.count) else {
      throw .refused(field.path, "must have 1 to \(userLimit) ids")
    }
    var ids: [Filter.Criterion] = []
    for element in elements { ids.append(.equals(.string(try element.string()))) }
    return Filter(field: .builtIn(.userID), criteria: ids)
  }

  /// Returns the audience of the target: that of every device, a stored one, or a new one with the conditions.
  ///
  /// - Throws: ``RequestError`` `.notFound` if the target names an audience or a notification that the app does not have.
  func audience(
    app: String, at now: Timestamp, _ store: any PushStore
  ) async throws -> Audience {
    switch self {
    case .everyone:
      return Audience(id: Identifiers.everyone(in: app), app: app, filters: [], createdAt: now)
    case .filters(let filters):
      return Audience(id: Identifiers.makeObjectID(), app: app, filters: filters, createdAt: now)
    case .choice(let choice):
      var audience = Audience(
        id: Identifiers.makeObjectID(), app: app, filters: choice.filters, createdAt: now)
      audience.any = try await choice.any.parts(app: app, store)
      audience.except = try await choice.except.parts(app: app, store)
      return audience
    case .audience(let id, let path):
      return try await store.requiredAudience(id, app: app, at: path)
    }
  }
}

extension Filter {
  init(_ field: BodyValue) throws(RequestError) {
    let name = try field.required("name")
    let text = try name.string()
    guard let parsed = Field(apiName: text) else {
      throw .unknownFilter(name.path, text)
    }
    try self.init(field, on: parsed)
  }

  /// Reads the criteria of a filter on a known field.
  init(_ field: BodyValue, on parsed: Field) throws(RequestError) {
    let object = try field.object()
    let known: Set<String> = ["name", "criteria", "not_filter"]
    if let unknown = object.keys.sorted().first(where: { !known.contains($0) }) {
      throw .refused(
        field.path(to: unknown), "is not a member of a filter; it has name, criteria and not_filter"
      )
    }
    let criteria = try field.required("criteria")
    let elements = try criteria.elements()
    guard (1...1000).contains(elements.count) else {
      throw .refused(criteria.path, "must have 1 to 1000 elements")
    }
    var values: [Criterion] = []
    for element in elements { values.append(try Criterion(element, for: parsed)) }
    self.init(
      field: parsed, criteria: values, isNegated: try field["not_filter"]?.bool() ?? false)
  }
}

extension Filter.Criterion {
  fileprivate init(_ field: BodyValue, for target: Filter.Field) throws(RequestError) {
    if let exists = field["exists"] {
      guard try field.object().count == 1 else {
        throw .refused(field.path, "must have no member beside exists")
      }
      guard try exists.bool() else {
        throw .refused(
          exists.path, "must be true; with not_filter, the filter finds the devices without a value"
        )
      }
      self = .exists
      return
    }
    if target.kind == .place {
      self = .within(try Filter.Circle(field))
      return
    }
    guard let object = field.value.object else {
      if target == .builtIn(.timeZone) {
        // Devices have this name, so that a filter finds a zone by any of its names.
        self = .equals(.string(try DeviceTimeZone.name(field)))
      } else {
        self = .equals(try target.kind.scalar(field))
      }
      return
    }
    guard target.kind.isOrdered else {
      throw .refused(field.path, "must be a value: \(target.apiName) does not take ranges")
    }
    var bounds: [Filter.Bound] = []
    for key in object.keys.sorted() {
      guard let comparison = Filter.Bound.Comparison(rawValue: key) else {
        throw .refused(
          field.path(to: key), "is not a bound of a range; it has gt, gte, lt and lte")
      }
      bounds.append(Filter.Bound(comparison, try target.kind.bound(try field.required(key))))
    }
    guard !bounds.isEmpty else { throw .refused(field.path, "must have one of gt, gte, lt, lte") }
    self = .range(bounds)
  }
}

extension Filter.Circle {
  /// `{"lat": 52.5, "lng": 13.4, "radius": 2000}`, the radius in metres.
  fileprivate init(_ field: BodyValue) throws(RequestError) {
    let known: Set<String> = ["lat", "lng", "radius"]
    if let unknown = try field.object().keys.sorted().first(where: { !known.contains($0) }) {
      throw .refused(
        field.path(to: unknown), "is not a member of a circle; it has lat, lng and radius")
    }
    self.init(
      latitude: try field.required("lat").number(in: -90...90),
      longitude: try field.required("lng").number(in: -180...180),
      radius: try field.required("radius").number(in: 0...Self.halfTheEarth))
  }

  /// Half the circumference of the Earth in metres, rounded up: the greatest useful radius.
  private static let halfTheEarth = 20_100_000.0
}

extension Filter.Kind {
  /// Whether values of this kind can be compared with bounds.
  fileprivate var isOrdered: Bool {
    switch self {
    case .integer, .float, .date, .version: true
    case .string, .boolean, .place: false
    }
  }

  /// Reads a bound of a range; a date may be relative to now.
  fileprivate func bound(_ field: BodyValue) throws(RequestError) -> JSONValue {
    guard self == .date else { return try scalar(field) }
    if let date = RelativeDate(try field.string()) { return .string(date.text) }
    guard let time = Timestamp(iso8601: try field.string()) else {
      throw .refused(
        field.path,
        "must be an ISO 8601 date, or a relative one such as \"-7d\" or \"7 days ago\"")
    }
    return .string(time.iso8601)
  }

  /// Reads a value of this kind, as audiences store it.
  fileprivate func scalar(_ field: BodyValue) throws(RequestError) -> JSONValue {
    switch self {
    case .string: return .string(try field.string())
    case .boolean: return .bool(try field.bool())
    case .float:
      return .number(
        try field.number(in: -Double.greatestFiniteMagnitude...(.greatestFiniteMagnitude)))
    case .integer: return .integer(try field.integer(in: (.min)...(.max)))
    case .version:
      let text = try field.string()
      guard text.utf8.first.map({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) == true
      else { throw .refused(field.path, "must be a version such as \"17.1.2\"") }
      guard text.unicodeScalars.count <= DevicePatchReader.textLimit else {
        throw .refused(
          field.path, "must be at most \(DevicePatchReader.textLimit) characters")
      }
      return .string(text)
    case .date:
      let text = try field.string()
      guard RelativeDate(text) == nil else {
        throw .refused(
          field.path, "must be a range such as {\"lt\": \"-7d\"}, since it is a relative date")
      }
      guard let time = Timestamp(iso8601: text) else {
        throw .refused(field.path, "must be an ISO 8601 date")
      }
      return .string(time.iso8601)
    case .place: throw .wrongType(field, expected: "an object with lat, lng and radius")
    }
  }
}
