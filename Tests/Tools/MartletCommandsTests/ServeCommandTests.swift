import Foundation
import PushModel
import PushPayload
import PushServer
import TestSupport
import Testing
import _TLS

@testable import MartletCommands

@Suite("martlet serve", .timeLimit(.minutes(10)))
struct ServeCommandTests {
  let directory = TemporaryFolder()
  var data: String { directory.path("data") }

  @Test("the first start makes the server's key, the second keeps it, and SIGTERM ends with 0")
  func firstStart() async throws {
    let first = try #require(await RunningServe.start(["--data", data]))
    #expect(first.url.hasPrefix("http://127.0.0.1:"))
    let file = data + "/admin.key"
    #expect(first.console.output == ["admin key: in \(file)", "listening on \(first.url)"])
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)

    let listing = ServeConsole()
    let line = ["apps", "list", "--server", first.url, "--api-key-file", file, "--json"]
    #expect(await listing.run(line) == .success)
    #expect(listing.output == ["[]"])
    #expect(await first.stop() == .success)

    let second = try #require(await RunningServe.start(["--data", data]))
    #expect(second.console.output == ["listening on \(second.url)"])
    #expect(await second.stop() == .success)
  }

  @Test(
    "an error in the command line is named and ends with 2",
    arguments: [
      (["--listen", "8080"], "--listen takes HOST:PORT"),
      (["--listen", "h:99999"], "--listen takes HOST:PORT"),
      (["--workers", "0"], "--workers takes a whole number from 1 to 256"),
      (["--pad-encrypted", "1"], "--pad-encrypted takes a whole number from 2 to 2048"),
      (["--pad-encrypted", "2049"], "--pad-encrypted takes a whole number from 2 to 2048"),
      (["--workers", "many"], "--workers takes a whole number"),
      (["--otlp-endpoint", "collector:4318"], "--otlp-endpoint takes http://HOST:PORT"),
      (["--otlp-endpoint", "grpc://collector:4317"], "--otlp-endpoint takes http://HOST:PORT"),
      (["--trace-sample", "1.01"], "--trace-sample takes a number from 0 to 1"),
      (["--trace-sample", "-0.01"], "--trace-sample takes a number from 0 to 1"),
      (["--trace-sample", "nan"], "--trace-sample takes a number from 0 to 1"),
      (["--metrics-listen", "9188"], "--metrics-listen takes HOST:PORT"),
      (["--apns", "staging"], "--apns takes production, development or https://HOST:PORT"),
      (["--apns", "http://127.0.0.1"], "--apns takes production"),
      (["--apns-development", "x"], "--apns-development takes"),
      (["--apns-ca", "ca.pem"], "--apns-ca is for a URL in --apns"),
      (["--public-url", "push.example.com"], "--public-url takes https://HOST"),
      (["--public-url", "ftp://push.example.com"], "--public-url takes https://HOST"),
      (["--public-url", "https://push.example.com/path"], "without a path"),
      (["--public-url", "https://push.example.com?a=b"], "--public-url takes https://HOST"),
      (["--public-url", "https://push.example.com#a"], "--public-url takes https://HOST"),
      (["--public-url", "https://me:word@push.example.com"], "--public-url takes https://HOST"),
      (["--public-url", "https://"], "--public-url takes https://HOST"),
      (["--tls-cert", "c.pem"], "--tls-cert FILE and --tls-key FILE go together"),
      (["--oidc-issuer", "http://id.example", "--oidc-client-id", "m"], "--oidc-issuer takes"),
      (["--oidc-issuer", "https://id.example?a=b"], "--oidc-issuer takes https://HOST"),
      (["--oidc-issuer", "https://id.example"], "--oidc-client-id ID go together"),
      (["--oidc-client-id", "martlet"], "--oidc-client-id ID go together"),
      (["--oidc-name", "Example"], "--oidc-client-id ID go together"),
      (
        ["--oidc-issuer", "https://id.example", "--oidc-client-id", "martlet"],
        "--oidc-issuer needs --public-url"
      ),
      (["--second-factor", "everybody"], "--second-factor takes admins, nobody"),
      (["--trusted-proxy", "10.0.0.0/33"], "--trusted-proxy takes"),
      (["--trusted-proxy", "proxy.example.com"], "--trusted-proxy takes"),
      (["--allow-webhook", "10.0.0.0/33"], "--allow-webhook takes"),
      (["--body-memory", "0"], "--body-memory takes a whole number"),
      (["--connections-per-address", "100001"], "--connections-per-address takes a whole number"),
      (["--log-format", "xml"], "--log-format takes text, json"),
      (["--database", "mysql://h"], "--database takes sqlite:PATH or postgres://…"),
      (["--database", "sqlite:"], "--database takes sqlite:PATH or postgres://…"),
      (["--no-such"], "unknown option --no-such"),
      (["now"], "takes no operand, not \"now\""),
    ])
  func usage(options: [String], message: String) async {
    let console = ServeConsole()
    #expect(await console.run(["serve", "--data", data] + options) == .invalidInput)
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
      #expect(await console.run(command + ["--database", url]) == .invalidInput)
      #expect(console.errors.first?.contains("MARTLET_DATABASE") == true)
      #expect(console.errors.first?.contains("hunter2") == false)
    }
    // From the environment it is taken, and is no part of what is said of the database.
    let console = ServeConsole(environment: ["MARTLET_DATABASE": url])
    #expect(await console.run(["serve", "--data", data]) == .failure)
    #expect(console.errors.first?.contains("the database cannot be reached") == true)
    #expect(console.errors.first?.contains("hunter2") == false)
  }

  @Test("a failure at the start is one line with the fix, and ends with 1")
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
      (["--data", data, "--database", "sqlite:\(text)"], "not a SQLite file"),
      (["--data", data, "--tls-cert", "/none", "--tls-key", "/none"], "cannot read /none"),
      (["--data", data, "--config", "/none"], "cannot read /none"),
    ]
    for (options, message) in table {
      let listen = options.contains("--listen") ? [] : ["--listen", "127.0.0.1:0"]
      let console = ServeConsole()
      #expect(await console.run(["serve"] + listen + options) == .failure)
      #expect(console.errors.count == 1)
      #expect(console.errors.first?.contains(message) == true, "\(console.errors)")
    }
    #expect(await running.stop() == .success)
    // The key of the first start is for a start that listened.
    #expect(!FileManager.default.fileExists(atPath: directory.path("other/admin.key")))
  }

  @Test("a file without read or write permission is named, with the fix")
  func permissions() async throws {
    guard let run = await Unprivileged() else { return }
    let shared = directory.path("")
    let key = try directory.write("", to: "key.p8")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: key)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: shared)
    let app = [
      "--bundle-id", "b", "--team-id", "TEAM123456", "--key-id", "KEY1234567", "--key-file", key,
    ]
    let table = [
      (["apps", "create"] + app, "cannot read \(key), which --key-file names: it is not readable"),
      (["serve", "--data", shared], "cannot write in the data directory"),
      (["serve", "--data", data], "cannot use the data directory \(data)"),
      (["serve", "--data", data, "--check"], "make it yours to write"),
    ]
    for (line, message) in table {
      let (status, error) = await run(line)
      #expect(status == 1)
      #expect(error.split(separator: "\n").count == 1)
      #expect(error.contains(message), "\(error)")
    }
  }

  @Test("the command line wins over the environment, the environment over the file")
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
    #expect(await wrong.run(["serve", "--config", config]) == .invalidInput)
    #expect(wrong.errors.first?.contains("--listen takes HOST:PORT") == true)
    let unknown = try directory.write(#"{"colour": 1}"#, to: "unknown.json")
    let console = ServeConsole()
    #expect(await console.run(["serve", "--config", unknown]) == .invalidInput)
    #expect(console.errors.first?.contains("unknown key \"colour\"") == true)
  }

  @Test("every option has its documented default")
  func defaults() throws {
    let settings = try ServeSettings(Arguments([], options: ServeSettings.Options.all))
    #expect(settings.server.site.requiresSecondFactor)
    #expect(settings.server.host == "127.0.0.1")
    #expect(settings.server.port == 8080)
    #expect(settings.server.workers == 4)
    #expect(settings.server.site.paddingMultiple == 1)
    #expect(settings.server.site.publicURL == nil)
    #expect(settings.data.path == "./martlet-data")
    #expect(settings.data.database == "./martlet-data/martlet.sqlite")
    #expect(settings.secretKeyFile.path.hasSuffix("/martlet-data/secret.key"))
    #expect(settings.tlsFiles == nil)
    #expect(settings.apnsCA == nil)
    #expect(!settings.log.isJSON)
    #expect(settings.log.minimumLevel == .info)
  }

  @Test("--pad-encrypted reaches the server", arguments: [2, 256, 2048])
  func padding(multiple: Int) throws {
    let arguments = try Arguments(
      ["--pad-encrypted", "\(multiple)"], options: ServeSettings.Options.all)
    #expect(try ServeSettings(arguments).server.site.paddingMultiple == multiple)
  }

  @Test(
    "a public URL loses its trailing slash",
    arguments: ["https://push.example.com", "https://push.example.com/", "http://[::1]:8080"])
  func publicURL(text: String) throws {
    let options = ServeSettings.Options.all
    var fromFile = try Arguments([], options: options)
    try fromFile.setConfiguration(["public-url": "https://from.file"])
    #expect(try ServeSettings(fromFile).server.site.publicURL == "https://from.file")
    var fromEnvironment = try Arguments(
      [], options: options, environment: ["MARTLET_PUBLIC_URL": text])
    try fromEnvironment.setConfiguration(["public-url": "https://from.file"])
    let expected = text.hasSuffix("/") ? String(text.dropLast()) : text
    #expect(try ServeSettings(fromEnvironment).server.site.publicURL == expected)
    let flag = try Arguments(["--public-url", text], options: options)
    #expect(try ServeSettings(flag).server.site.publicURL == expected)
  }

  @Test("with a certificate it serves https to clients that trust its CA, and to no others")
  func tls() async throws {
    let authority = try CertificateAuthority()
    let ca = try directory.write(authority.certificatePEM, to: "ca.pem")
    let leaf = try authority.issue(hosts: ["127.0.0.1"])
    let certificate = try directory.write(leaf.certificatePEM, to: "cert.pem")
    let key = try directory.write(leaf.keyPEM, to: "key.pem")
    let running = try #require(
      await RunningServe.start([
        "--data", data, "--tls-cert", certificate, "--tls-key", key,
      ]))
    #expect(running.url.hasPrefix("https://127.0.0.1:"))
    let admin = try String(contentsOfFile: data + "/admin.key", encoding: .utf8)
    let curl = ["--silent", "--max-time", "30", "--user", ":" + admin.dropLast()]
    let trusting = await runProgram(
      "/usr/bin/curl", curl + ["--cacert", ca, running.url + "/v6/apps"])
    #expect(trusting.status == 0)
    #expect(trusting.output == #"{"apps":[]}"#)
    let other = await runProgram("/usr/bin/curl", curl + [running.url + "/v6/apps"])
    #expect(other.status == 60)
    // The commands trust what the system trusts.
    let console = ServeConsole()
    let line = ["apps", "list", "--server", running.url, "--api-key-file", data + "/admin.key"]
    #expect(await console.run(line) == .failure)
    #expect(console.errors.first?.contains("must be one that this system trusts") == true)
    #expect(await running.stop() == .success)
  }

  @Test("SIGHUP reads the certificate again; one that cannot be used leaves the old one")
  func reload() async throws {
    let (old, new) = (try CertificateAuthority(), try CertificateAuthority())
    let trust = [old, new].map(\.certificatePEM)
    let files = try zip(["old.pem", "new.pem"], trust).map { try directory.write($1, to: $0) }
    func issue(_ authority: CertificateAuthority) throws -> [String] {
      let leaf = try authority.issue(hosts: ["127.0.0.1"])
      return [
        try directory.write(leaf.certificatePEM, to: "cert.pem"),
        try directory.write(leaf.keyPEM, to: "key.pem"),
      ]
    }
    let paths = try issue(old)
    let running = try #require(
      await RunningServe.start([
        "--data", data, "--tls-cert", paths[0], "--tls-key", paths[1],
      ]))
    func trusts(_ file: String) async -> Bool {
      await runProgram(
        "/usr/bin/curl", ["--silent", "--cacert", file, running.url + "/healthz"]
      ).status == 0
    }
    #expect(await trusts(files[0]))
    _ = try directory.write("broken", to: "key.pem")
    running.console.hangUp()
    try await until { running.console.errors.contains { $0.contains("stays as it was") } }
    #expect(await trusts(files[0]))
    _ = try issue(new)
    running.console.hangUp()
    let texts = try paths.map { try String(contentsOfFile: $0, encoding: .utf8) }
    let seconds = try TLSIdentity(certificatePEM: texts[0], keyPEM: texts[1]).notAfter
    let end = Timestamp(milliseconds: seconds * 1000).iso8601
    try await until {
      running.console.errors.contains {
        $0.contains("the certificate as it is now, valid until \(end)")
      }
    }
    #expect(await trusts(files[1]))
    #expect(await !trusts(files[0]))
    #expect(await running.stop() == .success)
  }

  @Test("the address of a proxy's client is in the log")
  func proxied() async throws {
    let running = try #require(
      await RunningServe.start(
        ["--data", data], environment: ["MARTLET_TRUSTED_PROXY": "192.0.2.1,127.0.0.0/8"]))
    let result = await runProgram(
      "/usr/bin/curl",
      ["--silent", "-H", "X-Forwarded-For: 203.0.113.9, 192.0.2.1", running.url + "/healthz"])
    #expect(result.status == 0)
    try await until { running.console.errors.contains { $0.contains("from 203.0.113.9") } }
    #expect(await running.stop() == .success)
  }

  @Test("unusable certificates and keys are reported before anything starts")
  func badCertificates() async throws {
    let authority = try CertificateAuthority()
    let leaf = try authority.issue(hosts: ["127.0.0.1"])
    let certificate = try directory.write(leaf.certificatePEM, to: "cert.pem")
    let key = try directory.write(leaf.keyPEM, to: "key.pem")
    let other = try directory.write(
      try authority.issue(hosts: ["127.0.0.1"]).keyPEM, to: "other.pem")
    let table = [
      ["--tls-cert", certificate, "--tls-key", other], ["--tls-cert", key, "--tls-key", key],
      ["--tls-cert", certificate, "--tls-key", certificate],
      ["--apns-ca", key, "--apns", "https://127.0.0.1:1"],
    ]
    for options in table {
      for check in [[], ["--check"]] {
        let console = ServeConsole()
        let line = ["serve", "--data", data, "--listen", "127.0.0.1:0"] + options + check
        #expect(await console.run(line) == .failure)
        #expect(console.errors.count == 1)
        #expect(console.errors.first?.contains("\(options[0]) \(options[1])") == true)
        #expect(console.errors.first?.contains("give them as PEM") == true)
      }
    }
    #expect(!FileManager.default.fileExists(atPath: data))
  }

  @Test("--check checks the settings and starts nothing")
  func check() async {
    let console = ServeConsole()
    #expect(await console.run(["serve", "--data", data, "--check"]) == .success)
    #expect(console.output == ["the configuration is good"])
    #expect(!FileManager.default.fileExists(atPath: data))
    _ = await RunningServe.start(["--data", data])?.stop()
    let again = ServeConsole()
    #expect(await again.run(["serve", "--data", data, "--check"]) == .success)
  }
}
