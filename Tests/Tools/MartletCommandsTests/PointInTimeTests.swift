import Foundation
import PushPayload
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import MartletCommands

/// The commands are those of docs/server/operations.md, as they stand there.
@Suite(
  "Restoring PostgreSQL to a point in time", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PointInTimeTests {
  let directory = TemporaryFolder()

  /// The blocks of commands in the section: archive the log, copy the cluster, restore.
  private func commands() throws -> [String] {
    let text = try String(
      contentsOf: Repository.url("docs/server/operations.md"), encoding: .utf8)
    let section = try #require(text.range(of: "\n### Restore to a point in time\n"))
    let rest = text[section.upperBound...]
    let end = rest.range(of: "\n### ")?.lowerBound ?? rest.endIndex
    let blocks = rest[..<end].components(separatedBy: "\n```sh\n").dropFirst()
    return blocks.map { String($0.components(separatedBy: "\n```\n")[0]) }
  }

  private func run(_ line: [String]) async throws -> JSONValue {
    let console = ServeConsole()
    #expect(await console.run(line + ["--json"]) == .success, "\(console.errors)")
    return try JSONValue(parsing: console.output.first ?? "")
  }

  @Test("an app that was deleted is back with what it had at the time, and with nothing of later")
  func restored() async throws {
    let blocks = try commands()
    try #require(blocks.count == 3)
    try await PostgreSQLCluster().use { cluster in
      let backup = cluster.folder + "/backup"
      // Where the restored cluster listens too.
      try await cluster.query("ALTER SYSTEM SET unix_socket_directories = '\(cluster.folder)'")
      try await cluster.query("ALTER SYSTEM SET listen_addresses = ''")
      let store = ["--data", directory.path("data"), "--database", cluster.url]
      try await cluster.shell(blocks[0], ["BACKUP=\(backup)"])

      let key = try directory.write(OpenSSLCrypto.makeP256KeyPEM(), to: "key.p8")
      let made = try await run(
        [
          "apps", "create", "--bundle-id", "com.example.app", "--team-id", "TEAM123456",
          "--key-id", "KEY1234567", "--key-file", key,
        ] + store)
      let app = try #require(made["id"]?.string)
      try await add(["aa01", "aa02"], to: app, store)
      try await cluster.shell(blocks[1], ["BACKUP=\(backup)"])
      try await add(["aa03"], to: app, store)
      let time = try await cluster.query("SELECT clock_timestamp()")
      try await add(["aa04"], to: app, store)
      let serve = try #require(await RunningServe.start(store))
      let admin = try String(
        contentsOfFile: directory.path("data/admin.key"), encoding: .utf8
      ).trimmingCharacters(in: .whitespacesAndNewlines)
      let server = ServerClient(base: serve.url, key: admin)
      _ = try await server.request("DELETE", "/v6/apps/\(app)")
      #expect(try await server.request("GET", "/v6/apps")["apps"]?.array?.isEmpty == true)
      #expect(await serve.stop() == .success)

      let day = try await cluster.shell(
        "ls \"$BACKUP\" | sed -n 's/^base-//p'", ["BACKUP=\(backup)"])
      try await cluster.shell(blocks[2], ["BACKUP=\(backup)", "DAY=\(day)", "TIME=\(time)"])
      try? FileManager.default.removeItem(atPath: directory.path("data/audiences"))
      let again = try #require(await RunningServe.start(store))
      let push = ServerClient(
        base: again.url, key: made["keys"]?["push"]?.string ?? "")
      let everyone: JSONValue = ["audience": ["to": "*"]]
      let count = try await push.request(
        "POST", "/v6/audiences/count", body: everyone.serialized())
      #expect(count["targeted"]?.integer == 3, "\(count)")
      #expect(await again.stop() == .success)
    }
  }

  @Test("a segment that is archived already is taken as such after a crash, unless it is another")
  func archivedTwice() async throws {
    let blocks = try commands()
    try await PostgreSQLCluster().use { cluster in
      let backup = cluster.folder + "/backup"
      try await cluster.query("ALTER SYSTEM SET unix_socket_directories = '\(cluster.folder)'")
      try await cluster.query("ALTER SYSTEM SET listen_addresses = ''")
      try await cluster.shell(blocks[0], ["BACKUP=\(backup)"])
      let archived = "SELECT coalesce(last_archived_wal, '') FROM pg_stat_archiver"
      while try await cluster.query(archived).isEmpty {}
      let segment = try await cluster.query(archived)
      // What is left of a crash between the copy and its record.
      let status = "$PGDATA/pg_wal/archive_status/\(segment)"
      try await cluster.shell(
        "cp $BACKUP/log/\(segment) $PGDATA/pg_wal/; rm -f \(status).done; touch \(status).ready",
        ["BACKUP=\(backup)"])
      func waiting() async throws -> String {
        try await cluster.shell("ls $PGDATA/pg_wal/archive_status", [])
      }
      try await cluster.query("CREATE TABLE t ()")
      try await cluster.query("SELECT pg_switch_wal()")
      while try await waiting().contains("\(segment).ready") {}
      // A later segment, of which another one has the name.
      try await cluster.query("CREATE TABLE u ()")
      let next = try await cluster.query("SELECT pg_walfile_name(pg_current_wal_lsn())")
      try await cluster.shell("echo other >$BACKUP/log/\(next)", ["BACKUP=\(backup)"])
      try await cluster.query("SELECT pg_switch_wal()")
      let failed = "SELECT coalesce(last_failed_wal, '') FROM pg_stat_archiver"
      while try await cluster.query(failed) != next {}
      let kept = try await cluster.shell("cat $BACKUP/log/\(next)", ["BACKUP=\(backup)"])
      #expect(kept.contains("other"))
    }
  }

  private func add(_ tokens: [String], to app: String, _ store: [String]) async throws {
    let rows = tokens.map { "\($0),iOS\n" }.joined()
    let csv = try directory.write("token,os_name\n" + rows, to: "devices.csv")
    _ = try await run(["devices", "import", "--app", app, csv] + store)
  }
}
