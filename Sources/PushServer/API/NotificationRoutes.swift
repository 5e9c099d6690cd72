import PushPayload
import PushStore
import _HTTPServer

/// `/notifications`: sending, and what became of it.
enum NotificationRoutes {
  static let all: [Route] =
    Route.allVersions(
      "POST", "/notifications", .app([.push]), body: "application/json", .createNotification,
      create)
    + [
      Route("GET", "/v6/notifications", .app([.push]), .listNotifications, list),
      Route("GET", "/v6/notifications/:id", .app([.push]), .readNotification, read),
    ]

  private static func create(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let app = try call.app()
    let notification = try call.json().required("notification")
    _ = try notification.object()
    let target = try Target(try notification.required("to"))
    let payload = try notification.required("payload")
    let id = Identifiers.object()
    let now = api.clock.now()
    do throws(ComposeError) {
      try Composer(payload.value, notification: id, path: payload.path, options: .init(now: now))
        .check()
    } catch {
      throw error.apiError
    }

    let audience = try await audience(for: target, app: app, at: now, api.store)
    let send = Send(
      id: id, messageID: Identifiers.object(), app: app, audience: audience.id,
      payload: payload.value, createdAt: now)
    _ = try await api.store.accept(send, to: audience)
    api.accepted()
    return .json(status: 201, send.creationAnswer)
  }

  private static func audience(
    for target: Target, app: String, at now: Timestamp, _ store: any PushStore
  ) async throws -> Audience {
    switch target {
    case .everyone:
      return Audience(id: Identifiers.everyone(in: app), app: app, filters: [], createdAt: now)
    case .filters(let filters):
      return Audience(id: Identifiers.object(), app: app, filters: filters, createdAt: now)
    case .audience(let id, let path):
      guard let audience = try await store.audience(id, app: app) else {
        throw APIError(404, "\(path) is the id of no audience")
      }
      return audience
    }
  }

  private static func read(_ call: Call, _ api: API) async throws -> HTTPResponse {
    guard let send = try await api.store.send(call.parameter("id"), app: call.app()) else {
      throw APIError(404, "there is no notification with this id")
    }
    return .json(send.answer)
  }

  private static let pageSize = 50

  private static func list(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let app = try call.app()
    let cursor = call.query("cursor")
    if let cursor, try await api.store.send(cursor, app: app) == nil {
      throw APIError(404, "this cursor has expired; begin without one")
    }
    let page = try await api.store.sends(app: app, after: cursor, limit: pageSize)
    let next = page.sends.count == pageSize ? page.sends.last?.id : nil
    return .json([
      "notifications": .array(page.sends.map(\.answer)),
      "meta": ["cursor": .optional(next), "total": .integer(Int64(page.total))],
    ])
  }
}

extension Send {
  /// A send just accepted is scheduled, whatever the workers have done since.
  fileprivate var creationAnswer: JSONValue {
    [
      "created_at": .string(createdAt.iso8601),
      "state": "scheduled",
      "id": .string(messageID),
      "to": ["id": .string(audience), "type": "Audience"],
      "notification": [
        "id": .string(id), "created_at": .string(createdAt.iso8601), "payload": payload,
      ],
    ]
  }

  fileprivate var answer: JSONValue {
    [
      "id": .string(id),
      "state": .string(state.rawValue),
      "created_at": .string(createdAt.iso8601),
      "started_at": .optional(startedAt?.iso8601),
      "completed_at": .optional(completedAt?.iso8601),
      "to": ["id": .string(audience), "type": "Audience"],
      "counts": [
        "targeted": .integer(Int64(counts.targeted)),
        "sent": .integer(Int64(counts.sent)),
        "rejected": .integer(Int64(counts.rejected)),
        "uninstalled": .integer(Int64(counts.uninstalled)),
        "delivered": 0,
        "displayed": 0,
        "opened": 0,
      ],
    ]
  }
}
