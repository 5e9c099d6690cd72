import APNs

// In your package: the product ServiceLifecycle of github.com/swift-server/swift-service-lifecycle.
#if canImport(ServiceLifecycle)
  import ServiceLifecycle
#endif

/// An `APNsClient` as a service of a `ServiceGroup`: a graceful shutdown drains it.
///
///     let group = ServiceGroup(
///       services: [APNsService(client), server], gracefulShutdownSignals: [.sigterm], logger: logger)
///     try await group.run()
///
/// Services shut down in the opposite order, so name the client before those that send with it.
struct APNsService: Service {
  let client: APNsClient

  init(_ client: APNsClient) { self.client = client }

  func run() async throws {
    // Pushes that were sent before the shutdown get their outcomes; `run()` returns after the last one.
    await cancelWhenGracefulShutdown { await self.client.run() }
  }
}
