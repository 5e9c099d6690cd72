import PushPayload
import TestSupport
import Testing
import _TLS

@testable import MartletCommands

@Suite("Configuration", .timeLimit(.minutes(5)))
struct ConfigCommandTests {
  let directory = TemporaryFolder()

  @Test("config print names each value in force and where it comes from, without passwords")
  func print() async throws {
    let file = try directory.write(
      #"{"listen":"127.0.0.1:1","workers":9,"trusted-proxy":["10.0.0.0/8","192.0.2.1"]}"#,
      to: "config.json")
    let console = ServeConsole(environment: [
      "MARTLET_WORKERS": "7",
      "MARTLET_DATABASE": "postgres://me:hunter2@db/martlet?sslmode=require&sslpassword=hunter2",
      "MARTLET_API_KEY": "known to other commands",
    ])
    let line = ["config", "print", "--config", file, "--workers", "5", "--json"]
    #expect(await console.run(line) == .success, "\(console.errors)")
    #expect(console.errors.isEmpty)
    let text = console.output.joined()
    #expect(!text.contains("hunter2"))
    let json = try JSONValue(parsing: text)
    func expect(_ key: String, _ value: JSONValue, _ source: String) {
      #expect(json[key]?["value"] == value)
      #expect(json[key]?["source"]?.string == source)
    }
    expect("workers", "5", "command line")
    expect("listen", "127.0.0.1:1", "file")
    expect("trusted-proxy", ["10.0.0.0/8", "192.0.2.1"], "file")
    let database = "postgres://me:***@db/martlet?sslmode=require&sslpassword=***"
    expect("database", .string(database), "environment")
    expect("log-format", "text", "default")
    expect("tls-cert", .null, "default")
    #expect(json["database"]?["variable"] == "MARTLET_DATABASE")
    #expect(json["check"] == nil)
    // Every option of serve that the environment may hold is there.
    let options = ServeSettings.Options.all.map(\.definition).filter(\.isInEnvironment)
    #expect(json.object?.count == options.count - 1)
  }

