import PushPayload
import PushStore
import _HTTPServer

/// What a person and a load balancer ask.
enum StatusRoutes {
  static let all: [Route] = [
    Route("GET", "/healthz", .open, .health) { _, _ in .json(["status": "ok"]) },
    Route("GET", "/readyz", .open, .readiness) { _, api in
      guard api.isReady else {
        throw APIError(
          503, "the server starts: it reads the devices of its audiences",
          headers: [("Retry-After", "1")])
      }
      // Answers 503 where the store does not.
      try await api.store.probe()
      return .json(["status": "ok"])
    },
    Route("GET", "/v6/openapi.json", .open, .openAPI) { _, api in .json(api.document) },
    Route("GET", "/metrics", .server, .metrics, metrics),
    Route("GET", "/", .person, nil, page),
  ]

  private static func metrics(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let due = try await api.store.nextBatchTime()
    let wait = due.map { max(.zero, api.clock.now().since($0)) } ?? .zero
    return HTTPResponse(
      status: 200,
      headers: [("Content-Type", PrometheusText.mediaType), ("Cache-Control", "no-store")],
      body: Array(api.metrics.text(version: api.version, oldestWait: wait).utf8))
  }

  private static func page(_ call: Call, _ api: API) async throws -> HTTPResponse {
    // The server's key sees every app, an app's key its own.
    let apps = try await api.store.apps().filter { app in
      call.key?.role == .server || call.key?.app == app.id
    }
    var sections: [StatusPage.Section] = []
    for app in apps {
      let page = try await api.store.sends(app: app.id, after: nil, limit: 20)
      sections.append(
        StatusPage.Section(
          app: app, devices: try await api.store.deviceCount(app: app.id), sends: page.sends,
          total: page.total))
    }
    return HTTPResponse(
      status: 200,
      headers: [
        ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
        (
          "Content-Security-Policy",
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
      ],
      body: Array(StatusPage(sections: sections).html.utf8))
  }
}
