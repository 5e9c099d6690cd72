import Foundation
import MediaLoading
import TestSupport
import Testing
import _Curl
import _HTTPServer
import _TLS

/// What only the libcurl loader supports: a private authority, addresses of names, undecoded bodies.
@Suite("libcurl as a media loader", .timeLimit(.minutes(10)))
struct CurlMediaLoaderTests {
  @Test("trusts the given certificate authority")
  func trusted() async throws {
    let server = try TLSServer()
    let result = await load(server.url, CurlMediaLoader(caFile: server.caFile))
    await server.stop()
    #expect(result.head?.status == 200 && result.bytes == [1, 2, 3] && result.error == nil)
  }

  @Test("an untrusted certificate and a missing CA file are trust failures")
  func untrusted() async throws {
    let server = try TLSServer()
    for caFile in [nil, "/nowhere/ca.pem"] {
      let result = await load(server.url, CurlMediaLoader(caFile: caFile))
      #expect(result.heads.isEmpty && result.error?.code == .untrusted)
    }
    await server.stop()
  }

  @Test("a certificate for another name is a trust failure")
  func wrongName() async throws {
    let server = try TLSServer()
    let loader = CurlMediaLoader(caFile: server.caFile, hosts: ["media.example": "127.0.0.1"])
    let url = try #require(URL(string: "https://media.example:\(server.port)/x"))
    #expect(await load(url, loader).error?.code == .untrusted)
    await server.stop()
  }

  @Test("refuses a name with a private address before a connection is made")
  func privateAddress() async throws {
    let server = try RawServer { _ in RawServer.Answer("HTTP/1.1 204 No Content\n\n") }
    let loader = CurlMediaLoader(hosts: ["media.example": "127.0.0.1"])
    let url = server.url(host: "media.example")
    let result = await load(MediaRequest(url: url, allowsPrivateAddress: false), loader)
    #expect(result.ends == 1 && result.error?.code == .privateAddress)
    #expect(server.connectionCount == 0)
    #expect(await load(url, loader).error == nil)
    server.stop()
    #expect(server.connectionCount == 1)
  }

  @Test("sends nothing over an open connection to a private address either")
  func reused() async throws {
    let server = try RawServer { _ in
      RawServer.Answer("HTTP/1.1 200 OK\nContent-Length: 0\n\n", .keep)
    }
    let loader = CurlMediaLoader(hosts: ["media.example": "127.0.0.1"])
    let url = server.url(host: "media.example")
    #expect(await load(url, loader).error == nil)
    let result = await load(MediaRequest(url: url, allowsPrivateAddress: false), loader)
    #expect(result.error?.code == .privateAddress)
    #expect(await load(url, loader).error == nil)
    server.stop()
    #expect(server.requests.count == 2)
  }

  @Test("delivers a compressed body undecoded")
  func compressed() async throws {
    let server = try RawServer { _ in
      let head = "HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: 4\n\n"
      return RawServer.Answer(head, body: [0x1F, 0x8B, 8, 0])
    }
    let result = await load(server.url(), CurlMediaLoader())
    server.stop()
    #expect(result.bytes == [0x1F, 0x8B, 8, 0] && result.error == nil)
    #expect(result.head?.isIdentity == false && result.head?.contentLength == nil)
  }

  @Test("uses no proxy of the environment")
  func proxy() async {
    // In its own process, because the environment belongs to the whole process.
    await #expect(processExitsWith: .success) {
      let server = try RawServer { _ in RawServer.Answer("HTTP/1.1 204 No Content\n\n") }
      for name in ["http_proxy", "all_proxy"] { setenv(name, "http://127.0.0.1:1", 1) }
      let result = await Loader.curl.load(server.url())
      try #require(result.head?.status == 204 && result.error == nil)
    }
  }

  @Test("accepts up to the maximum number of header fields", arguments: [100, 101])
  func manyFields(count: Int) async throws {
    let fields = (1..<count).map { "X-\($0): 1\n" }.joined()
    let server = try RawServer { _ in
      RawServer.Answer("HTTP/1.1 200 OK\n\(fields)Content-Length: 1\n\n", body: [1])
    }
    let result = await load(server.url(), CurlMediaLoader())
    server.stop()
    #expect(result.ends == 1 && result.error?.code == (count == 100 ? nil : .network))
    #expect(result.heads.count == (count == 100 ? 1 : 0))
  }

  @Test("cancels loads when the loader is released")
  func closed() async throws {
    let server = try RawServer { _ in
      RawServer.Answer("HTTP/1.1 200 OK\nContent-Length: 9\n\n", body: [1], .hold)
    }
    let sink = RecordingSink()
    var loader: CurlMediaLoader? = CurlMediaLoader()
    _ = loader?.load(MediaRequest(url: server.url()), into: sink)
    await sink.firstPiece()
    loader = nil
    let result = await sink.result()
    server.stop()
    #expect(result.ends == 1 && result.error?.code == .canceled)
  }

  private func load(_ url: URL, _ loader: CurlMediaLoader) async -> RecordingSink.Result {
    await load(MediaRequest(url: url), loader)
  }

  private func load(
    _ request: MediaRequest, _ loader: CurlMediaLoader
  ) async -> RecordingSink.Result {
    let sink = RecordingSink()
    _ = loader.load(request, into: sink)
    return await withExtendedLifetime(loader) { sink }.result()
  }
}

@Suite("URLSession over TLS", .timeLimit(.minutes(10)))
struct URLSessionTrustTests {
  @Test("delivers nothing of an untrusted server; on Linux the code is network")
  func untrusted() async throws {
    let server = try TLSServer()
    let result = await Loader.urlSession.load(server.url)
    await server.stop()
    #expect(result.heads.isEmpty && result.bytes.isEmpty && result.ends == 1)
    #expect(result.error?.code == .network)
  }
}

/// A server of three bytes over HTTPS, with its own certificate authority.
private struct TLSServer {
  let caFile: String
  private let server: HTTPServer
  private let folder = TemporaryFolder()

  init() throws {
    let authority = try CertificateAuthority()
    caFile = try folder.write(authority.certificatePEM, to: "ca.pem")
    let leaf = try authority.issue(hosts: ["localhost"])
    var configuration = HTTPServer.Configuration()
    configuration.tls = (leaf.certificatePEM, leaf.keyPEM)
    server = try HTTPServer(configuration) { _ in HTTPResponse(status: 200, body: [1, 2, 3]) }
  }

  var port: UInt16 { server.port }
  var url: URL { URL(string: "https://localhost:\(server.port)/x") ?? URL(filePath: "/") }

  func stop() async { await server.stop() }
}
