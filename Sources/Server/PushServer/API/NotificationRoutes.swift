import PushPayload
import PushStore
import _HTTPServer
import _OpenSSLCrypto

/// `/notifications`: sending, reading state and counts, and canceling, pausing or resuming a send.
enum NotificationRoutes {
  static let all: [Route] =
    Route.allVersions(
      "POST", "/notifications", access: .app([.push]), body: "application/json",
      operation: .createNotification, handler: create)
    + [
      Route(
        "GET", "/v6/notifications", access: .app([.push]), operation: .listNotifications,
        handler: list),
      Route(
        "GET", "/v6/notifications/:notification_id", access: .app([.push]),
        operation: .readNotification, handler: read),
      Route(
        "DELETE", "/v6/notifications/:notification_id", access: .app([.push]),
        operation: .cancelNotification
      ) {
        try await perform(.cancel, auditedAs: "notification.cancel", call: $0, api: $1)
      },
      Route(
        "POST", "/v6/notifications/:notification_id/pause", access: .app([.push]),
        operation: .pauseNotification
      ) {
        try await perform(.pause, auditedAs: "notification.pause", call: $0, api: $1)
      },
      Route(
        "POST", "/v6/notifications/:notification_id/resume", access: .app([.push]),
        operation: .resumeNotification
      ) {
        try await perform(.resume, auditedAs: "notification.resume", call: $0, api: $1)
      },
      Route(
        "GET", "/v6/notifications/:notification_id/stream", access: .app([.push]),
        operation: .streamNotification, handler: stream),
      Route(
        "POST", "/v6/notifications/preview", access: .app([.push]), body: "application/json",
        operation: .previewNotification, handler: PreviewRoute.answer),
    ]

  private static func create(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (app, now, key) = (try call.app(), api.clock.now(), try call.idempotencyKey())
    let new = try NewNotification(
      try call.json().required("notification"),
      at: try await api.actions.firstTime(of: key, app: app) ?? now,
      isJudged: call.refusesErrors)
    let audience = try await new.target.audience(app: app, at: now, api.store)
    let send = try await api.actions.accept(
      new.send(app: app, to: audience, at: now), to: audience,
      quiet: try await new.quietHours(app: app, api.store), isForced: new.isForced,
      repeating: key, by: call.actor)
    return .json(status: 201, .object(send.creationMembers))
  }

  private static func read(_ call: Call, _ api: API) async throws -> HTTPResponse {
    .json(try await send(call, api).answer)
  }

  private static let pageSize = 50

  private static func list(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (app, now) = (try call.app(), api.clock.now())
    let query = SendQuery(
      try call.searchText(), label: call.label, state: try call.state(as: Send.State.self))
    let list = "notifications-\(app)" + query.cursorMark
    let last = try call.cursor(of: list, at: now)?.position
    if let last, try await api.store.send(last, app: app) == nil {
      throw RequestError.expiredCursor
    }
    let page = try await api.store.sends(
      app: app, matching: query, after: last, limit: pageSize)
    let next = page.sends.count == pageSize ? page.sends.last?.id : nil
    return .json([
      "notifications": .array(page.sends.map(\.answer)),
      "meta": [
        "cursor": Cursor.next(next, of: list, at: now), "total": .integer(Int64(page.total)),
      ],
    ])
  }

  private static func perform(
    _ order: SendLifecycle.Order, auditedAs action: String, call: Call, api: API
  ) async throws -> HTTPResponse {
    let send = try await perform(
      order, auditedAs: action, sendID: call.parameter("notification_id"), call: call, api: api)
    return .json(send.answer)
  }

  /// Cancels, pauses or resumes a send, writes an audit entry, and wakes delivery.
  ///
  /// `action` is the action of the audit entry, such as `notification.pause`. `sendID` is the id of
  /// the notification, or of its message.
  ///
  /// - Throws: ``RequestError`` `.notFound` if the app has no such send, `.conflict` if the send's state forbids the order.
  static func perform(
    _ order: SendLifecycle.Order, auditedAs action: String, sendID: String, call: Call, api: API
  ) async throws -> Send {
    let app = try call.app()
    guard let known = try await api.store.send(sendID, app: app),
      let send = try await api.actions.store(for: call.actor, action, known.id)
        .order(order, send: known.id, app: app, at: api.clock.now())
    else { throw RequestError.notFound("notification with this id") }
    // After a resume, the batches of the send are due.
    api.wakeDelivery()
    return send
  }

  private static func stream(_ call: Call, _ api: API) async throws -> HTTPResponse {
    var watch = SendWatch(send: try await send(call, api), store: api.store, clock: api.clock)
    watch.isAllowed = api.isAdmitted(call.key)
    return HTTPResponse(
      status: 200,
      headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")],
      body: .stream(watch.events()))
  }

  static func send(_ call: Call, _ api: API) async throws -> Send {
    guard let send = try await api.store.send(call.parameter("notification_id"), app: call.app())
    else {
      throw RequestError.notFound("notification with this id")
    }
    return send
  }
}

extension SendQuery {
  /// A mark that tells the cursors of this query from those of other queries.
  fileprivate var cursorMark: String {
    guard !isEmpty else { return "" }
    let text = ([state?.rawValue ?? "", label ?? ""] + words).joined(separator: "\n")
    return "-" + Identifiers.hex(Array(OpenSSLCrypto.sha256(Array(text.utf8)).prefix(8)))
  }
}

extension Send {
  /// The answer to a request to send.
  ///
  /// The state is `scheduled`, even if delivery has begun.
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

  /// The notification's state and counts, as a read answers them.
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
        "quiet": .integer(Int64(counts.quiet)), "capped": .integer(Int64(counts.capped)),
        "uninstalled": .integer(Int64(counts.uninstalled)),
        "expired": .integer(Int64(expiredCount)),
        "delivered": .integer(Int64(counts.delivered)),
        "displayed": .integer(Int64(counts.displayed)),
        "opened": .integer(Int64(counts.opened)),
      ],
    ]
    if let failure { members["reason"] = .string(failure) }
    if let name { members["name"] = .string(name) }
    if !labels.isEmpty { members["labels"] = .array(labels.map(JSONValue.string)) }
    if let origin {
      members["campaign"] = [
        "id": .string(origin.campaign), "run": .string(origin.run),
        "phase": .string(origin.phase.rawValue), "variant": .string(origin.variant),
      ]
    }
    return .object(members)
  }
}
