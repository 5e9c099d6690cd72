import PushModel

/// The keys of an app: API keys, and the public keys that verify its user tokens.
extension Actions {
  /// Stores the API key that a body describes, for the actor's app.
  ///
  /// - Returns: The key, which can be read only here, and its record.
  func makeKey(
    _ field: BodyValue, by actor: Actor
  ) async throws -> (key: String, record: APIKey) {
    try actor.require(.manage, to: "make keys")
    let app = try await app(of: actor).id
    let now = clock.now()
    let new = try NewKey(field, at: now)
    let (key, record) = APIKey.make(
      role: new.role, app: app, name: new.name, limits: new.limits,
      isForDevelopment: new.isForDevelopment, at: now)
    try await store(for: actor, "key.create", record.id).add(record)
    return (key, record)
  }

  /// Revokes an API key of the actor's app.
  func revokeKey(_ id: String, by actor: Actor) async throws {
    try actor.require(.manage, to: "revoke keys")
    guard try await store(for: actor, "key.revoke", id).revokeKey(id, app: actor.ownApp()) else {
      throw RequestError.notFound("key with this id")
    }
  }

  /// Stores the identity key that a body describes, for the actor's app.
  func addIdentityKey(_ body: BodyValue, by actor: Actor) async throws -> IdentityKey {
    try actor.require(.manage, to: "add identity keys")
    let app = try await app(of: actor).id
    let field = try body.required("public_key")
    let pem = try field.string()
    let now = clock.now()
    let expiry = try body.expiry(after: now)
    let key: IdentityKey
    do throws(NewApp.Problem) {
      key = try IdentityKey.make(pem: pem, app: app, at: now, expiresAt: expiry)
    } catch {
      throw RequestError.refused(field.path, error.message)
    }
    try await store(for: actor, IdentityKey.creation, key.id).add(key)
    return key
  }

  /// Removes an identity key of the actor's app.
  func removeIdentityKey(_ id: String, by actor: Actor) async throws {
    try actor.require(.manage, to: "remove identity keys")
    guard
      try await store(for: actor, IdentityKey.removal, id)
        .removeIdentityKey(id, app: actor.ownApp())
    else { throw RequestError.notFound("identity key with this id") }
  }
}
