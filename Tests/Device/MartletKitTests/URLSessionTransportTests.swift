import Foundation
import PushPayload
import TestSupport
import Testing
import _HTTPServer

@testable import MartletKit

@Suite("The transport over URLSession", .timeLimit(.minutes(10)))
struct URLSessionTransportTests {
  private func request(_ port: UInt16, _ path: String = "/", body: Data? = nil) throws
    -> PushRequest
  {
    PushRequest(
      method: body == nil ? "GET" : "PUT",
      url: try #require(URL(string: "http://127.0.0.1:\(port)\(path)")),
      headers: ["Martlet-Device-Secret": "secret"], body: body)
  }

  private func serve(
    _ handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse,
    _ body: (UInt16) async throws -> Void
  ) async throws {
    let server = try HTTPServer(HTTPServer.Configuration(), handler: handler)
    do {
      try await body(UInt16(server.port))
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  @Test("method, headers, body, status, Retry-After and the answer arrive")
  func exchange() async throws {
    try await serve { request in
      let secret = request.header("Martlet-Device-Secret") ?? ""
      return HTTPResponse(
        status: 429, headers: [("retry-after", "7")],
        body: Array("\(request.method) \(secret) ".utf8) + request.body)
    } _: { port in
      let response = try await URLSessionTransport().send(
        request(port, body: Data("{}".utf8)))
      #expect(response.status == 429 && response.retryAfter == "7")
      #expect(String(decoding: response.body, as: UTF8.self) == "PUT secret {}")
    }
  }

  @Test("a redirect is not followed")
  func redirect() async throws {
    let followed = Locked(false)
    try await serve { request in
      if request.path == "/there" { followed.withLock { $0 = true } }
      return HTTPResponse(status: 307, headers: [("Location", "/there")])
    } _: { port in
      let response = try await URLSessionTransport().send(request(port))
      #expect(response.status == 307 && !followed.withLock(\.self))
    }
  }

  @Test(
    "an answer of 1 MiB is read, and a longer one is an error", arguments: [(0, true), (1, false)])
  func length(excess: Int, isRead: Bool) async throws {
    let body = [UInt8](repeating: 7, count: URLSessionTransport.maximumBytes + excess)
    try await serve { _ in
      HTTPResponse(status: 200, body: body)
    } _: { port in
      let transport = URLSessionTransport()
      let request = try request(port)
      if isRead {
        #expect(try await transport.send(request).body.count == body.count)
      } else {
        await #expect(throws: PushTransportError.self) { try await transport.send(request) }
      }
    }
  }

  @Test("a server that is not there has surely not got the request")
  func unreachable() async throws {
    let listener = try LoopbackListener()
    let port = listener.port
    listener.stop()
    let error = await #expect(throws: PushTransportError.self) {
      try await URLSessionTransport().send(request(port))
    }
    #expect(error?.isUnsent == true)
  }

  @Test("a server that closes without an answer may have got it")
  func closed() async throws {
    let listener = try LoopbackListener()
    listener.start { _ in }
    let error = await #expect(throws: PushTransportError.self) {
      try await URLSessionTransport().send(request(listener.port, body: Data("{}".utf8)))
    }
    listener.stop()
    #expect(error?.isUnsent == false)
  }
}
