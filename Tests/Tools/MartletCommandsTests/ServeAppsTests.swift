import Foundation
import PushPayload
import Synchronization
import TestSupport
import Testing
import _HTTPServer
import _OpenSSLCrypto

@testable import MartletCommands

@Suite("martlet apps, keys and devices", .timeLimit(.minutes(10)))
struct ServeAppsTests {
  let directory = TemporaryFolder()
  var data: String { directory.path("data") }

  private func appLine(_ more: [String]) throws -> [String] {
    let key = try directory.write(OpenSSLCrypto.makeP256KeyPEM(), to: "key.p8")
    return [
      "apps", "create", "--bundle-id", "com.example.app", "--team-id", "TEAM123456", "--key-id",
      "KEY1234567", "--key-file", key, "--json",
    ] + more
  }

  private func run(_ line: [String]) async throws -> JSONValue {
    let console = ServeConsole()
    #expect(await console.run(line) == .success, "\(console.errors)")
    #expect(console.output.count == 1)
    return try JSONValue(parsing: console.output.first ?? "")
  }

  @Test("an app and a key that are made in the store beside a running serve work at once")
  func beside() async throws {
    let serve = try #require(await RunningServe.start(["--data", data]))
    let app = try await run(try appLine(["--data", data]))
    let id = try #require(app["id"]?.string)
    #expect(Set(app["keys"]?.object?.keys ?? [:].keys) == ["push", "analytics", "device", "admin"])
    let created = try await run(
      ["keys", "create", "--app", id, "--role", "admin", "--data", data, "--json"])
    let key = try directory.write(try #require(created["key"]?.string), to: "new.key")
    let csv = try directory.write("token,os_name\naabb,iOS\nzz,iOS\n", to: "devices.csv")

    // The store is the server's while it runs.
    let refused = ServeConsole()
    let line = ["devices", "import", "--app", id, csv]
    #expect(await refused.run(line + ["--data", data]) == .failure)
    #expect(refused.errors.first?.contains("--server URL") == true)

    let console = ServeConsole()
    #expect(await console.run(line + ["--server", serve.url, "--api-key-file", key]) == .failure)
    #expect(console.output == ["1 devices accepted, 1 rows rejected"])
    #expect(console.errors == ["line 3: token must be an even number of hex digits, 2 to 400"])

    // The server's own key works for every app.
    let admin = data + "/admin.key"
    let again = ServeConsole()
    #expect(
      await again.run(line + ["--server", serve.url, "--api-key-file", admin, "--json"]) == .failure
    )
    #expect(again.output.first?.contains(#""accepted":1"#) == true)
    #expect(await serve.stop() == .success)
  }

  @Test("over HTTP the admin key, from a file or the environment, makes an app")
  func overHTTP() async throws {
    let serve = try #require(await RunningServe.start(["--data", data]))
    let admin = data + "/admin.key"
    let app = try await run(try appLine(["--server", serve.url, "--api-key-file", admin]))
    let key = try String(contentsOfFile: admin, encoding: .utf8)
      .trimmingCharacters(in: .newlines)
    let console = ServeConsole(environment: ["MARTLET_API_KEY": key])
    #expect(await console.run(["apps", "list", "--server", serve.url]) == .success)
    let id = try #require(app["id"]?.string)
    #expect(console.output == ["\(id)  com.example.app  com.example.app"])

    let none = ServeConsole()
    #expect(await none.run(["apps", "list", "--server", serve.url]) == .invalidInput)
    let wrong = ServeConsole(environment: ["MARTLET_API_KEY": "wrong"])
    #expect(await wrong.run(["apps", "list", "--server", serve.url]) == .failure)
    #expect(wrong.errors.first?.contains("the server answered 401: unauthorized") == true)
    #expect(await serve.stop() == .success)
    let gone = ServeConsole(environment: ["MARTLET_API_KEY": key])
    #expect(await gone.run(["apps", "list", "--server", serve.url]) == .failure)
    #expect(gone.errors.first?.contains("is martlet serve running there?") == true)
  }

