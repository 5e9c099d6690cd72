import Foundation
import PushPayload
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import MartletCommands

@Suite(
  "martlet on PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct ServePostgreSQLTests {
  let directory = TemporaryFolder()
  var data: String { directory.path("data") }

  private func run(_ line: [String], _ environment: [String: String] = [:]) async throws
    -> JSONValue
  {
    let console = ServeConsole(environment: environment)
    #expect(await console.run(line) == .success, "\(console.errors)")
    return try JSONValue(parsing: console.output.first ?? "")
  }

  @Test("serve, apps, keys and devices share a database, named by option, environment or file")
  func commands() async throws {
    try await PostgreSQLCluster().use { cluster in
      let url = cluster.url
      let environment = ["MARTLET_DATABASE": url]
      let key = try directory.write(OpenSSLCrypto.makeP256KeyPEM(), to: "key.p8")
      let app = try await run(
        [
          "apps", "create", "--bundle-id", "com.example.app", "--team-id", "TEAM123456",
          "--key-id", "KEY1234567", "--key-file", key, "--data", data, "--json",
        ], environment)
      let id = try #require(app["id"]?.string)
      let config = try directory.write(
        String(decoding: JSONValue.object(["database": .string(url)]).serialized(), as: UTF8.self),
        to: "martlet.json")
      #expect(
        await ServeConsole().run(["serve", "--data", data, "--config", config, "--check"])
          == .success)

      let serve = try #require(
        await RunningServe.start(["--data", data, "--config", config]), "it did not start")
      let csv = try directory.write("token,os_name\naabb,iOS\n", to: "devices.csv")
      let admin = data + "/admin.key"
      let report = try await run([
        "devices", "import", "--app", id, csv, "--server", serve.url, "--api-key-file", admin,
        "--json",
      ])
      #expect(report["accepted"] == 1)
      // Beside a node that serves: what it makes is served at once.
      let made = try await run(
        [
          "keys", "create", "--app", id, "--role", "push", "--database", url, "--data", data,
          "--json",
        ])
      let client = ServerClient(base: serve.url, key: try #require(made["key"]?.string))
      #expect(try await client.request("GET", "/v6/notifications")["meta"]?["total"] == 0)
      // A second node wants a directory of its own.
      let second = ServeConsole(environment: environment)
      #expect(await second.run(["serve", "--listen", "127.0.0.1:0", "--data", data]) == .failure)
      #expect(second.errors.first?.contains("name another --data") == true)
      #expect(await serve.stop() == .success)
    }
  }

  @Test(
    "without its database a node is not ready and answers 503; it serves again with the database")
  func outage() async throws {
    try await PostgreSQLCluster().use { cluster in
      let serve = try #require(
        await RunningServe.start(["--data", data, "--database", cluster.url]))
      let admin = try String(contentsOfFile: data + "/admin.key", encoding: .utf8)
      func ask(_ path: String) async -> String {
        await runProgram(
          "/usr/bin/curl",
          [
            "-s", "-o", "/dev/null", "-w", "%{http_code} %header{retry-after}", "-u",
            ":" + admin.dropLast(), serve.url + path,
          ]
        ).output
      }
      // Ready once the audiences are indexed, which begins with the server.
      while await ask("/readyz") != "200 " { await Task.yield() }
      #expect(await ask("/v6/apps") == "200 ")
      try await cluster.stop()
      #expect(await ask("/readyz") == "503 1")
      #expect(await ask("/healthz") == "200 ")
      #expect(await ask("/v6/apps") == "503 1")
      try await cluster.start()
      #expect(await ask("/v6/apps") == "200 ")
      #expect(await ask("/readyz") == "200 ")
      #expect(await serve.stop() == .success)
    }
  }

  @Test("text that PostgreSQL cannot store is 422 with a message")
  func refused() async throws {
    try await PostgreSQLCluster().use { cluster in
      let url = cluster.url
      let key = try directory.write(OpenSSLCrypto.makeP256KeyPEM(), to: "key.p8")
      let app = try await run([
        "apps", "create", "--bundle-id", "com.example.app", "--team-id", "TEAM123456",
        "--key-id", "KEY1234567", "--key-file", key, "--data", data, "--database", url, "--json",
      ])
      let serve = try #require(await RunningServe.start(["--data", data, "--database", url]))
      let admin = try #require(app["keys"]?["admin"]?.string)
      let answer = await runProgram(
        "/usr/bin/curl",
        [
          "-s", "-w", " %{http_code}", "-u", ":" + admin, "-X", "PUT", "-H",
          "Content-Type: application/json", "-d",
          #"{"device":{"push_token":"aabb","user_id":"a\u0000b"}}"#,
          serve.url + "/v6/devices/0123456789abcdef0123456789abcdef",
        ])
      #expect(answer.output.hasSuffix(" 422"), "\(answer.output)")
      #expect(answer.output.contains("U+0000"), "\(answer.output)")
      #expect(await serve.stop() == .success)
    }
  }

  @Test(
    "a password on the command line is refused, since others can read it",
    arguments: [
      "postgres://martlet:secret@db/martlet", "postgresql://a,b/x?password=secret",
      "postgres://martlet:secret@a,b/martlet", "postgres://db/x?sslpassword=secret",
    ])
  func password(url: String) async {
    for command in [["serve"], ["apps", "list"], ["keys", "list", "--app", "x"]] {
      let console = ServeConsole()
      #expect(await console.run(command + ["--data", data, "--database", url]) == .invalidInput)
      #expect(console.errors.first?.contains("MARTLET_DATABASE") == true, "\(console.errors)")
      #expect(!console.errors.joined().contains("secret"))
    }
  }

  @Test("an address without a database fails at once, with the fix and without the password")
  func wrongAddress() async {
    for command in [["serve"], ["serve", "--check"], ["apps", "list"]] {
      let console = ServeConsole(
        environment: ["MARTLET_DATABASE": "postgres://martlet:secret@127.0.0.1:1/martlet"])
      #expect(await console.run(command + ["--data", data]) == .failure)
      #expect(
        console.errors.first?.contains(
          "check the address, the password and whether the server runs")
          == true, "\(console.errors)")
      #expect(!console.errors.joined().contains("secret"))
    }
  }
}
