#if os(Linux)
  import Foundation

  /// A connection pooler in front of a cluster: Debian's `pgbouncer`.
  package final class PgBouncer: Sendable {
    private static let program = "/usr/sbin/pgbouncer"
    package static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    private let folder: String

    /// Starts a pooler; `mode` is `session`, `transaction` or `statement`.
    package init(inFrontOf cluster: PostgreSQLCluster, mode: String) async throws {
      folder = try await PostgreSQLCluster.makeFolder().folder
      let settings = """
        [databases]
        * = host=\(cluster.folder) user=postgres
        [pgbouncer]
        unix_socket_dir = \(folder)
        listen_addr =
        auth_type = any
        pool_mode = \(mode)
        default_pool_size = 20
        logfile = \(folder)/log
        pidfile = \(folder)/pid
        """
      try settings.write(toFile: folder + "/ini", atomically: true, encoding: .utf8)
      try await PostgreSQLCluster.run(Self.program, ["-d", folder + "/ini"])
      // The program returns before the pooler listens.
      while await runProgram("/usr/bin/psql", [url, "-c", "SELECT 1"]).status != 0 {
        try Task.checkCancellation()
      }
    }

    package var url: String {
      "postgres://postgres@\(folder.replacing("/", with: "%2F")):6432/postgres?connect_timeout=10"
    }

    /// Runs a body with the pooler, and ends the pooler however the body ends.
    package func use(_ body: (PgBouncer) async throws -> Void) async throws {
      let result: Result<Void, any Error>
      do { result = .success(try await body(self)) } catch { result = .failure(error) }
      if let text = try? String(contentsOfFile: folder + "/pid", encoding: .utf8),
        let process = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
      {
        _ = await runProgram("/bin/kill", ["\(process)"])
      }
      try? FileManager.default.removeItem(atPath: folder)
      try result.get()
    }
  }
#endif
