package import PushStore
package import _HTTPServer

/// The whole server: the HTTP API in front, delivery behind, the store between them.
package final class PushServer: Sendable {
  package struct Configuration: Sendable {
    package var host = "127.0.0.1"
    /// 0 takes a free one.
    package var port: UInt16 = 0
    /// PEM texts; `nil` serves plain HTTP.
    package var tls: (certificatePEM: String, keyPEM: String)?
    /// How many batches of up to 1000 pushes are on their way at once.
    package var workers = 4
    /// Where the world reaches this server; `nil` where it does not.
    package var publicURL: String?
    /// The name under which this node leases batches.
    package var node = "node"
    /// Which martlet this is, for the API's document.
    package var version = "0"
    /// Where uploaded media are kept; `nil` takes no uploads.
    package var mediaFolder: String?

    package init() {}

    fileprivate var dashboard: Dashboard.Settings {
      var settings = Dashboard.Settings()
      settings.isSecure = tls != nil || publicURL?.hasPrefix("https:") == true
      settings.publicURL = publicURL
      settings.mediaFolder = mediaFolder
      return settings
    }
  }

  private let http: HTTPServer
  private let dispatcher: Dispatcher
  private let delivery: Task<Void, Never>
  private let webhooks: Task<Void, Never>
  private let following: Task<Void, Never>
  private let sender: any PushSender

  /// The port in use, also where 0 was asked for.
  package var port: UInt16 { http.port }

  /// Listens and delivers from here on.
  ///
  /// - Throws: ``HTTPServerError`` where it cannot listen.
  package init(
    _ configuration: Configuration, store: any PushStore, secretKey: SecretKey,
    sender: any PushSender, webhookClient: any WebhookClient = CurlWebhookClient(),
    metrics: ServerMetrics = ServerMetrics(),
    clock: ServerClock = .system, log: @escaping @Sendable (String) -> Void
  ) throws(HTTPServerError) {
    let dispatcher = Dispatcher(
      store: store, sender: sender, clock: clock, owner: configuration.node,
      workers: configuration.workers, metrics: metrics, log: log)
    let api = API(
      store: store, secretKey: secretKey, clock: clock, metrics: metrics,
      version: configuration.version, dashboard: configuration.dashboard,
      accepted: { dispatcher.ring() }, log: log)
    var listening = HTTPServer.Configuration(host: configuration.host, port: configuration.port)
    listening.tls = configuration.tls
    listening.bodyLimit = API.bodyLimit
    http = try HTTPServer(listening) { request in await api.respond(to: request) }
    self.dispatcher = dispatcher
    self.sender = sender
    delivery = Task { await dispatcher.run() }
    let worker = WebhookWorker(
      store: store, secretKey: secretKey, client: webhookClient, clock: clock,
      owner: configuration.node, log: log)
    webhooks = Task { await worker.run() }
    following = Task { await api.audiences.follow(clock: clock) }
  }

  /// Answers the requests under way, ends the batches under way, and returns.
  package func stop() async {
    await http.stop()
    following.cancel()
    await following.value
    dispatcher.stop()
    webhooks.cancel()
    await webhooks.value
    await delivery.value
    await sender.close()
  }
}
