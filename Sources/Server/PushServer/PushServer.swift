package import MediaLoading
package import NetworkAddresses
import NotificationPreview
package import PushStore
import _Curl
package import _HTTPServer

/// The push server: the HTTP API and dashboard, the delivery workers and the webhooks, over one
/// store.
package final class PushServer: Sendable {
  package struct Configuration: Sendable {
    package var host = "127.0.0.1"
    /// The port to listen on; 0 takes a free one.
    package var port: UInt16 = 0
    /// An address that serves the metrics over plain HTTP to everyone who reaches it; `nil` has none.
    package var metricsAddress: (host: String, port: UInt16)?
    /// The base address of an OpenTelemetry collector, which gets traces; `nil` records none.
    package var traceEndpoint: String?
    /// The share of requests whose traces are recorded, from 0 to 1.
    package var traceSample = 0.01
    /// The certificate chain and its key in PEM; `nil` serves plain HTTP.
    package var tls: (certificatePEM: String, keyPEM: String)?
    /// The memory that the bodies of all requests may take, with what is read of them, in bytes.
    package var bodyMemory = 64 << 20
    /// The folder for large bodies while they arrive.
    package var bodyFolder = "/tmp"
    /// The most open connections, and of these the most from one address.
    package var maximumConnections = 4096
    package var connectionsPerAddress = 256
    /// The private addresses and hosts that webhooks may call.
    package var webhookTargets = WebhookTargets()
    /// The proxies whose word about their clients' addresses is taken.
    package var trustedProxies: [AddressRange] = []
    /// How many batches are sent at the same time.
    package var workers = 4
    /// The number of bytes to a multiple of which payloads are padded before they are encrypted; 1
    /// does not pad.
    package var paddingMultiple = 1
    /// The URL under which devices and browsers reach this server; `nil` takes the address on which it listens.
    package var publicURL: String?
    /// The name under which this node leases batches; no two nodes of a store have the same.
    package var node = "node"
    /// The version of this program, for the OpenAPI document and the metrics.
    package var version = "0"
    package var retention = Retention()
    /// The most devices of one app that device keys register; a push key registers more.
    package var deviceLimit = SiteSettings().deviceLimit
    /// The most new devices a minute that device keys register from one address.
    package var newDevicesPerMinute = SiteSettings().newDevicesPerMinute
    /// The most bytes that the uploads of one app may have together.
    package var uploadQuota = SiteSettings().uploadQuota
    /// Whether an admin with a password needs a second factor before the dashboard opens anything.
    package var requiresSecondFactor = true
    /// The OpenID provider with which people sign in; it needs ``publicURL``.
    package var identityProvider: IdentityProvider?
    /// The folder of the audience indexes' snapshots, which make a restart fast; `nil` writes none.
    package var audienceFolder: String?
    /// The folder of uploaded media; `nil` refuses uploads.
    package var mediaFolder: String?
    /// Makes the loader of other servers' media, for the preview.
    package var mediaLoader: @Sendable () -> any MediaLoader = { CurlMediaLoader() }

    package init() {}

    /// The address of a listening server; `nil` for all of a machine, of which none is known.
    fileprivate func listenURL(port: UInt16) -> String? {
      guard !["0.0.0.0", "::", ""].contains(host) else { return nil }
      let name = host.contains(":") ? "[\(host)]" : host
      return "\(tls == nil ? "http" : "https")://\(name):\(port)"
    }

    fileprivate var site: SiteSettings {
      var site = SiteSettings()
      site.isSecure = tls != nil || publicURL?.hasPrefix("https:") == true
      site.publicURL = publicURL
      site.mediaFolder = mediaFolder
      site.mediaLoader = mediaLoader
      site.paddingMultiple = paddingMultiple
      site.deviceLimit = deviceLimit
      site.newDevicesPerMinute = newDevicesPerMinute
      site.webhookTargets = webhookTargets
      site.uploadQuota = uploadQuota
      site.requiresSecondFactor = requiresSecondFactor
      site.identityProvider = identityProvider
      return site
    }
  }

  private let http: HTTPServer
  private let metricsListener: HTTPServer?
  private let dispatcher: Dispatcher
  private let delivery: Task<Void, Never>
  private let webhooks: Task<Void, Never>
  private let audienceTask: Task<Void, Never>
  private let announcementTask: Task<Void, Never>
  private let retentionTask: Task<Void, Never>
  private let campaignTask: Task<Void, Never>
  private let traceTask: Task<Void, Never>?
  private let exporter: SpanExporter?
  private let sender: any PushSender
  private let store: any PushStore

  /// The port in use, which is a free one where the configuration has 0.
  package var port: UInt16 { http.port }
  /// The port of the metrics; `nil` without an address for them.
  package var metricsPort: UInt16? { metricsListener?.port }

  /// Makes a server that listens and delivers at once; it is ready when every app's devices are
  /// indexed.
  ///
  /// `audiences` are the audience indexes; `nil` makes them over `store`. `requests` is called with
  /// each answered request. `log` is called with each warning.
  ///
  /// - Throws: ``HTTPServerError`` where it cannot listen.
  package init(
    _ configuration: Configuration, store: any PushStore, secretKey: SecretKey,
    sender: any PushSender, webhookClient: (any WebhookClient)? = nil,
    metrics: ServerMetrics = ServerMetrics(), audiences: Audiences? = nil,
    clock: ServerClock = .system, requests: (@Sendable (RequestLine) -> Void)? = nil,
    log: @escaping @Sendable (LogLine) -> Void
  ) throws(HTTPServerError) {
    let tracer = configuration.traceEndpoint.map { _ in Tracer(rate: configuration.traceSample) }
    let dispatcher = Dispatcher(
      store: store, sender: sender, clock: clock, owner: configuration.node,
      workers: configuration.workers, paddingMultiple: configuration.paddingMultiple,
      metrics: metrics, tracer: tracer, log: { log(LogLine($0)) })
    let api = API(
      store: store, secretKey: secretKey, clock: clock, metrics: metrics,
      version: configuration.version,
      audiences: audiences ?? Audiences(store, folder: configuration.audienceFolder),
      sender: sender,
      tracer: tracer, site: configuration.site, pages: Dashboard.all,
      unknownPage: Dashboard.unknown,
      wakeDelivery: { dispatcher.signal() }, requests: requests, log: log)
    api.beginPreparing()
    var listening = HTTPServer.Configuration(host: configuration.host, port: configuration.port)
    listening.tls = configuration.tls
    listening.bodyLimit = API.bodyLimit
    listening.streamsBody = API.streamsBody
    listening.bodyCost = API.bodyCost
    listening.admit = { head in await api.admit(head) }
    listening.bodyMemory = configuration.bodyMemory
    listening.bodyFolder = configuration.bodyFolder
    listening.maximumConnections = configuration.maximumConnections
    listening.connectionsPerAddress = configuration.connectionsPerAddress
    listening.isTrustedProxy = { [proxies = configuration.trustedProxies] address in
      proxies.contains { $0.contains(address) }
    }
    metricsListener = try configuration.metricsAddress.map { address throws(HTTPServerError) in
      try Self.serveMetrics(of: api, on: address)
    }
    http = try HTTPServer(listening) { request in await api.respond(to: request) }
    api.listens(at: configuration.listenURL(port: http.port))
    self.dispatcher = dispatcher
    self.sender = sender
    self.store = store
    delivery = Task { await dispatcher.run() }
    let worker = WebhookWorker(
      store: store, secretKey: secretKey,
      client: webhookClient ?? CurlWebhookClient(allowing: configuration.webhookTargets),
      clock: clock,
      owner: configuration.node, metrics: metrics, log: { log(LogLine($0)) })
    webhooks = Task { await worker.run() }
    audienceTask = Task {
      await api.prepareAudiences()
      await api.audiences.follow(clock: clock) { log(LogLine($0)) }
      await api.audiences.saveAll(at: clock.now()) { log(LogLine($0)) }
    }
    exporter = tracer.flatMap { Self.exporter(of: $0, configuration, clock: clock, log: log) }
    traceTask = exporter.map { exporter in Task { await exporter.run() } }
    let housekeeping = Housekeeping(
      store: store, retention: configuration.retention, uploads: api.uploads,
      clock: clock,
      log: { log(LogLine($0)) })
    retentionTask = Task { await housekeeping.run() }
    let campaigns = CampaignRunner(api)
    campaignTask = Task { await campaigns.run { log(LogLine($0)) } }
    // Announcements of other nodes only make delivery faster: the workers also poll the store.
    let announcements = store.announcements()
    announcementTask = Task {
      guard let announcements else { return }
      for await _ in announcements { dispatcher.signal() }
    }
  }

  private static func exporter(
    of tracer: Tracer, _ configuration: Configuration, clock: ServerClock,
    log: @escaping @Sendable (LogLine) -> Void
  ) -> SpanExporter? {
    guard let endpoint = configuration.traceEndpoint else { return nil }
    // The operator names the collector, which usually is on a private network.
    let client = CurlWebhookClient(allowsPrivateAddress: true)
    return SpanExporter(
      tracer, endpoint: endpoint, version: configuration.version, instance: configuration.node,
      clock: clock,
      post: { body, url in
        try await client.post(body, to: url, fields: [("Content-Type", "application/json")])
      }, log: { log(LogLine($0)) })
  }

  /// Serves the metrics without a key, and nothing else.
  private static func serveMetrics(
    of api: API, on address: (host: String, port: UInt16)
  ) throws(HTTPServerError) -> HTTPServer {
    var listening = HTTPServer.Configuration(host: address.host, port: address.port)
    listening.bodyLimit = { _, _ in 0 }
    listening.bodyMemory = 1 << 20
    listening.maximumConnections = 32
    return try HTTPServer(listening) { request in
      guard request.path == "/metrics" else {
        return APIError(404, "this address has /metrics only").response
      }
      guard ["GET", "HEAD"].contains(request.method) else {
        return APIError(405, "this path takes GET", headers: [("Allow", "GET")]).response
      }
      return await StoreDeadline.perCall { await api.metricsPage() }
    }
  }

  /// Takes another certificate for the connections that come from now on.
  ///
  /// - Throws: ``HTTPServerError`` where it cannot be used; the old one then stays.
  package func setCertificate(
    _ certificatePEM: String, keyPEM: String
  ) throws(HTTPServerError) {
    try http.setCertificate(certificatePEM, keyPEM: keyPEM)
  }

  /// Stops listening, and returns when the requests and batches in flight have ended.
  ///
  /// A database that does not answer is waited for up to ten seconds, by all of them together.
  package func stop() async {
    store.endCalls(within: StoreDeadline.limit)
    audienceTask.cancel()
    announcementTask.cancel()
    retentionTask.cancel()
    campaignTask.cancel()
    webhooks.cancel()
    await http.stop()
    dispatcher.stop()
    await retentionTask.value
    await campaignTask.value
    await audienceTask.value
    await webhooks.value
    await delivery.value
    await sender.close()
    traceTask?.cancel()
    await traceTask?.value
    await exporter?.finish()
    await metricsListener?.stop()
  }
}
