import Foundation
import PushModel
import PushPayload
import PushServer
import PushStore
import TestSupport
import Testing
import _OpenSSLCrypto
import _SQLite

@testable import MartletCommands

@Suite("martlet keys create", .timeLimit(.minutes(10)))
struct ServeKeysTests {
  let directory = TemporaryFolder()
  var data: String { directory.path("data") }

  private func makeApp() async throws -> String {
    let console = ServeConsole()
    let key = try directory.write(OpenSSLCrypto.makeP256KeyPEM(), to: "key.p8")
    let line = [
      "apps", "create", "--bundle-id", "com.example.app", "--team-id", "TEAM123456", "--key-id",
      "KEY1234567", "--key-file", key, "--data", data, "--json",
    ]
    #expect(await console.run(line) == .success, "\(console.errors)")
    return try JSONValue(parsing: console.output.first ?? "")["id"]?.string ?? ""
  }

  /// The status of a request with a key, and its headers.
  private func get(_ url: String, key: String) async -> String {
    await runProgram(
      "/usr/bin/curl",
      ["--silent", "--include", "--max-time", "30", "--user", ":\(key)", url + "/v6/notifications"]
    ).output
  }

  @Test(
    "the limits of a key apply, whether it is made in the store or over HTTP", arguments: [0, 1])
  func limits(way: Int) async throws {
    let id = try await makeApp()
    let serve = try #require(await RunningServe.start(["--data", data]))
    let place =
      way == 0
      ? ["--data", data] : ["--server", serve.url, "--api-key-file", data + "/admin.key"]
    let line = ["keys", "create", "--app", id, "--role", "push"] + place

    let away = ServeConsole()
    let ranges = ["--allow", "192.0.2.0/24", "--allow", "2001:db8::/32"]
    #expect(await away.run(line + ranges + ["--json"]) == .success, "\(away.errors)")
    let made = try JSONValue(parsing: away.output.first ?? "")
    #expect(made["role"] == "push")
    #expect(made["allow"] == ["192.0.2.0/24", "2001:db8::/32"])
    let refused = await get(serve.url, key: made["key"]?.string ?? "")
    #expect(refused.hasPrefix("HTTP/1.1 403"))
    #expect(
      refused.hasSuffix(
        #"{"error":"this key is not allowed from your address; take another key, or one that allows it"}"#
      ))

