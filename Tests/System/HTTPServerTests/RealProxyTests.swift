import Foundation
import TestSupport
import Testing
import _HTTPServer

/// The samples of docs/server/operations.md, run by the proxies that Debian has.
@Suite("HTTP server: behind nginx and HAProxy", .timeLimit(.minutes(10)))
struct RealProxyTests {
  /// The first code block of docs/server/operations.md in a language.
  private func sample(_ language: String) throws -> String {
    let file = Repository.url("docs/server/operations.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let parts = text.components(separatedBy: "```")
    let block = try #require(parts.first { $0.hasPrefix(language + "\n") })
    return String(block.dropFirst(language.count + 1))
  }

  /// Runs a body while a proxy runs that writes its process's number to `pid`.
  private func run(
    _ program: String, _ arguments: [String], in folder: TemporaryFolder,
    _ body: () async throws -> Void
  ) async throws {
    let started = await runProgram(program, arguments)
    try #require(started.status == 0, "\(program): \(started.output)")
    try await until {
      FileManager.default.fileExists(atPath: folder.path("pid"))
    }
    let result: Result<Void, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    let pid = try String(contentsOfFile: folder.path("pid"), encoding: .utf8)
    _ = await runProgram("/bin/kill", [pid.trimmingCharacters(in: .whitespacesAndNewlines)])
    try result.get()
  }

  @Test("nginx names its client in X-Forwarded-For, and a client's own words do not count")
  func nginx() async throws {
    var configuration = HTTPServer.Configuration.patient
    configuration.isTrustedProxy = { $0 == "127.0.0.1" }
    configuration.bodyLimit = { _, _ in 4 << 20 }
    let server = try HTTPServer(configuration, handler: echo)
    let (folder, port) = (TemporaryFolder(), try LoopbackListener().port)
    let block = try sample("nginx")
      .replacing("listen 443 ssl;", with: "listen 127.0.0.1:\(port);")
      .replacing("http://127.0.0.1:8080", with: "http://127.0.0.1:\(server.port)")
      .split(separator: "\n").filter { !$0.contains("ssl_certificate") }.joined(separator: "\n")
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
      "\($0)_temp_path \(folder.path($0));"
    }.joined(separator: "\n")
    let file = try folder.write(
      """
      pid \(folder.path("pid"));
      error_log \(folder.path("log"));
      events {}
      http {
      access_log off;
      \(temporary)
      \(block)
      }
      """, to: "nginx.conf")
    try await run(
      "/usr/sbin/nginx", ["-c", file, "-p", folder.url.path, "-e", folder.path("log")], in: folder
    ) {
      let url = "http://127.0.0.1:\(port)/a"
      var answer = await runProgram("/usr/bin/curl", ["-s", "--interface", "127.0.0.2", url])
      #expect(answer.output.hasSuffix("from 127.0.0.2: "), "\(answer)")
      answer = await runProgram(
        "/usr/bin/curl",
        ["-s", "--interface", "127.0.0.2", "-H", "X-Forwarded-For: 203.0.113.9", "-d", "hi", url])
      #expect(answer.output.hasSuffix("POST /a [] x-test=- from 127.0.0.2: hi"), "\(answer)")
      let body = try folder.write(String(repeating: "x", count: 3 << 20), to: "body")
      answer = await runProgram(
        "/usr/bin/curl",
        ["-s", "-o", "/dev/null", "-w", "%{http_code}", "--data-binary", "@\(body)", url])
      #expect(answer.output == "200")
    }
    await server.stop()
  }

  @Test("HAProxy names its client by PROXY protocol, before TLS that the server does itself")
  func haproxy() async throws {
    let authority = try await TLSTests.Authority()
    var configuration = HTTPServer.Configuration.patient
    configuration.tls = (try authority.text("cert.pem"), try authority.text("key.pem"))
    configuration.isTrustedProxy = { $0 == "127.0.0.1" }
    let server = try HTTPServer(configuration, handler: echo)
    for version in ["send-proxy-v2", "send-proxy"] {
      let (folder, port) = (TemporaryFolder(), try LoopbackListener().port)
      let text = try sample("haproxy")
        .replacing("bind :443", with: "bind 127.0.0.1:\(port)")
        .replacing("10.0.0.5:8443", with: "127.0.0.1:\(server.port)")
        .replacing("send-proxy-v2", with: version)
      let file = try folder.write(text + "\n", to: "haproxy.cfg")
      try await run(
        "/usr/sbin/haproxy", ["-D", "-f", file, "-p", folder.path("pid")], in: folder
      ) {
        let answer = await runProgram(
          "/usr/bin/curl",
          [
            "-s", "--interface", "127.0.0.2", "--cacert", authority.caFile,
            "https://127.0.0.1:\(port)/a",
          ])
        #expect(answer.output.hasSuffix("GET /a [] x-test=- from 127.0.0.2: "), "\(answer)")
      }
    }
    await server.stop()
  }
}
