import PushPayload
import PushStore
import _HTTPServer

/// `/notifications`: sending, what became of it, and orders to a send under way.
enum NotificationRoutes {
  static let all: [Route] =
    Route.allVersions(
      "POST", "/notifications", .app([.push]), body: "application/json", .createNotification,
      create)
    + [
      Route("GET", "/v6/notifications", .app([.push]), .listNotifications, list),
      Route("GET", "/v6/notifications/:notification_id", .app([.push]), .readNotification, read),
      Route("DELETE", "/v6/notifications/:notification_id", .app([.push]), .cancelNotification) {
        try await answer(.cancel, "notification.cancel", $0, $1)
      },
      Route("POST", "/v6/notifications/:notification_id/pause", .app([.push]), .pauseNotification) {
        try await answer(.pause, "notification.pause", $0, $1)
      },
      Route("POST", "/v6/notifications/:notification_id/resume", .app([.push]), .resumeNotification)
      {
        try await answer(.resume, "notification.resume", $0, $1)
      },
      Route(
        "GET", "/v6/notifications/:notification_id/stream", .app([.push]), .streamNotification,
        stream),
      Route(
        "POST", "/v6/notifications/preview", .app([.push]), body: "application/json",
        .previewNotification, NotificationPreview.answer),
    ]

  private static func create(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (app, now) = (try call.app(), api.clock.now())
    let new = try NewNotification(try call.json().required("notification"), at: now)
    let audience = try await new.target.audience(app: app, at: now, api.store)
    let send = try await api.accept(
      new.send(app: app, to: audience, at: now), to: audience, for: call)
    return .json(status: 201, .object(send.creationMembers))
  }

  private static func read(_ call: Call, _ api: API) async throws -> HTTPResponse {
    .json(try await send(call, api).answer)
  }

  private static let pageSize = 50

  private static func list(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (app, now) = (try call.app(), api.clock.now())
    let list = "notifications-\(app)"
    let last = try call.cursor(of: list, at: now)?.position
    if let last, try await api.store.send(last, app: app) == nil {
      throw APIError.expiredCursor
    }
    let page = try await api.store.sends(app: app, after: last, limit: pageSize)
    let next = page.sends.count == pageSize ? page.sends.last?.id : nil
    return .json([
      "notifications": .array(page.sends.map(\.answer)),
      "meta": [
        "cursor": Cursor.next(next, of: list, at: now), "total": .integer(Int64(page.total)),
      ],
    ])
  }

  private static func answer(
    _ order: SendLifecycle.Order, _ action: String, _ call: Call, _ api: API
  ) async throws -> HTTPResponse {
    .json(try await self.order(order, action, call.parameter("notification_id"), call, api).answer)
  }

  /// Does with a send as it was told, writes that down and wakes delivery.
  static func order(
    _ order: SendLifecycle.Order, _ action: String, _ id: String, _ call: Call, _ api: API
  ) async throws -> Send {
    let app = try call.app()
    guard let known = try await api.store.send(id, app: app),
      let send = try await api.store(for: call, action, known.id)
        .order(order, send: known.id, app: app, at: api.clock.now())
    else { throw APIError.notFound("notification with this id") }
    // What was held back may go now.
    api.wakeDelivery()
    return send
  }

  private static func stream(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let watch = SendWatch(send: try await send(call, api), store: api.store, clock: api.clock)
    return HTTPResponse(
      status: 200,
      headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")],
      body: .stream(watch.events()))
  }

  static func send(_ call: Call, _ api: API) async throws -> Send {
    guard let send = try await api.store.send(call.parameter("notification_id"), app: call.app())
    else {
      throw APIError.notFound("notification with this id")
    }
    return send
  }
}

extension Send {
  /// The answer to a request to send; the state is `scheduled`, whatever the workers have done since.
  var creationMembers: [String: JSONValue] {
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

  var answer: JSONValue {
    var members: [String: JSONValue] = [
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
        "delivered": .integer(Int64(counts.delivered)),
        "displayed": .integer(Int64(counts.displayed)),
        "opened": .integer(Int64(counts.opened)),
      ],
    ]
    if let failure { members["reason"] = .string(failure) }
    return .object(members)
  }
}
