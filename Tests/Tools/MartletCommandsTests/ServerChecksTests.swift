import PushModel
import PushStore
import Testing

@testable import MartletCommands

@Suite("The checks of a server")
struct ServerChecksTests {
  /// A machine on which everything is right.
  private static var facts: ServerFacts {
    ServerFacts(
      now: 1_800_000_000_000,
      secretFiles: [.init(role: "secret key", path: "/m/secret.key", mode: 0o100600)],
      certificate: ("/m/tls.crt", 1_800_000_000 + 90 * 86_400),
      disks: [.init(folder: "/m", freeBytes: 100 << 30, kind: "ext4", holdsDatabase: true)],
      descriptors: 65_536, isClockSynchronized: true, database: .sqlite("/m/martlet.sqlite"),
      hosts: [
        .init(name: "api.push.apple.com port 443", answer: .answered(milliseconds: 80))
      ])
  }

  private static var settings: PostgreSQLServerSettings {
    PostgreSQLServerSettings(
      version: "15.14", versionNumber: 150_014, connections: 97, usedConnections: 11,
      values: [
        "synchronous_commit": "on", "fsync": "on", "full_page_writes": "on", "wal_level": "replica",
      ], isDivided: false, time: 1_800_000_000_000)
  }

  private static func onPostgreSQL(
    _ change: (inout PostgreSQLServerSettings) -> Void
  ) -> ServerFacts {
    var settings = settings
    change(&settings)
    var facts = facts
    facts.database = .postgreSQL(settings)
    return facts
  }

  private static func change(_ body: (inout ServerFacts) -> Void) -> ServerFacts {
    var facts = facts
    body(&facts)
    return facts
  }

