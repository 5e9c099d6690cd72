import PushModel
import PushPayload
import _HTTPServer

/// The push tokens of widgets and controls, which a device sets with its own secret, and `/reloads`, which sends to them.
enum ReloadRoutes {
  /// The most outcomes of an answer.
  static let outcomeLimit = 1000

  static let all: [Route] = [
    setting(.widgets, by: .setWidgetTokens), setting(.controls, by: .setControlTokens),
    Route(
      "POST", "/v6/reloads", access: .app([.push]), body: "application/json",
      operation: .createReload, handler: send
    ).waitingForOthers,
  ]

  private static func setting(_ type: ReloadType, by operation: Operation) -> Route {
    Route(
      "PUT", "/v6/devices/:device_id/reload-tokens/\(type.rawValue)", access: .ownDevice(or: []),
      body: "application/json", operation: operation
    ) { (call: KeyedRequest, router: Router) in
      let tokens = try ReloadToken.list(try call.json().required("tokens"), of: type)
      try await router.actions.setReloadTokens(
        tokens, of: type, device: call.parameter("device_id"), by: call.actor)
      return HTTPResponse(status: 204, headers: [("Cache-Control", "no-store")])
    }
  }

  private static func send(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let outcomes = try await router.actions.sendReload(
      try call.json().required("reload"), by: call.actor)
    var counts = Dictionary(
      uniqueKeysWithValues: ReloadOutcome.Result.allCases.map { ($0.rawValue, Int64(0)) })
    for outcome in outcomes { counts[outcome.result.rawValue, default: 0] += 1 }
    var members = counts.mapValues(JSONValue.integer)
    members["tokens"] = .integer(Int64(outcomes.count))
    members["outcomes"] = .array(
      outcomes.lazy.filter { $0.result != .sent }.prefix(outcomeLimit).map(\.json))
    return .json(["reload": .object(members)])
  }
}

extension ReloadOutcome {
  fileprivate var json: JSONValue {
    [
      "device_id": .string(target.deviceID), "result": .string(result.rawValue),
      "status": status.map { .integer(Int64($0)) } ?? .null, "reason": .optional(reason),
      "advice": .optional(reason.map(FailureAdvice.text)),
    ]
  }
}
