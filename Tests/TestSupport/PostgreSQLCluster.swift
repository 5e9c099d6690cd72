#if os(Linux)
  import Foundation
  import _Spawn

  /// A PostgreSQL server for one test, with a folder and a Unix socket of its own.
  package final class PostgreSQLCluster: Sendable {
    /// The seconds that `pg_ctl` waits: a recovery beside other tests may take minutes.
    private static let patience = "300"
    /// The folder in which Debian installs the server's programs; `nil` where they are not installed.
    private static let programs: String? = {
      let root = "/usr/lib/postgresql"
      let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
      guard let newest = versions.compactMap({ Int($0) }).max() else { return nil }
      let programs = "\(root)/\(newest)/bin"
      return FileManager.default.isExecutableFile(atPath: "\(programs)/initdb") ? programs : nil
    }()

    package static var isInstalled: Bool { programs != nil }
    /// Whether the server has a library, such as `citus`, for `shared_preload_libraries`.
    package static func has(library: String) -> Bool {
      guard let programs else { return false }
      let file = "\(programs.dropLast(3))lib/\(library).so"
      return FileManager.default.fileExists(atPath: file)
    }

    package let folder: String
    private let programs: String
    private let syncs: Bool
    /// The port for TLS; `nil` for a server with a Unix socket only.
    private let port: UInt16?
    /// Settings beside those of every cluster, each as `name=value`.
    private let settings: [String]

    /// Makes a cluster and starts it.
    ///
    /// `syncs` turns on `fsync`, which only matters for a power cut. `settings` are in the form
    /// `name=value`.
    package init(syncs: Bool = false, settings: [String] = []) async throws {
      (folder, programs) = try await Self.makeFolder()
      (self.syncs, port, self.settings) = (syncs, nil, settings)
      try await makeData()
      try await start()
    }

    /// Makes a cluster that also listens for TLS on this machine, and starts it.
    package init(certificatePEM: String, keyPEM: String) async throws {
      (folder, programs) = try await Self.makeFolder()
      // PostgreSQL does not take port 0, so a port that is free now is used.
      (syncs, port, settings) = (false, try LoopbackListener().port, [])
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

    /// A data directory that `initdb` makes once for all clusters of this process, which are copies of it.
    private static let template = Task {
      let (folder, programs) = try await makeFolder(templateName)
      atexit { try? FileManager.default.removeItem(atPath: "/tmp/" + templateName) }
      let options = ["-U", "postgres", "-A", "trust", "-N", "-E", "UTF8"]
      try await run("\(programs)/initdb", ["-D", "\(folder)/data"] + options)
      return "\(folder)/data"
    }

    private static var templateName: String { "martlet-pg-\(getpid())" }

    private func makeData() async throws {
      try await run("cp", ["-a", Self.template.value, data], in: "/bin")
    }

    /// Makes a synchronous standby of another cluster, and starts it.
    package init(following primary: PostgreSQLCluster) async throws {
      (folder, programs) = try await Self.makeFolder()
      (syncs, port, settings) = (primary.syncs, nil, primary.settings)
      try await run(
        "pg_basebackup", ["-h", primary.folder, "-U", "postgres", "-D", data, "-R", "-X", "stream"])
      try await start()
      try await primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
      try await primary.query("SELECT pg_reload_conf()")
      // The primary waits for the standby once that streams.
      let following = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
      while try await primary.query(following) != "1" {}
    }

    /// Makes a standby a primary.
    package func promote() async throws {
      try await run("pg_ctl", ["-D", data, "-w", "-t", Self.patience, "promote"])
    }

    /// Runs one statement with `psql`, and returns its output.
    @discardableResult
    package func query(_ sql: String, database: String = "postgres") async throws -> String {
      try await run("psql", ["-h", folder, "-U", "postgres", "-d", database, "-Atqc", sql])
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Runs the statements of a dump with `psql`, and stops at the first error.
    package func load(dump: String) async throws {
      let file = "\(folder)/dump.sql"
      try dump.write(toFile: file, atomically: false, encoding: .utf8)
      try await run(
        "psql",
        [
          "-h", folder, "-U", "postgres", "-d", "postgres", "-Xq", "-v", "ON_ERROR_STOP=1", "-f",
          file,
        ])
    }

    /// Runs commands of a shell as the cluster's user, until one fails, and returns their output.
    ///
    /// `PGDATA`, `PGHOST`, `PGUSER` and `PATH` are set; `variables` are further ones, as `NAME=value`.
    @discardableResult
    package func shell(_ commands: String, _ variables: [String]) async throws -> String {
      try await run(
        "env",
        [
          "PGDATA=\(data)", "PGHOST=\(folder)", "PGUSER=postgres", "PATH=\(programs):/usr/bin:/bin",
        ] + variables + ["sh", "-euc", commands], in: "/usr/bin")
    }

    /// The address of the Unix socket, in libpq's form.
    package var url: String { url() }

    package func url(database: String = "postgres") -> String {
      "postgres://postgres@\(Self.escaped(folder))/\(database)?connect_timeout=10"
    }

    /// An address with two clusters, of which a client connects to the one that takes writes.
    package func url(or other: PostgreSQLCluster, database: String = "postgres") -> String {
      "postgres://postgres@\(Self.escaped(folder)),\(Self.escaped(other.folder))/\(database)"
        + "?connect_timeout=10"
    }

    /// The address for TLS; `host` is a name of this machine.
    package func url(host: String, _ options: String) -> String {
      "postgres://postgres@\(host):\(port ?? 0)/postgres?connect_timeout=10&\(options)"
    }

    private static func escaped(_ path: String) -> String { path.replacing("/", with: "%2F") }

    static func makeFolder(
      _ name: String = "martlet-pg-\(UUID().uuidString.prefix(8))"
    ) async throws -> (folder: String, programs: String) {
      guard let programs else { throw ClusterError("PostgreSQL is not installed") }
      // Short, for the path of a socket has at most 107 bytes.
      let folder = "/tmp/\(name)"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
      if Self.isRoot { _ = await runProgram("/bin/chown", ["postgres", folder]) }
      return (folder, programs)
    }

    /// Starts the server and waits until it takes connections.
    package func start() async throws {
      var options = "-k \(folder) -c fsync=\(syncs ? "on" : "off")"
      options +=
        port.map { " -p \($0) -c ssl=on -c listen_addresses=localhost" } ?? " -c listen_addresses="
      for setting in settings { options += " -c \(setting)" }
      do {
        try await run(
          "pg_ctl",
          ["-D", data, "-l", "\(folder)/log", "-w", "-t", Self.patience, "-o", options, "start"])
      } catch {
        let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
        throw ClusterError(
          "\(error)\n\(log.split(separator: "\n").suffix(8).joined(separator: "\n"))")
      }
    }

    /// Stops the server and ends its connections; the mode `immediate` stops it as a power cut would.
    package func stop(_ mode: String = "fast") async throws {
      try await run("pg_ctl", ["-D", data, "-w", "-t", Self.patience, "-m", mode, "stop"])
    }

    /// Kills the server with SIGKILL, and waits for its child processes, which end by themselves.
    ///
    /// Until the last of them has ended, the server does not start again.
    package func kill() async throws {
      let main = try await mainProcess
      let processes = [main] + Self.children(of: main)
      _ = await runProgram("/bin/kill", ["-9", "\(main)"])
      for process in processes {
        while Foundation.kill(process, 0) == 0 { await Task.yield() }
      }
    }

    /// Stops every process of the server where it is, as where its machine hangs, until ``resume()``.
    package func suspend() async throws {
      let main = try await mainProcess
      // First the one that starts others.
      for process in [main] + Self.children(of: main) { Foundation.kill(process, SIGSTOP) }
    }

    /// Lets the processes that ``suspend()`` has stopped go on.
    package func resume() async throws {
      let main = try await mainProcess
      for process in Self.children(of: main) + [main] { Foundation.kill(process, SIGCONT) }
    }

    private var mainProcess: Int32 {
      get async throws {
        let lines = try await run("cat", ["\(data)/postmaster.pid"], in: "/bin")
        guard let process = lines.split(separator: "\n").first.flatMap({ Int32($0) }) else {
          throw ClusterError("the server is not running")
        }
        return process
      }
    }

    private static func children(of parent: Int32) -> [Int32] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return names.compactMap { Int32($0) }.filter { process in
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // The name, in parentheses, may have spaces; the parent is the second field after it.
        let fields = status?.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 1 && Int32(fields[1]) == parent
      }
    }

    /// Runs a body with the cluster, and removes the cluster however the body ends.
    package func use(_ body: (PostgreSQLCluster) async throws -> Void) async throws {
      let result: Result<Void, any Error>
      do { result = .success(try await body(self)) } catch { result = .failure(error) }
      await remove()
      try result.get()
    }

    private func remove() async {
      // A test that fails may leave the server suspended, which no signal but this ends.
      try? await resume()
      try? await stop("immediate")
      try? FileManager.default.removeItem(atPath: folder)
    }

    private var data: String { "\(folder)/data" }
    private static var isRoot: Bool { NSUserName() == "root" }

    /// Runs a program, for root as the user `postgres`, since the server refuses to run as root.
    @discardableResult
    private func run(
      _ program: String, _ arguments: [String], in folder: String? = nil
    ) async throws -> String {
      try await Self.run("\(folder ?? programs)/\(program)", arguments)
    }

    @discardableResult
    static func run(_ program: String, _ arguments: [String]) async throws -> String {
      // What the program says of an error is read only where it failed: notices are no output.
      let script =
        #"errors=$(mktemp); "$@" 2>"$errors"; code=$?; [ $code = 0 ] || cat "$errors"; "#
        + #"rm "$errors"; exit $code"#
      let shell = ["-c", script, "sh", program] + arguments
      let (status, output) =
        Self.isRoot
        ? await runProgram("/usr/sbin/runuser", ["-u", "postgres", "--", "/bin/sh"] + shell)
        : await runProgram("/bin/sh", shell)
      guard status == 0 else { throw ClusterError("\(program) ended with \(status): \(output)") }
      return output
    }
  }

  struct ClusterError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
#endif
