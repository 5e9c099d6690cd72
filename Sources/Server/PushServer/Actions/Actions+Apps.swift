import PushModel
import PushPayload

extension Actions {
  /// Stores the app that a body describes, with an API key for each role.
  ///
  /// - Returns: The app with its keys, which can be read only here.
  func addApp(_ field: BodyValue, by actor: Actor) async throws -> CreatedApp {
    try actor.requireAllApps(to: "add apps")
    let app = try NewApp(field)
    let created: CreatedApp
    let secretKey = try await secretKey.inUse(in: store)
    do throws(NewApp.Problem) {
      created = try app.make(at: clock.now(), sealedWith: secretKey)
    } catch {
      throw RequestError.refused("$.app.\(error.field)", error.message)
    }
    if try field["verify"]?.bool() ?? false { try await checkCredentials(of: created.app) }
    // Apple may have taken long to answer, so the store gets its whole time again.
    try await StoreDeadline.perCall {
      try await store(forServer: actor, "app.create", created.app.id)
        .add(created.app, keys: created.records)
    }
    return created
  }

  /// Changes the members of the actor's app that a body names, and leaves the others as they are.
  ///
  /// If the change concerns the APNs credentials, Apple checks them first. Nothing is stored if Apple refuses them.
  ///
  /// - Returns: The changed app, and a note on its credentials if they were checked.
  func changeApp(_ field: BodyValue, by actor: Actor) async throws -> (app: App, note: String?) {
    try actor.require(.manage, to: "change the app")
    let app = try await app(of: actor)
    let fields = try field.object()
    var changed = app
    changed.name = try field["name"]?.string() ?? app.name
    changed.bundleID = try field["bundle_id"]?.string() ?? app.bundleID
    changed.teamID = try field["team_id"]?.string() ?? app.teamID
    changed.keyID = try field["key_id"]?.string() ?? app.keyID
    changed.identity = try field["identity"].map(App.Identity.init) ?? app.identity
    if fields["throttle_per_second"] != nil {
      changed.throttlePerSecond = try field["throttle_per_second"].map { value in
        Int(try value.integer(in: SendTiming.throttleRange))
      }
    }
    if fields["class"] != nil { changed.sendClass = try field["class"].map(SendClass.init) }
    let key = try field["private_key"]?.string()
    do throws(NewApp.Problem) {
      try NewApp(
        bundleID: changed.bundleID, teamID: changed.teamID, keyID: changed.keyID,
        privateKey: key ?? "", name: changed.name
      ).check(withKey: key != nil)
    } catch {
      throw RequestError.refused(field.path(to: error.field), error.message)
    }
    if let key {
      changed.sealedKey = try await secretKey.inUse(in: store).seal(key, for: app.id)
    }
    let verifies = try field["verify"]?.bool() ?? true
    let note =
      verifies && changed.hasOtherCredentials(than: app)
      ? try await checkCredentials(of: changed) : nil
    // Apple may have taken long to answer, so the store gets its whole time again.
    let isStored = try await StoreDeadline.perCall {
      try await store(for: actor, "app.update", app.id).update(changed, from: app)
    }
    guard isStored else { throw RequestError.notFound("app with this id") }
    return (changed, note)
  }

  /// Deletes the actor's app with everything that belongs to it.
  func deleteApp(by actor: Actor) async throws {
    try actor.requireAllApps(to: "delete apps")
    let app = try actor.ownApp()
    guard try await store(forServer: actor, "app.delete", app).deleteApp(app) else {
      throw RequestError.notFound("app with this id")
    }
  }

  /// The app in which an actor acts, which a key of the server only names.
  ///
  /// - Throws: ``RequestError`` `.notFound` if the app does not exist.
  func app(of actor: Actor) async throws -> App {
    guard let app = try await store.app(actor.ownApp()) else {
      throw RequestError.notFound("app with this id")
    }
    return app
  }

  /// Checks an app's credentials with Apple, if the server has a sender.
  ///
  /// - Returns: A note on the credentials; `nil` if they were not checked.
  /// - Throws: ``RequestError`` `.invalid` if Apple refuses them, `.unavailable` if Apple does not answer.
  @discardableResult
  private func checkCredentials(of app: App) async throws(RequestError) -> String? {
    guard let sender else { return nil }
    switch await KeyCheck.ask(app, sender) {
    case .good: return "Apple accepts the key."
    case .developmentOnly:
      return "Apple accepts the key for its development environment only."
    case .refused(let reason): throw RequestError(.invalid, "nothing is stored: \(reason)")
    case .unanswered(let reason):
      throw RequestError(
        .unavailable,
        "nothing is stored, because Apple did not answer whether the key is valid: \(reason);"
          + " try again, or set verify to false",
        wait: 10)
    }
  }
}

extension App {
  fileprivate func hasOtherCredentials(than old: App) -> Bool {
    sealedKey != old.sealedKey || bundleID != old.bundleID || teamID != old.teamID
      || keyID != old.keyID
  }
}