  @Test("a redirect is refused, and nothing counts as made", arguments: [301, 302, 303, 307, 308])
  func redirect(status: Int) async throws {
    let paths = Mutex<[String]>([])
    let server = try HTTPServer(HTTPServer.Configuration()) { request in
      paths.withLock { $0.append(request.path) }
      guard request.path != "/there" else {
        return HTTPResponse(status: 200, body: Array(#"{"id":"there","keys":{}}"#.utf8))
      }
      return HTTPResponse(status: status, headers: [("Location", "/there")])
    }
    let console = ServeConsole(environment: ["MARTLET_API_KEY": "key"])
    let line = try appLine(["--server", "http://127.0.0.1:\(server.port)"])
    #expect(await console.run(line) == .failure)
    await server.stop()
    #expect(console.output == [])
    #expect(
      console.errors.last?.contains("the server answered \(status), a redirect") == true,
      "\(console.errors)")
    #expect(paths.withLock(\.self) == ["/v6/apps"])
  }

  @Test("an answer that is not JSON is refused, and nothing counts as made")
  func otherServer() async throws {
    let server = try HTTPServer(HTTPServer.Configuration()) { _ in
      HTTPResponse(status: 200, body: Array("<p>Welcome</p>".utf8))
    }
    let console = ServeConsole(environment: ["MARTLET_API_KEY": "key"])
    let line = try appLine(["--server", "http://127.0.0.1:\(server.port)"])
    #expect(await console.run(line) == .failure)
    await server.stop()
    #expect(console.output == [])
    #expect(console.errors.last?.contains("is not one of martlet serve") == true)
  }

  @Test("devices are imported into a store that no serve uses")
  func importing() async throws {
    let app = try await run(try appLine(["--data", data]))
    let id = try #require(app["id"]?.string)
    let csv = try directory.write("token,os_name\naabb,iOS\nccdd,iOS\n", to: "devices.csv")
    let report = try await run(
      ["devices", "import", "--app", id, csv, "--data", data, "--json"])
    #expect(report["accepted"] == 2 && report["rejected"] == 0)
    let missing = ServeConsole()
    #expect(
      await missing.run(["devices", "import", "--app", "none", csv, "--data", data]) == .failure)
    #expect(missing.errors.first?.contains("martlet apps list names them") == true)
  }

  @Test(
    "a key file that others can read gives a warning, and the app is made",
    arguments: [(0o644, true), (0o600, false)])
  func exposedKey(mode: Int, isExposed: Bool) async throws {
    let line = try appLine(["--data", data])
    let key = directory.path("key.p8")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: key)
    let console = ServeConsole()
    #expect(await console.run(line) == .success)
    let warning = "martlet apps create: others than its owner may read \(key): run chmod 600 on it"
    #expect(console.errors == (isExposed ? [warning] : []))
  }

  @Test("an error in the command line is named and ends with 2")
  func usage() async throws {
    let key = try directory.write("text", to: "bad.p8")
    let table: [([String], String)] = [
      (["apps", "create"], "missing --bundle-id ID"),
      (["apps", "create", "--bundle-id", "a"], "missing --team-id TEAM"),
      (["keys", "create"], "missing --role"),
      (["keys", "create", "--role", "push"], "missing --app ID"),
      (["keys", "create", "--app", "a", "--role", "king"], "--role takes push"),
      (["devices", "import", "--app", "a"], "missing FILE"),
      (["devices", "import", "f.csv"], "missing --app ID"),
      (["apps", "list", "--server", "ftp://x"], "--server takes http://HOST:PORT"),
      (
        [
          "apps", "create", "--bundle-id", "a b", "--team-id", "TEAM123456", "--key-id",
          "KEY1234567", "--key-file",
          key,
        ], "--bundle-id must be a bundle id"
      ),
      (
        [
          "apps", "create", "--bundle-id", "a", "--team-id", "T", "--key-id", "K", "--key-file",
          key,
        ],
        "--team-id must be the team id of 10 capital letters and digits"
      ),
    ]
    for (line, message) in table {
      let console = ServeConsole(environment: ["MARTLET_API_KEY": "k"])
      #expect(await console.run(line) == .invalidInput)
      #expect(console.errors.first?.contains(message) == true, "\(console.errors)")
    }
    let bad = ServeConsole()
    #expect(
      await bad.run([
        "apps", "create", "--bundle-id", "a", "--team-id", "TEAM123456", "--key-id", "KEY1234567",
        "--key-file", key,
        "--data", data,
      ]) == .failure)
    #expect(bad.errors.first?.contains("must be the text of a p8 file") == true)
  }
}
