import PushPayload
import PushStore
import _HTTPServer

/// `/healthz`, `/readyz`, `/metrics` and the OpenAPI document.
enum StatusRoutes {
  static let all: [Route] =
    [
      Route("GET", "/healthz", access: .open, operation: .health) { _, _ in .json(["status": "ok"])
      },
      Route("GET", "/readyz", access: .open, operation: .readiness) { _, api in
        guard api.isReady else {
          throw APIError(
            503, "the server is starting: it is indexing the audiences",
            headers: [("Retry-After", "1")])
        }
        // Throws a StoreError where the store does not answer, which becomes a 503.
        try await api.store.probe()
        return .json(["status": "ok"])
      },
      Route("GET", "/metrics", access: .server, operation: .metrics, handler: metrics),
    ]
    + Route.allVersions("GET", "/openapi.json", access: .open, operation: .openAPI) { call, api in
      api.document.answer(to: call.request, apiVersion: String(call.version))
    }

  private static func metrics(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let due = try await api.store.nextBatchTime()
    let wait = due.map { max(.zero, api.clock.now().since($0)) } ?? .zero
    let devices = AppDevices(
      counts: try await api.store.registeredDevices(), limit: api.site.deviceLimit)
    return HTTPResponse(
      status: 200,
      headers: [("Content-Type", PrometheusText.mediaType), ("Cache-Control", "no-store")],
      body: Array(
        api.metrics.text(version: api.version, oldestWait: wait, devices: devices).utf8))
  }
}
