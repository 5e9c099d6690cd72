import Foundation
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

@Suite("HTTP server: round trips", .timeLimit(.minutes(1)))
struct RoundTripTests {
  @Test("a request reaches the handler whole and its answer comes back")
  func roundTrip() async throws {
    let server = try HTTPServer(handler: echo)
    let client = RawClient(port: server.port)
    await client.send(
      "POST /a%20b?x=1&y=a+b%26&x=%F0%9F%90%A6 HTTP/1.1\r\nHost: h\r\nx-test: yes\r\nContent-Length: 5\r\n\r\nhello"
    )
    let answer = await client.readAnswer()
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.hasSuffix("POST /a%20b [x=1,y=a b&,x=🐦] x-test=yes from 127.0.0.1: hello"))
    await server.stop()
  }
}
