import Synchronization
import Testing

@testable import _HTTPServer

@Suite("HTTP server: streamed request bodies", .timeLimit(.minutes(10)))
struct StreamedRequestTests {
  private func server(
    limit: Int = 64 << 20, _ handler: @escaping @Sendable (IncomingBody) async -> HTTPResponse
  ) throws -> HTTPServer {
    var configuration = HTTPServer.Configuration.patient
    configuration.streamsBody = { _, path in path == "/streamed" }
    configuration.bodyLimit = { _, _ in limit }
    return try HTTPServer(configuration) { request in
      guard let body = request.incoming else { return HTTPResponse(status: 500) }
      return await handler(body)
    }
  }

  /// The whole body as text, or the message of its error.
  @Sendable private func text(of body: IncomingBody) async -> String {
    var bytes: [UInt8] = []
    do {
      while let piece = try await body.next() { bytes += piece }
    } catch { return error.message }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func head(_ length: Int) -> String {
    "POST /streamed HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n"
  }

  @Test("a handler sees the first bytes before the last are sent")
  func early() async throws {
    let (seen, continuation) = AsyncStream<String>.makeStream()
    let server = try server { body in
      while let piece = try? await body.next() {
        continuation.yield(String(decoding: piece, as: UTF8.self))
      }
      return HTTPResponse(status: 200, body: Array("all".utf8))
    }
    let client = RawClient(port: server.port)
    var pieces = seen.makeAsyncIterator()
    for request in 1...2 {
      await client.send(head(2) + "\(request)")
      #expect(await pieces.next() == "\(request)")
      await client.send("b")
      #expect(await pieces.next() == "b")
      #expect(await client.readAnswer().hasSuffix("\r\n\r\nall"))
    }
    await server.stop()
  }

  @Test("a body is complete, with a length or in chunks, and an empty one ends")
  func whole() async throws {
    let server = try server { [text] body in
      HTTPResponse(status: 200, body: Array("\(await text(body).utf8.count)".utf8))
    }
    let client = RawClient(port: server.port)
    for count in [0, 1, 20_000_000] {
      await client.send(head(count))
      await client.send([UInt8](repeating: 120, count: count))
      #expect(await client.readAnswer().hasSuffix("\r\n\r\n\(count)"))
    }
    await client.send(
      "POST /streamed HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
    #expect(await client.readAnswer().hasSuffix("\r\n\r\n5"))
    await server.stop()
  }

  @Test("a body has back-pressure while its handler does not read")
  func backpressure() async throws {
    let (resumed, continuation) = AsyncStream<Void>.makeStream()
    let (bodies, bodyContinuation) = AsyncStream<IncomingBody>.makeStream()
    let server = try server { body in
      bodyContinuation.yield(body)
      for await _ in resumed { break }
      let first = (try? await body.next())?.count ?? 0
      var rest = 0
      while let piece = try? await body.next() { rest += piece.count }
      let isBounded = (IncomingBody.capacity..<2 * IncomingBody.capacity).contains(first)
      return HTTPResponse(status: isBounded ? 200 : 500, body: Array("\(first + rest)".utf8))
    }
    let client = RawClient(port: server.port)
    let count = 50_000_000
    await client.send(head(count))
    async let sent = client.send([UInt8](repeating: 120, count: count))
    for await body in bodies {
      while body.waitingCount < IncomingBody.capacity { await Task.yield() }
      break
    }
    continuation.yield()
    #expect(await client.readAnswer().hasPrefix("HTTP/1.1 200 "))
    #expect(await sent)
    await server.stop()
  }

  @Test("an answer before the end of the body is sent after it, and the connection stays usable")
  func answeredEarly() async throws {
    let server = try server { _ in HTTPResponse(status: 422, body: Array("no".utf8)) }
    let client = RawClient(port: server.port)
    for _ in 0..<2 {
      await client.send(head(5_000_000))
      await client.send([UInt8](repeating: 120, count: 5_000_000))
      let answer = await client.readAnswer()
      #expect(answer.hasPrefix("HTTP/1.1 422 ") && answer.hasSuffix("no"))
    }
    await server.stop()
  }

  @Test("a chunked body that is too long ends with an error for its handler, and is answered 413")
  func tooLong() async throws {
    let (seen, continuation) = AsyncStream<String>.makeStream()
    let server = try server(limit: 4) { [text] body in
      continuation.yield(await text(body))
      return HTTPResponse(status: 200)
    }
    let client = RawClient(port: server.port)
    await client.send(
      "POST /streamed HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "4\r\nabcd\r\n1\r\ne\r\n0\r\n\r\n")
    #expect(await client.readAnswer().hasPrefix("HTTP/1.1 413 "))
    #expect(await seen.first { _ in true } == "the body is longer than is allowed here")
    await server.stop()
  }

  @Test("the body ends with an error when the peer disconnects, and when the server stops")
  func cutOff() async throws {
    let (seen, continuation) = AsyncStream<String>.makeStream()
    var ends = seen.makeAsyncIterator()
    var configuration = HTTPServer.Configuration.patient
    configuration.streamsBody = { _, _ in true }
    configuration.drain = .zero
    let server = try HTTPServer(configuration) { [text] request in
      if let body = request.incoming {
        continuation.yield("begun")
        continuation.yield(await text(body))
      }
      return HTTPResponse(status: 200)
    }
    let cut = "the connection closed before the end of the body"
    var client: RawClient? = RawClient(port: server.port)
    await client?.send(head(10) + "abc")
    #expect(await ends.next() == "begun")
    client = nil
    #expect(await ends.next() == cut)
    let other = RawClient(port: server.port)
    await other.send(head(10) + "abc")
    #expect(await ends.next() == "begun")
    await server.stop()
    #expect(await ends.next() == cut)
  }
}
