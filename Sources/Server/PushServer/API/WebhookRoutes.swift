import Foundation
import MediaLoading
import PushPayload
import PushStore
import _HTTPServer

/// `/webhooks`: the URLs that the server calls when an event happens.
enum WebhookRoutes {
  /// The largest number of webhooks of an app.
  static let limit = 20

  static let all: [Route] = [
    Route("GET", "/v6/webhooks", access: .app([.admin]), operation: .listWebhooks, handler: list),
    Route(
      "POST", "/v6/webhooks", access: .app([.admin]), body: "application/json",
      operation: .createWebhook, handler: create),
    Route(
      "DELETE", "/v6/webhooks/:webhook_id", access: .app([.admin]), operation: .deleteWebhook,
      handler: delete),
  ]

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

  /// Stores the webhook that the body describes.
  ///
  /// - Returns: The secret that signs its calls, which can be read only here, and the webhook.
  static func make(_ call: Call, _ api: API) async throws -> (secret: String, webhook: Webhook) {
    let (app, id) = (try call.app(), Identifiers.makeObjectID())
    let field = try call.json().required("webhook")
    let url = try url(try field.required("url"), allowing: api.site.webhookTargets)
    let events = try events(try field.required("events"))
    guard try await api.store.webhooks(app: app).count < limit else {
      throw RequestError(.conflict, "an app can have \(limit) webhooks; delete one first")
    }
    let secret = Identifiers.makeWebhookSecret()
    let sealed = try await api.secretKey.inUse(in: api.store)
      .seal(secret, as: .webhookSecret, for: id)
    let webhook = Webhook(
      id: id, app: app, url: url, events: events,
      sealedSecret: sealed, createdAt: api.clock.now())
    try await api.actions.store(for: call.actor, "webhook.create", id).add(webhook)
    return (secret, webhook)
  }

  static func delete(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (app, id) = (try call.app(), call.parameter("webhook_id"))
    let webhook = try await API.deletedObject(id) {
      try await api.store.webhooks(app: app).first { $0.id == id }.map { .object($0.members) }
    }
    guard let webhook,
      try await api.actions.store(for: call.actor, "webhook.delete", id).deleteWebhook(id, app: app)
    else { throw RequestError.notFound("webhook with this id") }
    return .json(["webhook": webhook])
  }

  /// Checks a URL.
  ///
  /// A host name is resolved, and its addresses checked, at each call.
  private static func url(
    _ field: BodyValue, allowing targets: WebhookTargets
  ) throws(RequestError) -> String {
    let text = try field.string()
    // Foundation would escape a space or the end of a line, and the request ends there.
    let isPlain = text.unicodeScalars.allSatisfy {
      !$0.properties.isWhitespace && $0.properties.generalCategory != .control
    }
    guard isPlain else {
      throw .refused(field.path, "must not have spaces, line ends and control characters")
    }
    guard text.utf8.count <= 2048, let url = URL(string: text),
      ["http", "https"].contains(url.scheme), let host = url.host, !host.isEmpty, url.user == nil
    else { throw .refused(field.path, "must be an http or https URL without a user name") }
    guard url.port.map((1...65535).contains) ?? true else {
      throw .refused(field.path, "must have a port from 1 to 65535, or none")
    }
    guard !PrivateAddress.isHost(of: url) || targets.admits(host: host) else {
      throw .refused(
        field.path,
        "must not be a private address; give a public one, or start the server with --allow-webhook"
      )
    }
    return text
  }

  private static func events(_ field: BodyValue) throws(RequestError) -> [String] {
    var events: [String] = []
    for element in try field.elements(upTo: WebhookEvent.all.count) {
      let event = try element.string()
      guard WebhookEvent.all.contains(event) else {
        throw .refused(
          element.path, "must be one of \(WebhookEvent.all.joined(separator: ", "))")
      }
      if !events.contains(event) { events.append(event) }
    }
    guard !events.isEmpty else { throw .refused(field.path, "must name at least one event") }
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
