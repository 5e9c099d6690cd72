import APNsTestSupport
import APNs
import Glibc
import Synchronization
import TestSupport
import _HTTP2
import _TLS

/// A server that runs a test's script on its first connections, and answers every push 200 on later ones.
final class HostileServer: Sendable {
  private let listener: LoopbackListener
  private let authority: CertificateAuthority
  private let seen = Mutex<[String: Int]>([:])
  private let signed = Mutex<Set<String>>([])
  private let one = Mutex<String?>(nil)

  var port: UInt16 { listener.port }
  /// The number of accepted connections.
  var count: Int { listener.count }
  /// The number of requests by `apns-id`, complete or not.
  var requests: [String: Int] { seen.withLock { $0 } }
  /// The `apns-id` of the push that the script answers, if it is one of a crowd.
  var chosen: String? { one.withLock { $0 } }
  /// The distinct `authorization` headers of the requests.
  var authorizations: Set<String> { signed.withLock { $0 } }

  /// - Parameters:
  ///   - connections: The number of connections that run the script.
  ///   - crowd: The number of pushes in flight when the script starts with one of them; 0 for the first push.
  ///   - script: Runs on a connection after the handshake; the connection closes when it returns.
  init(
    connections: Int = 1, crowd: Int = 0,
    _ script: @escaping @Sendable (_ wire: HostileWire) throws -> Void
  ) throws {
    authority = try CertificateAuthority()
    let leaf = try authority.issue(hosts: ["127.0.0.1"])
    let context = try TLSContext.server(
      certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM, takesHTTP2: true)
    listener = try LoopbackListener()
    let isHostile = Mutex(connections)
    listener.start { [self] descriptor in
      let mayTalk = isHostile.withLock { left in
        left -= 1
        return left >= 0
      }
      guard let wire = try? HostileWire(descriptor, context, note: { self.note($0) }) else {
        return
      }
      wire.crowd = crowd
      wire.choose = { id in self.one.withLock { $0 = id } }
      try? mayTalk ? script(wire) : wire.serve()
    }
  }

  private func note(_ field: HeaderField) {
    switch field.name {
    case "apns-id": seen.withLock { $0[field.value, default: 0] += 1 }
    case "authorization": _ = signed.withLock { $0.insert(field.value) }
    default: break
    }
  }

  func client(
    port: UInt16? = nil, _ edit: (inout APNsClient.Configuration) -> Void = { _ in }
  ) throws -> APNsClient {
    var configuration = APNsClient.Configuration(
      credentials: .token(.made()), endpoint: .custom(host: "127.0.0.1", port: port ?? self.port))
    configuration.extraTrustPEM = authority.certificatePEM
    edit(&configuration)
    return try APNsClient(configuration: configuration)
  }

  func stop() { listener.stop() }
}

/// One connection of a hostile server: TLS and reading are correct, and the script decides what is written.
final class HostileWire {
  private let descriptor: Int32
  private let tls: TLSConnection
  private let note: (HeaderField) -> Void
  /// Reads requests; only ``serve()`` sends its output.
  private let session: HTTP2Session
  private var input = [UInt8](repeating: 0, count: 65536)
  private var events: [HTTP2Session.Event] = []
  private var ids: [Int32: String] = [:]
  fileprivate var crowd = 0
  fileprivate var choose: (String?) -> Void = { _ in }

  fileprivate init(
    _ descriptor: Int32, _ context: TLSContext, note: @escaping (HeaderField) -> Void
  ) throws {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    self.descriptor = descriptor
    self.note = note
    tls = try TLSConnection(server: context, fileDescriptor: descriptor)
    // The session does not see resets that the script writes, so its streams stay open.
    var settings = HTTP2Session.Settings()
    settings.maxConcurrentStreams = 100_000
    session = try HTTP2Session(.server, settings: settings)
    while try !isDone(tls.handshake()) {}
  }

  /// Writes bytes; throws if the client has closed the connection.
  func write(_ bytes: [UInt8]) throws {
    var start = 0
    while start < bytes.count {
      switch try tls.write(bytes, from: start) {
      case .done(let count): start += count
      case let other: _ = try isDone(other)
      }
    }
  }

  /// Waits for the next complete request and returns its stream identifier.
  func request() throws -> Int32 {
    while true {
      while !events.isEmpty {
        if case .end(let stream) = events.removeFirst() { return stream }
      }
      try read()
    }
  }

  /// Sends valid settings and returns the stream of the first request, or of one in the middle of a crowd.
  ///
  /// The crowd's other pushes are the next requests.
  func begin() throws -> Int32 {
    try write(Frame.settings([(3, 100)]) + Frame.settingsAnswer)
    if crowd == 0 { return try request() }
    // A first response ends the slow start.
    try write(Frame.headers(request(), Block.ok))
    var streams = try (0..<crowd).map { _ in try request() }
    let stream = streams.remove(at: crowd / 2)
    events = streams.map { .end(stream: $0) } + events
    choose(ids[stream])
    return stream
  }

  /// Sends a PING and reads what arrives.
  func pingPong() throws {
    try write(Frame.ping())
    try read()
  }

  /// Closes its own side and waits for the client to close, so that no written bytes are lost.
  func end() throws {
    shutdown(descriptor, Int32(SHUT_WR))
    try drain()
  }

  /// Reads and discards bytes until the client closes.
  func drain() throws { while true { try read() } }

  /// Answers every push 200 until the client closes.
  func serve() throws {
    var block = HeaderBlock()
    block.append(":status", "200")
    while true {
      var output: [UInt8] = []
      _ = try session.send(into: &output, upTo: .max)
      try write(output)
      while !events.isEmpty {
        if case .end(let stream) = events.removeFirst() {
          session.submitResponse(stream: stream, block)
        }
      }
      output = []
      _ = try session.send(into: &output, upTo: .max)
      try write(output)
      try read()
    }
  }

  private func read() throws {
    switch try tls.read(into: &input) {
    case .done(let count):
      for event in try session.receive(input, count: count) {
        if case .headers(let stream, let fields, _) = event {
          fields.forEach(note)
          ids[stream] = fields.first { $0.name == "apns-id" }?.value
        }
        events.append(event)
      }
    case let other: _ = try isDone(other)
    }
  }

  /// Waits for the socket if necessary; throws at the end of the connection.
  private func isDone<Value>(_ progress: TLSConnection.Progress<Value>) throws -> Bool {
    switch progress {
    case .done: return true
    case .wantsRead: try wait(POLLIN)
    case .wantsWrite: try wait(POLLOUT)
    case .closed: throw TLSError(.closed, "closed")
    }
    return false
  }

  private func wait(_ event: Int32) throws {
    var ready = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    guard poll(&ready, 1, 60_000) == 1 else { throw TLSError(.closed, "nothing came") }
  }
}
