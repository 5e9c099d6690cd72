package import MediaLoading
package import PushStore
import _Curl
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
    package var retention = Retention()
    /// Where uploaded media are kept; `nil` takes no uploads.
    package var mediaFolder: String?
    /// What fetches the media of other servers, for the preview.
    package var mediaLoader: @Sendable () -> any MediaLoader = { CurlMediaLoader() }

    package init() {}

    fileprivate var dashboard: Dashboard.Settings {
      var settings = Dashboard.Settings()
      settings.isSecure = tls != nil || publicURL?.hasPrefix("https:") == true
      settings.publicURL = publicURL
      settings.mediaFolder = mediaFolder
      settings.mediaLoader = mediaLoader
      return settings
    }
  }

  private let http: HTTPServer
  private let dispatcher: Dispatcher
  private let delivery: Task<Void, Never>
  private let webhooks: Task<Void, Never>
  private let audienceTask: Task<Void, Never>
  private let announcementTask: Task<Void, Never>
  private let retentionTask: Task<Void, Never>
  private let sender: any PushSender

  /// The port in use, also where 0 was asked for.
  package var port: UInt16 { http.port }

  /// Listens and delivers from here on; ready once every app's devices are indexed.
  ///
  /// `audiences` is of the store where none is named.
  ///
  /// - Throws: ``HTTPServerError`` where it cannot listen.
  package init(
    _ configuration: Configuration, store: any PushStore, secretKey: SecretKey,
    sender: any PushSender, webhookClient: any WebhookClient = CurlWebhookClient(),
    metrics: ServerMetrics = ServerMetrics(), audiences: Audiences? = nil,
    clock: ServerClock = .system, requests: (@Sendable (RequestLine) -> Void)? = nil,
    log: @escaping @Sendable (LogLine) -> Void
  ) throws(HTTPServerError) {
    let dispatcher = Dispatcher(
      store: store, sender: sender, clock: clock, owner: configuration.node,
      workers: configuration.workers, metrics: metrics,
      log: { log(LogLine($0)) })
    let api = API(
      store: store, secretKey: secretKey, clock: clock, metrics: metrics,
      version: configuration.version, audiences: audiences, sender: sender,
      dashboard: configuration.dashboard,
      wakeDelivery: { dispatcher.ring() }, requests: requests, log: log)
    api.beginPreparing()
    var listening = HTTPServer.Configuration(host: configuration.host, port: configuration.port)
    listening.tls = configuration.tls
    listening.bodyLimit = API.bodyLimit
    listening.streamsBody = API.streamsBody
    http = try HTTPServer(listening) { request in await api.respond(to: request) }
    self.dispatcher = dispatcher
    self.sender = sender
    delivery = Task { await dispatcher.run() }
    let worker = WebhookWorker(
      store: store, secretKey: secretKey, client: webhookClient, clock: clock,
      owner: configuration.node, metrics: metrics, log: { log(LogLine($0)) })
    webhooks = Task { await worker.run() }
    audienceTask = Task {
      await api.prepareAudiences()
      await api.audiences.follow(clock: clock)
    }
    let housekeeping = Housekeeping(
      store: store, retention: configuration.retention, uploads: api.uploads,
      clock: clock,
      log: { log(LogLine($0)) })
    retentionTask = Task { await housekeeping.run() }
    // Nobody waits for what is not announced: the queue is looked at now and then too.
    let announcements = store.announcements()
    announcementTask = Task {
      guard let announcements else { return }
      for await _ in announcements { dispatcher.ring() }
    }
  }

  /// Answers the requests under way, ends the batches under way, and returns.
  package func stop() async {
    await http.stop()
    audienceTask.cancel()
    announcementTask.cancel()
    retentionTask.cancel()
    await retentionTask.value
    await audienceTask.value
    dispatcher.stop()
    webhooks.cancel()
    await webhooks.value
    await delivery.value
    await sender.close()
  }
}
