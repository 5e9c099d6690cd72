package import PushPayload
package import PushStore
import _HTTPServer
import _OpenSSLCrypto

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

  private static func list(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let keys = try await api.store.identityKeys(app: AppRoutes.existingApp(call, api))
    return .json(["identity_keys": .array(keys.map(\.answer))])
  }

  private static func create(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let app = try await AppRoutes.existingApp(call, api)
    let body = try call.json().required("identity_key")
    let field = try body.required("public_key")
    let pem = try field.string()
    let now = api.clock.now()
    let expiry = try body.expiry(after: now)
    let key: IdentityKey
    do throws(NewApp.Problem) {
      key = try IdentityKey.make(pem: pem, app: app, at: now, expiresAt: expiry)
    } catch {
      throw RequestError.refused(field.path, error.message)
    }
    try await api.actions.store(for: call.actor, IdentityKey.creation, key.id).add(key)
    return .json(status: 201, ["identity_key": key.answer])
  }

  private static func delete(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let app = try await AppRoutes.existingApp(call, api)
    let id = call.parameter("key_id")
    guard let key = try await api.store.identityKeys(app: app).first(where: { $0.id == id }),
      try await api.actions.store(for: call.actor, IdentityKey.removal, id).removeIdentityKey(
        id, app: app)
    else { throw RequestError.notFound("identity key with this id") }
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
