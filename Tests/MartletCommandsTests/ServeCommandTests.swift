import Foundation
import PushPayload
import Testing
import _TLS

@testable import MartletCommands

@Suite("martlet serve", .timeLimit(.minutes(1)))
struct ServeCommandTests {
  let directory = ServeDirectory()
  var data: String { directory.path("data") }

  @Test("the first start makes the server's key, the second has it, and SIGTERM ends it well")
  func firstStart() async throws {
    let first = try #require(await RunningServe.start(["--data", data]))
    #expect(first.url.hasPrefix("http://127.0.0.1:"))
    let file = data + "/admin.key"
    #expect(first.console.output == ["admin key: in \(file)", "listening on \(first.url)"])
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)

    let listing = ServeConsole()
    let line = ["apps", "list", "--server", first.url, "--api-key-file", file, "--json"]
    #expect(await listing.run(line) == .yes)
    #expect(listing.output == ["[]"])
    #expect(await first.stop() == .yes)

    let second = try #require(await RunningServe.start(["--data", data]))
    #expect(second.console.output == ["listening on \(second.url)"])
    #expect(await second.stop() == .yes)
  }

  @Test(
    "a wrong command line is named and ends with 2",
    arguments: [
      (["--listen", "8080"], "--listen takes HOST:PORT"),
      (["--listen", "h:99999"], "--listen takes HOST:PORT"),
      (["--workers", "0"], "--workers takes a whole number from 1 to 256"),
      (["--workers", "many"], "--workers takes a whole number"),
      (["--apns", "staging"], "--apns takes production, development or https://HOST:PORT"),
      (["--apns", "http://127.0.0.1"], "--apns takes production"),
      (["--apns-development", "x"], "--apns-development takes"),
      (["--apns-ca", "ca.pem"], "--apns-ca is for a URL in --apns"),
      (["--tls-cert", "c.pem"], "--tls-cert FILE and --tls-key FILE go together"),
      (["--log-format", "xml"], "--log-format takes text, json"),
      (["--database", "mysql://h"], "--database takes sqlite:PATH or postgres://…"),
      (["--database", "sqlite:"], "--database takes sqlite:PATH or postgres://…"),
      (["--no-such"], "unknown option --no-such"),
      (["now"], "serve takes options only"),
    ])
  func usage(options: [String], message: String) async {
    let console = ServeConsole()
    #expect(await console.run(["serve", "--data", data] + options) == .usedWrongly)
    #expect(console.errors.count == 1)
    #expect(console.errors.first?.contains(message) == true)
    #expect(!FileManager.default.fileExists(atPath: data))
  }

  @Test(
    "a password in --database on the command line is refused and not repeated",
    arguments: ["postgres://me:hunter2@db/martlet", "postgres://db/martlet?password=hunter2"])
  func password(url: String) async {
    for command in [["serve"], ["apps", "list"]] {
      let console = ServeConsole()
      #expect(await console.run(command + ["--database", url]) == .usedWrongly)
      #expect(console.errors.first?.contains("MARTLET_DATABASE") == true)
      #expect(console.errors.first?.contains("hunter2") == false)
    }
    // From the environment it is taken, though there is no PostgreSQL yet.
    let console = ServeConsole(environment: ["MARTLET_DATABASE": url])
    #expect(await console.run(["serve", "--data", data]) == .no)
    #expect(console.errors.first?.contains("PostgreSQL is not supported yet") == true)
    #expect(console.errors.first?.contains("hunter2") == false)
  }

  @Test("what the world refuses is one line with the cure, and ends with 1")
  func refusals() async throws {
    let running = try #require(await RunningServe.start(["--data", data]))
    let port = running.url.split(separator: ":").last ?? ""
    let text = try directory.write("no database", to: "text.sqlite")
    let table: [([String], String)] = [
      (["--data", data], "another martlet serve uses \(data)"),
      (
        ["--data", directory.path("other"), "--listen", "127.0.0.1:\(port)"],
        "port \(port) on 127.0.0.1 is in use"
      ),
      (["--data", "/dev/null/data"], "cannot use the data directory /dev/null/data"),
      (["--data", data, "--database", "sqlite:\(text)"], "no SQLite file"),
      (["--data", data, "--tls-cert", "/none", "--tls-key", "/none"], "cannot read /none"),
      (["--data", data, "--config", "/none"], "cannot read /none"),
    ]
    for (options, message) in table {
      let listen = options.contains("--listen") ? [] : ["--listen", "127.0.0.1:0"]
      let console = ServeConsole()
      #expect(await console.run(["serve"] + listen + options) == .no)
      #expect(console.errors.count == 1)
      #expect(console.errors.first?.contains(message) == true, "\(console.errors)")
    }
    #expect(await running.stop() == .yes)
  }

  @Test("flags win over the environment, the environment over the file")
  func precedence() async throws {
    let config = try directory.write(
      #"{"listen": "nonsense", "workers": 2, "data": "\#(data)"}"#, to: "config.json")
    // The flag of `start` and the environment hide the file's nonsense.
    let running = await RunningServe.start(
      ["--config", config], environment: ["MARTLET_LISTEN": "nonsense too"])
    #expect(running != nil)
    _ = await running?.stop()
    #expect(FileManager.default.fileExists(atPath: data + "/martlet.sqlite"))

    let wrong = ServeConsole(environment: ["MARTLET_LISTEN": "nonsense"])
    #expect(await wrong.run(["serve", "--config", config]) == .usedWrongly)
    #expect(wrong.errors.first?.contains("--listen takes HOST:PORT") == true)
    let unknown = try directory.write(#"{"colour": 1}"#, to: "unknown.json")
    let console = ServeConsole()
    #expect(await console.run(["serve", "--config", unknown]) == .usedWrongly)
    #expect(console.errors.first?.contains("unknown key \"colour\"") == true)
  }

  @Test("with a certificate it serves https")
  func tls() async throws {
    let leaf = try CertificateAuthority().issue(hosts: ["127.0.0.1"])
    let certificate = try directory.write(leaf.certificatePEM, to: "cert.pem")
    let key = try directory.write(leaf.keyPEM, to: "key.pem")
    let running = try #require(
      await RunningServe.start([
        "--data", data, "--tls-cert", certificate, "--tls-key", key,
      ]))
    #expect(running.url.hasPrefix("https://127.0.0.1:"))
    #expect(await running.stop() == .yes)
  }

  @Test("--check checks and starts nothing")
  func check() async {
    let console = ServeConsole()
    #expect(await console.run(["serve", "--data", data, "--check"]) == .yes)
    #expect(console.output == ["the configuration is good"])
    #expect(!FileManager.default.fileExists(atPath: data))
    _ = await RunningServe.start(["--data", data])?.stop()
    let again = ServeConsole()
    #expect(await again.run(["serve", "--data", data, "--check"]) == .yes)
  }
}
