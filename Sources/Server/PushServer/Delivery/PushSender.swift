package import APNs
package import PushModel
import Synchronization

/// A sender of pushes to APNs.
package protocol PushSender: Sendable {
  /// Sends pushes of one app to one of Apple's environments, over connections of a class of sends.
  ///
  /// - Returns: One outcome for each push, in order.
  /// - Throws: An error if no push can be sent, for example without a usable key.
  func send(
    _ pushes: [APNsNotification], of sendClass: SendClass, for app: App, development: Bool
  ) async throws -> [APNsOutcome]
  /// Sends one push over a connection that is closed afterwards, for an app that may not be stored.
  func probe(
    _ push: APNsNotification, for app: App, development: Bool
  ) async throws -> APNsOutcome
  /// The broadcast channels of an app in one of Apple's environments.
  ///
  /// - Throws: An error if no request can be sent, for example without a usable key.
  func channels(of app: App, development: Bool) async throws -> any PushChannels
  /// Closes all connections.
  func close() async
}

/// The broadcast channels of one app; see ``APNsChannels``.
package protocol PushChannels: Sendable {
  func create(storing storage: APNsChannel.Storage) async throws(APNsChannelError) -> APNsChannel
  func delete(_ id: String) async throws(APNsChannelError)
  func send(_ broadcast: APNsBroadcast) async -> APNsOutcome
}

extension APNsChannels: PushChannels {}

extension PushSender {
  /// Throws an error, because a sender that only pushes to devices has no channels.
  package func channels(of app: App, development: Bool) async throws -> any PushChannels {
    throw RequestError(.unavailable, "this server has no connection to Apple's channels")
  }

  package func probe(
    _ push: APNsNotification, for app: App, development: Bool
  ) async throws -> APNsOutcome {
    let outcomes = try await send([push], of: .transactional, for: app, development: development)
    guard let outcome = outcomes.first else { throw CancellationError() }
    return outcome
  }
}

