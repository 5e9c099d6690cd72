import PushPayload
import PushStore
import _HTTPServer

/// `/limits`: what holds for all campaigns of an app.
enum LimitRoutes {
  static let all: [Route] = [
    Route(
      "GET", "/v6/limits", access: .app([.push]), operation: .readLimits,
      handler: { call, api in answer(try await api.store.limits(app: call.app())) }),
    Route(
      "PUT", "/v6/limits", access: .app([.admin]), body: "application/json",
      operation: .updateLimits, handler: update),
  ]

  private static func update(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let app = try call.app()
    let field = try call.json().required("limits")
    _ = try field.object()
    let stored = try await api.store.limits(app: app)
    let old = stored.holdout
    var limits = AppLimits()
    if let given = field["holdout"] {
      let percent = Int(try given.required("percent").integer(in: 1...Int64(Holdout.limit)))
      let redraws = try given["redraw"]?.bool() ?? false
      // With the same salt a greater share keeps the people of the smaller one.
      limits.holdout = Holdout(
        percent: percent, salt: Identifiers.makeObjectID(), since: api.clock.now())
      if !redraws, let old {
        limits.holdout = Holdout(percent: percent, salt: old.salt, since: old.since)
      }
    }
    limits.quiet = try field["quiet"].map { value throws(APIError) in try QuietHours(value) }
    limits.caps =
      try field["caps"].map { value throws(APIError) in try FrequencyCap.rules(value) } ?? []
    // A program that does not know it does not end it.
    limits.requiresApproval =
      try field["approval"].map { value throws(APIError) in
        try value.word(of: ["required", "none"]) == "required"
      } ?? stored.requiresApproval
    try await api.store(for: call, "limits.update", app).setLimits(limits, app: app)
    return answer(limits)
  }

  private static func answer(_ limits: AppLimits) -> HTTPResponse {
    let holdout: JSONValue? = limits.holdout.map { holdout in
      ["percent": .integer(Int64(holdout.percent)), "since": .string(holdout.since.iso8601)]
    }
    return .json([
      "limits": [
        "holdout": holdout ?? .null, "quiet": limits.quiet?.json ?? .null,
        "caps": .array(limits.caps.map(\.json)),
        "approval": limits.requiresApproval ? "required" : "none",
      ]
    ])
  }
}
