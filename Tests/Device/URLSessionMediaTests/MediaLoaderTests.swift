import Foundation
import MediaLoading
import Testing
import _HTTPServer

/// The behavior of every loader that the engine relies on.
@Suite("Media loaders", .timeLimit(.minutes(10)))
struct MediaLoaderTests {
  @Test("deliver the head, every byte, and one end", arguments: Loader.allCases)
  func whole(loader: Loader) async throws {
    let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    let head = "HTTP/1.1 200 OK\nContent-Type: image/png\nETag: \"1\"\nContent-Length: 300000\n\n"
    let server = try RawServer { _ in RawServer.Answer(head, body: body) }
    let result = await loader.load(server.url())
    server.stop()
    #expect(result.heads.map(\.status) == [200])
    #expect(result.head?.mimeType == "image/png")
    #expect(result.head?["etag"] == "\"1\"")
    #expect(result.head?.contentLength == 300_000)
    #expect(result.bytes == body)
    #expect(result.ends == 1 && result.error == nil)
  }

  @Test("send the request's fields, and none that identify the app", arguments: Loader.allCases)
  func fields(loader: Loader) async throws {
    let server = try RawServer { _ in RawServer.Answer("HTTP/1.1 204 No Content\n\n") }
    let headers = ["Range": "bytes=5-", "If-Range": "\"1\"", "X-Empty": ""]
    _ = await loader.load(MediaRequest(url: server.url("/a?b=c"), headers: headers))
    server.stop()
    let request = try #require(server.requests.first)
    #expect(request.hasPrefix("GET /a?b=c HTTP/1.1\r\n"))
    let sent = Self.fields(of: request)
    #expect(sent["range"] == "bytes=5-" && sent["if-range"] == "\"1\"" && sent["x-empty"] == "")
    #expect(sent["accept-encoding"] == "identity" && sent["accept-language"] == "*")
    #expect(sent["user-agent"] == "Martlet")
    let usual: Set = [
      "host", "accept", "accept-encoding", "accept-language", "user-agent", "connection",
    ]
    #expect(Set(sent.keys).subtracting(usual) == ["range", "if-range", "x-empty"])
  }

