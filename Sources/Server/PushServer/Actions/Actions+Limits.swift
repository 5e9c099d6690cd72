import PushModel
import PushPayload

extension Actions {
  /// Replaces the limits of an app with the `limits` of a request.
  ///
  /// A limit that the request does not name ends, except for `approval`. With `version`, the limits are replaced only
  /// if they are still those that the caller has read.
  func replaceLimits(_ field: BodyValue, by actor: Actor) async throws -> AppLimits {
    try actor.require(.manage, to: "change the limits")
    let app = try actor.ownApp()
    _ = try field.object()
    let old = try await store.limits(app: app)
    var limits = AppLimits()
    if let given = field["holdout"] {
      let percent = Int(try given.required("percent").integer(in: 1...Int64(Holdout.limit)))
      let redraws = try given["redraw"]?.bool() ?? false
      // With the same salt, a larger share includes the people of the smaller one.
      limits.holdout = Holdout(
        percent: percent, salt: Identifiers.makeObjectID(), since: clock.now())
      if !redraws, let old = old.holdout {
        limits.holdout = Holdout(percent: percent, salt: old.salt, since: old.since)
      }
    }
    limits.quiet = try field["quiet"].map { value throws(RequestError) in try QuietHours(value) }
    limits.caps =
      try field["caps"].map { value throws(RequestError) in try FrequencyCap.rules(value) } ?? []
    // A client that does not know the member must not end it.
    limits.approval =
      try field["approval"].map { value throws(RequestError) in
        let word = try value.word(of: AppLimits.Approval.allCases.map(\.rawValue))
        return AppLimits.Approval(rawValue: word) ?? old.approval
      } ?? old.approval
    let version = try field["version"].map { value throws(RequestError) in try value.string() }
    guard version.map({ $0 == old.version }) ?? true else {
      throw RequestError(.conflict, "the limits were changed meanwhile; read them again")
    }
    let recording = store(for: actor, "limits.update", app)
    do throws(StoreError) {
      try await recording.setLimits(limits, app: app, replacing: old)
    } catch {
      guard version == nil, error.code == .conflict else { throw error }
      // What the request leaves as it is has changed meanwhile.
      return try await replaceLimits(field, by: actor)
    }
    return limits
  }
}