/// A sender to Apple's servers, which makes an ``APNsClient`` for each app, environment and class of sends at first
/// use.
///
/// Transactional pushes have clients of their own, so that they find a free stream, an open window and an idle thread
/// while a campaign fills the connections of the other client.
package final class APNsSender: PushSender {
  /// The addresses of the two environments.
  package struct Endpoints: Sendable {
    package var production: APNsEndpoint
    package var development: APNsEndpoint
    /// Certificates in PEM that are trusted in addition to the system's.
    package var extraTrustPEM: String?
    /// The proxy between this machine and both environments; `nil` if connections are direct.
    package var proxy: APNsProxy?

    package init(
      production: APNsEndpoint = .production, development: APNsEndpoint = .development,
      extraTrustPEM: String? = nil
    ) {
      self.production = production
      self.development = development
      self.extraTrustPEM = extraTrustPEM
    }
  }

  private struct Key: Hashable {
    var app: String
    var isDevelopment: Bool
    var sendClass: SendClass
  }

  fileprivate struct Client {
    let client: APNsClient
    /// The app as it was when ``credentials`` were read from it.
    var app: App
    /// The credentials that the client has, or gets by ``change``.
    var credentials: ProviderTokenCredentials
    /// The last change of credentials, for which pushes wait; `nil` if the client has its first ones.
    var change: Task<Void, any Error>?
    var lastUse: ContinuousClock.Instant
  }

  /// The time after which a client that is not used is closed, as that of a deleted app.
  static let longestIdle = Duration.seconds(86_400)

  private let endpoints: Endpoints
  private let secretKey: SecretKey
  private let store: (any AppStore)?
  private let metrics: ServerMetrics
  private let now: @Sendable () -> ContinuousClock.Instant
  private let clients = Mutex<[Key: Client]>([:])

  /// Makes a sender without connections.
  ///
  /// `store` has the apps with the credentials that they have now; `nil` if no app changes. `now` is the time by which
  /// clients are unused.
  package init(
    endpoints: Endpoints, secretKey: SecretKey, store: (any AppStore)? = nil,
    metrics: ServerMetrics = ServerMetrics(),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.endpoints = endpoints
    self.secretKey = secretKey
    self.store = store
    self.metrics = metrics
    self.now = now
  }

  /// The number of clients that are kept.
  var clientCount: Int { clients.withLock(\.count) }

  package func send(
    _ pushes: [APNsNotification], of sendClass: SendClass, for app: App, development: Bool
  ) async throws -> [APNsOutcome] {
    let key = Key(app: app.id, isDevelopment: development, sendClass: sendClass)
    return try await currentClient(for: app, at: key).send(pushes)
  }

  package func channels(of app: App, development: Bool) async throws -> any PushChannels {
    let key = Key(app: app.id, isDevelopment: development, sendClass: .transactional)
    return try await currentClient(for: app, at: key).channels(ofBundleID: app.bundleID)
  }

  /// The client of an app, with the app's current credentials.
  private func currentClient(for app: App, at key: Key) async throws -> APNsClient {
    let known = clients.withLock { clients in
      clients[key]?.lastUse = now()
      return clients[key]
    }
    if let known, known.app.hasCredentials(of: app) {
      try await known.change?.value
      return known.client
    }
    // A batch that was leased before a change of the key has the app as it was.
    let current = try await store?.app(app.id) ?? app
    let credentials = try token(of: current)
    let (client, unused) = try clients.withLock { clients in
      if var client = clients[key] {
        client.take(credentials, of: current)
        clients[key] = client
        return (client, [APNsClient]())
      }
      let unused = clients.filter { now() - $0.value.lastUse > Self.longestIdle }
      for key in unused.keys { clients[key] = nil }
      var configuration = configuration(credentials, development: key.isDevelopment)
      configuration.metrics = metrics.counters()
      let client = Client(
        client: try APNsClient(configuration: configuration), app: current,
        credentials: credentials, lastUse: now())
      clients[key] = client
      return (client, unused.values.map(\.client))
    }
    for client in unused { await client.close() }
    try await client.change?.value
    return client.client
  }

  package func probe(
    _ push: APNsNotification, for app: App, development: Bool
  ) async throws -> APNsOutcome {
    var configuration = configuration(try token(of: app), development: development)
    // The timeouts are short, because a person waits for the answer.
    configuration.connectTimeout = .seconds(5)
    configuration.requestTimeout = .seconds(10)
    let client = try APNsClient(configuration: configuration)
    let outcome = await client.send(push)
    await client.close()
    return outcome
  }

  private func configuration(
    _ credentials: ProviderTokenCredentials, development: Bool
  ) -> APNsClient.Configuration {
    var configuration = APNsClient.Configuration(
      credentials: .token(credentials),
      endpoint: development ? endpoints.development : endpoints.production)
    configuration.extraTrustPEM = endpoints.extraTrustPEM
    configuration.proxy = endpoints.proxy
    return configuration
  }

  private func token(of app: App) throws -> ProviderTokenCredentials {
    ProviderTokenCredentials(
      teamID: app.teamID, keyID: app.keyID, privateKeyPEM: try secretKey.privateKey(of: app))
  }

  package func close() async {
    let open = clients.withLock { clients in
      defer { clients = [:] }
      return Array(clients.values)
    }
    for client in open { await client.client.close() }
  }
}

extension APNsSender.Client {
  /// Begins the change to credentials that differ; a key that was only encrypted anew is the same one.
  fileprivate mutating func take(_ credentials: ProviderTokenCredentials, of app: App) {
    self.app = app
    guard !credentials.isSame(as: self.credentials) else { return }
    self.credentials = credentials
    change = Task { [client, change] in
      _ = try? await change?.value
      // The client is kept, so that waiting pushes are sent with the new credentials.
      try await client.use(.token(credentials))
    }
  }
}

extension ProviderTokenCredentials {
  fileprivate func isSame(as other: ProviderTokenCredentials) -> Bool {
    (teamID, keyID, privateKeyPEM) == (other.teamID, other.keyID, other.privateKeyPEM)
  }
}

extension App {
  /// Returns whether two versions of an app have the same APNs credentials.
  func hasCredentials(of other: App) -> Bool {
    (teamID, keyID) == (other.teamID, other.keyID) && sealedKey == other.sealedKey
  }
}
