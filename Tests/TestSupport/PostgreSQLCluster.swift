#if os(Linux)
  import Foundation
  import _Spawn

  /// A PostgreSQL server of one test's own: a folder, a Unix socket in it, and no port.
  package final class PostgreSQLCluster: Sendable {
    /// The server's programs, where Debian puts them; `nil` where they are not installed.
    private static let programs: String? = {
      let root = "/usr/lib/postgresql"
      let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
      guard let newest = versions.compactMap({ Int($0) }).max() else { return nil }
      let programs = "\(root)/\(newest)/bin"
      return FileManager.default.isExecutableFile(atPath: "\(programs)/initdb") ? programs : nil
    }()

    package static var isInstalled: Bool { programs != nil }

    let folder: String
    private let programs: String
    private let syncs: Bool
    /// Where it listens for TLS; `nil` where it has its socket alone.
    private let port: UInt16?

    /// Makes a cluster and starts it.
    ///
    /// `syncs` writes through to the disk, which only a power cut could tell from not doing so.
    package init(syncs: Bool = false) async throws {
      (folder, programs) = try await Self.makeFolder()
      (self.syncs, port) = (syncs, nil)
      try await makeData()
      try await start()
    }

    /// Makes one that is also reached over TCP on this machine, by TLS alone, and starts it.
    package init(certificatePEM: String, keyPEM: String) async throws {
      (folder, programs) = try await Self.makeFolder()
      // It takes no port 0; the one that is free now is its own, unless another is faster.
      (syncs, port) = (false, try LoopbackListener().port)
      try await makeData()
      for (name, text) in [("server.crt", certificatePEM), ("server.key", keyPEM)] {
        try text.write(toFile: "\(data)/\(name)", atomically: true, encoding: .utf8)
        _ = await runProgram("/bin/chmod", ["600", "\(data)/\(name)"])
        if Self.isRoot { _ = await runProgram("/bin/chown", ["postgres", "\(data)/\(name)"]) }
      }
      let rules = """
        local all all trust
        hostssl all all samehost trust
        """
      try rules.write(toFile: "\(data)/pg_hba.conf", atomically: false, encoding: .utf8)
      try await start()
    }

    private func makeData() async throws {
      try await run("initdb", ["-D", data, "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8"])
    }

    /// A standby of another cluster, which waits for it with every commit once it is there.
    package init(following primary: PostgreSQLCluster) async throws {
      (folder, programs) = try await Self.makeFolder()
      (syncs, port) = (primary.syncs, nil)
      try await run(
        "pg_basebackup", ["-h", primary.folder, "-U", "postgres", "-D", data, "-R", "-X", "stream"])
      try await start()
      try await primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
      try await primary.query("SELECT pg_reload_conf()")
      // Until it streams, the primary would not wait for it.
      let following = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
      while try await primary.query(following) != "1" {}
    }

    /// Ends the following: from here on it is a primary.
    package func promote() async throws {
      try await run("pg_ctl", ["-D", data, "-w", "promote"])
    }

    /// Runs one statement with the client that comes with it.
    @discardableResult
    package func query(_ sql: String, database: String = "postgres") async throws -> String {
      try await run("psql", ["-h", folder, "-U", "postgres", "-d", database, "-Atqc", sql])
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Where it listens, in libpq's form.
    package var url: String { url() }

    package func url(database: String = "postgres") -> String {
      "postgres://postgres@\(Self.escaped(folder))/\(database)?connect_timeout=10"
    }

    /// Both of two clusters' addresses; a client takes the one that it can write to.
    package func url(or other: PostgreSQLCluster) -> String {
      "postgres://postgres@\(Self.escaped(folder)),\(Self.escaped(other.folder))/postgres"
        + "?connect_timeout=10"
    }

    /// Where it listens for TLS; `host` is a name of this machine.
    package func url(host: String, _ options: String) -> String {
      "postgres://postgres@\(host):\(port ?? 0)/postgres?connect_timeout=10&\(options)"
    }

    private static func escaped(_ path: String) -> String { path.replacing("/", with: "%2F") }

    static func makeFolder() async throws -> (folder: String, programs: String) {
      guard let programs else { throw ClusterError("PostgreSQL is not installed") }
      // Short, for the path of a socket has 107 bytes at most; its owner is `postgres`.
      let folder = "/tmp/martlet-pg-\(UUID().uuidString.prefix(8))"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
      if Self.isRoot { _ = await runProgram("/bin/chown", ["postgres", folder]) }
      return (folder, programs)
    }

    /// Starts it and waits until it takes connections.
    package func start() async throws {
      var options = "-k \(folder) -c fsync=\(syncs ? "on" : "off")"
      options +=
        port.map { " -p \($0) -c ssl=on -c listen_addresses=localhost" } ?? " -c listen_addresses="
      try await run("pg_ctl", ["-D", data, "-l", "\(folder)/log", "-w", "-o", options, "start"])
    }

    /// Ends it and its connections at once, or as a power cut would (`immediate`).
    package func stop(_ mode: String = "fast") async throws {
      try await run("pg_ctl", ["-D", data, "-w", "-m", mode, "stop"])
    }

    /// Kills it, as `kill -9` does: nothing in it hears of that. Its children end by themselves.
    package func kill() async throws {
      let lines = try await run("cat", ["\(data)/postmaster.pid"], in: "/bin")
      guard let process = lines.split(separator: "\n").first.flatMap({ Int32($0) }) else {
        throw ClusterError("the server has no process")
      }
      _ = await runProgram("/bin/kill", ["-9", "\(process)"])
      while Foundation.kill(process, 0) == 0 { await Task.yield() }
    }

    /// Does something with it, and removes it however that ends; it would outlive the test.
    package func use(_ body: (PostgreSQLCluster) async throws -> Void) async throws {
      let result: Result<Void, any Error>
      do { result = .success(try await body(self)) } catch { result = .failure(error) }
      await remove()
      try result.get()
    }

    private func remove() async {
      try? await stop("immediate")
      try? FileManager.default.removeItem(atPath: folder)
    }

    private var data: String { "\(folder)/data" }
    private static var isRoot: Bool { NSUserName() == "root" }

    /// As `postgres` where this is root, as which the server refuses to run.
    @discardableResult
    private func run(
      _ program: String, _ arguments: [String], in folder: String? = nil
    ) async throws -> String {
      try await Self.run("\(folder ?? programs)/\(program)", arguments)
    }

    @discardableResult
    static func run(_ program: String, _ arguments: [String]) async throws -> String {
      let (status, output) =
        Self.isRoot
        ? await runProgram("/usr/sbin/runuser", ["-u", "postgres", "--", program] + arguments)
        : await runProgram(program, arguments)
      guard status == 0 else { throw ClusterError("\(program) ended with \(status): \(output)") }
      return output
    }
  }

  struct ClusterError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
#endif
