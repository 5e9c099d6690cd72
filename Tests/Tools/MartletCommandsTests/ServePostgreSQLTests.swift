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

  @Test("the secret of two nodes is rotated while both serve, and each gets it as a file")
  func rotation() async throws {
    try await PostgreSQLCluster().use { cluster in
      let key = try directory.write(OpenSSLCrypto.makeP256KeyPEM(), to: "key.p8")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
      func makeApp(_ place: [String]) async -> ServeConsole {
        let console = ServeConsole()
        _ = await console.run(
          [
            "apps", "create", "--bundle-id", "com.example.app", "--team-id", "TEAM123456",
            "--key-id", "KEY1234567", "--key-file", key,
          ] + place)
        return console
      }
      let folders = ["one", "two"].map { directory.path($0) }
      let files = folders.map { $0 + "/secret.key" }
      func copy() throws {
        let bytes = try #require(try PrivateFile(files[0]).read(upTo: 100))
        try PrivateFile(files[1]).replace(bytes)
      }
      func size(_ file: String) throws -> Int? { try PrivateFile(file).read(upTo: 100)?.count }
      func start(_ folder: String) async throws -> RunningServe {
        try #require(
          await RunningServe.start(["--data", folder, "--database", cluster.url]))
      }
      let first = try await start(folders[0])
      try FileManager.default.createDirectory(atPath: folders[1], withIntermediateDirectories: true)
      // A node with a secret of its own is refused before it encrypts anything.
      let alien = ServeConsole()
      try PrivateFile(files[1]).create([UInt8](repeating: 7, count: 32))
      #expect(
        await alien.run(["serve", "--data", folders[1], "--database", cluster.url]) == .failure)
      #expect(alien.errors.first?.contains("copy it from the node") == true, "\(alien.errors)")
      try copy()
      let second = try await start(folders[1])
      let admin = ["--api-key-file", folders[0] + "/admin.key"]
      let nodes = [first, second].map { ["--server", $0.url] + admin }

      let rotate = ["secret-key", "rotate", "--data", folders[0], "--database", cluster.url]
      #expect(try await run(rotate + ["--json"])["state"] == "added")
      #expect(try size(files[0]) == 64)
      // Until the file is everywhere the older secret encrypts.
      for place in nodes { #expect(await makeApp(place).errors.isEmpty) }
      try copy()
      let result = try await run(rotate + ["--json"])
      #expect(result["state"] == "rotated" && result["values"] == 2)
      for place in nodes { #expect(await makeApp(place).errors.isEmpty) }
      #expect(try size(files[0]) == 32)
      try copy()
      for place in nodes { #expect(await makeApp(place).errors.isEmpty) }

      // The second node without its copy: nothing is stored with the old secret, in words.
      let old = try #require(try PrivateFile(files[1]).read(upTo: 100))
      #expect(try await run(rotate + ["--json"])["state"] == "added")
      #expect(try await run(rotate + ["--json"])["values"] == 6)
      let refused = await makeApp(nodes[1])
      #expect(refused.errors.first?.contains("answered 503") == true, "\(refused.errors)")
      #expect(
        second.console.errors.contains { $0.contains("copy the file secret.key from the node") },
        "\(second.console.errors)")
      #expect(try PrivateFile(files[1]).read(upTo: 100) == old)
      try copy()
      for place in nodes { #expect(await makeApp(place).errors.isEmpty) }
      #expect(await first.stop() == .success)
      #expect(await second.stop() == .success)
    }
  }

  @Test(
    "without its database a node is not ready and answers 503; it serves again with the database")
  func outage() async throws {
    try await PostgreSQLCluster().use { cluster in
      let serve = try #require(
        await RunningServe.start(["--data", data, "--database", cluster.url]))
      let key = try String(contentsOfFile: data + "/admin.key", encoding: .utf8).dropLast()
      func ask(_ path: String) async -> (head: String, body: String) {
        await answer(to: serve.url + path, key: String(key))
      }
      // Ready once the audiences are indexed, which begins with the server.
      while await ask("/readyz").head != "200 " { await Task.yield() }
      #expect(await ask("/v6/apps").head == "200 ")
      try await cluster.stop()
      #expect(await ask("/readyz").head == "503 1")
      #expect(await ask("/healthz").head == "200 ")
      #expect(await ask("/v6/apps").head == "503 1")
      try await cluster.start()
      #expect(await ask("/v6/apps").head == "200 ")
      #expect(await ask("/readyz").head == "200 ")
      #expect(await serve.stop() == .success)
    }
  }

  @Test("a node that a newer schema shut out is not ready, and says what to do")
  func shutOut() async throws {
    try await PostgreSQLCluster().use { cluster in
      let serve = try #require(
        await RunningServe.start(["--data", data, "--database", cluster.url]))
      let key = try String(contentsOfFile: data + "/admin.key", encoding: .utf8).dropLast()
      func ask(_ path: String) async -> (head: String, body: String) {
        await answer(to: serve.url + path, key: String(key))
      }
      while await ask("/readyz").head != "200 " { await Task.yield() }
      // What a breaking step leaves behind. The node's connections end with the lock of nodes.
      try await cluster.query("UPDATE martlet_schema SET version = 999, oldest_user = 999")
      try await cluster.query(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_locks WHERE locktype = 'advisory'")
      for path in ["/readyz", "/v6/apps"] {
        let answer = await ask(path)
        #expect(answer.head == "503 1", "\(answer)")
        #expect(answer.body.contains("schema version 999"), "\(answer)")
        #expect(answer.body.contains("run the newer martlet"), "\(answer)")
      }
      #expect(await ask("/healthz").head == "200 ")
      #expect(await serve.stop() == .success)
    }
  }

  /// The status and the Retry-After of an answer, with a space between them, and its body.
  private func answer(to url: String, key: String) async -> (head: String, body: String) {
    let output = await runProgram(
      "/usr/bin/curl",
      ["-s", "-w", "\n%{http_code} %header{retry-after}", "-u", ":" + key, url]
    ).output
    let end = output.lastIndex(of: "\n") ?? output.startIndex
    return (String(output[end...].dropFirst()), String(output[..<end]))
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
          "no server listens at this host and port: check both, and whether the server runs")
          == true, "\(console.errors)")
      #expect(!console.errors.joined().contains("secret"))
    }
  }
}
