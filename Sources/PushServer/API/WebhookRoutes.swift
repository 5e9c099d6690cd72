import Foundation
import MediaLoading
import PushPayload
import PushStore
import _HTTPServer

/// `/webhooks`: addresses that want to hear of events.
enum WebhookRoutes {
  /// The most webhooks of an app.
  static let limit = 20

  static let all: [Route] = [
    Route("GET", "/v6/webhooks", .app([.admin]), .listWebhooks, list),
    Route(
      "POST", "/v6/webhooks", .app([.admin]), body: "application/json", .createWebhook, create),
    Route("DELETE", "/v6/webhooks/:webhook_id", .app([.admin]), .deleteWebhook, delete),
  ]

  /// What a webhook's secret is sealed for, so that no other's can stand in its place.
  static func sealOwner(_ id: String) -> String { "webhook/" + id }

  private static func list(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let webhooks = try await api.store.webhooks(app: call.app())
    return .json(["webhooks": .array(webhooks.map { .object($0.members) })])
  }

  private static func create(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (secret, webhook) = try await make(call, api)
    var members = webhook.members
    members["secret"] = .string(secret)
    return .json(status: 201, ["webhook": .object(members)])
  }

  /// Makes the webhook that a body asks for; its secret is to be had here alone.
  static func make(_ call: Call, _ api: API) async throws -> (secret: String, webhook: Webhook) {
    let (app, id) = (try call.app(), Identifiers.makeObjectID())
    let field = try call.json().required("webhook")
    let url = try url(try field.required("url"))
    let events = try events(try field.required("events"))
    guard try await api.store.webhooks(app: app).count < limit else {
      throw APIError(409, "an app has \(limit) webhooks at most; delete one first")
    }
    let secret = Identifiers.webhookSecret()
    let webhook = Webhook(
      id: id, app: app, url: url, events: events,
      sealedSecret: api.secretKey.seal(secret, for: sealOwner(id)), createdAt: api.clock.now())
    try await api.store(for: call, "webhook.create", id).add(webhook)
    return (secret, webhook)
  }

  static func delete(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (app, id) = (try call.app(), call.parameter("webhook_id"))
    guard let webhook = try await api.store.webhooks(app: app).first(where: { $0.id == id }),
      try await api.store(for: call, "webhook.delete", id).deleteWebhook(id, app: app)
    else { throw APIError.notFound("webhook with this id") }
    return .json(["webhook": .object(webhook.members)])
  }

  /// Names are looked up when they are called, and their addresses looked at then.
  private static func url(_ field: BodyValue) throws(APIError) -> String {
    let text = try field.string()
    guard text.utf8.count <= 2048, let url = URL(string: text),
      ["http", "https"].contains(url.scheme), let host = url.host, !host.isEmpty, url.user == nil
    else { throw .refused(field.path, "must be http://… or https://… without a user") }
    guard host.lowercased() != "localhost", !PrivateAddress.isHost(of: url) else {
      throw .refused(field.path, "has a private address, which no webhook may have")
    }
    return text
  }

  private static func events(_ field: BodyValue) throws(APIError) -> [String] {
    var events: [String] = []
    for element in try field.elements() {
      let event = try element.string()
      guard WebhookEvent.all.contains(event) else {
        throw .refused(
          element.path, "must be one of \(WebhookEvent.all.joined(separator: ", "))")
      }
      if !events.contains(event) { events.append(event) }
    }
    guard !events.isEmpty else { throw .refused(field.path, "names no event") }
    guard try field.elements().count <= WebhookEvent.all.count else {
      throw .refused(field.path, "names more events than there are")
    }
    return events
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
