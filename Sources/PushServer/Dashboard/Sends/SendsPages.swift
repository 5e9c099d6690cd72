import APNs
import NotificationHost
import PushPayload
import PushStore
import _Card
import _HTTPServer

/// What was sent, and each send as it goes.
enum SendsPages {
  static let all: [Route] = [
    .page("GET", .sends, list),
    .page("GET", .sends, at: "/:send", one),
    .page("GET", .sends, at: "/:send/events", events),
    .page("GET", .sends, at: "/:send/card.png", card),
    .page("POST", .sends, at: "/:send", order),
  ]

  private static let pageSize = 50

  private static func list(_ visit: Visit) async throws -> HTTPResponse {
    let cursor = visit.call.query("after")
    if let cursor, try await visit.api.store.send(cursor, app: visit.app.id) == nil {
      return .seeOther(visit.path(.sends))
    }
    let page = try await visit.api.store.sends(
      app: visit.app.id, after: cursor, limit: pageSize)
    let audiences = try await visit.api.store.audiences(app: visit.app.id, after: nil, limit: 500)
    let names = Dictionary(
      audiences.elements.map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
    let view = SendList(
      visit: visit, sends: page.sends, total: page.total, isFirst: cursor == nil,
      hasMore: page.sends.count == pageSize, audiences: names.compactMapValues(\.self))
    return WebPage(title: "Sends", section: .sends, main: view.html).response(for: visit)
  }

  private static func one(_ visit: Visit) async throws -> HTTPResponse {
    try await page(try await send(visit), visit)
  }

  private static func page(
    _ send: Send, _ visit: Visit, status: Int = 200, problem: String? = nil
  ) async throws -> HTTPResponse {
    let store = visit.api.store
    var view = SendView(
      visit: visit, send: send,
      reasons: try await store.reasons(of: send.id, app: send.app),
      mediaFailures: try await store.mediaFailures(of: send.id, app: send.app),
      audience: try await store.audience(send.audience, app: send.app), problem: problem)
    if let id = visit.call.query("device"), !id.isEmpty {
      view.trace = try await trace(of: id, send, visit)
    }
    return WebPage(
      title: send.words, section: .sends, main: view.html, scripts: ["watch.js"]
    ).response(status: status, for: visit)
  }

  /// What became of one device, from the API to Apple's answer.
  private static func trace(
    of id: String, _ send: Send, _ visit: Visit
  ) async throws -> SendView.Trace {
    var trace = SendView.Trace(device: id)
    guard let device = try await visit.api.store.device(id, app: send.app) else { return trace }
    trace.outcome = try await visit.api.store.outcome(
      of: send.id, app: send.app, device: device.number)
    trace.apnsID = Identifiers.apnsID(send: send.id, device: id)
    trace.receipts = try await visit.api.store.receipts(
      of: send.id, device: device, app: send.app)
    return trace
  }

  /// The send as it changes, as the API streams it.
  private static func events(_ visit: Visit) async throws -> HTTPResponse {
    let watch = SendWatch(
      send: try await send(visit), store: visit.api.store, clock: visit.api.clock)
    return HTTPResponse(
      status: 200,
      headers: [
        ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
      ], body: .stream(watch.events()))
  }

  /// The picture of a send as a phone shows it of which nothing is known; 204 where it shows nothing.
  private static func card(_ visit: Visit) async throws -> HTTPResponse {
    let send = try await send(visit)
    let options = Composer.Options(now: send.createdAt)
    guard
      let composer = try? Composer(send.payload, notification: send.id, options: options),
      let bytes = try? composer.sample(),
      let payload = try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self))
    else { throw APIError.notFound("picture of this notification") }
    let isSmall = visit.call.query("small") != nil
    let style = CardStyle(
      scale: isSmall ? 1 : 2, appearance: visit.call.query("dark") == nil ? .light : .dark)
    let message = PushMessage(payload: payload, pushType: composer.pushType.rawValue)
    guard
      let card = try await visit.api.mediaPreview.card(of: message, appName: visit.app.name)
    else { return HTTPResponse(status: 204, headers: [("Cache-Control", "no-store")]) }
    // A medium that is still loading has no file yet.
    let isLoading = card.attachments.contains { $0.path.isEmpty }
    return HTTPResponse(
      status: 200,
      headers: [
        ("Content-Type", "image/png"),
        ("Cache-Control", isLoading ? "no-store" : "private, max-age=3600"),
        ("X-Content-Type-Options", "nosniff"),
      ],
      body: try CardRenderer(style, pictures: visit.api.pictures)
        .png(card, isSmall ? [.collapsed] : [.collapsed, .expanded]))
  }

  private static func order(_ visit: Visit) async throws -> HTTPResponse {
    let orders: [String: SendLife.Order] = [
      "pause": .pause, "resume": .resume, "cancel": .cancel,
    ]
    guard let name = visit.form["action"], let order = orders[name] else {
      throw APIError(422, "a send can be paused, resumed and canceled")
    }
    let send = try await send(visit)
    do {
      let path = "/v6/notifications/\(send.id)"
      let changed = try await NotificationRoutes.order(
        order, "notification.\(name)", send.id,
        visit.apiCall("POST", path), visit.api)
      return .seeOther("\(visit.path(.sends))/\(changed.id)")
    } catch let error as StoreError where error.code == .conflict {
      // Somebody else, or the end of the send, was faster.
      return try await page(try await self.send(visit), visit, status: 409, problem: error.message)
    }
  }

  private static func send(_ visit: Visit) async throws -> Send {
    let id = visit.call.parameter("send")
    guard let send = try await visit.api.store.send(id, app: visit.app.id) else {
      throw APIError.notFound("notification with this id")
    }
    return send
  }
}

extension Send {
  /// What it says, in a line.
  var words: String {
    let texts = [payload["title"], payload["alert"]].compactMap { text in
      text?.string ?? text?["default"]?.string
    }
    return texts.isEmpty ? "No text" : String(texts.joined(separator: " – ").prefix(120))
  }
}
