import APNsTestSupport
import APNs
import Testing

@testable import APNs
@testable import _HTTP2Channel

@Suite("HTTP proxy", .timeLimit(.minutes(10)))
struct ProxyTests {
  static let good = "HTTP/1.1 200 Connection established\r\n\r\n"

  @Test(
    "pushes go through a CONNECT tunnel, however the proxy's response is split",
    arguments: [
      [good], good.map(String.init), ["HTTP/1.0 200\r\nVia: x\r\n", "\r\n"],
      ["HTTP/1.1 204 No Content\n\n"], ["HTTP/1.1 100 Continue\r\n\r\n" + good],
    ])
  func tunnel(parts: [String]) async throws {
    let server = try ScriptedServer()
    defer { server.stop() }
    let proxy = try ScriptedProxy { _ in .tunnel(port: server.port, parts) }
    defer { proxy.stop() }
    let client = try server.client {
      $0.endpoint = .custom(host: "localhost", port: 7)
      $0.proxy = APNsProxy(host: "127.0.0.1", port: proxy.port)
    }
    #expect(Set(await client.send(pushes(20)).map(\.status)) == [200])
    #expect(proxy.requests == ["CONNECT localhost:7 HTTP/1.1\r\nHost: localhost:7\r\n\r\n"])
    #expect(server.requests.first?.fields[":authority"] == "localhost:7")
    await client.close()
  }

  @Test("user and password are sent as Basic credentials and never printed")
  func authentication() async throws {
    let server = try ScriptedServer()
    defer { server.stop() }
    let proxy = try ScriptedProxy { request in
      // "user:se cret" in base 64.
      request.contains("\r\nProxy-Authorization: Basic dXNlcjpzZSBjcmV0\r\n")
        ? .tunnel(port: server.port, [Self.good])
        : .text("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
    }
    defer { proxy.stop() }
    let place = APNsProxy(host: "127.0.0.1", port: proxy.port, user: "user", password: "se cret")
    let client = try server.client { $0.proxy = place }
    #expect(await client.send(push()).isSuccess)
    await client.close()
    var dumped = ""
    dump(place, to: &dumped)
    #expect(!(dumped + "\(place)" + String(reflecting: place)).contains("cret"))

    let stranger = try server.client {
      $0.proxy = APNsProxy(host: "127.0.0.1", port: proxy.port, user: "user", password: "other")
    }
    let outcome = await stranger.send(push())
    #expect(outcome.kind == .neverSent)
    #expect(outcome.message?.contains("(407)") == true)
    #expect(outcome.message?.contains("by the proxy 127.0.0.1 port \(proxy.port)") == true)
    await stranger.close()
  }

  @Test(
    "without a tunnel the push is never sent, and its message gives the reason",
    arguments: [
      ("HTTP/1.1 403 Forbidden\r\n\r\n", "status 403"), ("HTTP/1.1 502 x\r\n\r\n", "status 502"),
      ("", "closed the connection before"), ("HTTP/1.1 200 OK\r\n", "closed the connection before"),
      ("SSH-2.0-OpenSSH_9.2\r\n", "does not answer as an HTTP proxy"),
      ("HTTP/2 200\r\n\r\n", "does not answer as an HTTP proxy"),
      ("HTTP/1.1 OK\r\n\r\n", "does not answer as an HTTP proxy"),
      ("HTTP/1.1 2000 OK\r\n\r\n", "does not answer as an HTTP proxy"),
      (good + "hello", "speaks before"),
      ("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 9000), "8192 bytes of header"),
    ])
  func refusing(text: String, message: String) async throws {
    let proxy = try ScriptedProxy { _ in .text(text) }
    defer { proxy.stop() }
    let server = try ScriptedServer()
    defer { server.stop() }
    let client = try server.client {
      $0.proxy = APNsProxy(host: "127.0.0.1", port: proxy.port)
      $0.requestTimeout = .seconds(3)
    }
    let outcome = await client.send(push())
    #expect(outcome.kind == .neverSent)
    #expect(outcome.message?.contains(message) == true, "\(outcome.message ?? "")")
    #expect(server.connections == 0)
    await client.close()
  }

  @Test("a proxy that does not respond fails at the connect timeout")
  func silent() async throws {
    let proxy = try ScriptedProxy { _ in .silence }
    defer { proxy.stop() }
    let server = try ScriptedServer()
    defer { server.stop() }
    let client = try server.client {
      $0.proxy = APNsProxy(host: "127.0.0.1", port: proxy.port)
      $0.connectTimeout = .milliseconds(200)
      $0.requestTimeout = .seconds(2)
    }
    let outcome = await client.send(push())
    #expect(outcome.kind == .neverSent)
    #expect(outcome.message?.contains("no answer within") == true)
    await client.close()
  }

  @Test("a proxy's response header is limited to 8192 bytes")
  func headerLimit() throws {
    let start = Array("HTTP/1.1 200 OK\r\nX: ".utf8)
    var tunnel = ProxyTunnel(to: "h:1")
    let padding = [UInt8](repeating: 0x78, count: ProxyTunnel.headerLimit - start.count)
    #expect(try !tunnel.receive(start + padding))
    #expect(throws: ProxyError.self) { try tunnel.receive([0x78]) }
  }
}
