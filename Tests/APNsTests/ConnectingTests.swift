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
  /// Answers look-ups from a list, and counts them.
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

  @Test("a connection goes on with the TLS session of the one before")
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

  @Test("HTTP/2 is offered by ALPN, also where TLS resumes")
  func alpn() async throws {
    let server = try ScriptedServer { _ in .init(goAway: "{}") }
    defer { server.stop() }
    let client = try server.client()
    for _ in 0..<2 { #expect(await client.send(push()).isSuccess) }
    #expect(server.resumptions == 1)
    #expect(server.protocols == ["h2"])
    await client.close()
  }

  @Test("the reason of a GOAWAY is told to the metrics, and a foreign one is not")
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

  @Test("names are looked up anew for each connection, at APNs or at the proxy")
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

  @Test("addresses of both families are tried until one answers")
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
    #expect(resolver.questions.count == 1, "one look-up serves all its addresses")
    await client.close()
  }

  @Test("each connection begins at another address, so that they spread")
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

  @Test("a name that is unknown for a while is looked up again, and each wait takes its chance")
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
    #expect(await client.send(pushes(20)).allSatisfy(\.isSuccess), "they wait for the third")
    #expect(resolver.questions.count == 3)
    #expect(draws.count == 3)
    await client.close()
  }

  @Test("a port that refuses for a while costs no push, and attempts are further and further apart")
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

  @Test("a certificate that is wrong is not tried again: the push is told at once")
  func wrongCertificate() async throws {
    let server = try ScriptedServer(hosts: ["api.example.com"])
    defer { server.stop() }
    let client = try server.client { $0.requestTimeout = .seconds(1000) }
    #expect(await client.send(push()).kind == .neverSent)
    #expect(server.connections == 1)
    await client.close()
  }

  @Test("no address at all is an error in words")
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

  @Test("a resolver that never answers has the time for connecting, and then another is asked")
  func silentResolver() async throws {
    let server = try ScriptedServer()
    defer { server.stop() }
    let port = server.port
    let questions = Counter()
    let client = try server.client {
      // The time is for the handshake too, on a busy machine.
      $0.connectTimeout = .seconds(3)
      $0.resolve = { _, _, found in
        if questions.next() > 1 { found(Result { [try Self.address("127.0.0.1", port)] }) }
      }
    }
    #expect(await client.send(push()).isSuccess)
    #expect(questions.count == 2)
    await client.close()
  }

  @Test("a push whose time ends while its client connects says so")
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

  @Test("a first address that takes connections and says nothing leaves time for the second")
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
      $0.connectTimeout = .seconds(2)
      $0.resolve = resolver.resolve
    }
    #expect(await client.send(push()).isSuccess)
    #expect(hole.count == 1 && resolver.questions.count == 1)
    await client.close()
  }
}
