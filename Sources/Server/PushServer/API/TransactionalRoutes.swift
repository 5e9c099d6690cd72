import PushModel
import PushPayload
import _HTTPServer

/// `/transactional/notifications`: sends to one user or device, and answers with the outcomes.
enum TransactionalRoutes {
  static let all: [Route] =
    Route.allVersions(
      "POST", "/transactional/notifications", access: .app([.push]), body: "application/json",
      operation: .createTransactional, handler: create
    ).map(\.waitingForOthers)

  private static func create(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let outcome = try await router.actions.sendTransactional(
      try call.json(), isJudged: call.refusesErrors, repeating: try call.idempotencyKey(),
      by: call.actor)
    return .json([
      "id": .string(outcome.send),
      "results": [
        "success": .integer(Int64(outcome.success)),
        "uninstalled": .integer(Int64(outcome.uninstalled)),
        "failures": .array(outcome.failures.map(JSONValue.string)),
      ],
    ])
  }
}
