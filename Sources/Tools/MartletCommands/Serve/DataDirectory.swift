import Foundation
import PushModel
import PushStore

/// The data directory of a server, with its database, its admin key and the lock of the running
/// `serve`.
struct DataDirectory: Sendable {
  let path: String
  /// The database file, which may be elsewhere with `--database`; `nil` if the database is PostgreSQL.
  let database: String?
  /// The address of a PostgreSQL database, which may contain a password; `nil` if the database is SQLite.
  let postgreSQL: String?

  enum Options {
    static let data = Option(
      "--data", .folder, default: "./martlet-data", help: "the data directory"
    ).inEnvironment
    static let database = Option(
      "--database", databaseForm, help: "the store (default SQLite in the data directory)"
    ).inEnvironment

    static let all: [any CommandOption] = [data, database]

    private static let databaseForm = ValueForm<String>(
      "sqlite:PATH|postgres://…", takes: "sqlite:PATH or postgres://…", isSecret: true
    ) { text in
      let isFile = text.hasPrefix("sqlite:") && text.count > 7
      return isFile || isPostgreSQL(text) ? text : nil
    }
  }

  /// - Throws: ``UsageError`` if `--database` has another form, or a password on the command line,
  ///   where other users of the machine can read it.
  init(_ arguments: Arguments) throws {
    path = try arguments[Options.data]
    if arguments.isOnCommandLine(Options.database),
      try arguments[Options.database].map(Self.holdsPassword) == true
    {
      throw UsageError(
        "--database holds a password, which others can read there; put it into MARTLET_DATABASE")
    }
    let value = try arguments[Options.database] ?? "sqlite:" + path + "/martlet.sqlite"
    let isPostgreSQL = Self.isPostgreSQL(value)
    database = isPostgreSQL ? nil : String(value.dropFirst(7))
    postgreSQL = isPostgreSQL ? value : nil
  }

  /// The folder of the audience indexes' snapshots.
  var audiences: String { file("audiences") }

  /// The folder of uploads, whose bytes a SQLite database does not hold.
  var media: String { file("media") }

  /// The absolute path of a file in the directory.
  func file(_ name: String) -> String {
    URL(filePath: path).appending(path: name).standardizedFileURL.path
  }

  /// The name under which this node leases batches, which is unique and stays the same after a restart.
  var node: String {
    database == nil ? ProcessInfo.processInfo.hostName + ":" + file("") : "node"
  }

  private static func isPostgreSQL(_ address: String) -> Bool {
    address.hasPrefix("postgres://") || address.hasPrefix("postgresql://")
  }

  private static func holdsPassword(_ value: String) -> Bool {
    guard let url = URLComponents(string: value) else { return value.contains("@") }
    return url.password != nil
      || (url.queryItems ?? []).contains { $0.name.lowercased().contains("password") }
  }

  /// Opens the store, which is created if it does not exist.
  ///
  /// `timings` records the duration of each call. `steps` are the schema steps of a SQLite file; tests use others than
  /// this version's. `report` is called with the reason for which opening waits.
  ///
  /// - Throws: ``CommandFailure`` if a running `serve` uses a SQLite file with an older schema.
  func openStore(
    timings: StoreTimings = StoreTimings(), steps: SchemaSteps = .sqlite,
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> any PushStore {
    try make()
    if let database {
      let lock = try lockOutdated(database, steps: steps)
      let store = try SQLitePushStore(path: database, timings: timings, steps: steps)
      withExtendedLifetime(lock) {}
      return store
    }
    return try await PostgreSQLPushStore(
      url: postgreSQL ?? "", patience: Self.patience, timings: timings,
      lockWait: PostgreSQLLockWait(report: report))
  }

  /// Opens the store for a command, which prints the reason for which opening waits.
  ///
  /// `makesFolder` says whether the command begins a new store if there is none.
  ///
  /// - Throws: ``CommandFailure`` if there is neither the directory nor the database, because a wrong `--data` must not
  ///   become a new store.
  func openStore(for console: Console, makesFolder: Bool = false) async throws -> any PushStore {
    if let database, !makesFolder,
      ![path, database].contains(where: FileManager.default.fileExists(atPath:))
    {
      throw CommandFailure(
        "there is no data directory \(path); name that of the server with --data")
    }
    return try await openStore(report: console.reportWait)
  }

  /// Locks a database whose schema must be migrated; `nil` if no migration is needed.
  private func lockOutdated(_ database: String, steps: SchemaSteps) throws -> StoreLock? {
    guard FileManager.default.fileExists(atPath: database),
      try SQLitePushStore.isOutdated(path: database, steps: steps)
    else { return nil }
    return try lock(
      orFail: "a martlet serve of an older version uses \(path); restart it as this version first")
  }

  /// Distributes the PostgreSQL database among the servers of Citus; `report` gets the reasons for which it waits.
  ///
  /// - Throws: ``CommandFailure`` if the database is SQLite.
  func divideDatabase(
    report: @escaping @Sendable (String) -> Void
  ) async throws -> PostgreSQLDivision.Result {
    guard let postgreSQL else {
      throw CommandFailure(
        "a SQLite database is one file and cannot be divided; name a postgres:// --database")
    }
    return try await PostgreSQLDivision.run(
      url: postgreSQL, lockWait: PostgreSQLLockWait(report: report))
  }

  /// Creates the directory if it does not exist, and checks that it can be written.
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

  /// The time that a call waits for a database that restarts or fails over.
  private static let patience = StoreDeadline.limit

  /// Throws the errors that ``openStore()`` would throw, without creating or changing anything.
  ///
  /// - Returns: The store; `nil` if it does not exist or its schema has another version.
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

  /// The facts of `martlet check-server` about the database; `isCurrent` says whether ``check()``
  /// found this version.
  func facts(isCurrent: Bool) async throws -> ServerFacts.Database {
    guard isCurrent else { return .new(database ?? "the database") }
    if let database { return .sqlite(database) }
    return .postgreSQL(try await PostgreSQLServerSettings.read(url: postgreSQL ?? ""))
  }

  /// Checks a directory, or the nearest existing parent, in which it would be created.
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

  /// Locks the store for this process, until the lock is released or the process ends.
  ///
  /// Nodes share a PostgreSQL database, so each locks only its own directory.
  func lock(orFail message: String) throws -> StoreLock {
    let database = database ?? file("node")
    guard let lock = try StoreLock(path: database + ".lock") else { throw CommandFailure(message) }
    return lock
  }
}

/// An advisory lock on a file, held until this value is deinitialized or the process ends.
final class StoreLock: Sendable {
  private let descriptor: Int32

  /// Returns `nil` if another process holds the lock.
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
    // Closing alone does not unlock the file while a process that another thread just started has the
    // descriptor.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}

extension PushStore {
  /// The app with an id.
  ///
  /// - Throws: ``CommandFailure`` if no app has the id.
  func requiredApp(_ id: String) async throws -> App {
    guard let app = try await app(id) else {
      throw CommandFailure("there is no app \(id); martlet apps list names them")
    }
    return app
  }
}
