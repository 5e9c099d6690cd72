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

    private let folder: String
    private let programs: String

    /// Makes a cluster and starts it; nothing is synced to disk.
    package init() async throws {
      guard let programs = Self.programs else { throw ClusterError("PostgreSQL is not installed") }
      self.programs = programs
      // Short, for the path of a socket has 107 bytes at most; its owner is `postgres`.
      folder = "/tmp/martlet-pg-\(UUID().uuidString.prefix(8))"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
      if Self.isRoot { _ = await runProgram("/bin/chown", ["postgres", folder]) }
      try await run("initdb", ["-D", data, "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8"])
      try await start()
    }

    /// Where it listens, in libpq's form.
    package var url: String {
      let host = folder.replacing("/", with: "%2F")
      return "postgres://postgres@\(host)/postgres?connect_timeout=10"
    }

    /// Starts it and waits until it takes connections.
    package func start() async throws {
      let options = "-k \(folder) -c listen_addresses= -c fsync=off"
      try await run("pg_ctl", ["-D", data, "-l", "\(folder)/log", "-w", "-o", options, "start"])
    }

    /// Ends it and its connections at once, or as a power cut would (`immediate`).
    package func stop(_ mode: String = "fast") async throws {
      try await run("pg_ctl", ["-D", data, "-w", "-m", mode, "stop"])
    }

    /// Stops it and removes its folder; without this it would outlive the test.
    package func remove() async {
      try? await stop("immediate")
      try? FileManager.default.removeItem(atPath: folder)
    }

    private var data: String { "\(folder)/data" }
    private static var isRoot: Bool { NSUserName() == "root" }

    /// As `postgres` where this is root, as which the server refuses to run.
    private func run(_ program: String, _ arguments: [String]) async throws {
      let command = ["\(programs)/\(program)"] + arguments
      let (status, output) =
        Self.isRoot
        ? await runProgram("/usr/sbin/runuser", ["-u", "postgres", "--"] + command)
        : await runProgram(command[0], arguments)
      guard status == 0 else { throw ClusterError("\(program) ended with \(status): \(output)") }
    }
  }

  struct ClusterError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
#endif