  @Test("the request's fields replace the loader's", arguments: Loader.allCases)
  func ownFields(loader: Loader) async throws {
    let server = try RawServer { _ in RawServer.Answer("HTTP/1.1 204 No Content\n\n") }
    let headers = ["accept-encoding": "gzip", "USER-AGENT": "Mine/1"]
    _ = await loader.load(MediaRequest(url: server.url(), headers: headers))
    server.stop()
    let sent = Self.fields(of: try #require(server.requests.first))
    #expect(sent["accept-encoding"] == "gzip" && sent["user-agent"] == "Mine/1")
  }

  @Test(
    "deliver a redirect and do not follow it",
    arguments: Loader.allCases, [301, 302, 303, 307, 308])
  func redirect(loader: Loader, status: Int) async throws {
    let other = try RawServer { _ in RawServer.Answer("HTTP/1.1 200 OK\n\n") }
    let place = other.url("/elsewhere").absoluteString
    let server = try RawServer { _ in
      let head = "HTTP/1.1 \(status) There\nLocation: \(place)\nContent-Length: 3\n\n"
      return RawServer.Answer(head, body: [1, 2, 3])
    }
    let result = await loader.load(server.url())
    server.stop()
    other.stop()
    #expect(result.heads.map(\.status) == [status])
    #expect(result.head?["Location"] == place)
    #expect(result.bytes == [1, 2, 3])
    #expect(result.ends == 1 && result.error == nil)
    #expect(other.connectionCount == 0 && server.requests.count == 1)
  }

  @Test(
    "hand over a redirect to nowhere", arguments: Loader.allCases,
    ["", "Location: \n", "Location: http://[x\n", "Location: ftp://a/b\n", "Location: %zz y\n"])
  func redirectToNowhere(loader: Loader, field: String) async throws {
    let server = try RawServer { _ in
      RawServer.Answer("HTTP/1.1 302 There\n\(field)Content-Length: 2\n\n", body: [1, 2])
    }
    let result = await loader.load(server.url())
    server.stop()
    #expect(result.heads.map(\.status) == [302] && result.error == nil && result.ends == 1)
    // URLSession on Linux does not deliver the body.
    #expect(result.bytes == [1, 2] || loader == .urlSession && result.bytes.isEmpty)
    #expect(server.requests.count == 1)
  }

  @Test(
    "deliver error responses with their body", arguments: Loader.allCases, [401, 403, 404, 503])
  func refusing(loader: Loader, status: Int) async throws {
    let server = try RawServer { _ in
      let ask = "WWW-Authenticate: Basic realm=\"x\"\n"
      let head = "HTTP/1.1 \(status) No\n\(status == 401 ? ask : "")Content-Length: 2\n\n"
      return RawServer.Answer(head, body: [1, 2])
    }
    let result = await loader.load(server.url())
    server.stop()
    #expect(result.heads.map(\.status) == [status] && result.bytes == [1, 2])
    #expect(result.ends == 1 && result.error == nil)
    #expect(server.requests.count == 1)
  }

  @Test(
    "hand over an answer without a body", arguments: Loader.allCases,
    [
      "HTTP/1.1 200 OK\nContent-Length: 0\n\n", "HTTP/1.1 204 No Content\n\n",
      "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n0\n\n", "HTTP/1.1 304 Not Modified\n\n",
    ])
  func empty(loader: Loader, answer: String) async throws {
    let server = try RawServer { _ in RawServer.Answer(answer) }
    let result = await loader.load(server.url())
    server.stop()
    #expect(result.heads.count == 1 && result.bytes.isEmpty)
    #expect(result.ends == 1 && result.error == nil)
  }

  @Test("stop when the sink stops at the head", arguments: Loader.allCases)
  func refusedHead(loader: Loader) async throws {
    let server = try RawServer { _ in
      RawServer.Answer("HTTP/1.1 200 OK\nContent-Length: 9\n\n", body: [1], .hold)
    }
    let result = await loader.load(server.url(), refusesHead: true)
    server.stop()
    #expect(result.bytes.isEmpty && result.ends == 1)
    #expect(result.error?.code == .refused)
  }

  @Test("stop an endless body when the sink stops", arguments: Loader.allCases)
  func endless(loader: Loader) async throws {
    let piece = [UInt8](repeating: 7, count: 65_536)
    let server = try HTTPServer(HTTPServer.Configuration()) { _ in
      HTTPResponse(status: 200, body: .stream(AsyncStream(unfolding: { piece })))
    }
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/x"))
    let result = await loader.load(url, limit: 1_000_000)
    await server.stop()
    #expect(result.head?.contentLength == nil)
    #expect(result.bytes.count >= 1_000_000)
    #expect(result.ends == 1 && result.error?.code == .refused)
  }

  @Test("finish a canceled load once", arguments: Loader.allCases)
  func canceled(loader: Loader) async throws {
    let server = try RawServer { _ in
      RawServer.Answer("HTTP/1.1 200 OK\nContent-Length: 9\n\n", body: [1], .hold)
    }
    let sink = RecordingSink()
    let loader = loader.make()
    let load = loader.load(MediaRequest(url: server.url()), into: sink)
    await sink.firstPiece()
    load.cancel()
    load.cancel()
    let result = await sink.result()
    server.stop()
    #expect(result.ends == 1 && result.error?.code == .canceled)
  }

  @Test(
    "call a body that breaks off a network failure", arguments: Loader.allCases,
    [
      RawServer.Answer("HTTP/1.1 200 OK\nContent-Length: 9\n\n", body: [1, 2]),
      RawServer.Answer("HTTP/1.1 200 OK\nContent-Length: 9\n\n", body: [1, 2], .reset),
      RawServer.Answer("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\n", body: [1, 2]),
      RawServer.Answer("HTTP/1.1 200 OK\nContent-Length: 9\n", .close),
      RawServer.Answer("", .close),
    ])
  func broken(loader: Loader, answer: RawServer.Answer) async throws {
    let server = try RawServer { _ in answer }
    let result = await loader.load(server.url())
    server.stop()
    #expect(result.ends == 1 && result.error?.code == .network)
    #expect([1, 2].starts(with: result.bytes))
  }

  @Test("deliver at most the announced length", arguments: Loader.allCases)
  func tooMuch(loader: Loader) async throws {
    let server = try RawServer { _ in
      RawServer.Answer("HTTP/1.1 200 OK\nContent-Length: 2\n\n", body: [1, 2, 3, 4])
    }
    let result = await loader.load(server.url())
    server.stop()
    #expect(result.bytes == [1, 2] && result.error == nil)
  }

  @Test("skip interim responses", arguments: Loader.allCases)
  func interim(loader: Loader) async throws {
    let server = try RawServer { _ in
      let hints = "HTTP/1.1 103 Early Hints\nLink: </a>\nX-Interim: 1\n\n"
      return RawServer.Answer(
        hints + hints + "HTTP/1.1 200 OK\nContent-Length: 1\n\n", body: [1])
    }
    let result = await loader.load(server.url())
    server.stop()
    #expect(result.heads.map(\.status) == [200])
    #expect(result.head?["x-interim"] == nil)
    #expect(result.bytes == [1] && result.error == nil)
  }

  @Test("store no cookies", arguments: Loader.allCases)
  func cookies(loader: Loader) async throws {
    let server = try RawServer { _ in
      let head = "HTTP/1.1 200 OK\nSet-Cookie: who=me; Path=/\nContent-Length: 0\n\n"
      return RawServer.Answer(head, .keep)
    }
    let loader = loader.make()
    for _ in 0..<2 {
      let sink = RecordingSink()
      _ = loader.load(MediaRequest(url: server.url()), into: sink)
      #expect(await sink.result().error == nil)
    }
    server.stop()
    #expect(server.requests.count == 2)
    #expect(server.requests.allSatisfy { Self.fields(of: $0)["cookie"] == nil })
  }

  @Test(
    "refuse a private host before anything is sent", arguments: Loader.allCases,
    ["127.0.0.1", "127.1", "0x7f000001", "localhost", "LOCALHOST."])
  func privateHost(loader: Loader, host: String) async throws {
    let server = try RawServer { _ in RawServer.Answer("HTTP/1.1 200 OK\n\n") }
    let request = MediaRequest(url: server.url(host: host), allowsPrivateAddress: false)
    let result = await loader.load(request)
    server.stop()
    #expect(result.ends == 1 && result.error?.code == .privateAddress)
    #expect(server.connectionCount == 0)
  }

  @Test(
    "send nothing of a request that cannot be", arguments: Loader.allCases,
    [
      (url: "ftp://127.0.0.1/x", headers: [:], code: MediaLoadError.Code.unsupportedURL),
      (url: "file:///etc/hosts", headers: [:], code: .unsupportedURL),
      (url: "http://me:secret@127.0.0.1/x", headers: [:], code: .unsupportedURL),
      (url: "http://127.0.0.1/x", headers: ["A": "1\r\nB: 2"], code: .network),
      (url: "http://127.0.0.1/x", headers: ["A": "1\u{0}"], code: .network),
      (url: "http://127.0.0.1/x", headers: ["A: 1\nB": "2"], code: .network),
      (url: "http://127.0.0.1/x", headers: ["": "2"], code: .network),
    ])
  func impossible(
    loader: Loader, request: (url: String, headers: [String: String], code: MediaLoadError.Code)
  ) async throws {
    let url = try #require(URL(string: request.url))
    let result = await loader.load(MediaRequest(url: url, headers: request.headers))
    #expect(result.ends == 1 && result.error?.code == request.code)
    #expect(result.error?.message.contains("secret") == false)
  }

  @Test("an unreachable server is a network failure", arguments: Loader.allCases)
  func nothing(loader: Loader) async throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/"))
    let result = await loader.load(url)
    #expect(result.ends == 1 && result.error?.code == .network)
  }

  static func fields(of request: String) -> [String: String] {
    var fields: [String: String] = [:]
    for line in request.components(separatedBy: "\r\n").dropFirst() where !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    return fields
  }
}
