import Foundation
import PushModel
import PushServer
import PushStore
import TestSupport
import Testing
import _Spawn

@testable import MartletCommands

@Suite("Backups that are interrupted", .timeLimit(.minutes(10)))
struct BackupInterruptionTests {
  let directory = TemporaryFolder()
  var folder: String { directory.path("backups") }

  private func files(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  /// Starts `martlet backup` as a process, whose temporary folder is one of the test's.
  private func start(of database: String) throws -> ChildProcess {
    for path in [folder, directory.path("temporary")] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    let program = BuiltProgram.martlet
    return try ChildProcess(
      "/usr/bin/env",
      [
        "TMPDIR=" + directory.path("temporary"), program, "backup", folder + "/copy.dump",
        "--data", directory.path("data"), "--database", database,
      ], keepsErrors: false)
  }

  /// Runs a body while a `pg_dump` waits for a lock on a table of the store.
  private func whileDumping(
    _ cluster: PostgreSQLCluster, _ body: (ChildProcess) async throws -> Void
  ) async throws {
    _ = try await PostgreSQLPushStore(url: cluster.url)
    let holder = try ChildProcess(
      "/usr/bin/env",
      [
        "psql", cluster.url, "-qc",
        "BEGIN; LOCK TABLE apps; SELECT pg_sleep(600)",
      ], keepsErrors: false)
    defer { holder.signal(SIGTERM) }
    let holding = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    while try await cluster.query(holding) != "1" {}
    let backup = try start(of: cluster.url)
    let waiting = """
      SELECT count(*) FROM pg_stat_activity
      WHERE application_name = 'pg_dump' AND wait_event_type = 'Lock'
      """
    while try await cluster.query(waiting) != "1" {
      try #require(backup.isRunning)
    }
    try await body(backup)
    try await cluster.query(
      """
      SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE wait_event = 'PgSleep'
      """)
    // The program of a backup that was killed goes on without it.
    let dumping = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pg_dump'"
    while try await cluster.query(dumping) != "0" {}
  }

  @Test(
    "a signal ends pg_dump, and nothing is left",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"),
    arguments: [SIGTERM, SIGINT])
  func signal(number: Int32) async throws {
    try await PostgreSQLCluster().use { cluster in
      try await whileDumping(cluster) { backup in
        #expect(try files(in: folder).count == 1)
        backup.signal(number)
        #expect(await backup.wait() == ExitCode.failure.rawValue)
        let dumping = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pg_dump'"
        while try await cluster.query(dumping) != "0" {}
        #expect(try files(in: folder) == [])
        #expect(try files(in: directory.path("temporary")) == [])
      }
    }
  }

  @Test(
    "what a killed backup leaves has another name and no password, and the next one removes it",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func kill() async throws {
    try await PostgreSQLCluster().use { cluster in
      try await whileDumping(cluster) { backup in
        backup.signal(SIGKILL)
        #expect(await backup.wait() == 128 + SIGKILL)
        let left = try files(in: folder)
        #expect(left.count == 1 && left[0].hasPrefix("copy.dump.martlet-partial-"))
        #expect(try files(in: directory.path("temporary")) == [])
      }
      let left = try #require(try files(in: folder).first)
      let next = ServeConsole()
      let line = ["backup", folder + "/next.dump", "--data", directory.path("data")]
      #expect(await next.run(line + ["--database", cluster.url]) == .success, "\(next.errors)")
      #expect(
        next.errors == [
          "removed \(folder)/\(left), the incomplete file of a command that was killed"
        ])
      #expect(try files(in: folder) == ["next.dump"])
    }
  }

  @Test("a backup of another machine is named and kept, and one that runs is kept")
  func others() async throws {
    let host = ProcessInfo.processInfo.hostName
    let other = try directory.write("", to: "copy.dump.martlet-partial-1@other-\(host)")
    let running = try directory.write("", to: "copy.dump.martlet-partial-1@\(host)")
    let own = try directory.write("", to: "copy.dump.martlet-partial-\(getpid())@\(host)")
    var reports: [String] = []
    let file = BackupFile(path: directory.path("copy.dump"))
    try await file.write(
      report: { reports.append($0) },
      { part in
        try Data("whole".utf8).write(to: URL(filePath: part))
        #expect(!FileManager.default.fileExists(atPath: file.path))
      })
    #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "whole")
    #expect(
      Set(reports) == [
        "removed \(own), the incomplete file of a command that was killed",
        "\(other) is an incomplete file of other-\(host), which still runs or was killed",
      ])
    for path in [other, running] { #expect(FileManager.default.fileExists(atPath: path)) }
    #expect(!FileManager.default.fileExists(atPath: own))
  }

  @Test("a file that appears while the backup is written is not replaced, and nothing else is left")
  func raced() async throws {
    let file = BackupFile(path: directory.path("copy.dump"))
    await #expect(throws: CommandFailure.self) {
      try await file.write(
        report: { _ in },
        { _ in try Data("other".utf8).write(to: URL(filePath: file.path)) })
    }
    #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "other")
    #expect(directory.contents == ["copy.dump"])
  }

  @Test("a copy of SQLite ends with its task, and nothing is left")
  func sqlite() async throws {
    let data = directory.path("data/martlet.sqlite")
    try FileManager.default.createDirectory(
      atPath: directory.path("data"), withIntermediateDirectories: true)
    let store = try SQLitePushStore(path: data)
    for _ in 0..<300 {
      let key = APIKey.make(role: .server, app: nil, at: Timestamp(milliseconds: 0))
      try await store.add(key.record)
    }
    let file = BackupFile(path: folder + "/copy.sqlite")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let copy = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await file.write(
        report: { _ in }, { part in try SQLiteBackup.copy(data, into: part) })
    }
    await #expect(throws: StoreError.self) { try await copy.value }
    #expect(try files(in: folder) == [])
  }
}
