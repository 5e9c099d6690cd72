import Foundation
import NotificationPreview
import PushPayload
import PushStore
import Synchronization
import _HTTPServer

/// The HTTP API: finds a request's route, authorizes its key, calls the handler and answers errors.
///
/// It also serves the routes of the dashboard's pages, which are given to it.
package final class API: Sendable {
  let store: any PushStore
  let audiences: Audiences
  /// Checks an app's key with Apple; `nil` skips the check.
  let sender: (any PushSender)?
  let secretKey: SecretKey
  let clock: ServerClock
  let metrics: ServerMetrics
  /// The version of this program, which the OpenAPI document and the metrics name.
  let version: String
  let site: SiteSettings
  /// The files that people uploaded; `nil` if this server takes no uploads.
  let uploads: Uploads?
  /// The media of other servers, for the dashboard's preview; `nil` if this server previews none.
  let remoteMedia: RemoteMedia?
  /// Draws the cards of previews and sends.
  let cards: CardProcess
  /// The OpenAPI 3.1 documents of ``routes``.
  let document: ServedDocument
  /// Wakes the delivery workers, after a send was accepted or resumed.
  let wakeDelivery: @Sendable () -> Void
  /// The requests of each address and each key, and the refused credentials, for the rate limits.
  let publicCallers = Mutex(RateLimiter())
  let limitedKeys = Mutex(RateLimiter())
  let refusals = Mutex(RateLimiter())
  /// The attempts to sign in with a password.
  let signIns = Mutex(SignInLimits())
  /// Computes the hashes of passwords.
  let passwords: PasswordWork
  /// Signs people in with an OpenID provider; `nil` if the server has no provider.
  let openID: OpenIDClient?
  /// The new devices of each address, for their rate limit.
  let newDevices = Mutex(RateLimiter())
  let log: @Sendable (LogLine) -> Void
  /// Records traces; `nil` if tracing is off.
  let tracer: Tracer?
  /// Called with each answered request; `nil` if requests are not logged.
  let requests: (@Sendable (RequestLine) -> Void)?
  let table: RouteTable
  let unknownPage: @Sendable (APIError) -> HTTPResponse
  private let isPreparing = Mutex(false)
  /// The URL on which the server listens; `nil` if it listens on every address of the machine.
  private let listenURL = Mutex<String?>(nil)

  /// The routes of the API itself, without the dashboard's pages.
  static let routes: [Route] =
    NotificationRoutes.all + ReplayRoute.all + DeviceRoutes.all + EventRoutes.all + UserRoutes.all
    + AudienceRoutes.all + TransactionalRoutes.all + OutcomeRoutes.all + ExplanationRoutes.all
    + ReceiptRoutes.all + StatRoutes.all + MessageRoutes.all + InboxRoutes.all + SyncRoute.all
    + WebhookRoutes.all
    + AppRoutes.all + IdentityKeyRoutes.all + ActivityTokenRoutes.all + ActivityRoutes.all
    + ChannelRoutes.all + CampaignRoutes.all + TemplateRoutes.all + RunRoutes.all + LimitRoutes.all
    + StatusRoutes.all
    + UploadRoutes.all

  /// Makes an API over a store.
  ///
  /// `audiences` are the audience indexes, by default over `store`. `sender` checks an app's key with Apple before
  /// the key is stored; `nil` skips the check. `pages` are routes that are served beside ``routes``, and
  /// `unknownPage` answers browsers at other paths. `wakeDelivery` is called when a send was accepted or resumed.
  /// `requests` is called with each answered request. `tracer` records traces; `nil` records none.
  init(
    store: any PushStore, secretKey: SecretKey, clock: ServerClock = .system,
    metrics: ServerMetrics = ServerMetrics(), version: String = "0",
    audiences: Audiences? = nil, sender: (any PushSender)? = nil, tracer: Tracer? = nil,
    site: SiteSettings = SiteSettings(), pages: [Route] = [],
    unknownPage: @escaping @Sendable (APIError) -> HTTPResponse = { $0.response },
    wakeDelivery: @escaping @Sendable () -> Void = {},
    requests: (@Sendable (RequestLine) -> Void)? = nil,
    log: @escaping @Sendable (LogLine) -> Void = { _ in }
  ) {
    self.store = store
    self.audiences = audiences ?? Audiences(store)
    self.sender = sender
    self.secretKey = secretKey
    self.clock = clock
    self.wakeDelivery = wakeDelivery
    self.metrics = metrics
    self.version = version
    self.tracer = tracer
    self.site = site
    passwords = PasswordWork(cost: site.passwordCost)
    openID = site.identityProvider.map { provider in
      OpenIDClient(provider, transport: site.providerTransport, clock: clock)
    }
    uploads = site.mediaFolder.map { Uploads(folder: $0, store: store, quota: site.uploadQuota) }
    remoteMedia = site.mediaFolder.map {
      RemoteMedia(folder: $0 + "/preview", clock: clock, loader: site.mediaLoader)
    }
    cards = CardProcess(reading: site.mediaFolder.map { [$0] } ?? []) { log(LogLine($0)) }
    table = RouteTable(Self.routes + pages)
    self.unknownPage = unknownPage
    document = ServedDocument(version: version)
    self.log = log
    self.requests = requests
  }

  // MARK: Address

  /// Sets the URL on which the server listens, for links of a server without a public URL.
  package func listens(at url: String?) { listenURL.withLock { $0 = url } }

  /// The URL of this server without a path, for links; never one that a request names.
  ///
  /// - Throws: ``APIError`` 501 if the server does not know its URL.
  func address() throws(APIError) -> String {
    guard let url = site.publicURL ?? listenURL.withLock(\.self) else {
      throw APIError(
        501, "this server does not know its address; start it with --public-url https://HOST")
    }
    return url
  }

  // MARK: Readiness

  /// Whether the audiences of all apps are indexed.
  var isReady: Bool { !isPreparing.withLock(\.self) }

  /// Makes the server not ready until ``prepareAudiences()`` has ended.
  package func beginPreparing() { isPreparing.withLock { $0 = true } }

  /// Indexes the audiences of every app, so that no request waits for it.
  package func prepareAudiences() async {
    while !Task.isCancelled {
      do throws(StoreError) {
        for app in try await store.apps() { try await audiences.prepare(app: app.id) }
        isPreparing.withLock { $0 = false }
        return await reportFills()
      } catch {
        log(LogLine("indexing the audiences failed, retrying in 1 s: \(error.message)"))
        guard (try? await clock.sleep(.seconds(1))) != nil else { return }
      }
    }
  }
}
