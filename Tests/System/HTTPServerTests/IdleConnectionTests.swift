import TestSupport
import Testing

@testable import _HTTPServer

@Suite("HTTP server: idle connections and networks", .timeLimit(.minutes(10)))
struct IdleConnectionTests {
  @Test(
    "those of the network with most connections are closed first, the longest idle before others",
    arguments: [
      (0, []), (1, [4]), (2, [4, 3]), (3, [4, 3, 1]), (9, [4, 3, 1, 2]),
    ] as [(Int, [Int])])
  func order(count: Int, ids: [Int]) {
    let idle = [
      IdleConnection(id: 1, load: 2, since: .seconds(1)),
      IdleConnection(id: 2, load: 1, since: .zero),
      IdleConnection(id: 3, load: 9, since: .seconds(5)),
      IdleConnection(id: 4, load: 9, since: .seconds(4)),
    ]
    #expect(IdleConnection.toClose(atMost: count, of: idle) == ids)
  }

  @Test("a full server closes an idle connection for the one that comes")
  func full() async throws {
    var configuration = HTTPServer.Configuration.patient
    configuration.maximumConnections = 2
    let server = try HTTPServer(configuration, handler: echo)
    var clients: [RawClient] = []
    for number in 1...6 {
      let client = RawClient(port: server.port)
      await client.send("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(await client.readAnswer().hasPrefix("HTTP/1.1 200 "))
      clients.append(client)
    }
    #expect(await clients[0].readToEnd() == "")
    await server.stop()
  }

  @Test("a connection with a request is not closed for others, which wait until it is answered")
  func busy() async throws {
    var configuration = HTTPServer.Configuration.patient
    configuration.maximumConnections = 1
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let (released, release) = AsyncStream<Void>.makeStream()
    let server = try HTTPServer(configuration) { request in
      if request.path == "/first" {
        begin.yield()
        for await _ in released {}
      }
      return HTTPResponse(status: 200, body: Array("done".utf8))
    }
    let first = RawClient(port: server.port)
    await first.send("GET /first HTTP/1.1\r\nHost: h\r\n\r\n")
    for await _ in begun { break }
    let second = RawClient(port: server.port)
    await second.send("GET /second HTTP/1.1\r\nHost: h\r\n\r\n")
    release.finish()
    #expect(await first.readAnswer().hasSuffix("done"))
    #expect(await second.readAnswer().hasSuffix("done"))
    await server.stop()
  }

  @Test(
    "an IPv6 /56 has twice the connections of a /64, and a /48 four times; an IPv4 address has one's",
    arguments: [
      ("2001:db8::%", 2), ("2001:db8:0:%::1", 4), ("2001:db8:0:%00::1", 8), ("192.0.2.1", 2),
      ("192.0.2.%", 9),
    ])
  func shares(pattern: String, most: Int) throws {
    var configuration = HTTPServer.Configuration()
    configuration.connectionsPerAddress = 2
    let state = try ServerState(configuration, handler: echo)
    var taken: [[String]] = []
    for number in 1...9 {
      let address = pattern.replacing("%", with: "\(number)")
      if let networks = state.addConnection(of: address) { taken.append(networks) }
    }
    #expect(taken.count == most)
    #expect(state.loads(of: [taken[0]]) == [pattern.hasSuffix(".%") ? 1 : most])
    for networks in taken { state.removeConnection(of: networks) }
    #expect(state.loads(of: [taken[0]]) == [0])
  }
}
