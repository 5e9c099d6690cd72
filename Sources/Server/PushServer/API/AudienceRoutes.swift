import PushPayload
import PushStore
import _HTTPServer

/// `/audiences`: named sets of devices, and the devices that are in them now.
enum AudienceRoutes {
  private static let pageSize = 500

  static let all: [Route] =
    Route.allVersions(
      "GET", "/audiences", access: .app([.push]), operation: .listAudiences, handler: list)
    + Route.allVersions(
      "GET", "/audiences/:audience_id", access: .app([.push]), operation: .readAudience,
      handler: read)
    + Route.allVersions(
      "GET", "/audiences/:audience_id/devices", access: .app([.push]),
      operation: .listAudienceDevices, handler: devices)
    + [
      Route(
        "GET", "/v6/audiences/:audience_id/devices.ndjson", access: .app([.push]),
        operation: .exportAudienceLines, handler: exportLines),
      Route(
        "GET", "/v6/audiences/:audience_id/devices.csv", access: .app([.push]),
        operation: .exportAudienceTable, handler: exportTable),
      Route(
        "POST", "/v6/audiences", access: .app([.push]), body: "application/json",
        operation: .createAudience, handler: create),
      Route(
        "POST", "/v6/audiences/count", access: .app([.push]), body: "application/json",
        operation: .countAudience, handler: count),
      Route(
        "PUT", "/v6/audiences/:audience_id", access: .app([.push]), body: "application/json",
        operation: .updateAudience, handler: update),
      Route(
        "DELETE", "/v6/audiences/:audience_id", access: .app([.push]), operation: .deleteAudience,
        handler: delete),
    ]

  // MARK: Reading

  private static func list(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let app = try call.app()
    let per = try call.integer(query: "per", in: 1...500, default: 50)
    let page = try call.integer(query: "page", in: 1...1_000_000, default: 1)
    var last: String?
    if page > 1 {
      let before = try await api.store.audiences(app: app, after: nil, limit: per * (page - 1))
      guard let cursor = before.cursor else { return .json(["audiences": []]) }
      last = cursor
    }
    let found = try await api.store.audiences(app: app, after: last, limit: per)
    var list: [String: JSONValue] = [
      "audiences": .array(found.elements.map { .object($0.members) })
    ]
    if !found.damaged.isEmpty {
      list["damaged"] = .array(
        found.damaged.map { ["id": .string($0.id), "error": .string($0.problem)] })
    }
    return .json(.object(list))
  }

  private static func read(_ call: Call, _ api: API) async throws -> HTTPResponse {
    try await answer(try await audience(call, api), api)
  }

  private static func devices(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let audience = try await audience(call, api)
    let (list, now) = ("audience-\(audience.id)", api.clock.now())
    let last = try call.cursor(of: list, at: now)?.position.flatMap { UInt32($0) }
    let numbers = try await api.audiences.members(of: audience, at: now)
    let page = numbers.slice(from: numbers.rank(through: last ?? 0), limit: pageSize)
    let devices = try await api.store.devices(app: audience.app, numbers: page)
    let next = Cursor(position: (page.last ?? last).map { String($0) })
    return .json(
      list: "devices", devices.lazy.map(\.listedBytes),
      meta: [
        "cursor": .string(next.text(of: list, at: now)), "total": .integer(Int64(numbers.count)),
      ])
  }

  private static func exportLines(_ call: Call, _ api: API) async throws -> HTTPResponse {
    try await export(of: call, api, as: .lines)
  }

  private static func exportTable(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let attributes = try await api.audiences.attributes(app: try call.app())
    return try await export(of: call, api, as: .csv(attributes: attributes))
  }

  private static func export(
    of call: Call, _ api: API, as format: DeviceExport.Format
  ) async throws -> HTTPResponse {
    let audience = try await audience(call, api)
    let devices = try await api.audiences.members(of: audience, at: api.clock.now())
    return DeviceExport(devices, app: audience.app, as: format, from: api.store).response
  }

