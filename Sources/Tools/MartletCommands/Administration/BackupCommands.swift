import Foundation
import PushPayload
import PushStore

/// `martlet backup`: copies the store into one file, even while `serve` is running.
struct BackupCommand: Command {
  static let name = "backup"
  static let summary = "copy the store into one file, also beside a running serve"
  static let discussion = """
    A SQLite store is copied as a SQLite file, one in PostgreSQL by pg_dump in its custom format. The
    copy needs the secret.key of its day, which is not in it. See docs/server/operations.md.
    """
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
    let data = try DataDirectory(arguments)
    try await console.cancelledBySignals { [file] in
      try await BackupFile(path: file).write(report: console.printError) { part in
        if let database = data.database {
          try SQLiteBackup.copy(database, into: part)
        } else {
          try await PostgreSQLBackup(url: data.postgreSQL ?? "").make(at: part)
        }
      }
    }
    console.printSize(of: file, as: "backup", isJSON: arguments[CommonOptions.json])
    return .success
  }
}

/// `martlet restore`: uses a backup as the store of a data directory or a PostgreSQL database that has
/// none.
struct RestoreCommand: Command {
  static let name = "restore"
  static let summary = "make a backup the store of an empty data directory or database"
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
    try data.make()
    let lock = try data.lock(
      orFail: "a martlet serve uses \(data.path); stop it, or restore into another --data")
    if let database = data.database {
      guard !PostgreSQLBackup.isDump(file) else {
        throw CommandFailure(
          "\(file) is a backup of a PostgreSQL store; name a postgres:// --database without a store"
        )
      }
      try SQLiteBackup.restore(file, to: database)
    } else {
      try await console.cancelledBySignals { [file] in
        try await PostgreSQLBackup(url: data.postgreSQL ?? "").restore(file)
      }
    }
    // The snapshots belong to another state of the store.
    try? FileManager.default.removeItem(atPath: data.audiences)
    withExtendedLifetime(lock) {}
    let isJSON = arguments[CommonOptions.json]
    if let database = data.database {
      console.printSize(of: database, as: "database", isJSON: isJSON)
    } else {
      console.printSize(of: file, as: "restored", isJSON: isJSON)
    }
    return .success
  }
}

extension Arguments {
  fileprivate func backupFile() throws -> String {
    _ = try DataDirectory(self)
    return operands[0]
  }
}

extension Console {
  /// Prints the path and the size of a written file.
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
