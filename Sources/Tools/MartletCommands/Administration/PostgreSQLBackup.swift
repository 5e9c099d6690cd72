import Foundation
import PushModel
import PushStore
import _Spawn

/// Copies of a PostgreSQL store as one file, made by `pg_dump` and read by `pg_restore`.
///
/// The programs get the address from standard input, because other users of the machine can read their
/// arguments, and a killed process would leave a file behind.
struct PostgreSQLBackup: Sendable {
  let url: String

  /// Writes a consistent copy of the store's tables into an empty file.
  ///
  /// Other contents of the database, such as another program's tables and extensions, do not belong to
  /// the store. A role that restores the store may have no right to make them.
  func make(at file: String) async throws {
    guard try await PostgreSQLPushStore.schemaVersion(url: url) > 0 else {
      throw CommandFailure("the database has no store; name that of a server")
    }
    guard try await !PostgreSQLDivision.isDivided(url: url) else {
      throw CommandFailure(
        "the database is divided by Citus, and pg_dump would copy its servers at different times;"
          + " back up each server with pg_basebackup")
    }
    let tables = try await PostgreSQLPushStore.tables(url: url).map { "--table=\($0)" }
    _ = try await run("pg_dump", ["--format=custom", "--file", file] + tables)
  }

  /// Restores a copy into a database without a store, in one transaction.
  func restore(_ file: String) async throws {
    guard FileManager.default.fileExists(atPath: file) else {
      throw CommandFailure("there is no file \(file); name a backup")
    }
    guard Self.isDump(file) else {
      throw CommandFailure(
        "\(file) is not a backup of a PostgreSQL store; one of SQLite is restored into a --data"
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
    // A copy of a newer version is restored, and the error then names the version.
    _ = try await PostgreSQLPushStore.schemaVersion(url: url)
  }

  /// Whether a file begins as the custom format of `pg_dump` does.
  static func isDump(_ file: String) -> Bool {
    let handle = FileHandle(forReadingAtPath: file)
    defer { try? handle?.close() }
    return (try? handle?.read(upToCount: 5)) == Data("PGDMP".utf8)
  }

  /// Runs one of PostgreSQL's programs on the database until the task is cancelled.
  ///
  /// Neither owners nor grants are copied.
  ///
  /// - Returns: The lines that the program printed.
  func run(_ program: String, _ arguments: [String]) async throws -> [String] {
    let child = try ChildProcess(
      "/usr/bin/env",
      [
        "PGSERVICEFILE=/dev/stdin", "sh", "-c", #"exec "$@" 2>&1"#, "sh", program,
        "--dbname=service=\(PostgreSQLService.name)", "--no-owner", "--no-privileges",
        "--no-password",
      ] + arguments, input: Array(try PostgreSQLService.text(of: url).utf8))
    let (said, status) = await withTaskCancellationHandler {
      var said: [String] = []
      for await line in child.lines { said.append(line) }
      return (said, await child.wait())
    } onCancel: {
      child.signal(SIGTERM)
    }
    try Task.checkCancellation()
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
