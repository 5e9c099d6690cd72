import Foundation
import Testing
import _HTTPServer

@Suite("HTTP server: starting and stopping", .timeLimit(.minutes(10)))
struct LifetimeTests {
  @Test("a port in use is an error that says what to do")
  func portInUse() async throws {
    let first = try HTTPServer(.patient, handler: echo)
    #expect {
      try HTTPServer(.init(port: first.port), handler: echo)
    } throws: {
      guard let error = $0 as? HTTPServerError else { return false }
      return error.code == .addressInUse && error.message.contains("\(first.port)")
        && error.message.contains("stop what listens there")
    }
    await first.stop()
  }

  @Test("the port is free again after stop()")
  func portReleased() async throws {
    // An address that no client connects from, which would take the port in between.
    let host = "127.0.0.78"
    let first = try HTTPServer(.init(host: host), handler: echo)
    let port = first.port
    await first.stop()
    let second = try HTTPServer(.init(host: host, port: port), handler: echo)
    #expect(second.port == port)
    await second.stop()
  }

  @Test(
    "an address that is not of this machine is an error",
    arguments: ["203.0.113.7", ""])
  func foreignAddress(_ host: String) {
    #expect {
      try HTTPServer(.init(host: host), handler: echo)
    } throws: {
      ($0 as? HTTPServerError)?.code == .addressUnusable
    }
  }

  @Test("stop() closes idle connections")
  func idleConnections() async throws {
    let server = try HTTPServer(.patient, handler: echo)
    let client = RawClient(port: server.port)
    await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    _ = await client.readAnswer()
    async let rest = client.readToEnd()
    await server.stop()
    #expect(await rest == "")
  }

  @Test("stop() lets a request in flight end")
  func drains() async throws {
    let (started, begun) = AsyncStream<Void>.makeStream()
    let (released, release) = AsyncStream<Void>.makeStream()
    let server = try HTTPServer(.patient) { request in
      begun.finish()
      for await _ in released {}
      return await echo(request)
    }
    let client = RawClient(port: server.port)
    await client.send("GET /last HTTP/1.1\r\nHost: h\r\n\r\n")
    for await _ in started {}
    async let stopping: Void = server.stop()
    release.finish()
    #expect(await client.readAnswer().contains("GET /last"))
    await stopping
  }

  @Test("stop() cancels a handler that does not end and closes its connection")
  func abandons() async throws {
    let (started, begun) = AsyncStream<Void>.makeStream()
    let (cancelled, wasCancelled) = AsyncStream<Void>.makeStream()
    var configuration = HTTPServer.Configuration.patient
    configuration.drain = .milliseconds(50)
    let server = try HTTPServer(configuration) { request in
      begun.finish()
      try? await Task.sleep(for: .seconds(3600))
      wasCancelled.finish()
      return await echo(request)
    }
    let client = RawClient(port: server.port)
    await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    for await _ in started {}
    await server.stop()
    for await _ in cancelled {}
    #expect(await client.readToEnd() == "")
  }

  @Test("a released server closes its connections")
  func released() async throws {
    var server: HTTPServer? = try HTTPServer(.patient, handler: echo)
    let client = RawClient(port: server?.port ?? 0)
    await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    _ = await client.readAnswer()
    server = nil
    #expect(await client.readToEnd() == "")
  }

  @Test("stop() may be called twice, at once too")
  func twice() async throws {
    let server = try HTTPServer(.patient, handler: echo)
    async let first: Void = server.stop()
    async let second: Void = server.stop()
    _ = await (first, second)
    await server.stop()
  }
}