  // MARK: Changing

  private static func create(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let field = try call.json().required("audience")
    var audience = Audience(
      id: Identifiers.makeObjectID(), app: try call.app(), filters: [], createdAt: api.clock.now())
    audience.name = try SendNaming.name(try field.required("name"))
    try await audience.take(try field.required("to"), at: api.clock.now(), api)
    audience.isTest = try field["test"]?.bool() ?? false
    try await api.actions.store(for: call.actor, "audience.create", audience.id).save(audience)
    return try await answer(audience, status: 201, api)
  }

  private static func update(_ call: Call, _ api: API) async throws -> HTTPResponse {
    var audience = try await ownAudience(call, api)
    let field = try call.json().required("audience")
    _ = try field.object()
    if let given = field["name"] { audience.name = try SendNaming.name(given) }
    if let to = field["to"] { try await audience.take(to, at: api.clock.now(), api) }
    if let test = field["test"] { audience.isTest = try test.bool() }
    audience.updatedAt = api.clock.now()
    try await api.actions.store(for: call.actor, "audience.update", audience.id).save(audience)
    return try await answer(audience, api)
  }

  private static func delete(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (id, app) = (call.parameter("audience_id"), try call.app())
    let audience = try await API.deletedObject(id) {
      try await object(of: ownAudience(call, api), api)
    }
    let store = api.actions.store(for: call.actor, "audience.delete", id)
    guard let audience, id != Identifiers.everyone(in: app),
      try await store.deleteAudience(id, app: app)
    else { throw RequestError.notFound("audience with this id") }
    return .json(["audience": audience])
  }

  private static func count(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let to = try call.json().required("audience").required("to")
    var audience = Audience(
      id: "", app: try call.app(), filters: [], createdAt: api.clock.now())
    try await audience.take(to, at: api.clock.now(), api)
    let count = try await api.audiences.count(of: audience, at: api.clock.now())
    return .json([
      "device_count": .integer(Int64(count.targeted)),
      "targeted": .integer(Int64(count.targeted)),
      "push_enabled": .integer(Int64(count.pushEnabled)), "quiet": .integer(Int64(count.quiet)),
    ])
  }

  // MARK: Parts

  private static func audience(_ call: Call, _ api: API) async throws -> Audience {
    guard
      let audience = try await api.store.audience(call.parameter("audience_id"), app: call.app())
    else {
      throw RequestError.notFound("audience with this id")
    }
    return audience
  }

  /// The audience that the path names; the one of every device is refused, because callers cannot change it.
  private static func ownAudience(_ call: Call, _ api: API) async throws -> Audience {
    let audience = try await audience(call, api)
    guard audience.id != Identifiers.everyone(in: audience.app) else {
      throw RequestError(.conflict, "the audience of every device cannot be changed or deleted")
    }
    return audience
  }

  private static func answer(
    _ audience: Audience, status: Int = 200, _ api: API
  ) async throws -> HTTPResponse {
    .json(status: status, ["audience": try await object(of: audience, api)])
  }

  private static func object(of audience: Audience, _ api: API) async throws -> JSONValue {
    var members = audience.members
    members["device_count"] = .integer(
      Int64(try await api.audiences.members(of: audience, at: api.clock.now()).count))
    return .object(members)
  }
}

extension Audience {
  /// Takes the conditions of a target.
  fileprivate mutating func take(
    _ field: BodyValue, at now: Timestamp, _ api: API
  ) async throws {
    let target = try await Target(field).audience(app: app, at: now, api.store)
    (filters, any, except) = (target.filters, target.any, target.except)
    // Refuses audiences that refer to this one in a circle.
    _ = try await api.audiences.count(of: self, at: now)
  }

  fileprivate var members: [String: JSONValue] {
    [
      "id": .string(id), "name": .optional(name), "test": .bool(isTest),
      "created_at": .string(createdAt.iso8601), "updated_at": .string(updatedAt.iso8601),
    ]
  }
}
