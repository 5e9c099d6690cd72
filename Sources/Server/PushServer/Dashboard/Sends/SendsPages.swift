import PushModel
import PushPayload
import _HTTPServer

/// The pages of sends: the list, and one send with its progress.
enum SendsPages {
  static let all: [Route] = [
    .page("GET", .sends, handler: list),
    .page("GET", .sends, at: ActivityList.path, handler: activities),
    .page("GET", .sends, at: "/:send", handler: show),
    .page("GET", .sends, at: "/:send/events", handler: events),
    .page("GET", .sends, at: "/:send/devices.csv", handler: devicesCSV),
    .page("GET", .sends, at: "/:send/card.png", handler: card),
    .page("POST", .sends, at: "/:send", needs: .stop, handler: control),
  ]

  private static let pageSize = 50

  private static func list(_ request: PageRequest) async throws -> HTTPResponse {
    let cursor = request.call.query("after")
    if let cursor, try await request.router.store.send(cursor, app: request.app.id) == nil {
      return .seeOther(request.path(.sends))
    }
    let search = ListSearch.sends(request)
    let page = try await request.router.store.sends(
      app: request.app.id, matching: SendQuery(search), after: cursor, limit: pageSize + 1)
    let sends = Array(page.sends.prefix(pageSize))
    var view = SendList(
      request: request,
      rows: try await SendRow.rows(of: sends, isFolded: !search.hasTriggered, request),
      total: page.total, isFirst: cursor == nil,
      cursor: page.sends.count > pageSize ? sends.last?.id : nil,
      audiences: try await SendAudiences(of: sends, request), search: search)
    var triggered = CampaignQuery(state: .live)
    triggered.kind = .triggered
    view.triggered = try await request.router.store.campaigns(
      app: request.app.id, matching: triggered, after: nil, limit: pageSize
    ).elements
    return WebPage(title: "Sends", section: .sends, main: view.html).response(for: request)
  }

  private static func activities(_ request: PageRequest) async throws -> HTTPResponse {
    let view = ActivityList(
      request: request,
      activities: try await request.router.store.activities(
        app: request.app.id, at: request.now, limit: ActivityList.limit))
    return WebPage(title: "Live Activities", section: .sends, main: view.html)
      .response(for: request)
  }

  private static func show(_ request: PageRequest) async throws -> HTTPResponse {
    let send = try await send(request)
    // The address at which earlier versions traced a device, which people have kept.
    if let text = request.call.query("device"), !text.isEmpty {
      let question = WhyPages.path(of: .notification(send.id), request)
      return .seeOther("\(question)&\(WhyPages.searchName)=\(URLEncoded.encode(text))")
    }
    return try await page(send, request)
  }

  private static func page(
    _ send: Send, _ request: PageRequest, status: Int = 200, problem: String? = nil
  ) async throws -> HTTPResponse {
    let store = request.router.store
    let view = SendView(
      request: request, send: send,
      reasons: try await store.reasons(of: send.id, app: send.app),
      mediaFailures: try await store.mediaFailures(of: send.id, app: send.app),
      template: try await store.templateCounts(of: send.id, app: send.app),
      conversions: try await store.conversions(of: send.id, app: send.app),
      audience: try await store.audience(send.audience, app: send.app),
      hasMessage: try await store.message(send.messageID, app: send.app) != nil, problem: problem)
    return WebPage(
      title: send.summary, section: .sends, main: view.html, scripts: ["watch.js"]
    ).response(status: status, for: request)
  }

  /// The answer of APNs for each device of a send; with `?failed`, only for the devices that it refused.
  private static func devicesCSV(_ request: PageRequest) async throws -> HTTPResponse {
    let (store, send) = (request.router.store, try await send(request))
    let onlyFailed = request.call.query("failed") != nil
    return try await CSVTable.stream(
      named: "\(onlyFailed ? "failed" : "devices")-\(send.id).csv", header: OutcomeRows.header
    ) { cursor in
      let page = try await store.outcomes(of: send.id, app: send.app, after: cursor)
      let shown = page.elements.filter { !onlyFailed || $0.result != .sent }
      let devices = try await store.devices(
        app: send.app, numbers: DeviceNumbers(shown.map(\.device)))
      return (OutcomeRows.rows(of: shown, send: send.id, devices: devices), page.cursor)
    }
  }

  /// The progress of the send as server-sent events, as the API streams it.
  private static func events(_ request: PageRequest) async throws -> HTTPResponse {
    var watch = SendWatch(
      send: try await send(request), store: request.router.store, clock: request.router.clock)
    watch.isAllowed = request.isStillAdmitted
    return HTTPResponse(
      status: 200,
      headers: [
        ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
      ], body: .stream(watch.events()))
  }

  /// The picture of a send on a device without attributes; status 204 if the phone shows nothing.
  private static func card(_ request: PageRequest) async throws -> HTTPResponse {
    let send = try await send(request)
    return try await request.card(of: send.payload, id: send.id, at: send.createdAt)
  }

  private static func control(_ request: PageRequest) async throws -> HTTPResponse {
    let (actions, actor, id) = (request.actions, request.actor, request.call.parameter("send"))
    do {
      let changed: Send
      switch request.form["action"] {
      case "pause": changed = try await actions.pauseNotification(id, by: actor)
      case "resume": changed = try await actions.resumeNotification(id, by: actor)
      case "cancel": changed = try await actions.cancelNotification(id, by: actor)
      default:
        throw RequestError(.invalid, "unknown action; a send can be paused, resumed or canceled")
      }
      return .seeOther("\(request.path(.sends))/\(changed.id)")
    } catch let error as StoreError where error.code == .conflict {
      // The state has changed meanwhile: another user acted, or the send completed.
      return try await page(
        try await self.send(request), request, status: 409, problem: error.message)
    }
  }

  private static func send(_ request: PageRequest) async throws -> Send {
    try await request.actions.notification(request.call.parameter("send"), app: request.app.id)
  }
}

extension Send {
  /// Whether another send can take the place of this one, because it waits for its time and is not a campaign's.
  var canBeEdited: Bool {
    (state == .scheduled || state == .paused) && startedAt == nil && scheduledAt != nil
      && origin == nil
  }
}
