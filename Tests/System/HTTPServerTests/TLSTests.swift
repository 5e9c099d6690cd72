import Foundation
import TestSupport
import Testing
import _HTTPServer

@Suite("HTTP server: TLS", .timeLimit(.minutes(10)))
struct TLSTests {
  /// A private CA with a certificate for 127.0.0.1, in a directory that `deinit` removes.
  final class Authority {
    let directory: URL

    init() async throws {
      directory = URL(fileURLWithPath: NSTemporaryDirectory())
        .appendingPathComponent("martlet-tls-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      let script = """
        cd "$0" && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \
        -subj /CN=Test-CA -keyout ca.key -out ca.pem && openssl req -newkey ec \
        -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=127.0.0.1 -keyout key.pem -out csr.pem && \
        printf 'subjectAltName=IP:127.0.0.1' > ext && openssl x509 -req -in csr.pem -CA ca.pem \
        -CAkey ca.key -CAcreateserial -days 2 -extfile ext -out cert.pem
        """
      let (status, _) = await runProgram("/bin/sh", ["-c", script, directory.path])
      try #require(status == 0)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    func text(_ name: String) throws -> String {
      try String(contentsOf: directory.appendingPathComponent(name), encoding: .utf8)
    }

    var caFile: String { directory.appendingPathComponent("ca.pem").path }
  }

  @Test("a client that trusts the CA is served over TLS, one that does not is not")
  func trust() async throws {
    let authority = try await Authority()
    var configuration = HTTPServer.Configuration.patient
    configuration.tls = (try authority.text("cert.pem"), try authority.text("key.pem"))
    let server = try HTTPServer(configuration, handler: echo)
    let url = "https://127.0.0.1:\(server.port)/secure"

    let trusting = await runProgram(
      "/usr/bin/curl", ["-s", "--cacert", authority.caFile, "-d", "hi", url])
    #expect(trusting.status == 0)
    #expect(trusting.output.hasSuffix("POST /secure [] x-test=- from 127.0.0.1: hi"))
    #expect(await runProgram("/usr/bin/curl", ["-s", url]).status == 60)
    #expect(
      await runProgram(
        "/usr/bin/curl", ["-s", "--tls-max", "1.1", "--cacert", authority.caFile, url]
      )
      .status == 35)
    await server.stop()
  }

  @Test(
    "TLS 1.2 has suites with AEAD only",
    arguments: [
      ("ECDHE-ECDSA-AES128-GCM-SHA256", 0), ("ECDHE-ECDSA-CHACHA20-POLY1305", 0),
      ("ECDHE-ECDSA-AES128-SHA256", 35), ("ECDHE-ECDSA-AES256-SHA", 35),
    ] as [(String, Int32)])
  func suites(_ suite: String, _ status: Int32) async throws {
    let authority = try await Authority()
    var configuration = HTTPServer.Configuration.patient
    configuration.tls = (try authority.text("cert.pem"), try authority.text("key.pem"))
    let server = try HTTPServer(configuration, handler: echo)
    let url = "https://127.0.0.1:\(server.port)/"
    let result = await runProgram(
      "/usr/bin/curl",
      ["-s", "--tls-max", "1.2", "--ciphers", suite, "--cacert", authority.caFile, url])
    #expect(result.status == status)
    await server.stop()
  }

  @Test("another certificate holds for the connections after it")
  func renewed() async throws {
    let (old, new) = (try await Authority(), try await Authority())
    var configuration = HTTPServer.Configuration.patient
    configuration.tls = (try old.text("cert.pem"), try old.text("key.pem"))
    let server = try HTTPServer(configuration, handler: echo)
    let url = "https://127.0.0.1:\(server.port)/"
    func isTrusted(by authority: Authority) async -> Bool {
      await runProgram("/usr/bin/curl", ["-s", "--cacert", authority.caFile, url]).status == 0
    }
    #expect(await isTrusted(by: old))
    #expect(throws: HTTPServerError.self) { try server.setCertificate("none", keyPEM: "none") }
    #expect(await isTrusted(by: old))
    try server.setCertificate(try new.text("cert.pem"), keyPEM: try new.text("key.pem"))
    #expect(await isTrusted(by: new))
    #expect(await !isTrusted(by: old))
    await server.stop()
  }

  @Test("a peer that never finishes the handshake is disconnected")
  func handshakeDeadline() async throws {
    let authority = try await Authority()
    var configuration = HTTPServer.Configuration.patient
    configuration.tls = (try authority.text("cert.pem"), try authority.text("key.pem"))
    configuration.headerDeadline = .milliseconds(300)
    let server = try HTTPServer(configuration, handler: echo)
    let client = RawClient(port: server.port)
    await client.send([0x16, 0x03, 0x01])
    #expect(await client.readToEnd() == "")
    await server.stop()
  }

  @Test("an invalid certificate is an error that says so, and leaves the port free")
  func unusable() async throws {
    let probe = try HTTPServer(.patient, handler: echo)
    var configuration = HTTPServer.Configuration(port: probe.port)
    await probe.stop()
    configuration.tls = ("no certificate", "no key")
    #expect {
      try HTTPServer(configuration, handler: echo)
    } throws: {
      ($0 as? HTTPServerError)?.code == .certificateUnusable
    }
    configuration.tls = nil
    await (try HTTPServer(configuration, handler: echo)).stop()
  }
}
