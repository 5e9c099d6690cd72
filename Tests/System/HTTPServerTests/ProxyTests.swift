import TestSupport
import Testing

@testable import _HTTPServer

@Suite("HTTP server: behind a proxy", .timeLimit(.minutes(10)))
struct ProxyTests {
  private static let second: [UInt8] = [
    0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a,
  ]
  private static let ipv4 =
    second + [0x21, 0x11, 0, 12, 203, 0, 113, 9, 10, 0, 0, 1, 0x10, 0x00, 0, 80]
  private static let ipv6 =
    second + [0x21, 0x21, 0, 36] + [0x20, 0x01, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [7]
    + [UInt8](repeating: 0, count: 20)
  private static let local = second + [0x20, 0x00, 0, 0]

  @Test(
    "the header names the client, in both versions",
    arguments: [
      (Array("PROXY TCP4 203.0.113.9 10.0.0.1 4096 80\r\n".utf8), "203.0.113.9"),
      (Array("PROXY TCP6 2001:db8::7 ::1 4096 80\r\n".utf8), "2001:db8::7"),
      (Array("PROXY UNKNOWN\r\n".utf8), "127.0.0.1"),
      (Array("PROXY UNKNOWN ff ff 1 1\r\n".utf8), "127.0.0.1"),
      (ipv4, "203.0.113.9"), (ipv6, "2001:db8::7"), (local, "127.0.0.1"), ([], "127.0.0.1"),
    ] as [([UInt8], String)])
  func header(_ header: [UInt8], _ address: String) async throws {
    var configuration = HTTPServer.Configuration.patient
    configuration.isTrustedProxy = { $0 == "127.0.0.1" }
    let server = try HTTPServer(configuration, handler: echo)
    for method in ["GET", "POST", "PUT", "PROPFIND"] {
      let client = RawClient(port: server.port)
      await client.send(
        header + Array("\(method) / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi".utf8))
      #expect(await client.readAnswer().hasSuffix("\(method) / [] x-test=- from \(address): hi"))
    }
    // One byte after another.
    let client = RawClient(port: server.port)
    for byte in header + Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8) {
      await client.send([byte])
    }
    #expect(await client.readAnswer().hasSuffix("from \(address): "))
    await server.stop()
  }

