import Foundation
import MediaLoading
import Synchronization
import Testing
import URLSessionMedia
import _HTTPServer

/// On Linux over plain HTTP: URLSession takes no private authority here.
@Suite("URLSession as a media loader", .timeLimit(.minutes(1)))
struct URLSessionMediaLoaderTests {
  @Test("hands over the head, every byte, and one end")
  func whole() async throws {
    let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    let result = try await load(
      HTTPResponse(status: 200, headers: [("Content-Type", "image/png")], body: body))
    #expect(result.head?.status == 200)
    #expect(result.head?.mimeType == "image/png")
    #expect(result.bytes == body)
    #expect(result.ends == 1 && result.error == nil)
  }

  @Test("stops when the sink refuses the head")
  func refused() async throws {
    let result = try await load(HTTPResponse(status: 404, body: [1]), refusing: true)
    #expect(result.bytes.isEmpty)
    #expect(result.ends == 1 && result.error != nil)
  }

  @Test("follows a redirect to http: only where the request allows it", arguments: [true, false])
  func downgrade(isAllowed: Bool) async throws {
    let server = try HTTPServer(HTTPServer.Configuration()) { request in
      request.path == "/end"
        ? HTTPResponse(status: 200, body: [7])
        : HTTPResponse(status: 302, headers: [("Location", "/end")])
    }
    let sink = RecordingSink(refusing: false)
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/x"))
    let request = MediaRequest(url: url, allowsPlainHTTP: isAllowed)
    _ = URLSessionMediaLoader().load(request, into: sink)
    let result = await sink.result()
    await server.stop()
    #expect(result.bytes == (isAllowed ? [7] : []))
    #expect(result.error?.code == (isAllowed ? nil : .insecureRedirect))
    #expect(result.ends == 1)
  }

  @Test("nothing there is a network failure")
  func nothing() async throws {
    let sink = RecordingSink(refusing: false)
    let url = try #require(URL(string: "http://127.0.0.1:1/"))
    _ = URLSessionMediaLoader().load(MediaRequest(url: url), into: sink)
    let result = await sink.result()
    #expect(result.error?.code == .network)
  }

  private func load(_ response: HTTPResponse, refusing: Bool = false) async throws
    -> RecordingSink.Result
  {
    let server = try HTTPServer(HTTPServer.Configuration()) { _ in response }
    let sink = RecordingSink(refusing: refusing)
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/x"))
    _ = URLSessionMediaLoader().load(MediaRequest(url: url), into: sink)
    let result = await sink.result()
    await server.stop()
    return result
  }
}

private final class RecordingSink: MediaSink {
  struct Result: Sendable {
    var head: MediaResponseHead?
    var bytes: [UInt8] = []
    var error: MediaLoadError?
    var ends = 0
  }

  private let state = Mutex(Result())
  private let refusing: Bool
  private let (ended, end) = AsyncStream<Void>.makeStream()

  init(refusing: Bool) { self.refusing = refusing }

  func receive(_ head: MediaResponseHead) -> MediaLoadDisposition {
    state.withLock { $0.head = head }
    return refusing ? .stop : .proceed
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition {
    let bytes = Array(bytes)
    state.withLock { $0.bytes += bytes }
    return .proceed
  }

  func finish(_ error: MediaLoadError?) {
    state.withLock {
      $0.error = error
      $0.ends += 1
    }
    end.yield()
  }

  func result() async -> Result {
    for await _ in ended { break }
    return state.withLock { $0 }
  }
}
