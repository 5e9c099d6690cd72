import PhoneCards
import PushModel
import Synchronization

/// What may be done on a server: each action checks its actor, changes the store, and writes the audit entry and the
/// notice of webhooks in the same transaction.
///
/// The extensions have the actions of one subject each. An action throws ``RequestError`` and ``StoreError``, never a
/// status of HTTP. The API and the dashboard map both from and to HTTP.
final class Actions: Sendable {
  let store: any PushStore
  let audiences: Audiences
  /// Checks an app's key with Apple; `nil` skips the check.
  let sender: (any PushSender)?
  let secretKey: SecretKey
  let clock: ServerClock
  let metrics: ServerMetrics
  let site: SiteSettings
  /// The files that people uploaded; `nil` if this server takes no uploads.
  let uploads: Uploads?
  /// The media of other servers, for the dashboard's preview; `nil` if this server previews none.
  let remoteMedia: RemoteMedia?
  /// Draws the cards of previews and sends.
  let cards: CardProcess
  /// The turns of those who change the Live Activities that the server keeps.
  let activityTurns = ActivityTurns()
  /// Wakes the delivery workers, after a send was accepted or resumed.
  let wakeDelivery: @Sendable () -> Void
  /// Computes the hashes of passwords.
  let passwords: PasswordWork
  /// Signs people in with an OpenID provider; `nil` if the server has no provider.
  let openID: OpenIDClient?
  /// Records traces; `nil` if tracing is off.
  let tracer: Tracer?
  let log: @Sendable (LogLine) -> Void
  /// The refused credentials of each address, and the attempts to sign in, for their limits.
  let refusals = Mutex(RateLimiter())
  let signIns = Mutex(SignInLimits())
  /// The new devices of each address, for their rate limit.
  let newDevices = Mutex(RateLimiter())
  /// The URL on which the server listens; `nil` if it listens on every address of the machine.
  private let listenURL = Mutex<String?>(nil)

  /// Makes the actions over a store.
  ///
  /// `audiences` are the audience indexes, by default over `store`. `sender` checks an app's key with Apple before
  /// the key is stored; `nil` skips the check. `wakeDelivery` is called when a send was accepted or resumed.
  init(
    store: any PushStore, secretKey: SecretKey, clock: ServerClock = .system,
    metrics: ServerMetrics = ServerMetrics(), audiences: Audiences? = nil,
    sender: (any PushSender)? = nil, tracer: Tracer? = nil, site: SiteSettings = SiteSettings(),
    wakeDelivery: @escaping @Sendable () -> Void = {},
    log: @escaping @Sendable (LogLine) -> Void = { _ in }
  ) {
    self.store = store
    self.audiences = audiences ?? Audiences(store)
    self.sender = sender
    self.secretKey = secretKey
    self.clock = clock
    self.metrics = metrics
    self.tracer = tracer
    self.site = site
    self.wakeDelivery = wakeDelivery
    self.log = log
    passwords = PasswordWork(cost: site.passwordCost)
    openID = site.identityProvider.map { provider in
      OpenIDClient(provider, http: site.http, clock: clock)
    }
    uploads = site.mediaFolder.map { Uploads(folder: $0, store: store, quota: site.uploadQuota) }
    remoteMedia = site.mediaFolder.map {
      RemoteMedia(folder: $0 + "/preview", clock: clock, loader: site.mediaLoader)
    }
    cards = CardProcess(reading: site.mediaFolder.map { [$0] } ?? []) { log(LogLine($0)) }
  }

  var planner: SendPlanner { SendPlanner(store: store, audiences: audiences, clock: clock) }
  var campaignRunner: CampaignRunner {
    CampaignRunner(planner: planner, wakeDelivery: wakeDelivery)
  }

  /// Sets the URL on which the server listens, for links of a server without a public URL.
  func listens(at url: String?) { listenURL.withLock { $0 = url } }

  /// The URL of this server without a path, for links; never one that a request names.
  ///
  /// - Throws: ``RequestError`` `.notOffered` if the server does not know its URL.
  func address() throws(RequestError) -> String {
    guard let url = site.publicURL ?? listenURL.withLock(\.self) else {
      throw RequestError(
        .notOffered,
        "this server does not know its address; start it with --public-url https://HOST")
    }
    return url
  }
}
