import APNsTestSupport
import APNs
import Glibc
import TestSupport
import Testing
import _EventLoop
import _Spawn
import _TLS

/// A third-party server process, with a certificate in files, on a port that was free a moment ago.
struct PeerServer {
  /// A loopback address that no other test connects from, so that a free port stays free.
  static let host = "127.0.0.79"

  /// The address and files for the server's command line.
  struct Place {
    let host = PeerServer.host
    let port: UInt16
    let certificate: String
    let key: String
  }

  let authority: CertificateAuthority
  private let place: Place
  private let folder = TemporaryFolder()
  private let process: ChildProcess

  init(_ program: String?, _ arguments: (Place) -> [String]) throws {
    authority = try CertificateAuthority()
    let leaf = try authority.issue(hosts: [PeerServer.host])
    place = Place(
      port: try Socket.listening(on: SocketAddress.lookUp(host: PeerServer.host, port: 0)[0])
        .localPort,
      certificate: try folder.write(leaf.certificatePEM, to: "certificate.pem"),
      key: try folder.write(leaf.keyPEM, to: "key.pem"))
    process = try ChildProcess(try #require(program), arguments(place), keepsErrors: false)
  }

  /// A client that trusts this server.
  func client(
    _ credentials: APNsCredentials = .token(.made()),
    _ edit: (inout APNsClient.Configuration) -> Void = { _ in }
  ) throws -> APNsClient {
    var configuration = APNsClient.Configuration(
      credentials: credentials, endpoint: .custom(host: place.host, port: place.port))
    configuration.extraTrustPEM = authority.certificatePEM
    edit(&configuration)
    return try APNsClient(configuration: configuration)
  }

  /// The outcome of the first push that reaches the server, which does not report when it listens.
  func firstOutcome(of client: APNsClient) async -> APNsOutcome {
    while true {
      let outcome = await client.send(push())
      let isRefused = outcome.message?.contains("refused") == true
      guard isRefused, process.isRunning, !Task.isCancelled else { return outcome }
      await Task.yield()
    }
  }

  func stop() { process.signal(SIGKILL) }
}
