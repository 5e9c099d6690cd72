import PushModel
import PushPayload
import _HTTPServer

/// `/webhooks`: the URLs that the server calls when an event happens.
enum WebhookRoutes {
  static let all: [Route] = [
    Route("GET", "/v6/webhooks", access: .app([.admin]), operation: .listWebhooks, handler: list),
    Route(
      "POST", "/v6/webhooks", access: .app([.admin]), body: "application/json",
      operation: .createWebhook, handler: create),
    Route(
      "DELETE", "/v6/webhooks/:webhook_id", access: .app([.admin]), operation: .deleteWebhook,
      handler: delete),
  ]

  private static func list(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let webhooks = try await router.store.webhooks(app: call.app())
    return .json(["webhooks": .array(webhooks.map { .object($0.members) })])
  }

  private static func create(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let (secret, webhook) = try await router.actions.addWebhook(
      try call.json().required("webhook"), by: call.actor)
    var members = webhook.members
    members["secret"] = .string(secret)
    return .json(status: 201, ["webhook": .object(members)])
  }

  private static func delete(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let (app, id) = (try call.app(), call.parameter("webhook_id"))
    let webhook = try await Router.deletedObject(id) {
      try await router.store.webhooks(app: app).first { $0.id == id }.map { .object($0.members) }
    }
    guard let webhook else { throw RequestError.notFound("webhook with this id") }
    try await router.actions.deleteWebhook(id, by: call.actor)
    return .json(["webhook": webhook])
  }
}

extension Webhook {
  fileprivate var members: [String: JSONValue] {
    [
      "id": .string(id), "url": .string(url), "events": .array(events.map(JSONValue.string)),
      "created_at": .string(createdAt.iso8601),
    ]
  }
}