  private func expect(
    _ facts: ServerFacts, _ code: String, _ result: ServerCheck.Result,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = facts.checks.filter { $0.result != .ok }
    let wanted = result == .ok ? [] : ["\(code) \(result)"]
    #expect(
      found.map { "\($0.code) \($0.result)" } == wanted, sourceLocation: sourceLocation)
    for check in found where check.result == .error || check.result == .warning {
      #expect(check.advice != nil, sourceLocation: sourceLocation)
    }
  }

  @Test("a machine on which everything is right has no finding")
  func right() {
    expect(Self.facts, "", .ok)
    expect(Self.onPostgreSQL { _ in }, "", .ok)
    let codes = Self.facts.checks.map(\.code)
    #expect(
      codes == [
        "configuration", "secret-key-mode", "certificate", "disk-space", "descriptors", "clock",
        "database", "apns",
      ])
  }

  @Test(
    "a certificate warns with less than 14 days left, and fails when it has ended",
    arguments: [
      (14 * 86_400, ServerCheck.Result.ok), (14 * 86_400 - 1, .warning), (1, .warning), (0, .error),
      (-86_400, .error),
    ])
  func certificate(seconds: Int, result: ServerCheck.Result) {
    expect(
      Self.change { $0.certificate?.notAfter = 1_800_000_000 + Int64(seconds) }, "certificate",
      result)
  }

  @Test(
    "free disk fails below 256 MiB and warns below 2 GiB",
    arguments: [
      (2 << 30, ServerCheck.Result.ok), (2 << 30 - 1, .warning), (256 << 20, .warning),
      (256 << 20 - 1, .error), (0, .error),
    ])
  func disk(bytes: Int, result: ServerCheck.Result) {
    expect(Self.change { $0.disks[0].freeBytes = Int64(bytes) }, "disk-space", result)
  }

  @Test("a SQLite database on a network file system fails; other data may be there")
  func networkFileSystem() {
    expect(Self.change { $0.disks[0].kind = "nfs4" }, "network-file-system", .error)
    expect(
      Self.change {
        $0.disks[0].kind = "nfs4"
        $0.disks[0].holdsDatabase = false
      }, "", .ok)
  }

  @Test(
    "a secret that others may read fails",
    arguments: [
      (0o600, ServerCheck.Result.ok), (0o400, .ok), (0o640, .error), (0o604, .error),
      (0o610, .error),
    ])
  func mode(mode: Int, result: ServerCheck.Result) {
    expect(
      Self.change { $0.secretFiles[0].mode = 0o100000 | UInt32(mode) }, "secret-key-mode", result)
  }

  @Test("a secret that is not there yet is a note, and an error where the store needs it")
  func missingSecret() {
    expect(Self.change { $0.secretFiles[0].mode = nil }, "secret-key", .note)
    expect(
      Self.change {
        $0.secretFiles[0].mode = nil
        $0.secretKeyProblem = "the store has p8 keys"
      }, "secret-key", .error)
  }

  @Test(
    "the limit of open files fails where serve does not start, and warns below 1024 clients",
    arguments: [
      (2208, ServerCheck.Result.ok), (2207, .warning), (224, .warning), (223, .error),
    ])
  func descriptors(count: Int, result: ServerCheck.Result) {
    expect(Self.change { $0.descriptors = count }, "descriptors", result)
  }

  @Test("a clock that no service keeps right warns; a system that does not say has no check")
  func clock() {
    expect(Self.change { $0.isClockSynchronized = false }, "clock", .warning)
    let silent = Self.change { $0.isClockSynchronized = nil }
    expect(silent, "", .ok)
    #expect(!silent.checks.contains { $0.code == "clock" })
  }

  @Test("variables that no option reads and files that cannot be used fail")
  func configuration() {
    expect(Self.change { $0.unknownVariables = ["no option reads X"] }, "unknown-variable", .error)
    expect(Self.change { $0.unusableFiles = ["cannot read Y"] }, "file", .error)
  }

  @Test("a host that does not answer fails, with advice about the proxy where there is one")
  func hosts() throws {
    let closed = Self.change { $0.hosts[0].answer = .none("connection refused") }
    expect(closed, "apns", .error)
    #expect(closed.checks.last?.advice?.contains("set --apns-proxy") == true)
    let proxied = Self.change {
      $0.hosts[0].proxy = "proxy port 3128"
      $0.hosts[0].answer = .none("it refuses the tunnel")
    }
    expect(proxied, "apns", .error)
    #expect(proxied.checks.last?.message.contains("through the proxy proxy port 3128") == true)
    #expect(proxied.checks.last?.advice?.contains("CONNECT") == true)
  }

  @Test(
    "settings of PostgreSQL",
    arguments: [
      ("postgresql-version", .warning, onPostgreSQL { $0.versionNumber = 149_999 }),
      ("", .ok, onPostgreSQL { $0.versionNumber = 150_000 }),
      ("postgresql-connections", .error, onPostgreSQL { $0.connections = 10 }),
      ("postgresql-connections", .warning, onPostgreSQL { $0.usedConnections = 95 }),
      ("", .ok, onPostgreSQL { $0.usedConnections = 94 }),
      ("postgresql-fsync", .error, onPostgreSQL { $0.values["fsync"] = "off" }),
      (
        "postgresql-full-page-writes", .error,
        onPostgreSQL { $0.values["full_page_writes"] = "off" }
      ),
      (
        "postgresql-synchronous-commit", .warning,
        onPostgreSQL { $0.values["synchronous_commit"] = "off" }
      ),
      ("", .ok, onPostgreSQL { $0.values["synchronous_commit"] = "remote_apply" }),
      ("postgresql-wal-level", .note, onPostgreSQL { $0.values["wal_level"] = "minimal" }),
      ("postgresql-wal-level", .warning, onPostgreSQL { $0.isDivided = true }),
      (
        "", .ok,
        onPostgreSQL {
          $0.isDivided = true
          $0.values["wal_level"] = "logical"
        }
      ),
      ("", .ok, onPostgreSQL { $0.time -= 2000 }),
      ("postgresql-clock", .warning, onPostgreSQL { $0.time -= 2001 }),
      ("postgresql-clock", .warning, onPostgreSQL { $0.time += 2001 }),
    ] as [(String, ServerCheck.Result, ServerFacts)])
  func postgreSQL(code: String, result: ServerCheck.Result, facts: ServerFacts) {
    expect(facts, code, result)
  }

  @Test("a database that cannot be opened fails, and one without a schema is a note")
  func database() {
    expect(Self.change { $0.database = .failed("no route") }, "database", .error)
    expect(Self.change { $0.database = .new("/m/martlet.sqlite") }, "database", .note)
  }

  @Test("the nearest mount point above a path decides its file system")
  func mounts() {
    // Lines of proc_pid_mountinfo(5), with and without optional fields, and a name with a space.
    let table = MountTable(
      #"""
      22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
      40 22 0:35 / /srv rw - nfs4 10.0.0.1:/srv rw
      41 40 0:36 / /srv/my\040data rw master:2 propagate_from:3 - xfs /dev/vdb rw
      42 22 0:37 / /twice rw - tmpfs tmpfs rw
      43 42 0:38 / /twice rw - cifs //host/share rw
      nonsense
      """#)
    for (path, kind) in [
      ("/", "ext4"), ("/srv", "nfs4"), ("/srvx", "ext4"), ("/srv/a/b", "nfs4"),
      ("/srv/my data/m", "xfs"), ("/twice/x", "cifs"),
    ] {
      #expect(table.kind(of: path) == kind, "\(path)")
    }
    #expect(MountTable("").kind(of: "/") == nil)
    #expect(MountTable.isNetwork("nfs4") && MountTable.isNetwork("cifs"))
    #expect(!MountTable.isNetwork("ext4"))
  }
}
