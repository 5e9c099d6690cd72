import APNsTestSupport
import APNs
import Glibc
import Synchronization
import TestSupport
import _HTTP2
import _OpenSSLCrypto
import _TLS

/// A small HTTP/2 server whose responses a test decides.
///
/// It shares only the HTTP/2 session with the sandbox, so that a bug of the one is not repeated in the other.
final class ScriptedServer: Sendable {
  struct Request: Sendable {
    /// The connection's number, counted from 1.
    var connection: Int
    var fields: [String: String]
    var body: [UInt8]

    var method: String { fields[":method"] ?? "" }
    var path: String { fields[":path"] ?? "" }
    /// The last path component: the device token of a push.
    var token: String { path.split(separator: "/").last.map(String.init) ?? "" }
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  struct Answer: Sendable {
    var status = 200
    var fields: [String: String] = [:]
    var body = ""
    /// The debug data of a GOAWAY sent after the response.
    var goAway: String?

    static func refusal(_ status: Int, _ reason: String) -> Answer {
      Answer(status: status, body: #"{"reason":"\#(reason)"}"#)
    }
  }

  let authority: CertificateAuthority
  private let listener: LoopbackListener
  private let context: TLSContext
  private let answer: @Sendable (Request) -> Answer
  private let taken = Mutex<[Request]>([])
  private let resumed = Atomic(0)
  private let agreed = Mutex<Set<String?>>([])

  var port: UInt16 { listener.port }
  /// The number of accepted connections.
  var connections: Int { listener.count }
  /// The number of connections that resumed a TLS session.
  var resumptions: Int { resumed.load(ordering: .acquiring) }
  /// The protocols negotiated by ALPN.
  var protocols: Set<String?> { agreed.withLock { $0 } }
  var requests: [Request] { taken.withLock { $0 } }

  /// Serves on a free port with a certificate that is valid from `validFrom` seconds after now.
  init(
    hosts: [String] = ["127.0.0.1", "localhost"], validFrom start: Int = -3600, days: Int = 397,
    _ answer: @escaping @Sendable (Request) -> Answer = { _ in Answer() }
  ) throws {
    authority = try CertificateAuthority()
    let leaf = try authority.issue(hosts: hosts, validFrom: start, days: days)
    context = try .server(certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM)
    self.answer = answer
    listener = try LoopbackListener()
    listener.start { [self] in serve($0, listener.count) }
  }

  func stop() { listener.stop() }

  /// A client that trusts this server.
  func client(_ edit: (inout APNsClient.Configuration) -> Void = { _ in }) throws -> APNsClient {
    try APNsClient(configuration: configuration(edit))
  }

  func configuration(
    _ edit: (inout APNsClient.Configuration) -> Void = { _ in }
  ) -> APNsClient.Configuration {
    var configuration = APNsClient.Configuration(
      credentials: .token(.made()), endpoint: .custom(host: "127.0.0.1", port: port))
    configuration.extraTrustPEM = authority.certificatePEM
    edit(&configuration)
    return configuration
  }

  /// Serves one connection until it closes.
  private func serve(_ socket: Int32, _ number: Int) {
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    guard let tls = try? TLSConnection(server: context, fileDescriptor: socket),
      let session = try? HTTP2Session(.server)
    else { return }
    func wait(_ events: Int32) -> Bool {
      var ready = pollfd(fd: socket, events: Int16(events), revents: 0)
      return poll(&ready, 1, 30_000) == 1
    }
    handshake: while true {
      switch try? tls.handshake() {
      case .done: break handshake
      case .wantsRead: guard wait(POLLIN) else { return }
      case .wantsWrite: guard wait(POLLOUT) else { return }
      case .closed, nil: return
      }
    }
    _ = agreed.withLock { $0.insert(tls.negotiatedProtocol) }
    if tls.isResumed { resumed.wrappingAdd(1, ordering: .acquiringAndReleasing) }
    var open: [Int32: Request] = [:]
    var input = [UInt8](repeating: 0, count: 65536)
    func flush() -> Bool {
      var output: [UInt8] = []
      guard (try? session.send(into: &output, upTo: .max)) != nil else { return false }
      var written = 0
      while written < output.count {
        switch try? tls.write(output, from: written) {
        case .done(let count): written += count
        case .wantsRead: guard wait(POLLIN) else { return false }
        case .wantsWrite: guard wait(POLLOUT) else { return false }
        case .closed, nil: return false
        }
      }
      return true
    }
    while flush() {
      switch try? tls.read(into: &input) {
      case .done(let count):
        guard let events = try? session.receive(input, count: count) else { return }
        for event in events { take(event, &open, session, number) }
      case .wantsRead: guard wait(POLLIN) else { return }
      case .wantsWrite: guard wait(POLLOUT) else { return }
      case .closed, nil: return
      }
    }
  }

  private func take(
    _ event: HTTP2Session.Event, _ open: inout [Int32: Request], _ session: HTTP2Session,
    _ number: Int
  ) {
    switch event {
    case .headers(let stream, let fields, _):
      let fields = Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
      open[stream] = Request(connection: number, fields: fields, body: [])
    case .data(let stream, let bytes): open[stream]?.body += bytes
    case .end(let stream):
      guard let request = open.removeValue(forKey: stream) else { return }
      taken.withLock { $0.append(request) }
      let answer = answer(request)
      var headers = HeaderBlock()
      headers.append(":status", String(answer.status))
      for (name, value) in answer.fields { headers.append(dynamicName: name, value) }
      session.submitResponse(stream: stream, headers, body: Array(answer.body.utf8))
      if let data = answer.goAway { session.submitGoAway(debugData: Array(data.utf8)) }
    default: break
    }
  }
}

/// The provider token of the first request.
final class FirstToken: Sendable {
  private let token = Mutex<String?>(nil)

  /// Whether a request carries the first request's token; remembers it on the first call.
  func isIn(_ request: ScriptedServer.Request) -> Bool {
    let shown = request.fields["authorization"]
    return token.withLock { token in
      token = token ?? shown
      return token == shown
    }
  }
}

extension ProviderTokenCredentials {
  /// Credentials with a new key.
  static func made(keyID: String = "KEY1234567") -> ProviderTokenCredentials {
    ProviderTokenCredentials(
      teamID: "TEAM123456", keyID: keyID, privateKeyPEM: OpenSSLCrypto.makeP256KeyPEM())
  }
}
