import Foundation
import TestSupport
import Testing
import _HTTPServer

/// Answers with what it was asked, so that a test sees what a handler sees.
@Sendable func echo(_ request: HTTPRequest) async -> HTTPResponse {
  if request.path == "/missing" { return HTTPResponse(status: 404, body: Array("nothing".utf8)) }
  let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
  let text = """
    \(request.method) \(request.path) [\(query)] x-test=\(request.header("X-TEST") ?? "-") \
    from \(request.remoteAddress): \(String(decoding: request.body, as: UTF8.self))
    """
  return HTTPResponse(
    status: 200, headers: [("Content-Type", "text/plain")], body: Array(text.utf8))
}

@Suite("HTTP server: round trips", .timeLimit(.minutes(10)))
struct RoundTripTests {
  @Test("a request reaches the handler whole and its answer comes back")
  func roundTrip() async throws {
    let server = try HTTPServer(.patient, handler: echo)
    let client = RawClient(port: server.port)
    await client.send(
      """
      POST /a%20b?x=1&y=a+b%26&x=%F0%9F%90%A6 HTTP/1.1\r\nHost: h\r\nx-test: yes\r\n\
      Content-Length: 5\r\n\r\nhello
      """)
    let answer = await client.readAnswer()
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.hasSuffix("POST /a%20b [x=1,y=a b&,x=🐦] x-test=yes from 127.0.0.1: hello"))
    await server.stop()
  }

  @Test("a connection carries one request after another")
  func keepAlive() async throws {
    let server = try HTTPServer(.patient, handler: echo)
    let client = RawClient(port: server.port)
    for number in 1...3 {
      await client.send("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(await client.readAnswer().contains("GET /\(number) []"))
    }
    await server.stop()
  }

  @Test("requests sent at once are answered in their order")
  func pipelined() async throws {
    let server = try HTTPServer(.patient, handler: echo)
    let client = RawClient(port: server.port)
    await client.send(
      (1...3).map { "POST /\($0) HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nok" }.joined())
    let answers = await client.read { $0.components(separatedBy: ": ok").count == 4 }
    let order = (1...3).compactMap { answers.range(of: "POST /\($0) ")?.lowerBound }
    #expect(order.count == 3 && order == order.sorted())
    await server.stop()
  }

  @Test("HEAD has the length of the answer without its bytes")
  func head() async throws {
    let server = try HTTPServer(.patient, handler: echo)
    let client = RawClient(port: server.port)
    await client.send("HEAD /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
    let answer = await client.readToEnd()
    #expect(answer.contains("Content-Length: 36\r\n"))
    #expect(answer.hasSuffix("\r\n\r\n"))
    await server.stop()
  }

  @Test("the handler's status and body are sent", arguments: [204, 304, 404, 500])
  func statuses(_ status: Int) async throws {
    let server = try HTTPServer(.patient) { _ in
      HTTPResponse(status: status, body: Array("why".utf8))
    }
    let client = RawClient(port: server.port)
    await client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
    let answer = await client.readToEnd()
    #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
    #expect(answer.hasSuffix("why") == (status >= 400))
    await server.stop()
  }

  @Test("a chunked body is read, and the next request after it")
  func chunked() async throws {
    let server = try HTTPServer(.patient, handler: echo)
    let client = RawClient(port: server.port)
    await client.send(
      """
      POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\
      3\r\nabc\r\n8;x=y\r\ndefghijk\r\n0\r\n\r\n
      """)
    #expect(await client.readAnswer().hasSuffix(": abcdefghijk"))
    await client.send("GET /next HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(await client.readAnswer().contains("GET /next"))
    await server.stop()
  }

  @Test("a header with a line break is not sent")
  func headerInjection() async throws {
    let server = try HTTPServer(.patient) { _ in
      HTTPResponse(status: 302, headers: [("Location", "/\r\nSet-Cookie: a=b")])
    }
    let client = RawClient(port: server.port)
    await client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
    let answer = await client.readToEnd()
    #expect(answer.hasPrefix("HTTP/1.1 500 "))
    #expect(!answer.contains("Set-Cookie"))
    await server.stop()
  }

  @Test("many clients at once are all answered")
  func many() async throws {
    let server = try HTTPServer(.patient) { request in
      await Task.yield()
      return await echo(request)
    }
    let right = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<64 {
        group.addTask {
          let client = RawClient(port: server.port)
          await client.send("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n")
          return await client.readAnswer().contains("GET /\(number) []")
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(right == 64)
    await server.stop()
  }

  @Test("a server listens on an IPv6 address too")
  func ipv6() async throws {
    let server = try HTTPServer(.init(host: "::1"), handler: echo)
    let (status, output) = await runProgram(
      "/usr/bin/curl", ["-sg", "http://[::1]:\(server.port)/six"])
    #expect(status == 0)
    #expect(output.contains("GET /six [] x-test=- from ::1"))
    await server.stop()
  }
}