  @Test("the text has a line for each option, and the defaults that depend on the data directory")
  func text() async throws {
    let console = ServeConsole(environment: ["MARTLET_LISTEN": "127.0.0.1:2"])
    #expect(await console.run(["config", "print", "--data", "/srv/m"]) == .success)
    let lines = Set(
      console.output.map { line in
        line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
      })
    for line in [
      "--data /srv/m (command line)", "--database sqlite:/srv/m/martlet.sqlite (default)",
      "--secret-key-file /srv/m/secret.key (default)", "--tls-cert - (default)",
      "--listen 127.0.0.1:2 (environment, MARTLET_LISTEN)", "--workers 4 (default)",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }

  @Test("a value that an option does not take fails as it does for serve")
  func invalid() async throws {
    let console = ServeConsole(environment: ["MARTLET_WORKERS": "many"])
    #expect(await console.run(["config", "print"]) == .invalidInput)
    #expect(console.errors.first?.contains("--workers takes a whole number") == true)
  }

  @Test(
    "options that go together may come from different places",
    arguments: [
      ["serve", "--check"], ["config", "print"], ["check-server", "--apns", "https://127.0.0.1:1"],
    ])
  func together(command: [String]) async throws {
    let leaf = try CertificateAuthority().issue(hosts: ["127.0.0.1"])
    let certificate = try directory.write(leaf.certificatePEM, to: "cert.pem")
    let key = try directory.write(leaf.keyPEM, to: "key.pem")
    let file = try directory.write(#"{"tls-key":"\#(key)"}"#, to: "config.json")
    let line = command + ["--tls-cert", certificate, "--data", directory.path("data"), "--config"]
    let console = ServeConsole()
    #expect(await console.run(line + [file]) != .invalidInput, "\(console.errors)")
    // The file has no key either.
    let empty = try directory.write("{}", to: "empty.json")
    let without = ServeConsole()
    #expect(await without.run(line + [empty]) == .invalidInput)
    #expect(without.errors.first?.contains("--tls-key FILE go together") == true)
  }

  @Test("a variable that no option reads fails the check, is a warning of serve, and is named")
  func unknown() async throws {
    let environment = ["MARTLET_LISTENN": "127.0.0.1:3", "MARTLET": "x", "OTHER_MARTLET_X": "x"]
    let words = "no option reads the variable MARTLET_LISTENN; did you mean MARTLET_LISTEN?"
    let data = directory.path("data")
    let check = ServeConsole(environment: environment)
    #expect(await check.run(["serve", "--check", "--data", data]) == .invalidInput)
    #expect(check.errors == ["martlet serve: \(words)"])

    let serve = try #require(
      await RunningServe.start(["--data", data], environment: environment))
    #expect(serve.console.errors.count { $0.hasSuffix("warning: \(words)") } == 1)
    #expect(await serve.stop() == .success)

    let print = ServeConsole(environment: environment)
    #expect(await print.run(["config", "print", "--data", data]) == .success)
    #expect(print.errors == ["warning: \(words)"])
  }

  @Test("variables of other commands are known", arguments: ["MARTLET_API_KEY", "MARTLET_SERVER"])
  func others(name: String) async {
    let console = ServeConsole(environment: [name: "http://127.0.0.1:1"])
    let line = ["serve", "--check", "--data", directory.path("data")]
    #expect(await console.run(line) == .success, "\(console.errors)")
  }

  @Test("SIGHUP takes over the options of the log and names those that need a restart")
  func reload() async throws {
    let data = directory.path("data")
    let file = try directory.write(#"{"workers":2,"log-level":"warning"}"#, to: "config.json")
    let serve = try #require(await RunningServe.start(["--data", data, "--config", file]))
    _ = try directory.write(
      #"{"workers":3,"keep-audit":9,"log-level":"info","log-format":"json"}"#, to: "config.json")
    serve.console.hangUp()
    try await until { serve.console.errors.contains { $0.contains("need a restart") } }
    let line = try #require(serve.console.errors.last { $0.contains("need a restart") })
    let json = try JSONValue(parsing: line)
    #expect(
      json["message"]?.string
        == "SIGHUP: these options have other values now and need a restart: --keep-audit, --workers"
    )
    #expect(json["level"] == "warning")
    // At the level of the start, this line was left out.
    #expect(serve.console.errors.contains { $0.contains("no certificate to read again") })

    _ = try directory.write(#"{"workers":"many","log-format":"text"}"#, to: "config.json")
    serve.console.hangUp()
    try await until { serve.console.errors.contains { $0.contains("stays as it was") } }
    let failed = try #require(serve.console.errors.last { $0.contains("stays as it was") })
    #expect(try JSONValue(parsing: failed)["level"] == "error")
    #expect(failed.contains("--workers takes a whole number"))

    // What is as it was at the start needs no restart.
    _ = try directory.write(#"{"workers":2}"#, to: "config.json")
    serve.console.hangUp()
    try await until {
      serve.console.errors.count { $0.contains("no certificate to read again") } == 2
    }
    #expect(serve.console.errors.count { $0.contains("need a restart") } == 1)
    #expect(await serve.stop() == .success)
  }

  @Test("a server that was started without TLS gets it by a restart alone")
  func addedCertificate() async throws {
    let data = directory.path("data")
    let file = try directory.write("{}", to: "config.json")
    let serve = try #require(await RunningServe.start(["--data", data, "--config", file]))
    _ = try directory.write(#"{"tls-cert":"/c.pem","tls-key":"/k.pem"}"#, to: "config.json")
    serve.console.hangUp()
    try await until {
      serve.console.errors.contains { $0.hasSuffix("need a restart: --tls-cert") }
    }
    #expect(await serve.stop() == .success)
  }
}
