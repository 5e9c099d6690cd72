import PushModel
import PushPayload
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
      ) { call, router in
        .json(try await router.actions.cancelNotification(id(of: call), by: call.actor).answer)
      },
      Route(
        "POST", "/v6/notifications/:notification_id/pause", access: .app([.push]),
        operation: .pauseNotification
      ) { call, router in
        .json(try await router.actions.pauseNotification(id(of: call), by: call.actor).answer)
      },
      Route(
        "POST", "/v6/notifications/:notification_id/resume", access: .app([.push]),
        operation: .resumeNotification
      ) { call, router in
        .json(try await router.actions.resumeNotification(id(of: call), by: call.actor).answer)
      },
      Route(
        "GET", "/v6/notifications/:notification_id/stream", access: .app([.push]),
        operation: .streamNotification, handler: stream),
      Route(
        "POST", "/v6/notifications/preview", access: .app([.push]), body: "application/json",
        operation: .previewNotification, handler: PreviewRoute.answer),
    ]

  private static func create(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let send = try await router.actions.sendNotification(
      try call.json().required("notification"), isJudged: call.refusesErrors,
      repeating: try call.idempotencyKey(), by: call.actor)
    return .json(status: 201, .object(send.creationMembers))
  }

  private static func read(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    .json(try await send(call, router).answer)
  }

  private static let pageSize = 50

  private static func list(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let (app, now) = (try call.app(), router.clock.now())
    let query = SendQuery(
      try call.searchText(), label: call.label, state: try call.state(as: Send.State.self))
    let list = "notifications-\(app)" + query.cursorMark
    let last = try call.cursor(of: list, at: now)?.position
    if let last, try await router.store.send(last, app: app) == nil {
      throw RequestError.expiredCursor
    }
    let page = try await router.store.sends(
      app: app, matching: query, after: last, limit: pageSize)
    let next = page.sends.count == pageSize ? page.sends.last?.id : nil
    return .json([
      "notifications": .array(page.sends.map(\.answer)),
      "meta": [
        "cursor": Cursor.next(next, of: list, at: now), "total": .integer(Int64(page.total)),
      ],
    ])
  }

  private static func stream(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    var watch = SendWatch(
      send: try await send(call, router), store: router.store, clock: router.clock)
    watch.isAllowed = router.isAdmitted(call.key)
    return HTTPResponse(
      status: 200,
      headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")],
      body: .stream(watch.events()))
  }

  private static func id(of call: KeyedRequest) -> String { call.parameter("notification_id") }

  static func send(_ call: KeyedRequest, _ router: Router) async throws -> Send {
    try await router.actions.notification(id(of: call), app: try call.app())
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
}
