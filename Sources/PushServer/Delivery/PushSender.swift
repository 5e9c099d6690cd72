package import APNs
package import PushStore
import Synchronization

/// What carries pushes to Apple.
package protocol PushSender: Sendable {
  /// Sends pushes of one app to one of Apple's environments; one outcome for each, in order.
  func send(
    _ pushes: [APNsNotification], for app: App, development: Bool
  ) async throws -> [APNsOutcome]
  /// Sends one push for an app as somebody describes it, by a connection that is ended after it.
  func probe(
    _ push: APNsNotification, for app: App, development: Bool
  ) async throws -> APNsOutcome
  func close() async
}

extension PushSender {
  package func probe(
    _ push: APNsNotification, for app: App, development: Bool
  ) async throws -> APNsOutcome {
    guard let outcome = try await send([push], for: app, development: development).first else {
      throw CancellationError()
    }
    return outcome
  }
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

  /// What a client is made from; an app's name may change without it.
  private struct Key: Hashable {
    let app: String
    let isDevelopment: Bool
    private let teamID: String
    private let keyID: String
    private let sealedKey: [UInt8]

    init(_ app: App, isDevelopment: Bool) {
      self.app = app.id
      self.isDevelopment = isDevelopment
      (teamID, keyID, sealedKey) = (app.teamID, app.keyID, app.sealedKey)
    }
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
    try await client(for: app, development).send(pushes)
  }

  package func probe(
    _ push: APNsNotification, for app: App, development: Bool
  ) async throws -> APNsOutcome {
    var configuration = try configuration(for: app, development)
    // Somebody waits for it.
    configuration.connectTimeout = .seconds(5)
    configuration.requestTimeout = .seconds(10)
    let client = try APNsClient(configuration: configuration)
    let outcome = await client.send(push)
    await client.close()
    return outcome
  }

  private func client(for app: App, _ isDevelopment: Bool) throws -> APNsClient {
    let key = Key(app, isDevelopment: isDevelopment)
    let (client, old) = try clients.withLock { clients in
      if let client = clients[key] { return (client, [APNsClient]()) }
      var configuration = try configuration(for: app, isDevelopment)
      configuration.metrics = metrics.counters()
      let client = try APNsClient(configuration: configuration)
      // With the key that was replaced nothing more is sent.
      let stale = clients.keys.filter { $0.app == app.id && $0.isDevelopment == isDevelopment }
      let old = stale.compactMap { clients.removeValue(forKey: $0) }
      clients[key] = client
      return (client, old)
    }
    for client in old { Task { await client.close() } }
    return client
  }

  private func configuration(
    for app: App, _ isDevelopment: Bool
  ) throws -> APNsClient.Configuration {
    let token = ProviderTokenCredentials(
      teamID: app.teamID, keyID: app.keyID, privateKeyPEM: try secretKey.privateKey(of: app))
    var configuration = APNsClient.Configuration(
      credentials: .token(token),
      endpoint: isDevelopment ? endpoints.development : endpoints.production)
    configuration.extraTrustPEM = endpoints.extraTrustPEM
    return configuration
  }

  package func close() async {
    let open = clients.withLock { clients in
      defer { clients = [:] }
      return Array(clients.values)
    }
    for client in open { await client.close() }
  }
}
