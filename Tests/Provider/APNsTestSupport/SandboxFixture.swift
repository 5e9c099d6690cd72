package import APNs
package import APNsSandbox
import Synchronization
import TestSupport
import _OpenSSLCrypto
package import _TLS

/// A running sandbox with its record, and the trust and credentials for its clients.
package struct SandboxFixture {
  package let sandbox: VirtualAPNs
  package let port: UInt16
  package let authority: CertificateAuthority
  package let record: SandboxRecord
  package let credentials: ProviderTokenCredentials

  package init(
    sandbox: VirtualAPNs, port: UInt16, authority: CertificateAuthority, record: SandboxRecord,
    credentials: ProviderTokenCredentials
  ) {
    self.sandbox = sandbox
    self.port = port
    self.authority = authority
    self.record = record
    self.credentials = credentials
  }

  /// Starts a sandbox on a free port that verifies provider tokens.
  package static func start(
    hosts: [String] = ["localhost", "127.0.0.1"],
    _ edit: (inout VirtualAPNs.Configuration) -> Void = { _ in }
  ) async throws -> SandboxFixture {
    let authority = try CertificateAuthority()
    let leaf = try authority.issue(hosts: hosts)
    let key = OpenSSLCrypto.makeP256KeyPEM()
    let record = SandboxRecord()
    var configuration = VirtualAPNs.Configuration(
      certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM)
    configuration.providerKeys = [.init(teamID: "TEAM123456", keyID: "KEY1234567", pem: key)]
    configuration.slowStart = true
    configuration.journal = { line in record.lines.withLock { $0.append(line) } }
    configuration.onDelivery = { delivery in record.deliveries.withLock { $0.append(delivery) } }
    edit(&configuration)
    let sandbox = try VirtualAPNs(configuration: configuration)
    return SandboxFixture(
      sandbox: sandbox, port: try await sandbox.start(), authority: authority, record: record,
      credentials: ProviderTokenCredentials(
        teamID: "TEAM123456", keyID: "KEY1234567", privateKeyPEM: key))
  }

  /// The configuration of a client that trusts the sandbox.
  package var configuration: APNsClient.Configuration {
    var configuration = APNsClient.Configuration(
      credentials: .token(credentials), endpoint: .custom(host: "localhost", port: port))
    configuration.extraTrustPEM = authority.certificatePEM
    return configuration
  }

  /// A client that trusts the sandbox.
  package func client(
    host: String = "localhost", _ edit: (inout APNsClient.Configuration) -> Void = { _ in }
  ) throws -> APNsClient {
    var configuration = configuration
    configuration.endpoint.host = host
    edit(&configuration)
    return try APNsClient(configuration: configuration)
  }
}

extension SandboxFixture {
  /// A client with an open connection past the slow start, so that a short timeout covers the response only.
  ///
  /// Connecting may exceed the request timeout on a busy machine, so pushes are sent until one succeeds.
  package func connectedClient(requestTimeout: Duration) async throws -> APNsClient {
    let client = try client { $0.requestTimeout = requestTimeout }
    try await until { await client.send(push()).isSuccess }
    return client
  }
}

/// The journal lines and the accepted pushes of a sandbox.
package final class SandboxRecord: Sendable {
  let lines = Mutex<[String]>([])
  let deliveries = Mutex<[SandboxDelivery]>([])

  package var delivered: [SandboxDelivery] { deliveries.withLock { $0 } }
  package var journal: [String] { lines.withLock { $0 } }

  /// The number of deliveries by `apns-id`.
  package var counts: [String: Int] {
    deliveries.withLock { Dictionary($0.map { ($0.apnsID, 1) }, uniquingKeysWith: +) }
  }
}

/// A counter that closures may share.
package final class Counter: Sendable {
  private let value = Mutex(0)

  package init() {}

  package var count: Int { value.withLock { $0 } }
  package func next() -> Int {
    value.withLock {
      $0 += 1
      return $0
    }
  }
}

package let deviceToken = String(repeating: "0a", count: 32)

package func push(
  _ token: String = deviceToken, payload: String = #"{"aps":{"alert":"Hello"}}"#,
  _ edit: (inout APNsNotification) -> Void = { _ in }
) -> APNsNotification {
  var notification = APNsNotification(
    deviceToken: token, topic: "com.example.app", payload: Array(payload.utf8))
  edit(&notification)
  return notification
}

package func pushes(_ count: Int) -> [APNsNotification] { (0..<count).map { _ in push() } }
