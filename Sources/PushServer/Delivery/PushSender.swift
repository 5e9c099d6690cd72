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
    var app: App
    var isDevelopment: Bool
  }

  private let endpoints: Endpoints
  private let secretKey: SecretKey
  private let metrics: ServerMetrics
  private let clients = Mutex<[Key: APNsClient]>([:])

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
    try await client(for: Key(app: app, isDevelopment: development)).send(pushes)
  }

  private func client(for key: Key) throws -> APNsClient {
    try clients.withLock { clients in
      if let client = clients[key] { return client }
      let token = ProviderTokenCredentials(
        teamID: key.app.teamID, keyID: key.app.keyID,
        privateKeyPEM: try secretKey.privateKey(of: key.app))
      var configuration = APNsClient.Configuration(
        credentials: .token(token),
        endpoint: key.isDevelopment ? endpoints.development : endpoints.production)
      configuration.extraTrustPEM = endpoints.extraTrustPEM
      configuration.metrics = metrics.counters()
      let client = try APNsClient(configuration: configuration)
      clients[key] = client
      return client
    }
  }

  package func close() async {
    let open = clients.withLock { clients in
      defer { clients = [:] }
      return Array(clients.values)
    }
    for client in open { await client.close() }
  }
}
