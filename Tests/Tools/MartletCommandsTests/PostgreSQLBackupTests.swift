import Foundation
import PushModel
import PushPayload
import PushStore
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import MartletCommands

@Suite(
  "martlet backup and restore of PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLBackupTests {
  let directory = TemporaryFolder()
  var data: String { directory.path("data") }
  var file: String { directory.path("copy.dump") }

  /// Runs a command that must succeed.
  private func run(_ line: [String]) async throws -> JSONValue {
    let console = ServeConsole()
    #expect(await console.run(line + ["--json"]) == .success, "\(console.errors)")
    return try JSONValue(parsing: console.output.first ?? "")
  }

  /// Runs a command that must fail, and returns its error.
  private func refusal(_ line: [String]) async -> String {
    let console = ServeConsole()
    #expect(await console.run(line) == .failure)
    return console.errors.first ?? ""
  }

  private func makeApp(in store: [String]) async throws -> String {
    let key = try directory.write(OpenSSLCrypto.makeP256KeyPEM(), to: "key.p8")
    let app = try await run(
      [
        "apps", "create", "--bundle-id", "com.example.app", "--team-id", "TEAM123456", "--key-id",
        "KEY1234567", "--key-file", key,
      ] + store)
    return try #require(app["id"]?.string)
  }

  @Test("a backup made beside a running serve is served from another database")
  func wholeWay() async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = ["--data", data, "--database", cluster.url]
      let serve = try #require(await RunningServe.start(store))
      let app = try await makeApp(in: store)
      let made = try await run(["backup", file] + store)
      #expect(made["backup"] == .string(file))
      #expect(made["bytes"]?.integer ?? 0 > 1000)
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      #expect(await refusal(["backup", file] + store).contains("File exists"))
      #expect(await refusal(["restore", file] + store).contains("a martlet serve uses"))
      #expect(await serve.stop() == .success)
      #expect(await refusal(["restore", file] + store).contains("has a store already"))

      try await cluster.query("CREATE DATABASE other")
      let other = [
        "--data", directory.path("other"), "--database", cluster.url(database: "other"),
        "--secret-key-file", data + "/secret.key",
      ]
      let target = Array(other.prefix(4))
      #expect(await refusal(["backup", file + "2"] + target).contains("has no store"))
      let audiences = directory.path("other/audiences")
      try FileManager.default.createDirectory(
        atPath: audiences, withIntermediateDirectories: true)
      let restored = try await run(["restore", file] + target)
      #expect(restored["restored"] == .string(file))
      #expect(!FileManager.default.fileExists(atPath: audiences))
      let again = try #require(await RunningServe.start(other))
      let apps = try await run(
        ["apps", "list", "--server", again.url, "--api-key-file", data + "/admin.key"])
      #expect(apps.array?.map { $0["id"] } == [.string(app)])
      #expect(await again.stop() == .success)
    }
  }

  @Test(
    "files of the other kind and damaged ones are refused as what they are, and nothing is restored"
  )
  func wrongFiles() async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = ["--data", data, "--database", cluster.url]
      let sqlite = ["--data", directory.path("sqlite")]
      _ = try await makeApp(in: sqlite)
      _ = try await run(["backup", directory.path("copy.sqlite")] + sqlite)
      #expect(
        await refusal(["restore", directory.path("copy.sqlite")] + store)
          .contains("is not a backup of a PostgreSQL store"))
      #expect(
        await refusal(["restore", directory.path("none")] + store).contains("there is no file"))

      _ = try await PostgreSQLPushStore(url: cluster.url)
      _ = try await run(["backup", file] + store)
      let dump = try Data(contentsOf: URL(filePath: file))
      let half = try directory.write(dump.prefix(dump.count / 2), to: "half.dump").path
      try await cluster.query("CREATE DATABASE other")
      let other = ["--data", data, "--database", cluster.url(database: "other")]
      #expect(await refusal(["restore", half] + other).contains("pg_restore failed"))
      let tables = try await cluster.query(
        "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", database: "other")
      #expect(tables == "0")
      let foreign = directory.path("foreign.dump")
      try await cluster.query("CREATE DATABASE foreign_program")
      try await cluster.query("CREATE TABLE orders (number BIGINT)", database: "foreign_program")
      let program = PostgreSQLBackup(url: cluster.url(database: "foreign_program"))
      _ = try await program.run("pg_dump", ["--format=custom", "--file", foreign])
      #expect(
        await refusal(["restore", foreign] + other).contains("of another program's database"))
      let elsewhere = ["--data", directory.path("elsewhere")]
      #expect(
        await refusal(["restore", file] + elsewhere).contains("is a backup of a PostgreSQL store"))
    }
  }

  @Test("of several hosts the one that takes writes is copied, and restored into")
  func standby() async throws {
    try await PostgreSQLCluster().use { primary in
      let store = ["--data", data, "--database", primary.url]
      _ = try await PostgreSQLPushStore(url: primary.url)
      let standby = try await PostgreSQLCluster(following: primary)
      try await standby.use { standby in
        // A commit waits until the standby has it, and not until a reader sees it there.
        try await standby.query("SELECT pg_wal_replay_pause()")
        while try await standby.query("SELECT pg_get_wal_replay_pause_state()") != "paused" {}
        let app = try await makeApp(in: store)
        try await primary.query("CREATE DATABASE other")
        let both = ["--data", data, "--database", standby.url(or: primary)]
        _ = try await run(["backup", file] + both)
        try await standby.query("SELECT pg_wal_replay_resume()")
        while try await standby.query("SELECT 1 FROM pg_database WHERE datname = 'other'") != "1" {}
        let other = [
          "--data", directory.path("other"), "--database",
          standby.url(or: primary, database: "other"),
        ]
        _ = try await run(["restore", file] + other)
        let apps = try await primary.query("SELECT id FROM apps", database: "other")
        #expect(apps == app)
      }
    }
  }

  @Test("the address is given as a service file, and one that it cannot express is refused")
  func service() throws {
    let url = "postgres://ada:se%20cret@db1,db2:5433/martlet?sslmode=verify-full"
    #expect(
      try PostgreSQLService.text(of: url) == """
        [martlet]
        connect_timeout=5
        dbname=martlet
        host=db1,db2
        keepalives_count=3
        keepalives_idle=10
        keepalives_interval=5
        password=se cret
        port=,5433
        sslmode=verify-full
        target_session_attrs=read-write
        tcp_user_timeout=20000
        user=ada

        """)
    for bad in ["postgres://ada:secret%20@db/martlet", "postgres://ada:a%0Ab@db/martlet"] {
      let error = #expect(throws: StoreError.self) { try PostgreSQLService.text(of: bad) }
      #expect(error?.message.contains("the password of the database") == true)
    }
    let error = #expect(throws: StoreError.self) {
      try PostgreSQLService.text(of: "postgres://[secret")
    }
    #expect(error?.message.contains("secret") == false)
  }
}
