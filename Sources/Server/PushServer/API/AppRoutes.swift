import Foundation
import NetworkAddresses
package import PushPayload
package import PushStore
import _HTTPServer
import _OpenSSLCrypto

/// `/apps`: apps and their keys.
enum AppRoutes {
  static let all: [Route] = [
    Route("GET", "/v6/apps", access: .server, operation: .listApps, handler: list),
    Route(
      "POST", "/v6/apps", access: .server, body: "application/json", operation: .createApp,
      handler: create),
    Route(
      "PUT", "/v6/apps/:app", access: .serverOrAdmin, body: "application/json",
      operation: .changeApp, handler: AppChange.answer),
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

  private static func list(_ call: Call, _ api: API) async throws -> HTTPResponse {
    .json(["apps": .array(try await api.store.apps().map(\.answer))])
  }

  private static func create(_ call: Call, _ api: API) async throws -> HTTPResponse {
    .json(status: 201, try await make(call, api).json)
  }

  /// Stores the app that the body describes, with an API key for each role.
  ///
  /// - Returns: The app with its keys, which can be read only here.
  static func make(_ call: Call, _ api: API) async throws -> CreatedApp {
    let field = try call.json().required("app")
    var app = NewApp(
      bundleID: try field.required("bundle_id").string(),
      teamID: try field.required("team_id").string(),
      keyID: try field.required("key_id").string(),
      privateKey: try field.required("private_key").string(), name: try field["name"]?.string())
    app.identity = try field["identity"].map(App.Identity.init) ?? .required
    let created: CreatedApp
    let secretKey = try await api.secretKey.inUse(in: api.store)
    do throws(NewApp.Problem) {
      created = try app.make(at: api.clock.now(), sealedWith: secretKey)
    } catch {
      throw RequestError.refused("$.app.\(error.field)", error.message)
    }
    if try field["verify"]?.bool() ?? false { try await AppChange.check(created.app, api) }
    // Apple may have taken long to answer, so the store gets its whole time again.
    try await StoreDeadline.perCall {
      try await api.actions.store(forServer: call.actor, "app.create", created.app.id)
        .add(created.app, keys: created.records)
    }
    return created
  }

  private static func listKeys(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let app = try await existingApp(call, api)
    let keys = try await api.store.keys(app: app)
    return .json(["keys": .array(keys.map(\.answer))])
  }

  private static func createKey(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (key, record) = try await makeKey(call, api)
    return .json(status: 201, ["key": record.answer(showing: key)])
  }

  /// Stores the key that the body describes.
  ///
  /// - Returns: The key, which can be read only here, and its record.
  static func makeKey(_ call: Call, _ api: API) async throws -> (key: String, record: APIKey) {
    let app = try await existingApp(call, api)
    let field = try call.json().required("key")
    let role = try field.required("role")
    guard let parsed = APIKey.Role(rawValue: try role.string()), !parsed.isOfServer else {
      throw RequestError.refused(role.path, "must be one of push, analytics, device, admin")
    }
    let isForDevelopment = try field["development"]?.bool() ?? false
    guard !isForDevelopment || parsed == .device else {
      throw RequestError.refused(
        field.path(to: "development"), "is for a key of the role device only")
    }
    let name = try field["name"].map { value throws(RequestError) in
      let text = try value.string().trimmingCharacters(in: .whitespacesAndNewlines)
      if let problem = DisplayText.problem(text, upTo: APIKey.nameLimit) {
        throw RequestError.refused(value.path, problem)
      }
      return text
    }
    let (key, record) = APIKey.make(
      role: parsed, app: app, name: name, limits: try APIKey.Limits(field, at: api.clock.now()),
      isForDevelopment: isForDevelopment, at: api.clock.now())
    try await api.actions.store(for: call.actor, "key.create", record.id).add(record)
    return (key, record)
  }

  private static func delete(_ call: Call, _ api: API) async throws -> HTTPResponse {
    guard let app = try await api.store.app(call.parameter("app")),
      try await api.actions.store(forServer: call.actor, "app.delete", app.id).deleteApp(app.id)
    else { throw RequestError.notFound("app with this id") }
    return .json(["app": app.answer])
  }

  static func revokeKey(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let app = try await existingApp(call, api)
    let id = call.parameter("key_id")
    let key = try await API.deletedObject(id) {
      try await api.store.keys(app: app).first { $0.id == id }?.answer
    }
    guard let key,
      try await api.actions.store(for: call.actor, "key.revoke", id).revokeKey(id, app: app)
    else { throw RequestError.notFound("key with this id") }
    return .json(["key": key])
  }

  /// Lists the audit log of an app, or the server's own if a server key names no app.
  private static func readAudit(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (app, now) = (call.key?.app ?? call.namedApp, api.clock.now())
    let list = "audit-\(app ?? "")"
    let page = try await api.store.audit(
      app: app, after: call.cursor(of: list, at: now)?.position, limit: 100)
    return .json([
      "entries": .array(page.elements.map(\.answer)),
      "meta": [
        "cursor": Cursor.next(page.cursor, of: list, at: now), "total": .integer(Int64(page.total)),
      ],
    ])
  }

  static func existingApp(_ call: Call, _ api: API) async throws -> String {
    guard let app = try await api.store.app(call.parameter("app")) else {
      throw RequestError.notFound("app with this id")
    }
    return app.id
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
  /// The largest number of address ranges of one key.
  package static let rangeLimit = 100
  package static let perSecondRange = 1...10_000
  /// The form of an address range, for an error message.
  package static let rangeForm = "an address or a range such as 192.0.2.0/24 or 2001:db8::/32"

  /// The limits that are set, as members of the key's JSON.
  package var members: [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    if !allow.isEmpty { members["allow"] = .array(allow.map { .string($0.description) }) }
    members["per_second"] = perSecond.map { .integer(Int64($0)) }
    members["expires_at"] = expiresAt.map { .string($0.iso8601) }
    return members
  }

  /// Reads `allow`, `per_second` and `expires_at` of a new key.
  fileprivate init(_ field: BodyValue, at now: Timestamp) throws(RequestError) {
    self.init()
    let ranges = try field["allow"]?.elements() ?? []
    guard ranges.count <= Self.rangeLimit else {
      throw .refused(field.path(to: "allow"), "must have at most \(Self.rangeLimit) ranges")
    }
    for element in ranges {
      guard let range = AddressRange(try element.string()) else {
        throw .refused(element.path, "must be \(Self.rangeForm)")
      }
      allow.append(range)
    }
    let bounds = Int64(Self.perSecondRange.lowerBound)...Int64(Self.perSecondRange.upperBound)
    perSecond = try field["per_second"].map { value throws(RequestError) in
      Int(try value.integer(in: bounds))
    }
    expiresAt = try field.expiry(after: now)
  }
}

extension BodyValue {
  /// The member `expires_at` of a new key; `nil` if the key never expires.
  func expiry(after now: Timestamp) throws(RequestError) -> Timestamp? {
    guard let field = self["expires_at"] else { return nil }
    guard let time = Timestamp(iso8601: try field.string()) else {
      throw .refused(field.path, "must be an ISO 8601 date")
    }
    guard time > now else { throw .refused(field.path, "must be in the future") }
    return time
  }
}
