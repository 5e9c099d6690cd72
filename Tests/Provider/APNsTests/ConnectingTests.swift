import APNsTestSupport
import APNs
import Glibc
import Synchronization
import TestSupport
import Testing
import _EventLoop

@testable import APNs

@Suite("Connecting", .timeLimit(.minutes(10)))
struct ConnectingTests {
  /// A resolver whose answers a test decides, and which records its queries.
  final class Resolver: Sendable {
    private let answers: @Sendable (Int) -> Result<[SocketAddress], any Error>
    private let number = Counter()
    private let asked = Mutex<[String]>([])

    var questions: [String] { asked.withLock { $0 } }

    init(_ answers: @escaping @Sendable (Int) -> Result<[SocketAddress], any Error>) {
      self.answers = answers
    }

    var resolve: APNsClient.Configuration.Resolve {
      { host, port, found in
        self.asked.withLock { $0.append("\(host):\(port)") }
        found(self.answers(self.number.next()))
      }
    }
  }

  struct NoSuchHost: Error {}

  static func address(_ host: String, _ port: UInt16) throws -> SocketAddress {
    try #require(try SocketAddress.lookUp(host: host, port: port).first)
  }

  @Test("a connection resumes the TLS session of the one before")
  func resumption() async throws {
    let server = try ScriptedServer { request in
      request.connection < 4
        ? .init(goAway: #"{"reason":"Shutdown"}"#) : .init()
    }
    defer { server.stop() }
    let client = try server.client()
    for _ in 0..<4 { #expect(await client.send(push()).isSuccess) }
    #expect(server.connections == 4)
    #expect(server.resumptions == 3)
    await client.close()

    let other = try server.client()
    #expect(await other.send(push()).isSuccess)
    #expect(server.resumptions == 3, "sessions are not shared between clients")
    await other.close()
  }

  @Test("HTTP/2 is offered by ALPN, also when TLS resumes a session")
  func alpn() async throws {
    let server = try ScriptedServer { _ in .init(goAway: "{}") }
    defer { server.stop() }
    let client = try server.client()
    for _ in 0..<2 { #expect(await client.send(push()).isSuccess) }
    #expect(server.resumptions == 1)
    #expect(server.protocols == ["h2"])
    await client.close()
  }

  @Test("metrics report the reason of a GOAWAY, and NO_ERROR for malformed debug data")
  func goAwayReason() async throws {
    let server = try ScriptedServer { request in
      let data = [
        #"{"reason":"IdleTimeout"}"#, "{\"reason\":\"a\\nb\"}", "no JSON",
        #"{"reason":"\#(String(repeating: "x", count: 65))"}"#,
      ]
      return .init(goAway: data[(request.connection - 1) % data.count])
    }
    defer { server.stop() }
    let counters = APNsCounters()
    let client = try server.client { $0.metrics = counters }
    for _ in 0..<4 { #expect(await client.send(push()).isSuccess) }
    await client.close()
    #expect(
      counters.snapshot.closed == [
        "APNs closed the connection: IdleTimeout": 1, "APNs closed the connection: NO_ERROR": 3,
      ])
  }

  @Test("the host name of APNs or of the proxy is resolved again for each connection")
  func freshLookUp() async throws {
    let server = try ScriptedServer { _ in .init(goAway: "{}") }
    defer { server.stop() }
    let port = server.port
    let resolver = Resolver { _ in Result { [try Self.address("127.0.0.1", port)] } }
    let client = try server.client {
      $0.endpoint = .custom(host: "localhost", port: 443)
      $0.resolve = resolver.resolve
    }
    for _ in 0..<3 { #expect(await client.send(push()).isSuccess) }
    #expect(resolver.questions == Array(repeating: "localhost:443", count: 3))
    await client.close()

    let proxy = try ScriptedProxy { _ in .tunnel(port: port, [ProxyTests.good]) }
    defer { proxy.stop() }
    let proxyPort = proxy.port
    let atProxy = Resolver { _ in Result { [try Self.address("127.0.0.1", proxyPort)] } }
    let other = try server.client {
      $0.proxy = APNsProxy(host: "proxy.invalid", port: 3128)
      $0.resolve = atProxy.resolve
    }
    #expect(await other.send(push()).isSuccess)
    #expect(atProxy.questions == ["proxy.invalid:3128"])
    await other.close()
  }

  @Test("IPv6 and IPv4 addresses are tried until one connects")
  func families() async throws {
    let server = try ScriptedServer()
    defer { server.stop() }
    let gone = try LoopbackListener()
    gone.stop()
    let (port, deadPort) = (server.port, gone.port)
    let resolver = Resolver { _ in
      Result {
        [
          try Self.address("::1", port), try Self.address("127.0.0.1", deadPort),
          try Self.address("127.0.0.1", port),
        ]
      }
    }
    let client = try server.client { $0.resolve = resolver.resolve }
    #expect(await client.send(push()).isSuccess)
    #expect(resolver.questions.count == 1, "one query serves all addresses")
    await client.close()
  }

  @Test("each connection starts with the next address, so that connections are spread")
  func spread() async throws {
    let server = try ScriptedServer { _ in .init(goAway: "{}") }
    defer { server.stop() }
    let proxies = try (0..<3).map { _ in
      try ScriptedProxy { _ in .tunnel(port: server.port, [ProxyTests.good]) }
    }
    defer { for proxy in proxies { proxy.stop() } }
    let ports = proxies.map(\.port)
    let resolver = Resolver { _ in
      Result { try ports.map { try Self.address("127.0.0.1", $0) } }
    }
    let client = try server.client {
      $0.proxy = APNsProxy(host: "proxy.invalid", port: 1)
      $0.resolve = resolver.resolve
    }
    for _ in 0..<6 { #expect(await client.send(push()).isSuccess) }
    #expect(proxies.map(\.requests.count) == [2, 2, 2])
    await client.close()
  }

  @Test("a name that does not resolve is queried again, each time after a backoff with jitter")
  func lookUpFails() async throws {
    let server = try ScriptedServer()
    defer { server.stop() }
    let port = server.port
    let resolver = Resolver { number in
      Result {
        guard number > 2 else { throw NoSuchHost() }
        return [try Self.address("127.0.0.1", port)]
      }
    }
    let draws = Counter()
    let client = try server.client {
      $0.resolve = resolver.resolve
      $0.chance = {
        _ = draws.next()
        return 1
      }
    }
    #expect(await client.send(pushes(20)).allSatisfy(\.isSuccess), "they wait for the third query")
    #expect(resolver.questions.count == 3)
    #expect(draws.count == 3)
    await client.close()
  }

  @Test("no push is lost while a port refuses connections, and each attempt backs off")
  func refusedForAWhile() async throws {
    let server = try ScriptedServer()
    defer { server.stop() }
    let gone = try LoopbackListener()
    gone.stop()
    let (port, deadPort) = (server.port, gone.port)
    let resolver = Resolver { number in
      Result { [try Self.address("127.0.0.1", number > 4 ? port : deadPort)] }
    }
    let client = try server.client { $0.resolve = resolver.resolve }
    #expect(await client.send(pushes(20)).allSatisfy(\.isSuccess))
    #expect(resolver.questions.count == 5)
    await client.close()
  }

  @Test("a connection with a wrong certificate is not retried, and the push fails at once")
  func wrongCertificate() async throws {
    let server = try ScriptedServer(hosts: ["api.example.com"])
    defer { server.stop() }
    let client = try server.client { $0.requestTimeout = .seconds(1000) }
    #expect(await client.send(push()).kind == .neverSent)
    #expect(server.connections == 1)
    await client.close()
  }

  @Test("the message for a host without addresses says so")
  func noAddress() async throws {
    let resolver = Resolver { _ in .success([]) }
    let server = try ScriptedServer()
    defer { server.stop() }
    let client = try server.client {
      $0.resolve = resolver.resolve
      $0.requestTimeout = .milliseconds(500)
    }
    #expect(await client.send(push()).message?.contains("127.0.0.1 has no address") == true)
    await client.close()
  }

  @Test("a query that is never answered fails at the connect timeout and is repeated")
  func silentResolver() async throws {
    let server = try ScriptedServer()
    defer { server.stop() }
    let port = server.port
    let questions = Counter()
    let client = try server.client {
      // The timeout must also suffice for the handshake on a busy machine.
      $0.connectTimeout = .seconds(3)
      $0.resolve = { _, _, found in
        if questions.next() > 1 { found(Result { [try Self.address("127.0.0.1", port)] }) }
      }
    }
    #expect(await client.send(push()).isSuccess)
    #expect(questions.count == 2)
    await client.close()
  }

  @Test("the message of a push that expires while the client connects says so")
  func stillConnecting() async throws {
    let server = try ScriptedServer()
    defer { server.stop() }
    let client = try server.client {
      $0.requestTimeout = .milliseconds(200)
      $0.resolve = { _, _, _ in }
    }
    let outcome = await client.send(push())
    #expect(outcome.kind == .neverSent)
    #expect(
      outcome.message?.contains("still connecting to 127.0.0.1 port \(server.port)") == true)
    await client.close()
  }

  @Test("a silent address of sixteen leaves time for the others")
  func manyAddresses() async throws {
    let server = try ScriptedServer()
    defer { server.stop() }
    let hole = try LoopbackListener()
    hole.start { descriptor in
      var byte: UInt8 = 0
      while read(descriptor, &byte, 1) > 0 {}
    }
    defer { hole.stop() }
    let addresses =
      try [Self.address("127.0.0.1", hole.port)]
      + Array(repeating: Self.address("127.0.0.1", server.port), count: 15)
    let resolver = Resolver { _ in Result { addresses } }
    let client = try server.client {
      $0.connectTimeout = .seconds(3)
      $0.resolve = resolver.resolve
    }
    #expect(await client.send(push()).isSuccess)
    #expect(hole.count == 1 && resolver.questions.count == 1)
    await client.close()
  }

  @Test("a first address that accepts connections but never responds leaves time for the second")
  func silentAddress() async throws {
    let server = try ScriptedServer()
    defer { server.stop() }
    let hole = try LoopbackListener()
    hole.start { descriptor in
      var byte: UInt8 = 0
      while read(descriptor, &byte, 1) > 0 {}
    }
    defer { hole.stop() }
    let (port, holePort) = (server.port, hole.port)
    let resolver = Resolver { _ in
      Result { [try Self.address("127.0.0.1", holePort), try Self.address("127.0.0.1", port)] }
    }
    let client = try server.client {
      // Half of it must suffice for the handshake on a busy machine.
      $0.connectTimeout = .seconds(6)
      $0.resolve = resolver.resolve
    }
    #expect(await client.send(push()).isSuccess)
    #expect(hole.count == 1 && resolver.questions.count == 1)
    await client.close()
  }
}
