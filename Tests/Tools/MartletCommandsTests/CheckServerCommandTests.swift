import Foundation
import PushPayload
import Synchronization
import TestSupport
import Testing
import _TLS

@testable import MartletCommands

@Suite("martlet check-server", .timeLimit(.minutes(5)))
struct CheckServerCommandTests {
  let directory = TemporaryFolder()
  var data: String { directory.path("data") }

  /// The results by code, of a run with `--json`.
  private func check(
    _ options: [String], environment: [String: String] = [:]
  ) async throws -> (code: ExitCode, results: [String: JSONValue]) {
    let console = ServeConsole(environment: environment)
    let code = await console.run(["check-server", "--data", data, "--json"] + options)
    let json = try JSONValue(parsing: console.output.joined())
    let checks = try #require(json["checks"]?.array)
    for (member, result) in [("errors", "error"), ("warnings", "warning"), ("notes", "note")] {
      let count = checks.count { $0["result"]?.string == result }
      #expect(json[member]?.integer == Int64(count))
    }
    let named = checks.map { ($0["code"]?.string ?? "", $0) }
    return (code, Dictionary(named) { first, _ in first })
  }

  @Test(
    "a server that runs, with a sandbox in Apple's place, has no error; one with faults has them")
  func running() async throws {
    let place = try Place()
    let sandbox = try await RunningSandbox.start(place)
    let apns = ["--apns", "https://127.0.0.1:\(sandbox.port)", "--apns-ca", sandbox.authority]
    let authority = try CertificateAuthority()
    let leaf = try authority.issue(hosts: ["127.0.0.1"], days: 3)
    let tls = [
      "--tls-cert", try directory.write(leaf.certificatePEM, to: "cert.pem"),
      "--tls-key", try directory.write(leaf.keyPEM, to: "key.pem"),
    ]
    let key = directory.path("key.pem")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)

    // Before the first start, there is neither a store nor a secret.
    var (code, results) = try await check(apns)
    #expect(code == .success)
    #expect(results["secret-key"]?["result"] == "note")
    #expect(results["database"]?["result"] == "note")
    #expect(!FileManager.default.fileExists(atPath: data))

    let serve = try #require(await RunningServe.start(["--data", data] + apns))
    (code, results) = try await check(apns + tls)
    #expect(code == .success)
    #expect(results["apns"]?["result"] == "ok")
    #expect(results["apns"]?["message"]?.string?.contains("127.0.0.1 port") == true)
    #expect(results["database"]?["result"] == "ok")
    #expect(results["secret-key-mode"]?["result"] == "ok")
    #expect(results["certificate"]?["result"] == "warning")
    let strict = try await check(apns + tls + ["--fail-on", "warning"])
    #expect(strict.code == .failure)

    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: data + "/secret.key")
    (code, results) = try await check(apns, environment: ["MARTLET_WORKER": "3"])
    #expect(code == .failure)
    #expect(results["secret-key-mode"]?["advice"]?.string?.contains("chmod 600") == true)
    #expect(
      results["unknown-variable"]?["message"]?.string?.contains("MARTLET_WORKERS") == true)
    #expect(await serve.stop() == .success)
    #expect(await sandbox.stop() == .success)
    #expect(try await check(apns).results["apns"]?["result"] == "error")
  }

  @Test("the way to APNs goes through the proxy that is set, whose refusal is the finding")
  func proxy() async throws {
    let requests = Mutex<[String]>([])
    let listener = try LoopbackListener()
    listener.start { connection in
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(connection, &bytes, bytes.count)
      guard count > 0 else { return }
      requests.withLock { [bytes] in $0.append(String(decoding: bytes[..<count], as: UTF8.self)) }
      let answer = Array("HTTP/1.1 403 Forbidden\r\n\r\n".utf8)
      _ = write(connection, answer, answer.count)
    }
    defer { listener.stop() }
    let environment = ["MARTLET_APNS_PROXY": "http://me:hunter2@127.0.0.1:\(listener.port)"]
    let (code, results) = try await check([], environment: environment)
    #expect(code == .failure)
    let message = try #require(results["apns"]?["message"]?.string)
    #expect(message.contains("through the proxy 127.0.0.1 port \(listener.port)"))
    #expect(message.contains("403"))
    #expect(!"\(results)".contains("hunter2"))
    let asked = requests.withLock(\.self)
    for host in ["api.push.apple.com", "api.sandbox.push.apple.com"] {
      #expect(asked.contains { $0.hasPrefix("CONNECT \(host):443 HTTP/1.1\r\n") }, "\(host)")
    }
    #expect(asked.allSatisfy { $0.contains("Proxy-Authorization: Basic bWU6aHVudGVyMg==") })
  }

  @Test(
    "a proxy that is no address is refused, and so is a password on the command line",
    arguments: [
      "https://proxy:3128", "proxy:3128", "http://proxy", "http://proxy:3128/path",
      "http://me:hunter2@proxy:3128",
    ])
  func badProxy(url: String) async {
    let console = ServeConsole()
    let line = ["check-server", "--data", data, "--apns-proxy", url]
    #expect(await console.run(line) == .invalidInput)
    #expect(console.errors.count == 1)
    #expect(console.errors.first?.contains("--apns-proxy") == true)
    #expect(console.errors.first?.contains("hunter2") == false)
  }

  @Test("the settings of a PostgreSQL server are read from it")
  func postgreSQL() async throws {
    guard PostgreSQLCluster.isInstalled else { return }
    try await PostgreSQLCluster().use { cluster in
      let environment = ["MARTLET_DATABASE": cluster.url]
      let closed = ["--apns", "https://127.0.0.1:1"]
      let serve = try #require(
        await RunningServe.start(["--data", data], environment: environment))
      try await cluster.query("ALTER SYSTEM SET synchronous_commit = off")
      try await cluster.query("SELECT pg_reload_conf()")
      let (code, results) = try await check(closed, environment: environment)
      #expect(code == .failure)
      #expect(results["postgresql-version"]?["message"]?.string?.hasPrefix("PostgreSQL ") == true)
      #expect(results["postgresql-connections"]?["result"] == "ok")
      #expect(results["postgresql-synchronous-commit"]?["result"] == "warning")
      #expect(await serve.stop() == .success)
    }
    let gone = ["MARTLET_DATABASE": "postgres://me:hunter2@127.0.0.1:1/martlet"]
    let (code, results) = try await check(["--apns", "https://127.0.0.1:1"], environment: gone)
    #expect(code == .failure)
    #expect(results["database"]?["result"] == "error")
    #expect(!"\(results)".contains("hunter2"))
  }

  @Test("the text has one line a check with its fix, and --quiet leaves out what is ok")
  func text() async throws {
    let options = ["--data", data, "--apns", "https://127.0.0.1:1"]
    let console = ServeConsole()
    #expect(await console.run(["check-server"] + options) == .failure)
    #expect(console.output.contains { $0.hasPrefix("ok: the options are good [configuration]") })
    #expect(console.output.contains { $0.hasPrefix("error: 127.0.0.1 port 1 does not answer") })
    #expect(console.output.joined(separator: "\n").contains("\n  fix  "))
    let quiet = ServeConsole()
    #expect(await quiet.run(["check-server", "--quiet"] + options) == .failure)
    #expect(!quiet.output.contains { $0.hasPrefix("ok:") })
    #expect(quiet.output.last?.contains("1 error") == true)
  }
}
