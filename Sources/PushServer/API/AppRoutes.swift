package import PushPayload
package import PushStore
import _HTTPServer
import _OpenSSLCrypto

/// `/apps`: apps and their keys.
enum AppRoutes {
  static let all: [Route] = [
    Route("GET", "/v6/apps", .server, list),
    Route("POST", "/v6/apps", .server, body: "application/json", create),
    Route("GET", "/v6/apps/:app/keys", .serverOrAdmin, listKeys),
    Route("POST", "/v6/apps/:app/keys", .serverOrAdmin, body: "application/json", createKey),
  ]

  private static func list(_ call: Call, _ api: API) async throws -> HTTPResponse {
    .json(["apps": .array(try await api.store.apps().map(\.answer))])
  }

  private static func create(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let field = try call.json().required("app")
    let app = NewApp(
      bundleID: try field.required("bundle_id").string(),
      teamID: try field.required("team_id").string(),
      keyID: try field.required("key_id").string(),
      privateKey: try field.required("private_key").string(), name: try field["name"]?.string())
    let created: CreatedApp
    do throws(NewApp.Problem) {
      created = try app.make(at: api.clock.now())
    } catch {
      throw APIError.refused("$.app.\(error.field)", error.message)
    }
    try await api.store.add(created.app, keys: created.records)
    return .json(status: 201, created.json)
  }

  private static func listKeys(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let app = try await existingApp(call, api)
    let keys = try await api.store.keys(app: app)
    return .json(["keys": .array(keys.map(\.answer))])
  }

  private static func createKey(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let app = try await existingApp(call, api)
    let role = try call.json().required("key").required("role")
    guard let parsed = APIKey.Role(rawValue: try role.string()), parsed != .server else {
      throw APIError.refused(role.path, "must be one of push, analytics, device, admin")
    }
    let (key, record) = APIKey.make(role: parsed, app: app, at: api.clock.now())
    try await api.store.add(record)
    var answer = record.answer.object ?? [:]
    answer["key"] = .string(key)
    return .json(status: 201, ["key": .object(answer)])
  }

  private static func existingApp(_ call: Call, _ api: API) async throws -> String {
    guard let app = try await api.store.app(call.parameter("app")) else {
      throw APIError(404, "there is no app with this id")
    }
    return app.id
  }
}

extension App {
  /// What may be shown of an app: never the key.
  package var answer: JSONValue {
    [
      "id": .string(id), "name": .string(name), "bundle_id": .string(bundleID),
      "team_id": .string(teamID), "key_id": .string(keyID),
      "created_at": .string(createdAt.iso8601),
    ]
  }
}

extension APIKey {
  /// What may be shown of a key once it was made.
  fileprivate var answer: JSONValue {
    [
      "id": .string(id), "role": .string(role.rawValue), "created_at": .string(createdAt.iso8601),
    ]
  }
}
