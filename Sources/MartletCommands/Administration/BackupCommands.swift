import Foundation
import PushPayload
import PushStore

/// `martlet backup FILE`: a copy of the store, beside a running `serve` or without one.
struct BackupCommand: Command {
  static let name = "backup"
  static let summary = "copy the store into one file, also while it is served"
  static let operands = "FILE"
  static let options = DataDirectory.options + [.json]

  private let arguments: Arguments
  private let file: String

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    file = try arguments.backupFile()
  }

  func run(_ console: Console) async throws -> ExitCode {
    var arguments = arguments
    try arguments.fallBack(environment: console.environment)
    let database = try DataDirectory(arguments).backedUpDatabase()
    try SQLiteBackup.make(of: database, at: file)
    console.report(file, "backup", arguments)
    return .yes
  }
}

/// `martlet restore FILE`: what `backup` wrote becomes the store of a data directory that has none.
struct RestoreCommand: Command {
  static let name = "restore"
  static let summary = "make a backup the store of an empty data directory"
  static let operands = "FILE"
  static let options = DataDirectory.options + [.json]

  private let arguments: Arguments
  private let file: String

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    file = try arguments.backupFile()
  }

  func run(_ console: Console) async throws -> ExitCode {
    var arguments = arguments
    try arguments.fallBack(environment: console.environment)
    let data = try DataDirectory(arguments)
    let database = try data.backedUpDatabase()
    try data.make()
    let lock = try data.lock(
      orFail: "a martlet serve uses \(data.path); stop it, or restore into another --data")
    try SQLiteBackup.restore(file, to: database)
    withExtendedLifetime(lock) {}
    console.report(database, "database", arguments)
    return .yes
  }
}

extension Arguments {
  fileprivate func backupFile() throws -> String {
    _ = try DataDirectory(self, isFromCommandLine: true)
    guard operands.count == 1 else { throw UsageError("name one FILE") }
    return operands[0]
  }
}

extension DataDirectory {
  /// The database file: one on a server is backed up by its own tools.
  fileprivate func backedUpDatabase() throws -> String {
    guard let database else {
      throw CommandFailure("this is for SQLite; copy PostgreSQL with pg_dump or pg_basebackup")
    }
    return database
  }
}

extension Console {
  /// Says which file there is now, and how large it is.
  fileprivate func report(_ file: String, _ name: String, _ arguments: Arguments) {
    let path = URL(filePath: file).standardizedFileURL.path
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    if arguments.flag("--json") {
      let result: JSONValue = [name: .string(path), "bytes": .integer(Int64(size))]
      print(result.line)
    } else {
      print("\(name): \(path), \(size) bytes")
    }
  }
}
