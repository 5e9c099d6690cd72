import PushPayload
import PushStore

/// The `to` of a send in any of its forms.
enum Target: Sendable {
  case everyone
  case audience(id: String, path: String)
  case filters([Filter])

  init(_ field: BodyValue) throws(APIError) {
    switch field.value {
    case .string("*"): self = .everyone
    case .string(let id): self = .audience(id: id, path: field.path)
    case .object:
      if let users = field["user_ids"] {
        self = .filters([try Self.users(users)])
        return
      }
      let audience = try field.required("audience")
      self = .audience(id: try audience.string(), path: audience.path)
    case .array:
      let elements = try field.elements()
      guard !elements.isEmpty else {
        throw .refused(field.path, "needs a filter; \"*\" means every device")
      }
      guard elements.count <= 100 else { throw .refused(field.path, "takes 100 filters at most") }
      var filters: [Filter] = []
      for element in elements { filters.append(try Filter(element)) }
      self = .filters(filters)
    default:
      throw .wrongType(field, takes: "\"*\", an audience's id, {\"audience\": ID} or filters")
    }
  }

  /// The most users of a list.
  static let userLimit = 10_000

  private static func users(_ field: BodyValue) throws(APIError) -> Filter {
    let elements = try field.elements()
    guard (1...userLimit).contains(elements.count) else {
      throw .refused(field.path, "takes 1 to \(userLimit) ids")
    }
    var ids: [Filter.Criterion] = []
    for element in elements { ids.append(.equals(.string(try element.string()))) }
    return Filter(field: .builtIn(.userID), criteria: ids)
  }

  /// The audience that is meant: everyone's, a stored one, or a new one of these filters.
  func audience(
    app: String, at now: Timestamp, _ store: any PushStore
  ) async throws -> Audience {
    switch self {
    case .everyone:
      return Audience(id: Identifiers.everyone(in: app), app: app, filters: [], createdAt: now)
    case .filters(let filters):
      return Audience(id: Identifiers.makeObjectID(), app: app, filters: filters, createdAt: now)
    case .audience(let id, let path):
      guard let audience = try await store.audience(id, app: app) else {
        throw APIError(404, "\(path) is the id of no audience", at: path)
      }
      return audience
    }
  }
}

extension Filter {
  init(_ field: BodyValue) throws(APIError) {
    let name = try field.required("name")
    let text = try name.string()
    guard let parsed = Field(apiName: text) else {
      throw .refused(name.path, "names no filter: \"\(text.prefix(64))\"")
    }
    try self.init(field, on: parsed)
  }

  /// Reads a filter whose name was read already.
  init(_ field: BodyValue, on parsed: Field) throws(APIError) {
    let object = try field.object()
    let known: Set<String> = ["name", "criteria", "not_filter"]
    if let unknown = object.keys.sorted().first(where: { !known.contains($0) }) {
      throw .refused(field.path(to: unknown), "is no part of a filter")
    }
    let criteria = try field.required("criteria")
    let elements = try criteria.elements()
    guard (1...1000).contains(elements.count) else {
      throw .refused(criteria.path, "takes 1 to 1000 elements")
    }
    var values: [Criterion] = []
    for element in elements { values.append(try Criterion(element, for: parsed)) }
    self.init(
      field: parsed, criteria: values, isNegated: try field["not_filter"]?.bool() ?? false)
  }
}

extension Filter.Criterion {
  fileprivate init(_ field: BodyValue, for target: Filter.Field) throws(APIError) {
    if target.kind == .place {
      self = .within(try Filter.Circle(field))
      return
    }
    guard let object = field.value.object else {
      self = .equals(try target.kind.scalar(field))
      return
    }
    guard target.kind.isOrdered else {
      throw .refused(field.path, "is a range, which \(target.apiName) does not take")
    }
    var bounds: [Filter.Bound] = []
    for key in object.keys.sorted() {
      guard let comparison = Filter.Bound.Comparison(rawValue: key) else {
        throw .refused(field.path(to: key), "is no bound; a range takes gt, gte, lt, lte")
      }
      bounds.append(Filter.Bound(comparison, try target.kind.bound(try field.required(key))))
    }
    guard !bounds.isEmpty else { throw .refused(field.path, "needs one of gt, gte, lt, lte") }
    self = .range(bounds)
  }
}

extension Filter.Circle {
  /// `{"lat": 52.5, "lng": 13.4, "radius": 2000}`, the radius in metres.
  fileprivate init(_ field: BodyValue) throws(APIError) {
    let known: Set<String> = ["lat", "lng", "radius"]
    if let unknown = try field.object().keys.sorted().first(where: { !known.contains($0) }) {
      throw .refused(field.path(to: unknown), "is no part of a place; it has lat, lng and radius")
    }
    self.init(
      latitude: try field.required("lat").number(in: -90...90),
      longitude: try field.required("lng").number(in: -180...180),
      radius: try field.required("radius").number(in: 0...Self.halfTheEarth))
  }

  /// Nothing on the Earth is farther away than this, in metres.
  private static let halfTheEarth = 20_100_000.0
}

extension Filter.Kind {
  /// Whether greater and less mean something.
  fileprivate var isOrdered: Bool {
    switch self {
    case .integer, .float, .date, .version: true
    case .string, .boolean, .place: false
    }
  }

  /// What a value may be compared with; a date may be told from now.
  fileprivate func bound(_ field: BodyValue) throws(APIError) -> JSONValue {
    guard self == .date else { return try scalar(field) }
    if let date = RelativeDate(try field.string()) { return .string(date.text) }
    guard let time = Timestamp(iso8601: try field.string()) else {
      throw .refused(
        field.path, "must be an ISO 8601 date, or one told from now as \"-7d\" or \"7 days ago\"")
    }
    return .string(time.iso8601)
  }

  /// A criterion of this kind, as audiences keep it.
  fileprivate func scalar(_ field: BodyValue) throws(APIError) -> JSONValue {
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
      else { throw .refused(field.path, "must be a version, as \"17.1.2\"") }
      guard text.unicodeScalars.count <= DevicePatchReader.textLimit else {
        throw .refused(
          field.path, "must be \(DevicePatchReader.textLimit) characters or fewer")
      }
      return .string(text)
    case .date:
      let text = try field.string()
      guard RelativeDate(text) == nil else {
        throw .refused(field.path, "must be a range, since it is a date told from now")
      }
      guard let time = Timestamp(iso8601: text) else {
        throw .refused(field.path, "must be an ISO 8601 date")
      }
      return .string(time.iso8601)
    case .place: throw .wrongType(field, takes: "a place and a radius")
    }
  }
}