    // Here, and once a second: the second request may come in another second, the burst is one.
    let here = ServeConsole()
    let slow = ["--allow", "127.0.0.0/8", "--per-second=1"]
    #expect(await here.run(line + slow) == .success, "\(here.errors)")
    let key = try #require(here.output.first)
    #expect(key.hasPrefix("mk_"))
    #expect(await get(serve.url, key: key).hasPrefix("HTTP/1.1 200"))
    var answer = ""
    repeat { answer = await get(serve.url, key: key) } while answer.hasPrefix("HTTP/1.1 200")
    #expect(answer.hasPrefix("HTTP/1.1 429"))
    #expect(answer.contains("Retry-After: 1\r\n"))
    #expect(await serve.stop() == .success)
  }

  @Test(
    "a device key is made for development, which the list shows, in the store and over HTTP",
    arguments: [0, 1])
  func development(way: Int) async throws {
    let id = try await makeApp()
    let serve = try #require(await RunningServe.start(["--data", data]))
    let place =
      way == 0
      ? ["--data", data] : ["--server", serve.url, "--api-key-file", data + "/admin.key"]
    func create(_ role: String) async -> (ExitCode, ServeConsole) {
      let console = ServeConsole()
      let line = ["keys", "create", "--app", id, "--role", role, "--development", "--json"]
      return (await console.run(line + place), console)
    }
    let (code, console) = await create("device")
    #expect(code == .success, "\(console.errors)")
    #expect(try JSONValue(parsing: console.output.first ?? "")["development"] == true)
    let (refused, errors) = await create("push")
    #expect(refused == .invalidInput)
    #expect(errors.errors.contains { $0.contains("--development is for a key of the role device") })
    let list = ServeConsole()
    #expect(await list.run(["keys", "list", "--app", id] + place) == .success, "\(list.errors)")
    #expect(list.output.count { $0.hasSuffix("  development") } == 1)
    #expect(await serve.stop() == .success)
  }

  @Test(
    "a key is made with an end, which the list shows, in the store and over HTTP",
    arguments: [0, 1])
  func expiry(way: Int) async throws {
    let id = try await makeApp()
    let serve = try #require(await RunningServe.start(["--data", data]))
    let place =
      way == 0
      ? ["--data", data] : ["--server", serve.url, "--api-key-file", data + "/admin.key"]
    let line = ["keys", "create", "--app", id, "--role", "push", "--json"] + place
    func made(_ expires: String) async throws -> JSONValue {
      let console = ServeConsole()
      #expect(await console.run(line + ["--expires", expires]) == .success, "\(console.errors)")
      return try JSONValue(parsing: console.output.first ?? "")
    }
    let dated = try await made("2100-01-31")
    #expect(dated["expires_at"] == "2100-01-31T00:00:00.000Z")
    #expect(await get(serve.url, key: dated["key"]?.string ?? "").hasPrefix("HTTP/1.1 200"))
    let before = ServerClock.system.now()
    let later = try await made("90d")
    let end = try #require(Timestamp(iso8601: later["expires_at"]?.string ?? ""))
    #expect(end >= before + .seconds(90 * 86_400))
    #expect(end <= ServerClock.system.now() + .seconds(90 * 86_400))

    // The shortest life: by the time of the request it is over.
    let store = try SQLitePushStore(path: data + "/martlet.sqlite")
    let (key, record) = APIKey.make(
      role: .push, app: id, limits: .init(expiresAt: before), at: before)
    try await store.add(record)
    let refused = await get(serve.url, key: key)
    #expect(refused.hasPrefix("HTTP/1.1 401"))
    #expect(refused.hasSuffix(#"{"code":"key_expired","error":"unauthorized"}"#), "\(refused)")

    let list = ServeConsole()
    #expect(await list.run(["keys", "list", "--app", id] + place) == .success, "\(list.errors)")
    #expect(list.output.contains { $0.hasSuffix("  expires 2100-01-31T00:00:00.000Z") })
    #expect(list.output.contains { $0.hasSuffix("  expired " + before.iso8601) })
    #expect(await serve.stop() == .success)
  }

  @Test(
    "a time from now ends after it, and a date at it; a date must be in the future",
    arguments: [
      (["--expires", "1ms"], Duration.milliseconds(1)),
      (["--expires", "36500d"], KeyExpiry.longest),
      (["--expires", "2023-11-14T22:13:20.001Z"], .milliseconds(1)),
    ])
  func moments(options: [String], life: Duration) throws {
    let now = Timestamp(milliseconds: 1_700_000_000_000)
    let expiry = try #require(try KeyExpiry.option.read([options[1]]))
    #expect(try expiry.moment(from: now) == now + life)
    let past = try #require(try KeyExpiry.option.read(["2023-11-14T22:13:20Z"]))
    #expect(throws: UsageError.self) { try past.moment(from: now) }
  }

  @Test(
    "keys are listed and revoked, and an app deleted, in the store and over HTTP",
    arguments: [0, 1])
  func removal(way: Int) async throws {
    let id = try await makeApp()
    let serve = try #require(await RunningServe.start(["--data", data]))
    let place =
      way == 0
      ? ["--data", data] : ["--server", serve.url, "--api-key-file", data + "/admin.key"]
    let made = ServeConsole()
    #expect(
      await made.run(["keys", "create", "--app", id, "--role", "push", "--json"] + place)
        == .success)
    let key = try JSONValue(parsing: made.output.first ?? "")
    #expect(await get(serve.url, key: key["key"]?.string ?? "").hasPrefix("HTTP/1.1 200"))

    let list = ServeConsole()
    #expect(
      await list.run(["keys", "list", "--app", id, "--json"] + place) == .success, "\(list.errors)")
    let keys = try JSONValue(parsing: list.output.first ?? "").array ?? []
    #expect(keys.count == 5 && keys.contains { $0["id"] == key["id"] })
    #expect(keys.allSatisfy { $0["key"] == nil })

    let line = ["keys", "revoke", key["id"]?.string ?? ""] + place
    let revoked = ServeConsole()
    #expect(await revoked.run(line) == .success, "\(revoked.errors)")
    #expect(await get(serve.url, key: key["key"]?.string ?? "").hasPrefix("HTTP/1.1 401"))
    #expect(await ServeConsole().run(line) == .failure)

    let deleted = ServeConsole()
    #expect(await deleted.run(["apps", "delete", id] + place) == .success, "\(deleted.errors)")
    #expect(deleted.output == ["deleted \(id)"])
    #expect(await ServeConsole().run(["apps", "delete", id] + place) == .failure)
    #expect(await ServeConsole().run(["apps", "delete"] + place) == .invalidInput)
    #expect(await serve.stop() == .success)
  }

  @Test("the server's own key is rotated while it serves, which the audit log records")
  func rotation() async throws {
    let id = try await makeApp()
    let serve = try #require(await RunningServe.start(["--data", data]))
    let old = try String(contentsOfFile: data + "/admin.key", encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    func status(_ key: String) async -> String {
      await runProgram(
        "/usr/bin/curl",
        ["-s", "-o", "/dev/null", "-w", "%{http_code}", "-u", ":" + key, serve.url + "/v6/apps"]
      ).output
    }
    func keys() async throws -> [String] {
      let list = ServeConsole()
      #expect(
        await list.run(["keys", "list", "--data", data, "--json"]) == .success, "\(list.errors)")
      let keys = try JSONValue(parsing: list.output.first ?? "").array ?? []
      #expect(keys.allSatisfy { $0["role"] == "server" && $0["key"] == nil })
      return keys.compactMap { $0["id"]?.string }
    }
    let first = try #require(try await keys().first)
    let made = ServeConsole()
    #expect(
      await made.run(["keys", "create", "--role", "server", "--data", data]) == .success,
      "\(made.errors)")
    let new = try #require(made.output.first)
    #expect(await status(new) == "200")
    #expect(try await keys().count == 2)
    let revoked = ServeConsole()
    #expect(await revoked.run(["keys", "revoke", first, "--data", data]) == .success)
    #expect(await status(old) == "401")
    #expect(await status(new) == "200")

    let store = try SQLitePushStore(path: data + "/martlet.sqlite")
    let entries = try await store.audit(app: nil, after: nil, limit: 9).elements
    let actions = entries.filter { $0.action != "key.refused" }
    #expect(entries.count == actions.count + 1, "the refusal of the old key")
    #expect(actions.map(\.action) == ["key.revoke", "key.create", "app.create"])
    #expect(actions.map(\.object) == [first, actions[1].object, id])
    #expect(actions.allSatisfy { $0.key == nil })
    #expect(await serve.stop() == .success)
  }

  @Test(
    "the server's keys have no app and cannot be made or listed over HTTP",
    arguments: [
      (["create", "--role", "server", "--app", "a"], "leave out --app"),
      (["create", "--role", "push"], "--app"),
      (["create", "--role", "server", "--server", "http://localhost:1"], "use --data"),
      (["list", "--server", "http://localhost:1"], "use --data"),
    ])
  func serverUsage(words: [String], message: String) async {
    let console = ServeConsole()
    #expect(await console.run(["keys"] + words) == .invalidInput)
    #expect(console.errors.first?.contains(message) == true, "\(console.errors)")
  }

  @Test("the server's keys are not made or listed with the server of the environment")
  func environmentServer() async {
    for words in [["create", "--role", "server"], ["list"]] {
      let console = ServeConsole(environment: ["MARTLET_SERVER": "http://localhost:1"])
      #expect(await console.run(["keys"] + words) == .invalidInput)
      #expect(console.errors.first?.contains("use --data") == true, "\(console.errors)")
    }
  }

  @Test(
    "a damaged key keeps neither itself nor another one from being revoked",
    arguments: [0, 1], [false, true])
  func damaged(way: Int, namesApp: Bool) async throws {
    let app = try await makeApp()
    let list = ServeConsole()
    let store = ["--data", data]
    #expect(await list.run(["keys", "list", "--app", app, "--json"] + store) == .success)
    let keys = try JSONValue(parsing: list.output.first ?? "").array ?? []
    let serve = try #require(await RunningServe.start(store))
    let damaged = try SQLiteConnection(path: data + "/martlet.sqlite", busyTimeout: .seconds(5))
    try damaged.execute("UPDATE keys SET allow = '[' WHERE role = 'device'")
    let place =
      (way == 0 ? store : ["--server", serve.url, "--api-key-file", data + "/admin.key"])
      + (namesApp ? ["--app", app] : [])
    for role in ["push", "device"] {
      let id = try #require(keys.first { $0["role"]?.string == role }?["id"]?.string)
      let revoke = ServeConsole()
      #expect(await revoke.run(["keys", "revoke", id] + place) == .success, "\(revoke.errors)")
      #expect(revoke.output == ["revoked \(id)"])
      let again = ServeConsole()
      #expect(await again.run(["keys", "revoke", id] + place) == .failure)
    }
    #expect(await serve.stop() == .success)
  }

  @Test("changes of apps, keys and devices in the store are in the audit log")
  func audited() async throws {
    let id = try await makeApp()
    let csv = try directory.write("token,os_name\naa01,iOS\n", to: "devices.csv")
    let place = ["--data", data]
    let made = ServeConsole()
    #expect(
      await made.run(["keys", "create", "--app", id, "--role", "push", "--json"] + place)
        == .success)
    let key = try JSONValue(parsing: made.output.first ?? "")["id"]?.string ?? ""
    for line in [["keys", "revoke", key], ["devices", "import", "--app", id, csv]] {
      #expect(await ServeConsole().run(line + place) == .success)
    }
    let store = try SQLitePushStore(path: data + "/martlet.sqlite")
    let entries = try await store.audit(app: id, after: nil, limit: 9).elements
    #expect(entries.map(\.action) == ["devices.import", "key.revoke", "key.create"])
    #expect(entries.map(\.object) == [id, key, key])
    #expect(await ServeConsole().run(["apps", "delete", id] + place) == .success)
    let server = try await store.audit(app: nil, after: nil, limit: 9).elements
    #expect(server.map(\.action) == ["app.delete", "app.create"])
  }

  @Test(
    "invalid limits are named and end with 2",
    arguments: [
      (["--allow", "example.com"], "--allow takes an address or a range such as 192.0.2.0/24"),
      (["--allow", "192.0.2.0/33"], "not \"192.0.2.0/33\""),
      (["--per-second", "0"], "--per-second takes a whole number from 1 to 10000"),
      (["--per-second", "10001"], "--per-second takes a whole number from 1 to 10000"),
      (["--per-second", "fast"], "--per-second takes a whole number"),
      (["--expires", "0s"], "--expires takes a time from now above 0 and up to 36500d"),
      (["--expires", "36501d"], "not \"36501d\""),
      (["--expires", "soon"], "or a date such as 2030-01-31T12:00:00Z"),
      (["--expires", "1999-12-31"], "--expires must be in the future, not 1999-12-31T00:00:00"),
    ])
  func usage(options: [String], message: String) async {
    let console = ServeConsole()
    let line = ["keys", "create", "--app", "a", "--role", "push", "--data", data]
    #expect(await console.run(line + options) == .invalidInput)
    #expect(console.errors.first?.contains(message) == true, "\(console.errors)")
  }

  @Test("an unknown app is named, whatever characters its id has")
  func noApp() async throws {
    _ = try await makeApp()
    let serve = try #require(await RunningServe.start(["--data", data]))
    for id in ["none", "a/b", "a b", "a?b"] {
      let beside = ServeConsole()
      let line = ["keys", "create", "--app", id, "--role", "push"]
      #expect(await beside.run(line + ["--data", data]) == .failure)
      #expect(beside.errors.first?.contains("there is no app \(id)") == true)
      let over = ServeConsole()
      let server = ["--server", serve.url, "--api-key-file", data + "/admin.key"]
      #expect(await over.run(line + server) == .failure)
      #expect(
        over.errors.first?.contains("answered 404: there is no app with this id") == true,
        "\(over.errors)")
    }
    #expect(await serve.stop() == .success)
  }

  @Test("a metrics key is the server's, and reads the metrics of a running server")
  func metrics() async throws {
    // Also where it is the first key: the next start still makes the admin key.
    let console = ServeConsole()
    let line = ["keys", "create", "--role", "metrics", "--data", data]
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    #expect(await console.run(line) == .success, "\(console.errors)")
    let key = try #require(console.output.first)
    let serve = try #require(
      await RunningServe.start(["--data", data, "--metrics-listen", "127.0.0.1:0"]))
    #expect(serve.console.output.first == "admin key: in \(data)/admin.key")
    let place = try #require(
      serve.console.output.first { $0.hasPrefix("metrics on ") }?.dropFirst(11))
    #expect(serve.console.output.last == "listening on \(serve.url)")
    for (url, status) in [
      (serve.url + "/metrics", 200), (serve.url + "/v6/apps", 403), (String(place), 200),
    ] {
      let answer = await runProgram(
        "/usr/bin/curl",
        [
          "--silent", "--output", "/dev/null", "--write-out", "%{http_code}", "--user", ":\(key)",
          url,
        ])
      #expect(answer.output == "\(status)", "\(url)")
    }
    #expect(await serve.stop() == .success)
  }

  @Test("a server's key takes no app and no --server", arguments: ["server", "metrics"])
  func serversKey(role: String) async {
    for (option, words) in [
      (["--app", "x"], "a key of the role \(role) is for all apps: leave out --app"),
      (["--server", "http://127.0.0.1:1"], "use --data, or --database"),
    ] {
      let console = ServeConsole()
      let line = ["keys", "create", "--role", role, "--data", data] + option
      #expect(await console.run(line) == .invalidInput)
      #expect(console.errors.first?.contains(words) == true, "\(console.errors)")
    }
  }
}
