import PushModel

/// The changes of an app's templates.
extension Actions {
  /// Saves a checked payload as the next version of a template.
  ///
  /// `expected` is the newest version that the caller knows, or 0 if it knows none; `nil` replaces any. `isForced`
  /// saves what `martlet lint` calls an error.
  ///
  /// - Throws: ``StoreError``, which is a conflict if the newest version is another one.
  func saveTemplate(
    _ payload: BodyValue, as name: String, after expected: Int?, isForced: Bool = false,
    by actor: Actor
  ) async throws -> StoredTemplate {
    try actor.require(.write, to: "save a template")
    guard StoredTemplate.isName(name) else { throw StoredTemplate.wrongName }
    let now = clock.now()
    try payload.judged(at: now, isForced: isForced)
    let template = StoredTemplate(
      app: try actor.ownApp(), name: name, version: 0, payload: payload.value, savedAt: now,
      savedBy: actor.id)
    return try await store(for: actor, "template.save", name, isForced: isForced)
      .save(template, after: expected)
  }

  /// Deletes a template, whose versions stay; `expected` is the newest version that the caller knows.
  ///
  /// - Throws: ``RequestError`` `.notFound` if there is no such template; ``StoreError``, which is a conflict if the
  ///   newest version is another one.
  func deleteTemplate(
    _ name: String, after expected: Int?, by actor: Actor
  ) async throws -> StoredTemplate {
    try actor.require(.write, to: "delete a template")
    let store = store(for: actor, "template.delete", name)
    guard
      let template = try await store.deleteTemplate(
        name, app: try actor.ownApp(), after: expected)
    else { throw RequestError.notFound("template with this name") }
    return template
  }
}