  @Test(
    "a header that is not well formed closes the connection",
    arguments: [
      Array("PROXY TCP4 2001:db8::7 10.0.0.1 1 1\r\n".utf8),
      Array("PROXY TCP4 203.0.113.9 10.0.0.1 1\r\n".utf8),
      Array("PROXY TCP4 203.0.113.9 10.0.0.1 1 65536\r\n".utf8),
      Array("PROXY TCP4 203.0.113.9 10.0.0.1 1 1\n".utf8),
      Array("PROXY TCP9 203.0.113.9 10.0.0.1 1 1\r\n".utf8),
      Array("PROXY ".utf8) + [UInt8](repeating: 0x41, count: 200),
      second + [0x11, 0x11, 0, 12], second + [0x22, 0x11, 0, 12],
      second + [0x21, 0x11, 0, 3, 1, 2, 3], second + [0x21, 0x11, 0x08, 0x01],
    ])
  func malformed(_ header: [UInt8]) async throws {
    var configuration = HTTPServer.Configuration.patient
    configuration.isTrustedProxy = { _ in true }
    let server = try HTTPServer(configuration, handler: echo)
    let client = RawClient(port: server.port)
    await client.send(header + Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
    #expect(await client.readToEnd() == "")
    await server.stop()
  }

  @Test("the longest header of version 2 is taken, and one byte more is not")
  func longest() {
    for (count, isTaken) in [(2048, true), (2049, false)] {
      var reader = ProxyHeader()
      let head = Self.second + [0x21, 0x11, UInt8(count >> 8), UInt8(count & 255)]
      var progress = reader.next()
      for byte in head + [UInt8](repeating: 1, count: count) {
        guard case .more = progress else { break }
        progress = reader.next([byte])
      }
      #expect(progress == (isTaken ? .done(address: "1.1.1.1") : .malformed))
    }
  }

  @Test("a peer that is not trusted cannot name another address")
  func untrusted() async throws {
    var configuration = HTTPServer.Configuration.patient
    configuration.isTrustedProxy = { $0 == "192.0.2.1" }
    let server = try HTTPServer(configuration, handler: echo)
    let client = RawClient(port: server.port)
    await client.send("GET / HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n")
    #expect(await client.readAnswer().hasSuffix("from 127.0.0.1: "))
    let other = RawClient(port: server.port)
    await other.send("PROXY TCP4 203.0.113.9 10.0.0.1 1 1\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(await other.readToEnd().hasPrefix("HTTP/1.1 400 "))
    await server.stop()
  }

  @Test(
    "X-Forwarded-For is read from the right up to the first hop that is no trusted proxy",
    arguments: [
      ([], "10.0.0.1"), (["203.0.113.9"], "203.0.113.9"),
      (["6.6.6.6, 203.0.113.9"], "203.0.113.9"), (["6.6.6.6", "203.0.113.9"], "203.0.113.9"),
      (["203.0.113.9, 10.0.0.7"], "203.0.113.9"), (["10.0.0.9, 10.0.0.7"], "10.0.0.9"),
      (["203.0.113.9:4711"], "203.0.113.9"), (["[2001:db8::7]:4711"], "2001:db8::7"),
      (["2001:db8::7"], "2001:db8::7"), (["::ffff:203.0.113.9"], "203.0.113.9"),
      (["203.0.113.9, unknown"], "10.0.0.1"), (["203.0.113.9, "], "10.0.0.1"),
      (["unknown, 10.0.0.7"], "10.0.0.7"), (["203.0.113.9\u{0}"], "10.0.0.1"),
    ])
  func forwarded(_ fields: [String], _ client: String) {
    let rule = ForwardedAddress { $0.hasPrefix("10.") }
    let headers = fields.map { (name: "x-forwarded-for", value: $0) }
    #expect(rule.client(of: "10.0.0.1", headers: headers) == client)
    #expect(rule.client(of: "192.0.2.1", headers: headers) == "192.0.2.1")
  }

  @Test("20 hops are looked at")
  func hops() {
    let rule = ForwardedAddress { $0.hasPrefix("10.") }
    for (count, client) in [(19, "203.0.113.9"), (20, "10.0.0.1")] {
      let hops = ["203.0.113.9"] + [String](repeating: "10.0.0.1", count: count)
      let headers = [(name: "X-Forwarded-For", value: hops.joined(separator: ", "))]
      #expect(rule.client(of: "10.0.0.2", headers: headers) == client)
    }
  }

  @Test("connections behind a proxy count by the address that it names")
  func counted() async throws {
    var configuration = HTTPServer.Configuration.patient
    configuration.isTrustedProxy = { $0 == "127.0.0.1" }
    configuration.connectionsPerAddress = 1
    let server = try HTTPServer(configuration, handler: echo)
    var clients: [RawClient] = []
    for (address, isServed) in [
      ("203.0.113.9", true), ("203.0.113.9", false), ("203.0.113.10", true),
    ] {
      let client = RawClient(port: server.port)
      await client.send(
        "PROXY TCP4 \(address) 10.0.0.1 1 1\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(await client.readAnswer().isEmpty != isServed)
      clients.append(client)
    }
    await server.stop()
  }

  @Test("PROXY protocol comes before TLS")
  func overTLS() async throws {
    let authority = try await TLSTests.Authority()
    var configuration = HTTPServer.Configuration.patient
    configuration.tls = (try authority.text("cert.pem"), try authority.text("key.pem"))
    configuration.isTrustedProxy = { $0 == "127.0.0.1" }
    let server = try HTTPServer(configuration, handler: echo)
    let url = "https://127.0.0.1:\(server.port)/secure"
    let arguments = ["-s", "--cacert", authority.caFile, url]
    let plain = await runProgram("/usr/bin/curl", arguments)
    #expect(plain.output.hasSuffix("from 127.0.0.1: "))
    let proxied = await runProgram("/usr/bin/curl", ["--haproxy-protocol"] + arguments)
    #expect(proxied.output.hasSuffix("from 127.0.0.1: "))
    let named = await runProgram(
      "/usr/bin/curl", ["--haproxy-protocol", "-H", "X-Forwarded-For: 203.0.113.9"] + arguments)
    #expect(named.output.hasSuffix("from 203.0.113.9: "))
    await server.stop()
  }
}
