import Foundation
import PushPayload
import PushStore

/// `martlet backup`: copies the store into one file, also beside a running `serve`.
struct BackupCommand: Command {
  static let name = "backup"
  static let summary = "copy the store into one file, also beside a running serve"
  static let operand: Operand? = Operand(
    "FILE", .one, completion: .files, help: "the file to write, which must not exist")
  static let options: [any CommandOption] = DataDirectory.Options.all + [CommonOptions.json]

  private let arguments: Arguments
  private let file: String

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    file = try arguments.backupFile()
  }

  func run(_ console: Console) async throws -> ExitCode {
    let database = try DataDirectory(arguments).backedUpDatabase()
    try SQLiteBackup.make(of: database, at: file)
    console.printSize(of: file, as: "backup", isJSON: arguments[CommonOptions.json])
    return .success
  }
}

/// `martlet restore`: makes a backup the store of a data directory that has none.
struct RestoreCommand: Command {
  static let name = "restore"
  static let summary = "make a backup the store of an empty data directory"
  static let operand: Operand? = Operand(
    "FILE", .one, completion: .files, help: "the file that martlet backup wrote")
  static let options: [any CommandOption] = DataDirectory.Options.all + [CommonOptions.json]

  private let arguments: Arguments
  private let file: String

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    file = try arguments.backupFile()
  }

  func run(_ console: Console) async throws -> ExitCode {
    let data = try DataDirectory(arguments)
    let database = try data.backedUpDatabase()
    try data.make()
    let lock = try data.lock(
      orFail: "a martlet serve uses \(data.path); stop it, or restore into another --data")
    try SQLiteBackup.restore(file, to: database)
    // They are of another state of the store.
    try? FileManager.default.removeItem(atPath: data.audiences)
    withExtendedLifetime(lock) {}
    console.printSize(of: database, as: "database", isJSON: arguments[CommonOptions.json])
    return .success
  }
}

extension Arguments {
  fileprivate func backupFile() throws -> String {
    _ = try DataDirectory(self)
    return operands[0]
  }
}

extension DataDirectory {
  /// The database file.
  ///
  /// - Throws: ``CommandFailure`` for PostgreSQL, which has tools of its own for this.
  fileprivate func backedUpDatabase() throws -> String {
    guard let database else {
      throw CommandFailure(
        "backup and restore are for SQLite; copy PostgreSQL with pg_dump or pg_basebackup")
    }
    return database
  }
}

extension Console {
  /// Prints the path and the size of a file that was written.
  fileprivate func printSize(of file: String, as name: String, isJSON: Bool) {
    let path = URL(filePath: file).standardizedFileURL.path
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    if isJSON {
      let result: JSONValue = [name: .string(path), "bytes": .integer(Int64(size))]
      print(result.line)
    } else {
      print("\(name): \(path), \(size) bytes")
    }
  }
}
