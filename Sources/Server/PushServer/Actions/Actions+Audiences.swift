import PushModel

/// The changes of an app's named audiences.
extension Actions {
  private static let what = "change audiences"

  func createAudience(_ change: AudienceChange, by actor: Actor) async throws -> Audience {
    try actor.require(.write, to: Self.what)
    var audience = Audience(
      id: Identifiers.makeObjectID(), app: try actor.ownApp(), filters: [], createdAt: clock.now())
    try await apply(change, to: &audience)
    try await store(for: actor, "audience.create", audience.id).save(audience)
    return audience
  }

  /// Changes an audience.
  ///
  /// - Parameters:
  ///   - id: The id of the audience.
  ///   - change: The members to set.
  ///   - version: The version that the actor has seen, as a date in ISO 8601; `nil` overwrites any.
  ///   - actor: Who changes it.
  /// - Returns: The changed audience.
  /// - Throws: ``RequestError`` `.conflict` if the audience has changed since that version.
  func updateAudience(
    _ id: String, _ change: AudienceChange, from version: String? = nil, by actor: Actor
  ) async throws -> Audience {
    try actor.require(.write, to: Self.what)
    let app = try actor.ownApp()
    guard var audience = try await store.audience(id, app: app) else { throw Self.noAudience }
    try Self.checkIsOwn(id, app: app)
    if let version, version != audience.updatedAt.iso8601 {
      throw RequestError(
        .conflict,
        "someone else changed this audience; save again to overwrite their changes,"
          + " or reload the page"
      )
    }
    try await apply(change, to: &audience)
    audience.updatedAt = clock.now()
    try await store(for: actor, "audience.update", id).save(audience)
    return audience
  }

  /// Deletes an audience, which may be damaged.
  func deleteAudience(_ id: String, by actor: Actor) async throws {
    try actor.require(.write, to: Self.what)
    let app = try actor.ownApp()
    try Self.checkIsOwn(id, app: app)
    guard try await store(for: actor, "audience.delete", id).deleteAudience(id, app: app) else {
      throw Self.noAudience
    }
  }

  /// Restores a deleted audience from its undo token.
  func restoreAudience(undoToken token: String, by actor: Actor) async throws -> Audience {
    try actor.require(.write, to: Self.what)
    let app = try actor.ownApp()
    guard let audience = Audience(undoToken: token, app: app, at: clock.now(), secretKey) else {
      throw RequestError(.invalid, "the audience cannot be restored: its undo token is invalid")
    }
    guard try await store.audience(audience.id, app: app) == nil else {
      throw RequestError(.conflict, "the audience exists already; it may have been restored before")
    }
    try await store(for: actor, "audience.create", audience.id).save(audience)
    return audience
  }

  // MARK: Parts

  private static let noAudience = RequestError.notFound("audience with this id")

  /// Refuses the audience of every device, which nobody can change.
  private static func checkIsOwn(_ id: String, app: String) throws(RequestError) {
    guard id != Identifiers.everyone(in: app) else {
      throw RequestError(.conflict, "the audience of every device cannot be changed or deleted")
    }
  }

  private func apply(_ change: AudienceChange, to audience: inout Audience) async throws {
    if let name = change.name { audience.name = name }
    if let isTest = change.isTest { audience.isTest = isTest }
    if let target = change.target { try await setConditions(of: &audience, to: target) }
  }

  /// Sets the conditions of an audience to those of a target.
  func setConditions(of audience: inout Audience, to target: Target) async throws {
    let now = clock.now()
    let new = try await target.audience(app: audience.app, at: now, store)
    (audience.filters, audience.any, audience.except) = (new.filters, new.any, new.except)
    // Refuses audiences that refer to this one in a circle.
    _ = try await audiences.count(of: audience, at: now)
  }
}
