package import PushModel
package import PushPayload
import _HTTPServer

/// `/v6/apps/:app/identity_keys`: the public keys that verify an app's user tokens.
enum IdentityKeyRoutes {
  private static let path = "/v6/apps/:app/identity_keys"

  static let all: [Route] = [
    Route("GET", path, access: .serverOrAdmin, operation: .listIdentityKeys, handler: list),
    Route(
      "POST", path, access: .serverOrAdmin, body: "application/json", operation: .createIdentityKey,
      handler: create),
    Route(
      "DELETE", path + "/:key_id", access: .serverOrAdmin, operation: .deleteIdentityKey,
      handler: delete),
  ]

  private static func list(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let keys = try await router.store.identityKeys(app: router.actions.app(of: call.actor).id)
    return .json(["identity_keys": .array(keys.map(\.answer))])
  }

  private static func create(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let key = try await router.actions.addIdentityKey(
      try call.json().required("identity_key"), by: call.actor)
    return .json(status: 201, ["identity_key": key.answer])
  }

  private static func delete(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let app = try await router.actions.app(of: call.actor).id
    let id = call.parameter("key_id")
    guard let key = try await router.store.identityKeys(app: app).first(where: { $0.id == id })
    else {
      throw RequestError.notFound("identity key with this id")
    }
    try await router.actions.removeIdentityKey(id, by: call.actor)
    return .json(["identity_key": key.answer])
  }
}

extension IdentityKey {
  /// The key as the API answers it.
  package var answer: JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(id), "public_key": .string(pem), "created_at": .string(createdAt.iso8601),
    ]
    members["expires_at"] = expiresAt.map { .string($0.iso8601) }
    return .object(members)
  }
}
