import Foundation
import Testing
import _HTTPServer

@Suite("HTTP server: hostile clients", .timeLimit(.minutes(10)))
struct HostileClientTests {
  private func server(
    _ change: (inout HTTPServer.Configuration) -> Void = { _ in }
  ) throws -> HTTPServer {
    var configuration = HTTPServer.Configuration.patient
    configuration.bodyLimit = { _, path in path == "/big" ? 1000 : 100 }
    change(&configuration)
    return try HTTPServer(configuration, handler: echo)
  }

  @Test(
    "a request with ambiguous framing is refused once, and the connection closed",
    arguments: [
      ("Content-Length: 5\r\nContent-Length: 6", "400"),
      ("Content-Length: 5\r\nContent-Length: 5", "400"),
      ("Content-Length: 5, 5", "400"),
      ("Content-Length: 5\r\nTransfer-Encoding: chunked", "400"),
      ("Transfer-Encoding: chunked\r\nContent-Length: 5", "400"),
      ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "400"),
      ("Transfer-Encoding: gzip, chunked", "501"),
      ("Transfer-Encoding: identity", "501"),
      ("Transfer-Encoding: xchunked", "501"),
      ("Content-Length: +5", "400"),
      ("Content-Length: -5", "400"),
      ("Content-Length: 0x5", "400"),
      ("Content-Length:", "400"),
      ("Content-Length: 99999999999999999999999999", "400,413"),
      ("Content-Length : 5", "400"),
      ("Host: other", "400"),
      ("X: a\u{1}b", "400"),
      ("X Y: b", "400"),
      ("X: a\u{0}b", "400"),
      ("X: a\r b", "400"),
      ("X: a\nY: b", "400"),
      ("X: a\r\n folded", "400"),
      ("Content-Length: 2, 2", "400"),
      ("Content-Length: +2", "400"),
      ("Content-Length: -1", "400"),
      ("Content-Length: 2 2", "400"),
    ])
  func framing(_ header: String, _ statuses: String) async throws {
    for method in ["POST", "PUT", "PATCH", "DELETE", "GET"] {
      let server = try server()
      let client = RawClient(port: server.port)
      await client.send(
        "\(method) / HTTP/1.1\r\nHost: h\r\n\(header)\r\n\r\nhelloGET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"
      )
      let answer = await client.readToEnd()
      #expect(
        statuses.split(separator: ",").contains { answer.hasPrefix("HTTP/1.1 \($0) ") },
        "\(method): \(answer)")
      #expect(!answer.contains("smuggled"), "\(method): \(answer)")
      #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2, "one head: \(answer)")
      await server.stop()
    }
  }

  @Test("HTTP/1.1 without a Host is refused")
  func noHost() async throws {
    let server = try server()
    let client = RawClient(port: server.port)
    await client.send("GET / HTTP/1.1\r\n\r\n")
    #expect(await client.readToEnd().hasPrefix("HTTP/1.1 400 "))
    await server.stop()
  }

  @Test("a body of exactly the limit is taken", arguments: ["POST", "PUT", "PATCH", "DELETE"])
  func atLimit(_ method: String) async throws {
    let server = try server()
    let client = RawClient(port: server.port)
    let body = String(repeating: "a", count: 100)
    await client.send("\(method) / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n\(body)")
    #expect(await client.readAnswer().hasSuffix(": \(body)"))
    await server.stop()
  }

  @Test(
    "a body past the limit is answered 413 before it is sent",
    arguments: ["POST", "PUT", "PATCH", "DELETE"])
  func overLimit(_ method: String) async throws {
    let server = try server()
    for length in ["101", "52428800"] {
      let client = RawClient(port: server.port)
      await client.send("\(method) / HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n")
      let answer = await client.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 413 "))
      #expect(answer.contains("100 bytes allowed"))
    }
    await server.stop()
  }

  @Test("each path has its own limit")
  func limitOfPath() async throws {
    let server = try server()
    let client = RawClient(port: server.port)
    let body = String(repeating: "a", count: 1000)
    await client.send("POST /big HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n\(body)")
    #expect(await client.readAnswer().hasPrefix("HTTP/1.1 200 "))
    await server.stop()
  }

  @Test("a chunked body past the limit is answered 413 at its end")
  func chunkedOverLimit() async throws {
    let server = try server()
    let client = RawClient(port: server.port)
    let chunk = "64\r\n\(String(repeating: "a", count: 100))\r\n"
    await client.send(
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)1\r\nb\r\n0\r\n\r\n")
    #expect(await client.readToEnd().hasPrefix("HTTP/1.1 413 "))
    await server.stop()
  }

  @Test("an endless chunked body is cut off")
  func endlessChunks() async throws {
    let server = try server { $0.lingerLimit = 10_000 }
    let client = RawClient(port: server.port)
    await client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
    let chunk = "64\r\n\(String(repeating: "a", count: 100))\r\n"
    while await client.send(chunk) {}
    await server.stop()
  }

  @Test("a client that sends a body of 50 MB without asking gets the 413 or a closed connection")
  func bigBodySent() async throws {
    let server = try server()
    let client = RawClient(port: server.port)
    await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 52428800\r\n\r\n")
    let chunk = [UInt8](repeating: 0x61, count: 1 << 20)
    var sent = 0
    while await client.send(chunk) { sent += 1 }
    #expect(sent < 50)
    await server.stop()
  }

  @Test(
    "a request line that is not METHOD TARGET HTTP/1.1 is refused",
    arguments: [
      ("GET /", "400"), ("GET  / HTTP/1.1", "400"), ("GET / HTTP/1.1 x", "400"),
      ("G(T / HTTP/1.1", "400"), ("GET / HTTP/2.0", "505"), ("GET / HTTP/1.11", "505"),
      ("GET / FTP/1.1", "400"), (" GET / HTTP/1.1", "400"), ("GET /\u{0} HTTP/1.1", "400"),
      (String(repeating: "M", count: 33) + " / HTTP/1.1", "400"),
    ])
  func requestLine(_ line: String, _ status: String) async throws {
    let server = try server()
    let client = RawClient(port: server.port)
    await client.send("\(line)\r\nHost: h\r\n\r\n")
    let answer = await client.readToEnd()
    #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
    await server.stop()
  }

  @Test("a request has 100 header fields at most")
  func fieldCount() async throws {
    for (count, status) in [(100, "200"), (101, "431")] {
      let server = try server()
      let client = RawClient(port: server.port)
      let fields = String(repeating: "X: y\r\n", count: count - 1)
      await client.send("GET / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n")
      #expect(await client.readAnswer().hasPrefix("HTTP/1.1 \(status) "))
      await server.stop()
    }
  }

  @Test(
    "chunks that are not well formed are refused",
    arguments: [
      "x\r\n", "5\nhello\r\n0\r\n\r\n", "5\r\nhelloX\r\n0\r\n\r\n", "-5\r\nhello\r\n",
      "0x5\r\nhello\r\n", "10000000000000000\r\n", "5 5\r\nhello\r\n", "\r\n",
      "0\r\nX: a\u{0}b\r\n\r\n", "5;\u{0}\r\nhello\r\n",
      "5;" + String(repeating: "x", count: 600),
      "0\r\n" + String(repeating: "X: y\r\n", count: 1000),
    ])
  func badChunks(_ body: String) async throws {
    let server = try server()
    let client = RawClient(port: server.port)
    await client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(body)")
    let answer = await client.readToEnd()
    #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
    await server.stop()
  }

  @Test("headers beyond their limit are refused")
  func headerCap() async throws {
    let server = try server()
    let client = RawClient(port: server.port)
    await client.send(
      "GET / HTTP/1.1\r\nHost: h\r\nX: \(String(repeating: "a", count: 200_000))\r\n\r\n")
    let answer = await client.readToEnd()
    #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 431 "), "\(answer.prefix(200))")
    let next = RawClient(port: server.port)
    await next.send(
      "GET / HTTP/1.1\r\nHost: h\r\nX: \(String(repeating: "a", count: 12_000))\r\n\r\n")
    #expect(await next.readAnswer().hasPrefix("HTTP/1.1 200 "))
    await server.stop()
  }

  @Test(
    "a client that sends too slowly is disconnected at the deadline",
    arguments: [
      ("headers", "", "X"),
      ("silence", "", ""),
      ("body", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n", "x"),
      ("chunks", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"),
    ])
  func trickle(what: String, head: String, drop: String) async throws {
    let clock = SteppedClock()
    let server = try server {
      $0.clock = clock
      $0.headerDeadline = .milliseconds(300)
      $0.bodyDeadline = .milliseconds(300)
      $0.bodyLimit = { _, _ in 1 << 20 }
    }
    let client = RawClient(port: server.port)
    await client.send(head)
    let isClosed = Flag()
    let reading = Task {
      defer { isClosed.set() }
      return await client.readToEnd()
    }
    // A drop every 20 ms, until the server closes the connection.
    while !isClosed.isSet {
      if !drop.isEmpty { await client.send(drop) }
      try await clock.advance(by: .milliseconds(20))
    }
    #expect(!(await reading.value).contains("200 OK"))
    await server.stop()
  }

  @Test("a client that sends its next request too slowly is disconnected too")
  func trickleAfterAnswer() async throws {
    let server = try server { $0.keepAliveDeadline = .milliseconds(300) }
    let client = RawClient(port: server.port)
    await client.send("GET /first HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(await client.readAnswer().contains("/first"))
    await client.send("GET /sec")
    #expect(await client.readToEnd() == "")
    await server.stop()
  }

  @Test("a handler that takes longer than every deadline still answers")
  func slowHandler() async throws {
    let clock = SteppedClock()
    var configuration = HTTPServer.Configuration.patient
    configuration.clock = clock
    configuration.bodyDeadline = .milliseconds(50)
    configuration.keepAliveDeadline = .milliseconds(50)
    let server = try HTTPServer(configuration) { request in
      // Past the deadline of the headers too, after which the server has checked all deadlines.
      try? await clock.advance(by: .seconds(7200))
      return await echo(request)
    }
    let client = RawClient(port: server.port)
    await client.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(await client.readAnswer().contains("GET /slow"))
    await server.stop()
  }

  @Test("one address has a limit of connections")
  func connectionLimit() async throws {
    let server = try server { $0.connectionsPerAddress = 2 }
    let allowed = [RawClient(port: server.port), RawClient(port: server.port)]
    for client in allowed {
      await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(await client.readAnswer().hasPrefix("HTTP/1.1 200 "))
    }
    let third = RawClient(port: server.port)
    await third.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(await third.readToEnd() == "")
    withExtendedLifetime(allowed) {}
    await server.stop()
  }

  @Test("bytes that are not HTTP are refused, and the server goes on")
  func garbage() async throws {
    // It ends a client whose bytes are taken for the beginning of a head; a busy machine sends a whole one within it.
    let server = try server { $0.headerDeadline = .seconds(10) }
    var generator = SystemRandomNumberGenerator()
    for length in [1, 10, 1000, 50_000] {
      let client = RawClient(port: server.port)
      await client.send((0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) })
      await client.send("\r\n\r\n")
      #expect(!(await client.readToEnd()).contains("200 OK"))
    }
    let client = RawClient(port: server.port)
    await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(await client.readAnswer().hasPrefix("HTTP/1.1 200 "))
    await server.stop()
  }
}
