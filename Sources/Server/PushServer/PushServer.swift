package import NetworkAddresses
import NotificationPreview
package import PushModel
package import _HTTPServer

/// The push server: the HTTP API and dashboard, the delivery workers and the webhooks, over one store.
package final class PushServer: Sendable {
  package struct Configuration: Sendable {
    package var host = "127.0.0.1"
    /// The port to listen on; 0 chooses a free one.
    package var port: UInt16 = 0
    /// An address at which anyone can read the metrics over plain HTTP; `nil` if there is no such listener.
    package var metricsAddress: (host: String, port: UInt16)?
    /// The base address of an OpenTelemetry collector for traces; `nil` records none.
    package var traceEndpoint: String?
    /// The share of requests whose traces are recorded, from 0 to 1.
    package var traceSample = 0.01
    /// The certificate chain and its key in PEM; `nil` serves plain HTTP.
    package var tls: (certificatePEM: String, keyPEM: String)?
    /// The memory in bytes for the bodies of all requests, including the values read from them.
    package var bodyMemory = 64 << 20
    /// The folder for large bodies while they arrive.
    package var bodyFolder = "/tmp"
    /// The most open connections, in all and from one address.
    package var maximumConnections = 4096
    package var connectionsPerAddress = 256
    /// The proxies that are trusted to name their clients' addresses.
    package var trustedProxies: [AddressRange] = []
    /// The number of batches that are sent at the same time.
    package var workers = 4
    /// The name under which this node leases batches, which must be unique among the nodes of a store.
    package var node = "node"
    /// The version of this program in the OpenAPI document and the metrics.
    package var version = "0"
    package var retention = Retention()
    /// The folder of the audience indexes' snapshots, which make a restart fast; `nil` writes none.
    package var audienceFolder: String?
    /// The settings that requests see; whether the site is secure follows from ``tls`` and the public URL.
    package var site = SiteSettings()

    /// Makes a configuration in which an admin with a password needs a second factor.
    package init() { site.requiresSecondFactor = true }

    /// The server's URL; `nil` if it listens on all addresses, because no single one is known.
    fileprivate func listenURL(port: UInt16) -> String? {
      guard !["0.0.0.0", "::", ""].contains(host) else { return nil }
      let name = host.contains(":") ? "[\(host)]" : host
      return "\(tls == nil ? "http" : "https")://\(name):\(port)"
    }
  }

  private let http: HTTPServer
  private let metricsListener: HTTPServer?
  private let dispatcher: Dispatcher
  private let router: Router
  private let webhooks: WebhookWorker
  private let housekeeping: Housekeeping
  private let exporter: SpanExporter?
  private let sender: any PushSender
  private let store: any PushStore
  private let clock: ServerClock
  private let log: @Sendable (LogLine) -> Void
  /// Ends when the server is to stop.
  private let (stopping, end) = AsyncStream<Never>.makeStream()
  /// Ends when the server has stopped.
  private let (stopped, hasStopped) = AsyncStream<Never>.makeStream()

  /// The port in use, which was chosen by the system if the configured one is 0.
  package var port: UInt16 { http.port }
  /// The port of the metrics; `nil` if no address is configured for them.
  package var metricsPort: UInt16? { metricsListener?.port }

  /// Makes a server that listens at once, and delivers when it runs.
  ///
  /// `audiences` are the audience indexes; `nil` makes them over `store`. `requests` is called with each
  /// answered request, and `log` with each warning.
  ///
  /// - Throws: ``HTTPServerError`` if the server cannot listen.
  package init(
    _ configuration: Configuration, store: any PushStore, secretKey: SecretKey,
    sender: any PushSender,
    metrics: ServerMetrics = ServerMetrics(), audiences: Audiences? = nil,
    clock: ServerClock = .system, requests: (@Sendable (RequestLine) -> Void)? = nil,
    log: @escaping @Sendable (LogLine) -> Void
  ) throws(HTTPServerError) {
    var site = configuration.site
    site.isSecure = configuration.tls != nil || site.publicURL?.hasPrefix("https:") == true
    let tracer = configuration.traceEndpoint.map { _ in Tracer(rate: configuration.traceSample) }
    let dispatcher = Dispatcher(
      store: store, sender: sender, clock: clock, owner: configuration.node,
      workers: configuration.workers, paddingMultiple: site.paddingMultiple,
      metrics: metrics, tracer: tracer, log: { log(LogLine($0)) })
    let router = Router(
      Actions(
        store: store, secretKey: secretKey, clock: clock, metrics: metrics,
        audiences: audiences ?? Audiences(store, folder: configuration.audienceFolder),
        sender: sender, tracer: tracer, site: site, wakeDelivery: { dispatcher.signal() }, log: log),
      version: configuration.version, pages: Dashboard.all, unknownPage: Dashboard.unknown,
      requests: requests)
    router.beginPreparing()
    var listening = HTTPServer.Configuration(host: configuration.host, port: configuration.port)
    listening.tls = configuration.tls
    listening.bodyLimit = Router.bodyLimit
    listening.streamsBody = Router.streamsBody
    listening.bodyCost = Router.bodyCost
    listening.admit = { head in await router.admit(head) }
    listening.bodyMemory = configuration.bodyMemory
    listening.bodyFolder = configuration.bodyFolder
    listening.maximumConnections = configuration.maximumConnections
    listening.connectionsPerAddress = configuration.connectionsPerAddress
    listening.isTrustedProxy = { [proxies = configuration.trustedProxies] address in
      proxies.contains { $0.contains(address) }
    }
    metricsListener = try configuration.metricsAddress.map { address throws(HTTPServerError) in
      try Self.serveMetrics(of: router, on: address)
    }
    http = try HTTPServer(listening) { request in await router.respond(to: request) }
    router.actions.listens(at: configuration.listenURL(port: http.port))
    self.router = router
    self.dispatcher = dispatcher
    self.sender = sender
    self.store = store
    self.clock = clock
    self.log = log
    webhooks = WebhookWorker(
      store: store, secretKey: secretKey,
      http: site.http, targets: site.webhookTargets, clock: clock,
      owner: configuration.node, metrics: metrics, log: { log(LogLine($0)) })
    exporter = tracer.flatMap { Self.exporter(of: $0, configuration, clock: clock, log: log) }
    housekeeping = Housekeeping(
      store: store, retention: configuration.retention, uploads: router.uploads, clock: clock,
      log: { log(LogLine($0)) })
  }

  private static func exporter(
    of tracer: Tracer, _ configuration: Configuration, clock: ServerClock,
    log: @escaping @Sendable (LogLine) -> Void
  ) -> SpanExporter? {
    guard let endpoint = configuration.traceEndpoint else { return nil }
    return SpanExporter(
      tracer, endpoint: endpoint, version: configuration.version, instance: configuration.node,
      clock: clock, http: configuration.site.http, log: { log(LogLine($0)) })
  }

  /// Serves only the metrics, without a key.
  private static func serveMetrics(
    of router: Router, on address: (host: String, port: UInt16)
  ) throws(HTTPServerError) -> HTTPServer {
    var listening = HTTPServer.Configuration(host: address.host, port: address.port)
    listening.bodyLimit = { _, _ in 0 }
    listening.bodyMemory = 1 << 20
    listening.maximumConnections = 32
    return try HTTPServer(listening) { request in
      guard request.path == "/metrics" else {
        return RequestError(.notFound, "this address has /metrics only").response
      }
      guard ["GET", "HEAD"].contains(request.method) else {
        return WrongMethod(allowed: "GET").response
      }
      return await StoreDeadline.perCall { await router.metricsPage() }
    }
  }

  /// Uses another certificate for new connections.
  ///
  /// - Throws: ``HTTPServerError`` if the certificate cannot be used; the old one then stays in use.
  package func setCertificate(
    _ certificatePEM: String, keyPEM: String
  ) throws(HTTPServerError) {
    try http.setCertificate(certificatePEM, keyPEM: keyPEM)
  }

  /// Delivers, and does all else that no request asks for, until ``stop()`` is called.
  ///
  /// The server is ready when every app's devices are indexed. When this returns, the requests and batches in flight
  /// have ended. If the database does not answer, all of them together wait for it for up to ten seconds. A server that
  /// was made has to run, also to be stopped. Cancelling the task of this call does not wait for what is in flight.
  package func run() async {
    await withDiscardingTaskGroup { observers in
      if let exporter { observers.addTask { await exporter.run() } }
      await withDiscardingTaskGroup { delivery in
        delivery.addTask { [dispatcher] in await dispatcher.run() }
        await withDiscardingTaskGroup { workers in
          addWorkers(to: &workers)
          for await _ in stopping {}
          store.endCalls(within: StoreDeadline.limit)
          workers.cancelAll()
          // Requests that wait for their pushes end only while delivery goes on.
          await http.stop()
        }
        dispatcher.stop()
      }
      await sender.close()
      observers.cancelAll()
    }
    await exporter?.finish()
    await metricsListener?.stop()
    hasStopped.finish()
  }

  /// Makes ``run()`` end, and returns when it has ended; without a ``run()`` this does not return.
  package func stop() async {
    end.finish()
    for await _ in stopped {}
  }

  private func addWorkers(to group: inout DiscardingTaskGroup) {
    let (router, clock, log) = (router, clock, log)
    group.addTask { [webhooks] in await webhooks.run() }
    group.addTask { [housekeeping] in await housekeeping.run() }
    group.addTask { await router.actions.importRunner.run { log(LogLine($0)) } }
    group.addTask { await router.actions.campaignRunner.run { log(LogLine($0)) } }
    group.addTask { await router.actions.keeperRunner.run { log(LogLine($0)) } }
    group.addTask {
      await router.prepareAudiences()
      await router.audiences.follow(clock: clock) { log(LogLine($0)) }
      await router.audiences.saveAll(at: clock.now()) { log(LogLine($0)) }
    }
    // Announcements of other nodes only make delivery faster, because the workers also poll the store.
    if let announcements = store.announcements() {
      group.addTask { [dispatcher] in for await _ in announcements { dispatcher.signal() } }
    }
  }
}
