import PushModel
import PushPayload
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

  private static func list(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let app = try call.app()
    let per = try call.integer(query: "per", in: 1...500, default: 50)
    let page = try call.integer(query: "page", in: 1...1_000_000, default: 1)
    var last: String?
    if page > 1 {
      let before = try await router.store.audiences(app: app, after: nil, limit: per * (page - 1))
      guard let cursor = before.cursor else { return .json(["audiences": []]) }
      last = cursor
    }
    let found = try await router.store.audiences(app: app, after: last, limit: per)
    var list: [String: JSONValue] = [
      "audiences": .array(found.elements.map { .object($0.members) })
    ]
    if !found.damaged.isEmpty {
      list["damaged"] = .array(
        found.damaged.map { ["id": .string($0.id), "error": .string($0.problem)] })
    }
    return .json(.object(list))
  }

  private static func read(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    try await answer(try await audience(call, router), router)
  }

  private static func devices(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let audience = try await audience(call, router)
    let (list, now) = ("audience-\(audience.id)", router.clock.now())
    let last = try call.cursor(of: list, at: now)?.position.flatMap { UInt32($0) }
    let numbers = try await router.audiences.members(of: audience, at: now)
    let page = numbers.slice(from: numbers.rank(through: last ?? 0), limit: pageSize)
    let devices = try await router.store.devices(app: audience.app, numbers: page)
    let next = Cursor(position: (page.last ?? last).map { String($0) })
    return .json(
      list: "devices", devices.lazy.map(\.listedBytes),
      meta: [
        "cursor": .string(next.text(of: list, at: now)), "total": .integer(Int64(numbers.count)),
      ])
  }

  private static func exportLines(_ call: KeyedRequest, _ router: Router) async throws
    -> HTTPResponse
  {
    try await export(of: call, router, as: .lines)
  }

  private static func exportTable(_ call: KeyedRequest, _ router: Router) async throws
    -> HTTPResponse
  {
    let attributes = try await router.audiences.attributes(app: try call.app())
    return try await export(of: call, router, as: .csv(attributes: attributes))
  }

  private static func export(
    of call: KeyedRequest, _ router: Router, as format: DeviceExport.Format
  ) async throws -> HTTPResponse {
    let audience = try await audience(call, router)
    let devices = try await router.audiences.members(of: audience, at: router.clock.now())
    return DeviceExport(devices, app: audience.app, as: format, from: router.store).response
  }

  // MARK: Changing

  private static func create(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let change = try AudienceChange(new: try call.json().required("audience"))
    let audience = try await router.actions.createAudience(change, by: call.actor)
    return try await answer(audience, status: 201, router)
  }

  private static func update(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let change = try AudienceChange(try call.json().required("audience"))
    let audience = try await router.actions.updateAudience(
      call.parameter("audience_id"), change, by: call.actor)
    return try await answer(audience, router)
  }

  private static func delete(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let id = call.parameter("audience_id")
    let deleted = try await Router.deletedObject(id) {
      try await object(of: audience(call, router), router)
    }
    guard let deleted else { throw RequestError.notFound("audience with this id") }
    try await router.actions.deleteAudience(id, by: call.actor)
    return .json(["audience": deleted])
  }

  private static func count(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let target = try Target(try call.json().required("audience").required("to"))
    var audience = Audience(
      id: "", app: try call.app(), filters: [], createdAt: router.clock.now())
    try await router.actions.setConditions(of: &audience, to: target)
    let count = try await router.audiences.count(of: audience, at: router.clock.now())
    return .json([
      "device_count": .integer(Int64(count.targeted)),
      "targeted": .integer(Int64(count.targeted)),
      "push_enabled": .integer(Int64(count.pushEnabled)), "quiet": .integer(Int64(count.quiet)),
    ])
  }

  // MARK: Parts

  private static func audience(_ call: KeyedRequest, _ router: Router) async throws -> Audience {
    guard
      let audience = try await router.store.audience(call.parameter("audience_id"), app: call.app())
    else {
      throw RequestError.notFound("audience with this id")
    }
    return audience
  }

  private static func answer(
    _ audience: Audience, status: Int = 200, _ router: Router
  ) async throws -> HTTPResponse {
    .json(status: status, ["audience": try await object(of: audience, router)])
  }

  private static func object(of audience: Audience, _ router: Router) async throws -> JSONValue {
    var members = audience.members
    members["device_count"] = .integer(
      Int64(try await router.audiences.members(of: audience, at: router.clock.now()).count))
    return .object(members)
  }
}

extension Audience {
  fileprivate var members: [String: JSONValue] {
    [
      "id": .string(id), "name": .optional(name), "test": .bool(isTest),
      "created_at": .string(createdAt.iso8601), "updated_at": .string(updatedAt.iso8601),
    ]
  }
}
