import Foundation
import PushStore
import _Spawn

/// Copies of a PostgreSQL store as one file, made by `pg_dump` and read by `pg_restore`.
///
/// The programs get the address in a file that only its owner can read, because other users of the
/// machine can read their arguments.
struct PostgreSQLBackup {
  let url: String

  /// Writes a consistent copy to a new file; a copy that fails is removed.
  func make(at file: String) async throws {
    guard try await PostgreSQLPushStore.schemaVersion(url: url) > 0 else {
      throw CommandFailure("the database has no store; name that of a server")
    }
    guard try await !PostgreSQLDivision.isDivided(url: url) else {
      throw CommandFailure(
        "the database is divided by Citus, and pg_dump would copy its servers at different times;"
          + " back up each server with pg_basebackup")
    }
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure("cannot make the file \(file): \(String(cString: strerror(errno)))")
    }
    close(descriptor)
    do {
      _ = try await run("pg_dump", ["--format=custom", "--file", file])
    } catch {
      unlink(file)
      throw error
    }
  }

  /// Restores a copy into a database without a store, in one transaction.
  func restore(_ file: String) async throws {
    guard FileManager.default.fileExists(atPath: file) else {
      throw CommandFailure("there is no file \(file); name a backup")
    }
    guard Self.isDump(file) else {
      throw CommandFailure(
        "\(file) is no backup of a PostgreSQL store; one of SQLite is restored into a --data"
          + " directory, without --database")
    }
    guard try await PostgreSQLPushStore.schemaVersion(url: url) == 0 else {
      throw CommandFailure(
        "the database has a store already; make another one with createdb, and restore into that")
    }
    guard
      try await run("pg_restore", ["--list", file]).contains(where: {
        $0.contains(" martlet_schema ")
      })
    else {
      throw CommandFailure(
        "\(file) is a copy of another program's database; name a backup of a store")
    }
    _ = try await run("pg_restore", ["--exit-on-error", "--single-transaction", file])
    // A copy of a newer version is restored, and named as such.
    _ = try await PostgreSQLPushStore.schemaVersion(url: url)
  }

  /// Whether a file begins as the custom format of `pg_dump` does.
  static func isDump(_ file: String) -> Bool {
    let handle = FileHandle(forReadingAtPath: file)
    defer { try? handle?.close() }
    return (try? handle?.read(upToCount: 5)) == Data("PGDMP".utf8)
  }

  /// Runs one of PostgreSQL's programs on the database; neither owners nor grants are copied.
  ///
  /// - Returns: The lines that the program printed.
  func run(_ program: String, _ arguments: [String]) async throws -> [String] {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "martlet-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let service = folder.appending(path: "service").path
    try PrivateFile(service).replace(Array(try PostgreSQLService.text(of: url).utf8))
    let child = try ChildProcess(
      "/usr/bin/env",
      [
        "PGSERVICEFILE=\(service)", "sh", "-c", #"exec "$@" 2>&1"#, "sh", program,
        "--dbname=service=\(PostgreSQLService.name)", "--no-owner", "--no-privileges",
        "--no-password",
      ] + arguments)
    var said: [String] = []
    for await line in child.lines { said.append(line) }
    let status = await child.wait()
    guard status != 127 else {
      throw CommandFailure(
        "\(program) is not installed; on Debian it is in the package postgresql-client")
    }
    guard status == 0 else {
      throw CommandFailure(
        "\(program) failed: \(said.joined(separator: " ").prefix(1000))")
    }
    return said
  }
}
