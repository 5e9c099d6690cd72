import NetworkAddresses
package import PushModel
package import PushPayload
import _HTTPServer

/// `/apps`: apps and their keys.
enum AppRoutes {
  static let all: [Route] = [
    Route("GET", "/v6/apps", access: .server, operation: .listApps, handler: list),
    Route(
      "POST", "/v6/apps", access: .server, body: "application/json", operation: .createApp,
      handler: create),
    Route(
      "PUT", "/v6/apps/:app", access: .serverOrAdmin, body: "application/json",
      operation: .changeApp, handler: change),
    Route(
      "GET", "/v6/apps/:app/keys", access: .serverOrAdmin, operation: .listKeys, handler: listKeys),
    Route(
      "POST", "/v6/apps/:app/keys", access: .serverOrAdmin, body: "application/json",
      operation: .createKey, handler: createKey),
    Route("DELETE", "/v6/apps/:app", access: .server, operation: .deleteApp, handler: delete),
    Route(
      "DELETE", "/v6/apps/:app/keys/:key_id", access: .serverOrAdmin, operation: .revokeKey,
      handler: revokeKey),
    Route("GET", "/v6/audit", access: .serverOrAdmin, operation: .readAudit, handler: readAudit),
  ]

  private static func list(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    .json(["apps": .array(try await router.store.apps().map(\.answer))])
  }

  private static func create(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let created = try await router.actions.addApp(try call.json().required("app"), by: call.actor)
    return .json(status: 201, created.json)
  }

  private static func change(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let (app, note) = try await router.actions.changeApp(
      try call.json().required("app"), by: call.actor)
    return .json(["app": app.answer, "note": .optional(note)])
  }

  private static func listKeys(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse
  {
    let keys = try await router.store.keys(app: router.actions.app(of: call.actor).id)
    return .json(["keys": .array(keys.map(\.answer))])
  }

  private static func createKey(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse
  {
    let (key, record) = try await router.actions.makeKey(
      try call.json().required("key"), by: call.actor)
    return .json(status: 201, ["key": record.answer(showing: key)])
  }

  private static func delete(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let app = try await router.actions.app(of: call.actor)
    try await router.actions.deleteApp(by: call.actor)
    return .json(["app": app.answer])
  }

  private static func revokeKey(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse
  {
    let app = try await router.actions.app(of: call.actor).id
    let id = call.parameter("key_id")
    let key = try await Router.deletedObject(id) {
      try await router.store.keys(app: app).first { $0.id == id }?.answer
    }
    guard let key else { throw RequestError.notFound("key with this id") }
    try await router.actions.revokeKey(id, by: call.actor)
    return .json(["key": key])
  }

  /// Lists the audit log of an app, or the server's own if a server key names no app.
  private static func readAudit(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse
  {
    let (app, now) = (call.key.app ?? call.namedApp, router.clock.now())
    let list = "audit-\(app ?? "")"
    let page = try await router.store.audit(
      app: app, after: call.cursor(of: list, at: now)?.position, limit: 100)
    return .json([
      "entries": .array(page.elements.map(\.answer)),
      "meta": [
        "cursor": Cursor.next(page.cursor, of: list, at: now), "total": .integer(Int64(page.total)),
      ],
    ])
  }
}

extension App {
  /// The app as the API answers it, without its APNs key.
  package var answer: JSONValue {
    [
      "id": .string(id), "name": .string(name), "bundle_id": .string(bundleID),
      "team_id": .string(teamID), "key_id": .string(keyID),
      "identity": .string(identity.rawValue),
      "throttle_per_second": throttlePerSecond.map { .integer(Int64($0)) } ?? .null,
      "class": .optional(sendClass?.rawValue),
      "created_at": .string(createdAt.iso8601),
    ]
  }
}

extension APIKey {
  /// The key's record as the API answers it, without the key itself.
  package var answer: JSONValue {
    var members = limits.members
    members["id"] = .string(id)
    members["role"] = .string(role.rawValue)
    members["name"] = name.map(JSONValue.string)
    if isForDevelopment { members["development"] = true }
    members["created_at"] = .string(createdAt.iso8601)
    return .object(members)
  }

  /// The answer to the key's creation, the only one with the key itself.
  package func answer(showing key: String) -> JSONValue {
    var members = answer.object ?? [:]
    members["key"] = .string(key)
    return .object(members)
  }
}

extension AuditEntry {
  fileprivate var answer: JSONValue {
    [
      "action": .string(action), "object": .optional(object), "key_id": .optional(key),
      "account_id": .optional(account), "name": .optional(name),
      "address": .optional(address), "at": .string(at.iso8601),
    ]
  }
}

extension APIKey.Limits {
  /// The limits that are set, as members of the key's JSON.
  package var members: [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    if !allow.isEmpty { members["allow"] = .array(allow.map { .string($0.description) }) }
    members["per_second"] = perSecond.map { .integer(Int64($0)) }
    members["expires_at"] = expiresAt.map { .string($0.iso8601) }
    members["class"] = sendClass.map { .string($0.rawValue) }
    return members
  }
}
