import PushPayload
import PushStore
import _HTTPServer

/// `PUT /v6/apps/:app`: changes an app's name, its rate limit and its APNs credentials.
enum AppChange {
  static func answer(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (app, note) = try await make(call, api)
    return .json(["app": app.answer, "note": .optional(note)])
  }

  /// Changes the members of an app that the body names, and leaves the others as they are.
  ///
  /// If the change concerns the APNs credentials, Apple checks them first. Nothing is stored if Apple refuses them.
  ///
  /// - Returns: The changed app, and a note on its credentials if they were checked.
  static func make(_ call: Call, _ api: API) async throws -> (app: App, note: String?) {
    guard let app = try await api.store.app(call.parameter("app")) else {
      throw RequestError.notFound("app with this id")
    }
    let field = try call.json().required("app")
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
      changed.sealedKey = try await api.secretKey.inUse(in: api.store).seal(key, for: app.id)
    }
    let verifies = try field["verify"]?.bool() ?? true
    let note =
      verifies && hasNewCredentials(changed, comparedTo: app)
      ? try await check(changed, api) : nil
    // Apple may have taken long to answer, so the store gets its whole time again.
    let isStored = try await StoreDeadline.perCall {
      try await api.actions.store(for: call.actor, "app.update", app.id).update(changed)
    }
    guard isStored else {
      throw RequestError.notFound("app with this id")
    }
    return (changed, note)
  }

  private static func hasNewCredentials(_ app: App, comparedTo old: App) -> Bool {
    app.sealedKey != old.sealedKey || app.bundleID != old.bundleID || app.teamID != old.teamID
      || app.keyID != old.keyID
  }

  /// Checks an app's credentials with Apple, if the API has a sender.
  ///
  /// - Returns: A note on the credentials; `nil` if they were not checked.
  /// - Throws: ``RequestError`` `.invalid` if Apple refuses them, `.unavailable` if Apple does not answer.
  @discardableResult
  static func check(_ app: App, _ api: API) async throws(RequestError) -> String? {
    guard let sender = api.sender else { return nil }
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

extension App.Identity {
  /// Reads `required`, `report` or `off`.
  init(_ field: BodyValue) throws(RequestError) {
    guard let identity = Self(rawValue: try field.string()) else {
      let words = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw .refused(field.path, "must be one of \(words)")
    }
    self = identity
  }
}
