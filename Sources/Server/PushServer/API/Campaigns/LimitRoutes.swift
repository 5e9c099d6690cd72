import PushModel
import PushPayload
import _HTTPServer

/// `/limits`: the limits that apply to all campaigns of an app.
enum LimitRoutes {
  static let all: [Route] = [
    Route(
      "GET", "/v6/limits", access: .app([.push]), operation: .readLimits,
      handler: { call, router in answer(try await router.store.limits(app: call.app())) }),
    Route(
      "PUT", "/v6/limits", access: .app([.admin]), body: "application/json",
      operation: .updateLimits,
      handler: { call, router in
        answer(
          try await router.actions.replaceLimits(
            try call.json().required("limits"), by: call.actor))
      }),
  ]

  private static func answer(_ limits: AppLimits) -> HTTPResponse {
    .json(["limits": .object(limits.members)])
  }
}
