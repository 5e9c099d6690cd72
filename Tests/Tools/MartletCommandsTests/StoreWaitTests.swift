import Foundation
import TestSupport
import Testing
import _PostgreSQL

@testable import MartletCommands

@Suite(
  "A command that waits for another martlet", .timeLimit(.minutes(5)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct StoreWaitTests {
  let directory = TemporaryFolder()

  @Test(
    "it says whom it waits for, and goes on after them",
    arguments: [
      (["apps", "list"], ExitCode.success), (["keys", "list"], .success),
      (["devices", "export", "--app", "none", "/dev/null"], .failure),
      (["database", "divide"], .failure),
    ])
  func turn(line: [String], code: ExitCode) async throws {
    try await PostgreSQLCluster().use { cluster in
      // What a martlet holds while it brings the schema forward.
      let other = try PostgreSQLConnection(url: cluster.url + "&application_name=upgrade")
      let process = try other.rows("SELECT pg_backend_pid(), pg_advisory_lock(x'4D52544C'::INT)") {
        $0.integer(0)
      }
      let (errors, error) = AsyncStream<String>.makeStream()
      let recording = RecordingConsole()
      var console = recording.console
      console.printError = { error.yield($0) }
      let options = ["--data", directory.path("data"), "--database", cluster.url]
      let command = Task { [console] in
        let code = await runMartlet(line + options, console)
        error.finish()
        return code
      }
      var lines = errors.makeAsyncIterator()
      #expect(
        await lines.next()
          == "martlet: waiting to bring the database's schema forward for upgrade from the database's"
          + " machine (PostgreSQL's process \(process.first ?? 0)), which works on its tables")
      try other.execute("SELECT pg_advisory_unlock_all()")
      #expect(await command.value == code)
      // What fails afterwards fails for another reason.
      while let line = await lines.next() { #expect(!line.contains("waiting"), "\(line)") }
    }
  }
}
