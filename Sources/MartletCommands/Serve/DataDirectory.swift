import Foundation
import PushStore

/// The directory of one server: its database, its admin key, and the lock of the `serve` in it.
struct DataDirectory: Sendable {
  let path: String
  /// The database file, which `--database` may put elsewhere; `nil` where the store is no file.
  let database: String?
  /// The address of a PostgreSQL database, which may hold its password.
  private let postgreSQL: String?

  static let options = [
    Option("--data", "DIR", help: "the data directory (./martlet-data)"),
    Option(
      "--database", "sqlite:PATH|postgres://…", help: "where the store is (SQLite in the data DIR)"),
  ]

  /// - Throws: ``UsageError`` where `--database` is none, or holds a password on the command line.
  init(_ arguments: Arguments, isFromCommandLine: Bool = false) throws {
    path = arguments.value("--data") ?? "./martlet-data"
    let value = arguments.value("--database") ?? "sqlite:" + path + "/martlet.sqlite"
    if isFromCommandLine, Self.holdsPassword(value) {
      throw UsageError(
        "--database holds a password, which others can read there; put it into MARTLET_DATABASE")
    }
    let isPostgreSQL = value.hasPrefix("postgres://") || value.hasPrefix("postgresql://")
    guard isPostgreSQL || (value.hasPrefix("sqlite:") && value.count > 7) else {
      throw UsageError("--database takes sqlite:PATH or postgres://…")
    }
    database = isPostgreSQL ? nil : String(value.dropFirst(7))
    postgreSQL = isPostgreSQL ? value : nil
  }

  /// The absolute path of a file in it.
  func file(_ name: String) -> String {
    URL(filePath: path).appending(path: name).standardizedFileURL.path
  }

  /// The name under which a `serve` leases: the same after a restart, and no other node's.
  var node: String {
    database == nil ? ProcessInfo.processInfo.hostName + ":" + file("") : "node"
  }

  private static func holdsPassword(_ value: String) -> Bool {
    guard let url = URLComponents(string: value) else { return value.contains("@") }
    return url.password != nil
      || (url.queryItems ?? []).contains { $0.name.lowercased().contains("password") }
  }

  /// Opens the store, making what is absent.
  func openStore() async throws -> any PushStore {
    try make()
    if let database { return try SQLitePushStore(path: database) }
    return try await PostgreSQLPushStore(url: postgreSQL ?? "", patience: Self.patience)
  }

  /// Makes the directory where it is absent, and sees that it can be written.
  func make() throws {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandFailure(
        "cannot use the data directory \(path); make it yours to write, or name another --data",
        cause: error)
    }
    guard access(path, R_OK | W_OK | X_OK) == 0 else {
      throw CommandFailure(
        "cannot write in the data directory \(path); make it yours to write, or name another --data"
      )
    }
  }

  /// How long a call waits for a database that restarts or is taken over.
  private static let patience = Duration.seconds(10)

  /// What ``openStore()`` would refuse, found without making or changing anything.
  ///
  /// Returns the store where there is one that this version need not change first.
  func check() async throws -> (any PushStore)? {
    try checkWritable(path)
    if let postgreSQL {
      guard try await PostgreSQLPushStore.isCurrent(url: postgreSQL) else { return nil }
      return try await PostgreSQLPushStore(url: postgreSQL, patience: Self.patience)
    }
    guard let database else { return nil }
    guard FileManager.default.fileExists(atPath: database) else {
      try checkWritable(URL(filePath: database).deletingLastPathComponent().path)
      return nil
    }
    return try SQLitePushStore.isCurrent(path: database) ? SQLitePushStore(path: database) : nil
  }

  /// A directory that is absent is made in the nearest one that is there.
  private func checkWritable(_ directory: String) throws {
    var place = URL(filePath: directory).standardizedFileURL
    while !FileManager.default.fileExists(atPath: place.path), place.path != "/" {
      place.deleteLastPathComponent()
    }
    guard access(place.path, W_OK | X_OK) == 0 else {
      throw CommandFailure(
        "cannot write in \(place.path); make it yours to write, or name another --data")
    }
  }

  /// Takes the store for one `serve`, or for an import; the kernel lets go of it with the process.
  ///
  /// Nodes share a database on a server, where each takes only its own directory.
  func lock(orFail message: String) throws -> StoreLock {
    let database = database ?? file("node")
    guard let lock = try StoreLock(path: database + ".lock") else { throw CommandFailure(message) }
    return lock
  }
}

/// An advisory lock on a file, held until this value goes or the process ends.
final class StoreLock: Sendable {
  private let descriptor: Int32

  /// `nil` where another process holds it.
  init?(path: String) throws(CommandFailure) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      if descriptor >= 0 { close(descriptor) }
      if code == EWOULDBLOCK { return nil }
      throw CommandFailure("cannot lock \(path): \(String(cString: strerror(code)))")
    }
    self.descriptor = descriptor
  }

  deinit {
    // Closing is not enough where another thread is starting a process, which then has it too.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}

extension PushStore {
  /// The app with an id that somebody typed.
  func requiredApp(_ id: String) async throws -> App {
    guard let app = try await app(id) else {
      throw CommandFailure("there is no app \(id); martlet apps list names them")
    }
    return app
  }
}
