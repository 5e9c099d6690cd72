package import APNs
package import PushStore
import Synchronization

/// What carries pushes to Apple.
package protocol PushSender: Sendable {
  /// Sends pushes of one app to one of Apple's environments; one outcome for each, in order.
  func send(
    _ pushes: [APNsNotification], for app: App, development: Bool
  ) async throws -> [APNsOutcome]
  func close() async
}

/// The real one: a client an app and environment, made when it is first needed.
package final class APNsSender: PushSender {
  /// Where the two environments are.
  package struct Endpoints: Sendable {
    package var production: APNsEndpoint
    package var development: APNsEndpoint
    /// PEM certificates trusted beside the system's.
    package var extraTrustPEM: String?

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
  }

  private struct Client {
    let client: APNsClient
    /// The app whose credentials it has.
    var app: App
  }

  private let endpoints: Endpoints
  private let secretKey: SecretKey
  private let metrics: ServerMetrics
  private let clients = Mutex<[Key: Client]>([:])

  package init(
    endpoints: Endpoints, secretKey: SecretKey, metrics: ServerMetrics = ServerMetrics()
  ) {
    self.endpoints = endpoints
    self.secretKey = secretKey
    self.metrics = metrics
  }

  package func send(
    _ pushes: [APNsNotification], for app: App, development: Bool
  ) async throws -> [APNsOutcome] {
    let key = Key(app: app.id, isDevelopment: development)
    let known = try client(for: app, at: key)
    if !known.app.hasCredentials(of: app) {
      // The same client, so that what waits goes out with the new ones.
      try await known.client.rotate(to: .token(token(of: app)))
      clients.withLock { $0[key]?.app = app }
    }
    return await known.client.send(pushes)
  }

  private func token(of app: App) throws -> ProviderTokenCredentials {
    ProviderTokenCredentials(
      teamID: app.teamID, keyID: app.keyID, privateKeyPEM: try secretKey.privateKey(of: app))
  }

  private func client(for app: App, at key: Key) throws -> Client {
    try clients.withLock { clients in
      if let client = clients[key] { return client }
      var configuration = APNsClient.Configuration(
        credentials: .token(try token(of: app)),
        endpoint: key.isDevelopment ? endpoints.development : endpoints.production)
      configuration.extraTrustPEM = endpoints.extraTrustPEM
      configuration.metrics = metrics.counters()
      let client = Client(client: try APNsClient(configuration: configuration), app: app)
      clients[key] = client
      return client
    }
  }

  package func close() async {
    let open = clients.withLock { clients in
      defer { clients = [:] }
      return Array(clients.values)
    }
    for client in open { await client.client.close() }
  }
}

extension App {
  fileprivate func hasCredentials(of other: App) -> Bool {
    (teamID, keyID) == (other.teamID, other.keyID) && sealedKey == other.sealedKey
  }
}
