import Foundation
import PushModel
import PushPayload
import PushStore

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
