import PushModel
import PushPayload
import _HTTPServer

/// `/healthz`, `/readyz`, `/metrics` and the OpenAPI document.
enum StatusRoutes {
  static let all: [Route] =
    [
      .open("GET", "/healthz", operation: .health) { _, _ in .json(["status": "ok"]) },
      .open("GET", "/readyz", operation: .readiness) { _, router in
        guard router.isReady else {
          throw RequestError(
            .unavailable, "the server is starting: it is indexing the audiences",
            wait: 1)
        }
        // Throws a StoreError if the store does not answer, which becomes a 503.
        try await router.store.probe()
        return .json(["status": "ok"])
      },
      Route("GET", "/metrics", access: .metrics, operation: .metrics) { _, router in
        await router.metricsPage()
      },
    ]
    + OpenAPIDocument.apiVersions.map { version in
      .open("GET", "/\(version)/openapi.json", operation: .openAPI) { call, router in
        router.document.answer(to: call.request, apiVersion: version)
      }
    }
}

extension Router {
  /// The page of metrics, even if the store does not answer.
  func metricsPage() async -> HTTPResponse {
    let now = clock.now()
    var queue: MetricsPage.Queue?
    // The probe does not wait for an unreachable database, because the scraper would give up soon.
    if (try? await store.probe()) != nil, let devices = try? await store.registeredDevices(),
      let due = try? await store.nextBatchTime(at: now).map({ max(.zero, now.since($0)) }) ?? .zero
    {
      queue = .init(
        oldestWait: due, devices: AppDevices(counts: devices, limit: site.deviceLimit))
    }
    let page = MetricsPage(
      version: version, queue: queue, indexLag: audiences.lag(at: now), process: .current())
    return HTTPResponse(
      status: 200,
      headers: [("Content-Type", PrometheusText.mediaType), ("Cache-Control", "no-store")],
      body: page.text(metrics).bytes)
  }
}
