import PushPayload
import PushStore
import _HTTPServer

/// What a load balancer and a monitor ask.
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
  ]

  private static func metrics(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let due = try await api.store.nextBatchTime()
    let wait = due.map { max(.zero, api.clock.now().since($0)) } ?? .zero
    return HTTPResponse(
      status: 200,
      headers: [("Content-Type", PrometheusText.mediaType), ("Cache-Control", "no-store")],
      body: Array(api.metrics.text(version: api.version, oldestWait: wait).utf8))
  }
}
