import APNs
import APNsSandbox
import PushPayload
import PushServer
import Synchronization
import _TLS

/// The model of Apple's side on loopback, with its journal as the witness.
final class LocalAPNs: Sendable {
  /// An address of its own, so that no client's port takes the server's while it is down.
  private static let host = "127.0.0.77"

  let authority: CertificateAuthority
  let port: UInt16
  private let sandbox: VirtualAPNs
  private let lines: Journal

  private final class Journal: Sendable {
    let lines = Mutex<[String]>([])
  }

  /// Starts a model of APNs; port 0 takes a free one.
  init(
    port: UInt16 = 0, authority: CertificateAuthority? = nil, for app: NewApp,
    _ edit: (inout VirtualAPNs.Configuration) -> Void = { _ in }
  ) async throws {
    let authority = try authority ?? CertificateAuthority()
    let leaf = try authority.issue(hosts: [Self.host])
    var configuration = VirtualAPNs.Configuration(
      certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM)
    configuration.host = Self.host
    configuration.port = port
    configuration.providerKeys = [
      .init(teamID: app.teamID, keyID: app.keyID, pem: app.privateKey)
    ]
    let journal = Journal()
    configuration.journal = { line in journal.lines.withLock { $0.append(line) } }
    edit(&configuration)
    self.authority = authority
    lines = journal
    sandbox = try VirtualAPNs(configuration: configuration)
    self.port = try await sandbox.start()
  }

  /// The journal's lines so far, one for each request.
  var journal: [JSONValue] {
    lines.lines.withLock(\.self).compactMap { try? JSONValue(parsing: $0) }
  }

  var endpoint: APNsEndpoint { .custom(host: Self.host, port: port) }

  func stop() async { await sandbox.stop() }
}
